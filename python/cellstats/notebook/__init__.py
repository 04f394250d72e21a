"""What objects look like where they are looked at: printed, and in notebooks."""
