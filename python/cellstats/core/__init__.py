"""The foundation: wording of messages, numbers, files, parameters, patterns, machines as data."""
