"""Sudheer, Nagaraju, Baruah, Srinivasan: threads, SPEs, and which on which. 2009."""
