"""Measurements: keywords as requests, many measurements, and what happens inside of one."""
