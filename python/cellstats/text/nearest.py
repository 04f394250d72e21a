"""Suggestions for misspelt words."""

from collections.abc import Sequence


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """The end of an error message: the nearest known word, if any is near, and all known words.

    >>> did_you_mean("dmagte", ["dmaget", "dmaput"])
    'did you mean dmaget? Known are dmaget, dmaput'
    """
    import difflib  # only needed once something is wrong

    listed = ", ".join(known)
    begun = [each for each in known if word and each.startswith(word.lower())]
    near = begun or difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"did you mean {near[0]}? Known are {listed}" if near else f"known are {listed}"
