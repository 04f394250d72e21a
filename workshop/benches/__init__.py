"""Benches for developers: speed, agreement with other tools, and rules of the machine."""
