"""Chooses the CPU of each thread so that a pattern's messages cost least on this computer.

    matrices ──> message_costs ──> HostPlaced ──> cpu_bindings
    (measured now, or a file)          │
                                 verification

The matrices may come from another computer. A placement for that computer can be found here, but
not tried.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from cellstats._native import UsageError
from cellstats.core.display import Showing
from cellstats.core.pattern import Pattern
from cellstats.core.pattern_pairs import MEMORY
from cellstats.core.quantities import format_latency, parse_spes
from cellstats.core.refusal import refusal
from cellstats.host.cost_matrices import Measured, measured, read_matrix
from cellstats.host.cpu_bindings import CPU_BINDINGS
from cellstats.host.disturbances import GRADES
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.matrices import BUDGET, HostMatrix, measure_matrix
from cellstats.host.message_costs import MessageCosts, cost_ns, random_mean_ns, search
from cellstats.host.request import parse_duration_ns
from cellstats.host.topology import as_list
from cellstats.host.verification import Verification, try_placements
from cellstats.patterns import PatternLike
from cellstats.patterns import pattern as find_pattern
from cellstats.placement.folding import Folded, Grouping, fold

MatrixLike: TypeAlias = HostMatrix | str | Path
"""A matrix of the host, or its JSON file."""
# Environment entries that do not depend on the CPUs that a process may use.
_COMPUTER = ("cpu_model", "architecture", "cpus_online", "numa_nodes")


@dataclass(frozen=True, slots=True)
class HostPlaced(Showing):
    """A placement on CPUs, its cost according to the matrices, and the times of its trial."""

    _kind = "placement"

    pattern: str
    """Name of the pattern."""
    machine: str
    """`host`."""
    by: str
    """`matrix`."""
    threads: int
    """Threads of the pattern."""
    phases: int
    """Phases of the pattern."""
    cpus: tuple[int, ...]
    """CPUs to choose from."""
    placement: tuple[int, ...]
    """CPU of each thread or of each group, as the operating system numbers them."""
    groups: Grouping | None
    """If the pattern has more threads than there are CPUs, the groups of threads that share a CPU;
    otherwise None. With groups, `threads` is their number."""
    in_blocks_ns: float | None
    """Cost with groups of consecutive threads on the lowest-numbered CPUs; None without groups."""
    cost_ns: float
    """Cost of all messages, sent one after the other."""
    identity: tuple[int, ...]
    """The placement of threads on the lowest-numbered CPUs, in order."""
    identity_ns: float
    """Cost of the placement `identity`."""
    random_ns: float
    """Mean cost of all placements."""
    worst: tuple[int, ...]
    """The most expensive placement that was found."""
    worst_ns: float
    """Cost of the placement `worst`."""
    bound_ns: float
    """Lower bound of the cost of any placement."""
    nodes: tuple[int, ...] | None
    """NUMA nodes of the placement's CPUs, or None if the matrix does not contain all of them."""
    matrices: tuple[str, ...]
    """Sources of the costs, one line each."""
    notes: tuple[str, ...]
    """Remarks on this placement, one line each."""
    disturbed: tuple[str, ...]
    """Reasons to distrust the matrices or the trial; empty if nothing was noticed."""
    run_ns: tuple[float, float | None]
    """Time that a run of the pattern may take by the matrices: the shortest, and the longest if the
    matrices tell it."""
    verification: Verification | None
    """The trial of the placement, or None if no trial was made."""
    placed_pattern: Pattern = field(repr=False)
    """The pattern with all messages; with groups, those between groups."""

    @property
    def cpu_of_threads(self) -> tuple[int, ...]:
        """The CPU of each of the pattern's threads."""
        return self.groups.of_threads(self.placement) if self.groups else self.placement

    @property
    def gap(self) -> float:
        """Upper bound (0 to 1) of the share of the cost that another placement could save."""
        return 1 - self.bound_ns / self.cost_ns if self.cost_ns else 0.0

    @property
    def contradiction(self) -> str | None:
        """A clause if the trial contradicts the matrices; None without a trial, and if both agree.

        They agree if their intervals overlap.
        """
        if self.verification is None:
            return None
        run, (low_ns, high_ns) = self.verification.runs[0], self.run_ns
        if run.time_ns_ci_high < low_ns:
            bound = f"at least {format_latency(low_ns)}"
        elif high_ns is not None and run.time_ns_ci_low > high_ns:
            bound = f"{format_latency(high_ns)} at most"
        else:
            return None
        return f"by the matrices a run takes {bound}, and it took {format_latency(run.time_ns)}"

    def to_dict(self) -> dict[str, Any]:
        """The placement in plain dicts, lists and numbers, with the CPU bindings."""
        plain = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if name != "placed_pattern"
        }
        tried = None if self.verification is None else self.verification.to_dict()
        forms = {name: form(self.cpu_of_threads, self.nodes) for name, form in CPU_BINDINGS.items()}
        own = {"groups": self.groups and self.groups.to_dict(), "verification": tried}
        return {**plain, **own, "gap": self.gap, "forms": forms}


