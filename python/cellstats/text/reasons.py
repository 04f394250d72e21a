"""Why the operating system refused, in the words of a line that goes on after it."""


def reason(error: OSError) -> str:
    """Its own words, without the number and the file's name.

    >>> reason(FileNotFoundError(2, "No such file or directory", "notes.txt"))
    'no such file or directory'
    """
    return (error.strerror or str(error)).lower()
