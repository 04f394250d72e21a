"""A machine to measure: one of the built-in ones, or a machine file of your own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cellstats import _native
from cellstats._native import UsageError
from cellstats.nearest import did_you_mean
from cellstats.quantities import parse_bytes, parse_count
from cellstats.result import Result

if TYPE_CHECKING:
    from cellstats.trace import Trace


class Machine:
    """A machine that answers experiments. Make one with `cellstats.machine`.

    >>> ps3 = machine("ps3")
    >>> ps3.name, len(ps3.spes)
    ('ps3', 6)
    """

    __slots__ = ("native",)

    def __init__(self, native: _native.Machine) -> None:
        self.native = native

    def __repr__(self) -> str:
        return f"<Machine {self.name}: {len(self.spes)} SPEs, bus at {self.bus_hz / 1e9:g} GHz>"

    @property
    def name(self) -> str:
        """The name its file gives it, such as `ps3`."""
        return self.native.name

    @property
    def description(self) -> str:
        """One line for people."""
        return self.native.description

    @property
    def hash(self) -> str:
        """A digest of all its values: two machines with the same hash give the same results."""
        return self.native.hash

    @property
    def spes(self) -> tuple[int, ...]:
        """The physical SPEs that programs may use, in the order in which threads get them."""
        return tuple(self.native.spes)

    @property
    def bus_hz(self) -> int:
        """Bus cycles per second (half the processor clock)."""
        return self.native.bus_hz

    @property
    def timebase_hz(self) -> int:
        """Ticks per second of the SPU decrementers and of the PPE's time base."""
        return self.native.timebase_hz

    def values(self) -> list[dict[str, Any]]:
        """Every hardware value: key, value, unit, basis, range (or None) and source."""
        return self.native.values()

    def measure(
        self,
        function: str,
        *,
        spes: int | None = None,
        private: bool = False,
        iterations: int | str = 1_000_000,
        size: int | str | None = None,
        list_elements: int | str | None = None,
        stride: int | str | None = None,
        spe_to_spe: bool = False,
        ppe: Literal["library", "mmio"] | str = "library",
        batch: int = 1,
        placement: Sequence[int] | Literal["random"] | None = None,
        seed: int | None = None,
        fast_forward: bool = True,
    ) -> Result:
        """Measure one of `cellstats.function_names()`; the same parameters as the command's flags.

        spes: how many SPEs take part; 1 by default, 2 with spe_to_spe.
        private: every SPE has a buffer (or variable) of its own, not one shared by all.
        iterations: of the measured loop; k = 1000, m = 1000000.
        size: bytes of one DMA, or of one list element; k = 1024; 128 by default.
        list_elements: elements of one DMA list; 1 by default.
        stride: bytes; private buffers start at the smallest multiple of it that holds one.
        spe_to_spe: between SPEs, not with the PPE or main memory.
        ppe: how the PPE reaches an SPE: `library` (system calls) or `mmio` (direct registers).
        batch: wait for completion after so many DMAs; 0 waits only at the end.
        placement: the physical SPE of each thread, or "random" (then `seed` chooses).
        fast_forward: skip whole periods of the loop; never changes a result.

        Raises UsageError for parameters that cannot be, RunError when the simulated run fails.

        >>> machine("ps3").measure("fetchadd", spes=2, private=True, iterations="1k").private
        True
        """
        given = {k: v for k, v in locals().items() if k not in ("self", "function")}
        return Result.from_json(_native.measure(self.native, function, **_checked(function, given)))

    def trace(
        self, function: str, *, window: int | str = 160, skip: int | str = 0, **parameters: Any
    ) -> "Trace":
        """Look at a measurement bus cycle by bus cycle; `parameters` are those of `measure`.

        window: bus cycles to look at, from the first measured DMA on. Functions without DMAs
            begin when the clock is read that they are measured by.
        skip: bus cycles to leave out before the window.

        Raises UsageError for parameters that cannot be, and where the run ends before the window
        begins; RunError when the simulated run fails.

        >>> len(machine("ps3").trace("dmaget", size="1k", window=400).transfers())
        8
        """
        from cellstats.trace import Trace

        defaults = Machine.measure.__kwdefaults__ or {}
        for name in parameters.keys() - defaults.keys():
            raise UsageError(f"no parameter {name!r}; {did_you_mean(name, list(defaults))}")
        checked = _checked(function, defaults | parameters)
        span = parse_count(skip, "--skip", least=0), parse_count(window, "--window")
        return Trace.from_json(_native.measure(self.native, function, **checked, trace=span))


def _checked(function: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the simulator takes for the parameters of `measure`. Raises UsageError."""
    if function not in _native.function_names():
        known = _native.function_names()
        raise UsageError(f"unknown function {function!r}; {did_you_mean(function, known)}")
    spes, placement = given["spes"], given["placement"]
    if isinstance(placement, str) and placement != "random":
        raise UsageError(f"placement {placement!r} is not known; give SPE numbers or 'random'")

    def sized(name: str, least: int = 0) -> int | None:
        return None if given[name] is None else parse_bytes(given[name], name, least)

    def counted(name: str, what: str, least: int = 1) -> int | None:
        return None if given[name] is None else parse_count(given[name], what, least)

    return {
        "spes": parse_count((2 if given["spe_to_spe"] else 1) if spes is None else spes, "spes"),
        "private": given["private"],
        "iterations": parse_count(given["iterations"], "iterations"),
        "size_bytes": sized("size"),
        "list_elements": counted("list_elements", "list"),
        "stride_bytes": sized("stride", least=1),
        "spe_to_spe": given["spe_to_spe"],
        "ppe": given["ppe"],
        "batch": parse_count(given["batch"], "batch", least=0),
        "placement": None if placement is None or isinstance(placement, str) else list(placement),
        "seed": counted("seed", "seed", least=0),
        "random_placement": placement == "random",
        "fast_forward": given["fast_forward"],
    }


def machine(name_or_path: str | Path = "ps3") -> Machine:
    """A built-in machine by name, or the machine described by a TOML file.

    A text with a slash or ending in `.toml` is a file. Raises UsageError when there is no such
    machine, when the file cannot be read, and when it says something that is wrong.

    >>> machine("eval-board").name
    'eval-board'
    """
    text = str(name_or_path)
    if text in _native.machine_names():
        return Machine(_native.Machine.builtin(text))
    if isinstance(name_or_path, Path) or "/" in text or text.endswith(".toml"):
        return Machine(_native.Machine.parse(_read(Path(name_or_path)), text))
    known = _native.machine_names()
    raise UsageError(f"unknown machine {text!r}; {did_you_mean(text, known)}, or a .toml file")


def _read(path: Path) -> str:
    wanted = f"give a readable .toml file, or one of {', '.join(_native.machine_names())}"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"machine file {str(path)!r}: {reason}; {wanted}") from None
    except UnicodeDecodeError:
        raise UsageError(f"machine file {str(path)!r} is not UTF-8 text; {wanted}") from None