def place_on_host(
    pattern: PatternLike,
    *,
    machine: HostMachine | None = None,
    by: str | None = None,
    threads: int | str | None = None,
    size: int | str | None = None,
    cpus: Sequence[int] | str | None = None,
    matrices: Sequence[MatrixLike] = (),
    budget: str | float | None = None,
    verify: bool = False,
    seed: int = 0,
    advance: Callable[[int, int], object] = lambda _done, _total: None,
) -> HostPlaced:
    """Find the CPU of each thread. Parameters and errors are those of `cellstats.place`."""
    if by not in (None, "matrix"):
        raise refusal(f"{{by}} {by}: the host is measured; give matrix, or leave it out")
    host = machine or HostMachine()
    budget_ns = parse_duration_ns(BUDGET if budget is None else budget, "{budget}") or 0
    given = [_given(each) for each in matrices]
    _check_kinds(given)
    choice, notes = _choice(host, given, cpus)
    cores = choice if cpus is not None else _one_of_each_core(host, given, choice)
    wanted = find_pattern(pattern, threads, size, most=min(8, len(cores)))
    if len(cores) < len(choice) and 2 <= len(cores) >= wanted.threads:
        notes.append(f"one CPU of each core to choose from; --spes {as_list(choice)} has them all")
        choice = cores
    folded = None
    if wanted.threads > len(choice) and threads is None:
        folded = fold(wanted, len(choice), seed)
        wanted = folded.pattern
    if wanted.threads > len(choice):
        raise UsageError(
            f"{wanted.threads} threads: there are {len(choice)} CPUs to choose from "
            f"({as_list(choice)}), give 1 to {len(choice)}"
        )
    if verify:
        # Refuse an impossible trial before anything is measured.
        if given and not _is_here(host, given[0]):
            raise refusal("{verify}: the matrix is of another computer; leave {verify} out")
        host.check("exchange", pattern=wanted, placement=choice[: wanted.threads])
    used = given or _measure(host, wanted, choice, budget, advance)
    found = _found(wanted, folded, used, choice, seed, notes)
    if not verify:
        return found
    tried = _tried(host, wanted, folded, found, budget_ns, advance)
    if tried.contradiction is not None and not given:
        used = _measure(host, wanted, choice, budget, advance)
        notes.append(f"measured again: {tried.contradiction}")
        again = _found(wanted, folded, used, choice, seed, notes)
        tried = _tried(host, wanted, folded, again, budget_ns, advance)
    if tried.contradiction is None:
        return tried
    return replace(tried, disturbed=(*tried.disturbed, tried.contradiction))


