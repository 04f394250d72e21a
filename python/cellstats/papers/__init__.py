"""Papers and other sources about communication on the Cell.

Each paper is a file, which declares its figures in `FIGURES`, and a folder with its `claims.toml`
(`cellstats.reproduce.claims` describes the format). `cellstats reproduce` measures the figures and
judges the claims. `contradictions.toml` lists where papers disagree.
"""
