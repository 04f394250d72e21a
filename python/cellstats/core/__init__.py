"""Foundations: wording of messages, numbers, files, parameters, patterns, and machines as data."""
