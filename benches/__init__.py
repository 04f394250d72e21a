"""What developers measure: speed, agreement with other tools, and rules of the machine."""
