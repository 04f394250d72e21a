"""`embedspu` of the SDK: makes an object for PPE programs from an SPU executable.

    embedspu [-m32 | -m64] SYMBOL INPUT OUTPUT

As IBM's script of this name, it takes the flags of the PPE's compiler, of which only the width
matters, and writes an object whatever the suffix of OUTPUT is.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from cellstats._native import RunError, UsageError
from cellstats.core.files import write_whole
from cellstats.core.words import reason
from cellstats.spu.embedding import embedded_object
from cellstats.spu.executable import executable

USAGE = "usage: embedspu [-m32 | -m64] SYMBOL INPUT OUTPUT"


def embed(words: Sequence[str]) -> None:
    """Embed as the words of a command line say.

    Raises UsageError for wrong words and for an input that is not an SPU executable, RunError if
    the output cannot be written.
    """
    flags = [word for word in words if word.startswith("-")]
    names = [word for word in words if not word.startswith("-")]
    if len(names) != 3:
        raise UsageError(f"{len(names)} names instead of 3; {USAGE}")
    symbol, image, output = names
    # As for the compiler, the last flag counts.
    width = [flag for flag in flags if flag in ("-m32", "-m64")][-1:]
    try:
        content = embedded_object(symbol, executable(Path(image)), 64 if width == ["-m64"] else 32)
    except OSError as error:
        raise UsageError(f"cannot read {image!r}: {reason(error)}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    write_whole(Path(output), content)


def main() -> int:
    """Run `embedspu`; returns the exit status."""
    try:
        embed(sys.argv[1:])
    except (UsageError, RunError) as error:
        print(f"embedspu: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
