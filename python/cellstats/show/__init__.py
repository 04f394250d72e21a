"""Shows objects as text, JSON, CSV, HTML and pictures; each kind of object has its own module."""
