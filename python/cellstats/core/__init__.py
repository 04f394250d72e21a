"""Foundations: numbers, files, parameters, patterns, machines as data, and messages' wording."""
