"""Results and all else that is printed or saved, as text, JSON, CSV and other formats."""
