"""The page "The rings at work": a run to be watched in a browser, bus cycle by bus cycle."""
