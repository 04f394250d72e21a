"""Sudheer and others: a communication model that determines thread-SPE affinity. 2009."""
