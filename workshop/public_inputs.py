"""Makes inputs for public programs, and what these programs should make of some of them.

python public_inputs.py WHOLE TILED WIDTH HEIGHT    is each tile of a picture a piece of another?
"""

import sys
from pathlib import Path

STREAMS = 16
_HEIGHT = 64
_SIDE = 4
"""A preview shows the films in rows and columns of this number, each scaled down by it."""


def image(path: Path, width: int, height: int, colours: int) -> None:
    """Write a picture with edges, slopes and noise (PGM or PPM)."""
    kind = {1: "P5", 3: "P6"}[colours]
    head = f"{kind}\n# for a test\n{width} {height}\n255\n"
    path.write_bytes(head.encode() + _pixels(width, height, colours))


def films(place: Path, width: int) -> None:
    """Write 16 films of one picture to films-WIDTH, and their preview to previews-WIDTH.

    Programs for this exercise average rows as the SPU's `avgb` does, which rounds up, and then the
    columns of the result by integer division.
    """
    head = f"P6\n{width} {_HEIGHT}\n255\n".encode()
    preview = bytearray(width * _HEIGHT * 3)
    for stream in range(STREAMS):
        path = place / f"films-{width}" / f"stream{stream + 1:02}" / "image1.pnm"
        path.parent.mkdir(parents=True)
        pixels = _pixels(width, _HEIGHT, 3, change=stream * 37)
        path.write_bytes(head + pixels)
        for row, line in enumerate(_scaled(pixels, width * 3)):
            start = (stream // _SIDE * (_HEIGHT // _SIDE) + row) * width * 3
            start += stream % _SIDE * len(line)
            preview[start : start + len(line)] = line
    path = place / f"previews-{width}" / "result1.pnm"
    path.parent.mkdir()
    path.write_bytes(head + preview)


def puzzle(place: Path) -> None:
    """Write a picture to whole.ppm, and with its nine pieces shuffled to puzzle.ppm (PPM as text).

    The picture changes slowly, so neighbours are the pieces whose edges differ least.
    """
    pieces, side = 3, 16
    width = pieces * side
    whole = {
        (x, y): ((x * 5 + y * 3) % 256, (x * x // 12 + y * 2) % 256, (y * y // 12 + x) % 256)
        for y in range(width)
        for x in range(width)
    }
    shuffled = {}
    for to, source in enumerate((0, 5, 7, 2, 8, 1, 4, 6, 3)):
        for x in range(side):
            for y in range(side):
                place_to = to % pieces * side + x, to // pieces * side + y
                shuffled[place_to] = whole[source % pieces * side + x, source // pieces * side + y]
    for name, picture in (("whole", whole), ("puzzle", shuffled)):
        lines = (f"{n}\n" for y in range(width) for x in range(width) for n in picture[x, y])
        head = f"P3\n{width} {width}\n255\n"
        (place / f"{name}.ppm").write_text(head + "".join(lines), encoding="ascii")


def _pixels(width: int, height: int, colours: int, change: int = 0) -> bytes:
    return bytes(
        (x * 7 + y * 13 + x * y // 5 + (x // 16 + y // 16) % 2 * 90 + colour * 31 + change * x)
        % 256
        for y in range(height)
        for x in range(width)
        for colour in range(colours)
    )


def _scaled(pixels: bytes, row_bytes: int) -> list[bytes]:
    """The rows of a picture that has a quarter of the width and of the height."""
    rows = [pixels[at : at + row_bytes] for at in range(0, len(pixels), row_bytes)]
    lines = []
    for at in range(0, len(rows), _SIDE):
        fours = zip(*rows[at : at + _SIDE], strict=True)
        line = [_rounded_up(_rounded_up(a, b), _rounded_up(c, d)) for a, b, c, d in fours]
        lines.append(
            bytes(
                sum(line[column + colour + 3 * n] for n in range(_SIDE)) // _SIDE
                for column in range(0, row_bytes, 3 * _SIDE)
                for colour in range(3)
            )
        )
    return lines


def _rounded_up(a: int, b: int) -> int:
    return (a + b + 1) // 2


def _rows(path: Path) -> list[list[bytes]]:
    """The pixels of a PPM as text, by row."""
    lines = [line for line in path.read_text("ascii").splitlines() if not line.startswith("#")]
    words = " ".join(lines).split()
    width, values = int(words[1]), bytes(map(int, words[4:]))
    pixels = [values[at : at + 3] for at in range(0, len(values), 3)]
    return [pixels[at : at + width] for at in range(0, len(pixels), width)]


def _pieces(rows: list[list[bytes]], width: int, height: int, step: bool) -> set[bytes]:
    """Pieces of a picture: one beside the other (`step`), or at every place."""
    return {
        b"".join(b"".join(row[x : x + width]) for row in rows[y : y + height])
        for y in range(0, len(rows) - height + 1, height if step else 1)
        for x in range(0, len(rows[0]) - width + 1, width if step else 1)
    }


if __name__ == "__main__":
    WHOLE, TILED, *SIZE = sys.argv[1:]
    WIDTH, HEIGHT = map(int, SIZE)
    TILES = _pieces(_rows(Path(TILED)), WIDTH, HEIGHT, step=True)
    PIECES = _pieces(_rows(Path(WHOLE)), WIDTH, HEIGHT, step=False)
    sys.exit(not TILES.issubset(PIECES))
