"""Measurements: requests from keywords, series of measurements, and traces of single runs."""
