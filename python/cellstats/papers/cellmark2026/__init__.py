"""cellmark: a benchmark of a retail and a development PlayStation 3, measured in 2026."""
