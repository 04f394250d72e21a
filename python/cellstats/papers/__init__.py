"""Five papers about communication on the Cell: what they say, and a script for each figure.

`cellstats reproduce` measures them. A paper is a directory with `claims.toml`, which
`cellstats.reproduce.claims` describes, and its scripts; `contradictions.toml` is where papers
disagree.
"""
