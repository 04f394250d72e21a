"""Shows objects as text, JSON, CSV, HTML and pictures, with one module for each kind of object."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cellstats.show import breakdown as breakdown
    from cellstats.show import claims as claims
    from cellstats.show import computer as computer
    from cellstats.show import documents as documents
    from cellstats.show import figures as figures
    from cellstats.show import host_result as host_result
    from cellstats.show import machine as machine
    from cellstats.show import matrix as matrix
    from cellstats.show import matrix_figure as matrix_figure
    from cellstats.show import over_placements as over_placements
    from cellstats.show import overview as overview
    from cellstats.show import overview_figure as overview_figure
    from cellstats.show import page as page
    from cellstats.show import pattern as pattern
    from cellstats.show import placement as placement
    from cellstats.show import placement_figure as placement_figure
    from cellstats.show import program as program
    from cellstats.show import result as result
    from cellstats.show import spe_bindings as spe_bindings
    from cellstats.show import static_timing as static_timing
    from cellstats.show import sweep as sweep
    from cellstats.show import tables as tables
    from cellstats.show import waveform as waveform
else:

    def __getattr__(name: str) -> Any:
        """A module of this package, imported when the table of views first needs it."""
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
