"""What people read: results, listings, drawings of letters, and the words of messages."""