def _tried(
    host: HostMachine,
    pattern: Pattern,
    folded: Folded | None,
    found: HostPlaced,
    budget_ns: int,
    advance: Callable[[int, int], object],
) -> HostPlaced:
    """The placement with its trial."""
    trials = {
        "found": (pattern, found.placement),
        "identity": (pattern, found.identity),
        "worst": (pattern, found.worst),
    }
    if folded is not None and folded.in_blocks is not None:
        trials["blocks"] = folded.in_blocks.pattern, found.identity
    trial = try_placements(host, trials, budget_ns=budget_ns, progress=advance)
    return replace(found, disturbed=(*found.disturbed, *trial.disturbed), verification=trial)


def _given(matrix: MatrixLike) -> Measured:
    if isinstance(matrix, HostMatrix):
        return measured(matrix.to_dict(), "given")
    return read_matrix(matrix)


def _check_kinds(given: Sequence[Measured]) -> None:
    kinds = [each.latency_ns is None for each in given]
    if len(set(kinds)) != len(kinds):
        raise refusal("{matrices}: give one of mailbox or signal, and one of dmaget or dmaput")
    if len(given) > 1 and not _alike(given[0].environment, given[1].environment):
        raise refusal("{matrices}: the two are of different computers")


def _choice(
    host: HostMachine, given: Sequence[Measured], wanted: Sequence[int] | str | None
) -> tuple[tuple[int, ...], list[str]]:
    """The CPUs to choose from in topological order, and remarks on them."""
    notes = []
    cpus, why = host.cpus, "this process may use"
    if given:
        cpus, why = given[0].cpus, "the matrix has"
        for each in given[1:]:
            cpus = tuple(cpu for cpu in cpus if cpu in each.cpus)
        if _is_here(host, given[0]):
            cpus = tuple(cpu for cpu in cpus if cpu in host.cpus)
        else:
            model = given[0].environment.get("cpu_model") or "unknown processor"
            notes.append(f"the matrix is of another computer ({model}), and so is the placement")
    if wanted is not None:
        listed = parse_spes(wanted, "{cpus}") if isinstance(wanted, str) else tuple(wanted)
        for cpu in listed:
            if cpu not in cpus:
                raise refusal(f"{{cpus}} {cpu}: {why} CPUs {as_list(cpus)}")
        cpus = tuple(cpu for cpu in cpus if cpu in listed)
    if len(cpus) < 2:
        there = f"only CPU {as_list(cpus)}" if cpus else "none"
        raise UsageError(f"a placement takes two CPUs to choose from, and there is {there}")
    return cpus, notes


def is_of(host: HostMachine, matrix: MatrixLike) -> bool:
    """Whether a matrix comes from this computer. Raises UsageError for an invalid file."""
    return _is_here(host, _given(matrix))


