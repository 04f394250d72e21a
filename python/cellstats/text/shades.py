"""Colours of a table in a terminal: dark for the lowest value, bright for the highest.

Each cell brings both its letters' colour and what is behind them, so that it does not matter
whether the terminal is dark or light. Colours are of the 256 that all terminals know.
"""

from cellstats.text.terminal import coloured

# Dark blue to yellow over greys, as in pictures: background, letters.
_SHADES = ((17, 231), (24, 231), (60, 231), (102, 16), (144, 16), (186, 16), (228, 16))


def shaded(text: str, part: float) -> str:
    """A text in the colour of a place between the lowest value and the highest, 0 to 1."""
    behind, letters = _SHADES[min(int(part * len(_SHADES)), len(_SHADES) - 1)]
    return coloured(text, f"48;5;{behind};38;5;{letters}")
