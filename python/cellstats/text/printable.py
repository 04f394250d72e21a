"""Text for outputs that cannot show every letter, and names of files, which need not be text."""

import os
import sys


def printable(text: str) -> str:
    """The text, with letters replaced that standard output's encoding lacks."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("µ", "u").encode(encoding, "backslashreplace").decode(encoding)
    return text


def file_name(path: object) -> str:
    r"""The name of a file as text that can be written anywhere: bytes that are no UTF-8 as `\xff`.

    Python has such bytes as lone surrogates, which no encoding takes; under the C locale every
    letter beyond ASCII is one.
    """
    name = str(path)
    try:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode("utf-8")