def _is_here(host: HostMachine, matrix: Measured) -> bool:
    return _alike(matrix.environment, read_environment(host.tree, host.topology))


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two environments belong to the same computer, as far as their entries show."""
    return all(one.get(name) == other.get(name) for name in _COMPUTER)


def _measure(
    host: HostMachine,
    pattern: Pattern,
    cpus: Sequence[int],
    budget: str | float | None,
    progress: Callable[[int, int], object],
) -> list[Measured]:
    """Measure the matrices for a pattern's messages.

    A mailbox matrix is enough for messages of one cache line, because the line and its notification
    arrive together. Longer messages also need a matrix of copies, measured with the message size
    that carries the most bytes of the pattern.
    """
    bytes_: dict[int, int] = {}
    for _, each in pattern.transfers():
        if MEMORY not in (each.source, each.destination):
            bytes_[each.bytes] = bytes_.get(each.bytes, 0) + each.total_bytes
    lines = [cache.line_bytes for cache in host.topology.caches if cache.line_bytes]
    asked: list[tuple[str, dict[str, Any]]] = [("mailbox", {})]
    if max(bytes_, default=0) > min(lines, default=0):
        asked.append(("dmaget", {"size": max(bytes_, key=lambda size: (bytes_[size], size))}))
    return [
        measured(
            measure_matrix(
                function,
                machine=host,
                placement=tuple(cpus),
                budget=budget,
                progress=progress,
                **sizes,
            ).to_dict(),
            function,
        )
        for function, sizes in asked
    ]


def _found(
    pattern: Pattern,
    folded: Folded | None,
    matrices: Sequence[Measured],
    cpus: tuple[int, ...],
    seed: int,
    notes: Sequence[str],
) -> HostPlaced:
    costs = MessageCosts.of(matrices, cpus)
    terms = costs.terms(pattern)
    identity = tuple(sorted(cpus)[: pattern.threads])
    first = tuple(cpus.index(cpu) for cpu in identity)
    ends = search(costs, pattern, first, seed)
    placement, worst = (tuple(cpus[core] for core in each) for each in (ends.best, ends.worst))
    nodes = matrices[0].nodes
    known = all(cpu in nodes for cpu in placement)
    return HostPlaced(
        pattern=pattern.name,
        machine="host",
        by="matrix",
        threads=pattern.threads,
        phases=len(pattern.phases),
        cpus=cpus,
        placement=placement,
        groups=None if folded is None else folded.grouping,
        in_blocks_ns=None if folded is None else _in_blocks_ns(folded, costs, first),
        cost_ns=ends.best_ns,
        identity=identity,
        identity_ns=cost_ns(terms, first),
        random_ns=random_mean_ns(terms),
        worst=worst,
        worst_ns=ends.worst_ns,
        bound_ns=ends.bound_ns,
        nodes=tuple(sorted({nodes[cpu] for cpu in placement})) if known else None,
        matrices=tuple(map(_line, matrices)),
        notes=(*notes, *_notes(pattern, matrices[0], cpus, placement)),
        disturbed=tuple(f"{each.function}: {why}" for each in matrices for why in each.disturbed),
        run_ns=costs.run_ns(pattern, ends.best, max(GRADES[each.grade] for each in matrices)),
        verification=None,
        placed_pattern=pattern,
    )


def _in_blocks_ns(folded: Folded, costs: MessageCosts, first: tuple[int, ...]) -> float:
    """See `HostPlaced.in_blocks_ns`."""
    blocks = folded.in_blocks
    return 0.0 if blocks is None else cost_ns(costs.terms(blocks.pattern), first)


def _line(matrix: Measured) -> str:
    if matrix.size_bytes is None:
        return f"{matrix.function}: what a message costs, whatever its size"
    return f"{matrix.function} of {matrix.size_bytes} bytes: what each byte of a message costs"


def _notes(
    pattern: Pattern, matrix: Measured, cpus: Sequence[int], placement: Sequence[int]
) -> list[str]:
    """Remarks on a placement whose CPUs were chosen from `cpus`."""
    notes = []
    if len(cpus) == 2:
        notes.append("with 2 CPUs all placements are alike: the same pair talks")
    memory = any(MEMORY in (each.source, each.destination) for _, each in pattern.transfers())
    if memory:
        notes.append("messages with memory are left out: they cost the same wherever threads are")
    shared = [
        (a, b)
        for a, b in itertools.combinations(placement, 2)
        if matrix.relation(a, b) == "same core"
    ]
    if shared:
        notes.append(
            "CPUs {} and {} share a core: they talk cheaply and compute more slowly".format(
                *shared[0]
            )
        )
    return notes


def _one_of_each_core(
    host: HostMachine, given: Sequence[Measured], cpus: Sequence[int]
) -> tuple[int, ...]:
    """The lowest-numbered CPU of each core, in the order of `cpus`."""
    relation = given[0].relation if given else host.topology.relation
    chosen: list[int] = []
    for cpu in sorted(cpus):
        if not any(relation(cpu, other) == "same core" for other in chosen):
            chosen.append(cpu)
    return tuple(cpu for cpu in cpus if cpu in chosen)
