"""Threads on SPEs: patterns of messages, affinities, and the search for the best placement."""
