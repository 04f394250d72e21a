"""Papers and other sources about communication on the Cell, with a script for each figure.

`cellstats reproduce` measures what they say. A paper is a directory with `claims.toml`, which
`cellstats.reproduce.claims` describes, and its scripts; `contradictions.toml` is where papers
disagree.
"""
