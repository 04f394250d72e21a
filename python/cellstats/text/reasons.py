"""Errors of the operating system, worded for the middle of a message."""


def reason(error: OSError) -> str:
    """The operating system's words for an error, without its number and the file's name.

    >>> reason(FileNotFoundError(2, "No such file or directory", "notes.txt"))
    'no such file or directory'
    """
    return (error.strerror or str(error)).lower()
