"""What can be written, and in which formats."""
