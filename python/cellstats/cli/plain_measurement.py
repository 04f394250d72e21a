"""`cellstats` without a sub-command: a measurement on one or many placements."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.core.headline import headline, remarks
from cellstats.core.parameters import simulated
from cellstats.core.plain_flags import check_strict, which_spes
from cellstats.core.words import printable
from cellstats.measure.machine import Machine
from cellstats.measure.request import request
from cellstats.single_runs import machine as find_machine

if TYPE_CHECKING:
    from cellstats.measure.over_placements import Placements
    from cellstats.measure.result import Result


def measure(
    *,
    function: str | None,
    machine: str,
    spes: int | None,
    private_spes: int | None,
    which: str | None,
    on: str | None,
    no_fast_forward: bool,
    form: str,
    strict: bool,
    verbose: bool,
    **parameters: Any,
) -> int:
    """Measure and print the result; returns the exit status."""
    if function is None:
        known = ", ".join(_native.function_names())
        raise UsageError(f"nothing to measure; give -f FUNCTION, one of {known}")
    spes_and_private = which_spes(spes, private_spes)
    if on is not None:
        _check_engine(on, which, machine)
    if machine == "host":
        given = {**parameters, **spes_and_private, "fast_forward": not no_fast_forward}
        return _on_host(function, given, which, _writer(which, form, verbose), strict)
    short = which is None and form == "text" and not (verbose or parameters["histogram"])
    write = None if short else _writer(which, form, verbose)
    check_strict(strict, machine)
    target = find_machine(machine)
    if no_fast_forward and sys.stderr.isatty():
        print("cellstats: simulating every cycle; this may take minutes", file=sys.stderr)
    parameters = simulated(parameters)
    parameters |= {"fast_forward": not no_fast_forward, **spes_and_private}
    if write is None:
        sys.stdout.write(_headline(target, function, parameters))
    elif which is None:
        write([target.measure(function, **parameters)])
    else:
        write(_over_placements(target, function, which, parameters, on))
    return DONE


def _writer(which: str | None, form: str, verbose: bool) -> Callable[..., None]:
    """A function that prints results in this format. which: value of `--placements`."""
    from cellstats.core.terminal import show
    from cellstats.show.views import find, give_one_of

    found = find("results" if which is None else "placements", form, give_one_of)
    more = {"verbose": verbose} if form == "text" else {}
    return lambda measured: show(found.write(measured, **more), form)


def _headline(machine: Machine, function: str, parameters: Mapping[str, Any]) -> str:
    """Measure, and return the latency and bandwidth as text.

    Does not use the result classes: importing them takes longer than most measurements.
    """
    columns = json.loads(request(machine.native, function, parameters).measure(start_up=True))
    return printable("\n".join(headline(columns) + remarks(columns)) + "\n")


def _on_host(
    function: str,
    given: Mapping[str, Any],
    which: str | None,
    write: Callable[..., None],
    strict: bool,
) -> int:
    """Measure this computer and print the result; returns the exit status."""
    from cellstats.host.disturbances import is_bad
    from cellstats.host.host_machine import HostMachine

    if which is not None:
        raise UsageError("--placements is for simulated machines; see cellstats matrix")
    result = HostMachine().run(function, given)
    write([result])
    return DISTURBED if strict and is_bad(result.grade) else DONE


def _check_engine(on: str, which: str | None, machine: str) -> None:
    from cellstats.cli.engines import check_engine

    if which is None:
        raise UsageError("--on is for many measurements; give --placements, or cellstats sweep")
    check_engine(on, None, machine)


def _over_placements(
    machine: Machine, function: str, which: str, parameters: dict[str, Any], on: str | None
) -> "Placements":
    """Measure over placements, with a progress bar on stderr. which: a number or a word."""
    from cellstats.cli.engines import engine_of
    from cellstats.measure.over_placements import parse_which, plan
    from cellstats.measure.progress import Progress
    from cellstats.measure.workers import run_rows

    seed = parameters.pop("seed") or 0
    planned = plan(machine, function, parse_which(which, "--placements"), seed, parameters)
    results: dict[int, Result] = {}
    with Progress(len(planned.rows)) as bar, engine_of(on) as executor:
        run_rows(planned.rows, results.__setitem__, executor=executor, bar=bar)
    return planned.placements(results)
