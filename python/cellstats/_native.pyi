"""The compiled simulator, as crates/python exposes it; mypy.stubtest checks this file."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, SupportsIndex, TypeAlias, TypedDict, final

__all__ = [
    "ALL_PLACEMENTS_MAX",
    "HAS_LINUX",
    "SCHEMA_VERSION",
    "VERSION",
    "GdbPort",
    "Machine",
    "NativeLocalStore",
    "NativeMemory",
    "NativeProgram",
    "Request",
    "RunError",
    "Search",
    "SpuProgram",
    "UsageError",
    "affinity_names",
    "alike",
    "assign",
    "cost_bus_cycles",
    "function_help",
    "function_names",
    "host_clock",
    "host_counters",
    "host_measure",
    "linux_run",
    "linux_sysroot",
    "machine_bases",
    "machine_names",
    "machine_sections",
    "model_best",
    "model_costs",
    "model_loads",
    "parameters",
    "refuse_on_host",
    "result_schema",
    "run",
    "tries_all",
    "value_bases",
]

ALL_PLACEMENTS_MAX: int
SCHEMA_VERSION: int
VERSION: str

# Name, number of threads, phases. Each phase is a list of messages.
# A message has source and destination (None means memory), bytes, and repetitions.
_Pattern: TypeAlias = tuple[str, int, list[list[tuple[int | None, int | None, int, int]]]]

class _Event(Protocol):
    def is_set(self) -> bool: ...

class UsageError(ValueError):
    refusal: tuple[str | None, str | None, str | None, str] | None

class RunError(RuntimeError): ...

def machine_bases() -> list[str]: ...
def value_bases() -> list[str]: ...
def machine_names() -> list[str]: ...
def machine_sections() -> list[tuple[str, str]]: ...
def affinity_names() -> list[str]: ...
def function_help() -> list[tuple[str, list[tuple[str, str]]]]: ...
def function_names() -> list[str]: ...
def host_clock() -> str: ...
def host_counters() -> str: ...
def host_measure(request: str, stop: _Event | None = None) -> str: ...

@final
class Machine:
    @staticmethod
    def builtin(name: str, settings: Sequence[str] = ...) -> Machine: ...
    @staticmethod
    def parse(text: str, origin: str, settings: Sequence[str] = ...) -> Machine: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def spes(self) -> list[int]: ...
    @property
    def chips(self) -> int: ...
    def chip_of(self, spe: int) -> int: ...
    def hops(self, source: int | None, destination: int | None) -> int: ...
    def rings(self) -> list[list[str]]: ...
    def routes(self, source: str, destination: str) -> list[tuple[str, str, bool, int]]: ...
    def usable_spes(self, cells: str | None) -> list[int]: ...
    def random_placement(self, threads: int, seed: int, cells: str | None) -> list[int]: ...
    def affinity(self, name: str, chips: list[int]) -> list[int] | None: ...
    def memory_ea(self, memory: str) -> int: ...
    @property
    def bus_hz(self) -> int: ...
    @property
    def timebase_hz(self) -> int: ...
    def values(self) -> list[dict[str, Any]]: ...

@final
class NativeMemory:
    @property
    def size(self) -> int: ...
    def read(self, ea: int, size: int) -> bytes: ...

@final
class NativeLocalStore:
    @property
    def size(self) -> int: ...
    def read(self, addr: int, n: int) -> bytes: ...
    def write(self, addr: int, data: bytes) -> None: ...

@final
class NativeProgram:
    @staticmethod
    def ping(iterations: int, partner_spe: int) -> NativeProgram: ...
    @staticmethod
    def pong(iterations: int, partner_spe: int) -> NativeProgram: ...
    @staticmethod
    def double_buffered_copy(
        source_ea: int, target_ea: int, total_bytes: int, chunk_bytes: int
    ) -> NativeProgram: ...

@final
class SpuProgram:
    def __new__(
        cls,
        file: bytes,
        origin: str,
        *,
        arguments: Sequence[bytes],
        argp: int | None,
        envp: int,
        patches: Sequence[tuple[int, bytes]],
        profile: bool,
    ) -> SpuProgram: ...
    @property
    def takes_arguments(self) -> bool: ...
    @property
    def functions(self) -> dict[str, tuple[int, int]]: ...
    def timing(self, machine: Machine, start: int, end: int) -> str: ...
    @property
    def symbols(self) -> dict[str, int]: ...

class _Streams(Protocol):
    def read(self, n: int) -> bytes: ...
    def write(self, file: int, data: bytes) -> None: ...
    def terminal(self, stream: int) -> tuple[int, int] | None: ...

class _Standard(Protocol):
    def read(self, n: int) -> bytes: ...
    def write(self, file: int, data: bytes) -> None: ...

@final
class Request:
    def __new__(cls, machine: Machine, text: str) -> Request: ...
    def check(self) -> None: ...
    def iterations(self) -> int: ...
    def measure(self, stop: _Event | None = None, *, start_up: bool = False) -> str: ...
    def measure_alike(self, others: Sequence[Request], stop: _Event | None = None) -> list[str]: ...
    def trace(self, skip: int, window: int, stop: _Event | None = None) -> str: ...
    def breakdown(self, stop: _Event | None = None) -> str: ...
    def placements(self, which: int | str, seed: int) -> str: ...
    def same_runs(self, listed: Sequence[Sequence[int]]) -> list[int]: ...
    def times(self, listed: Sequence[Sequence[int]], stop: _Event | None = None) -> list[int]: ...

def alike(requests: Sequence[Request]) -> list[int]: ...
def parameters() -> list[dict[str, Any]]: ...
def result_schema() -> str: ...
def refuse_on_host(function: str, given: Sequence[str]) -> None: ...
def cost_bus_cycles(cost: int) -> int: ...
def tries_all(threads: int, spes: int, evaluations: int | None) -> bool: ...
def model_best(
    machine: Machine,
    pattern: _Pattern,
    spes: Sequence[int],
    memory: str,
    *,
    seed: int,
    evaluations: int | None,
    first: Sequence[Sequence[int]],
) -> tuple[list[int], int, int]: ...
def model_costs(
    machine: Machine, pattern: _Pattern, placements: Sequence[Sequence[int]], memory: str
) -> list[int]: ...
def model_loads(
    machine: Machine, pattern: _Pattern, placement: Sequence[int], memory: str
) -> list[list[tuple[str, list[str], list[int], bool | None, int, int]]]: ...

class _Ran(TypedDict):
    record_json: str
    local_stores: dict[int, bytes]
    main_memory: NativeMemory
    executed: dict[int, dict[str, Any]]
    trace_json: str | None
    positions: str | None

def run(
    machine: Machine,
    programs: dict[int, object],
    *,
    ppe: list[object],
    memory: dict[int, bytes],
    limit_bus_cycles: int,
    fast_forward: bool,
    placement: list[int] | None,
    events: bool,
    window: tuple[int, int] | None,
    standard: _Standard,
    files: str,
) -> _Ran: ...

HAS_LINUX: bool
"""Whether the build has the three names below; on Windows it has not."""

def linux_sysroot(program: str | Path) -> Path | None: ...
def linux_run(
    machine: Machine,
    program: str | Path,
    arguments: Sequence[bytes],
    *,
    environment: Sequence[bytes],
    system_roots: Sequence[str | Path],
    files: str,
    placement: list[int] | None,
    limit_bus_cycles: int | None,
    window: tuple[int, int] | None,
    profile: bool,
    low_addresses: bool,
    standard: _Streams,
    gdb: GdbPort | None,
) -> dict[str, Any]: ...

@final
class GdbPort:
    def __new__(cls, port: int) -> GdbPort: ...

def assign(
    flow: Iterable[Iterable[SupportsIndex]],
    distance: Iterable[Iterable[SupportsIndex]],
    *,
    linear: Iterable[Iterable[SupportsIndex]] | None,
    seed: int,
    starts: int | None,
    moves: int | None,
    nodes: int | None,
) -> tuple[list[int], int, int]: ...

@final
class Search:
    @staticmethod
    def all(threads: int, cores: int) -> Search: ...
    @staticmethod
    def local(
        threads: int,
        cores: int,
        *,
        seed: int,
        starts: int,
        evaluations: int,
        first: Iterable[Iterable[int]],
    ) -> Search: ...
    def ask(self, batch: int) -> list[list[int]]: ...
    def tell(self, costs: Iterable[SupportsIndex]) -> None: ...
    @property
    def best(self) -> tuple[list[int], int] | None: ...
    @property
    def told(self) -> int: ...
