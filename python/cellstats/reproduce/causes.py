"""The kinds of causes why the simulator does not meet a claim: a closed list.

Each claim that is not met names one of them (`cause`), beside its `reason` in words.
"""

CAUSES = {
    "rings": "which ring or ramp a line takes, for how long, and which lines wait for it",
    "contradiction": "the source contradicts itself, or a source that is met",
    "retries": "SPEs that meet at a line or a queue take regular turns here",
    "ppe": "instructions, loads and stores of the PPE",
    "commands": "what a command or a list costs the MFC, and when a program waits for it",
    "writes": "when a put is done",
    "not-modelled": "links that no simulated machine has",
    "memory": "the number of lines that a memory and the link between chips deliver",
    "unsaid": "the source does not say enough to repeat its measurement",
}
"""What each kind is about."""
WORDS = {
    "contradiction": "contradictions",
    "ppe": "PPE",
    "not-modelled": "not modelled",
    "unsaid": "not said",
}
"""The names of kinds in texts, if they differ from the names in claims."""


def cause_word(cause: str) -> str:
    """The name of a kind in texts.

    >>> cause_word("rings"), cause_word("ppe")
    ('rings', 'PPE')
    """
    return WORDS.get(cause, cause)
