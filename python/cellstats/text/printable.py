"""Text as standard output can show it."""

import sys


def printable(text: str) -> str:
    """The text as standard output can show it."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("µ", "u").encode(encoding, "backslashreplace").decode(encoding)
    return text
