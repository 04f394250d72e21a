"""Text for outputs that cannot show every letter, and names of files, which need not be text."""

import os
import sys

# What a terminal obeys instead of showing it: all of C0 and C1 but tab and line feed, and what
# turns the direction of a line round.
_OBEYED = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *(code for code in range(0x20) if code not in b"\t\n"),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
}


def printable(text: str) -> str:
    """The text, with letters replaced that the output lacks, or that a terminal obeys."""
    return encodable(harmless(text))


def encodable(text: str) -> str:
    """The text, with letters replaced that standard output's encoding lacks."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("µ", "u").encode(encoding, "backslashreplace").decode(encoding)
    return text


def harmless(text: str) -> str:
    r"""The text, with letters that a terminal would obey as escapes.

    >>> harmless("\x1b[31mred")
    '\\x1b[31mred'
    """
    return text.translate(_OBEYED)


def file_name(path: object) -> str:
    r"""The name of a file as text that can be written anywhere: bytes that are no UTF-8 as `\xff`.

    Python has such bytes as lone surrogates, which no encoding takes; under the C locale every
    letter beyond ASCII is one.
    """
    name = str(path)
    try:
        text = os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return harmless(text)
