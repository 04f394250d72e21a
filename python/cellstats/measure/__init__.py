"""Measurements: from keywords to one result, to many, and to what happened inside of one."""
