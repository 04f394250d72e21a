"""Papers and other sources about communication on the Cell.

Each paper has a file, which declares the paper's figures in `FIGURES`, and a folder that contains
`claims.toml` (`cellstats.reproduce.claims` describes the format). `cellstats reproduce` measures
the figures and judges the claims. `contradictions.toml` lists the points on which papers disagree.
"""
