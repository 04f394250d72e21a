"""Makes inputs for public programs, and what these programs should make of some of them."""

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
