"""A bench for rules: finds the values of a machine that explain most published numbers.

    python -m benches.rules check       short runs compared with those of the figures
    python -m benches.rules score       one machine, claim by claim
    python -m benches.rules screen      the effect of each factor, by a two-level design
    python -m benches.rules search      a better machine, by a pattern search over a few factors
    python -m benches.rules validate    fit by some claims, predict the others
    python -m benches.rules intervals   how far each fitted value may move

docs/design/rules.md explains the commands and their numbers.
"""
