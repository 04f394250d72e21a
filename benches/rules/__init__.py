"""A bench for rules: which values of a machine explain most of what was published.

    python -m benches.rules check       short runs beside those of the figures
    python -m benches.rules score       one machine, claim by claim
    python -m benches.rules screen      what each factor does, by a two-level design
    python -m benches.rules search      a better machine, by a pattern search over a few factors
    python -m benches.rules validate    fit by some claims, predict the others
    python -m benches.rules intervals   how far each fitted value may move

docs/design/rules.md says what each of them does, and what its numbers mean.
"""
