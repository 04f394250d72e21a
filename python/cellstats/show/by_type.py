"""Generic functions that show an object as text, HTML, a picture or a page, according to its type.

The modules of this package register implementations of `text`, `html`, `picture` and `page`. Each
module is imported when an object of one of its types is shown for the first time, so that programs
load only what they show.
"""

from collections.abc import Callable
from functools import singledispatch
from importlib import import_module
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

Shows = TypeVar("Shows", bound=Callable[..., Any])

_MODULES = {
    "Breakdown": ("breakdown",),
    "HostMatrix": ("matrix", "matrix_figure"),
    "HostPlaced": ("placement",),
    "HostResult": ("host_result",),
    "Judged": ("claims",),
    "LinuxResult": ("program",),
    "Machine": ("machine", "page"),
    "Matrix": ("matrix", "matrix_figure"),
    "Outcome": ("claims",),
    "Overview": ("overview", "overview_figure"),
    "Pattern": ("pattern",),
    "Placed": ("placement", "placement_figure"),
    "Placements": ("over_placements",),
    "Result": ("result", "page"),
    "RunResult": ("program",),
    "Scorecard": ("claims",),
    "StaticTiming": ("static_timing",),
    "Sweep": ("sweep",),
    "Trace": ("waveform", "page"),
}
"""For each type, the modules that show its objects."""


class _ByType:
    """A generic function that imports its implementations on demand."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._generic = singledispatch(function)
        self.__doc__ = function.__doc__

    def __call__(self, of: object, *parts: Any, **options: Any) -> Any:
        for kind in type(of).__mro__:
            for module in _MODULES.get(kind.__name__, ()):
                import_module(f"{__package__}.{module}")
        return self._generic(of, *parts, **options)

    def register(self, implementation: Shows) -> Shows:
        """Register an implementation for the type of its first parameter."""
        # Only the first type hint is used: others may name types that are not imported at run time.
        hint: Any = next(iter(implementation.__annotations__.values()))
        for kind in get_args(hint) if isinstance(hint, UnionType) else (hint,):
            self._generic.register(get_origin(kind) or kind, implementation)
        return implementation


@_ByType
def text(of: object) -> str:
    """An object as text for human readers, as printed by the `cellstats` command."""
    raise TypeError(f"{type(of).__name__} has no text")


@_ByType
def html(of: object) -> str:
    """An object as HTML of bounded size for a notebook, without style sheets or scripts."""
    raise TypeError(f"{type(of).__name__} has no HTML")


@_ByType
def picture(of: object) -> Any:
    """An object as a picture. Raises UsageError if matplotlib is missing."""
    raise TypeError(f"{type(of).__name__} has no picture")


@_ByType
def page(of: object) -> Any:
    """A page that plays an object's run in a browser."""
    raise TypeError(f"{type(of).__name__} has no page")


def check_pictures() -> None:
    """Raise UsageError if matplotlib is missing. The error message tells how to install it."""
    from cellstats.show.figures import figure_class

    figure_class()
