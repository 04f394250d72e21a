"""Text for standard outputs that cannot show every letter."""

import sys


def printable(text: str) -> str:
    """The text, with letters replaced that standard output's encoding lacks."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("µ", "u").encode(encoding, "backslashreplace").decode(encoding)
    return text
