"""How things look: text, JSON, CSV, HTML and pictures, a file for each kind of thing."""
