"""Shows objects as text, JSON, CSV, HTML and pictures, with one module for each kind of object."""
