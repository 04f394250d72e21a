"""Text for people: results, listings, drawings in letters, and the words of messages."""
