"""The ground: words of messages, numbers, files, parameters, patterns, machines as data."""
