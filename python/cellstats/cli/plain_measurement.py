"""`cellstats` without a sub-command: one measurement, or one over many placements."""

import sys
from typing import TYPE_CHECKING, Any, Literal

from cellstats import _native
from cellstats._native import UsageError
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.cli.flags import check_strict, which_spes
from cellstats.export.formats import find, give_one_of
from cellstats.machine import Machine
from cellstats.machine import machine as find_machine
from cellstats.measure.quantities import parse_count
from cellstats.parameters import simulated

if TYPE_CHECKING:
    from cellstats.measure.over_placements import Placements
    from cellstats.result import Result


def measure(
    *,
    function: str | None,
    machine: str,
    spes: int | None,
    private_spes: int | None,
    which: str | None,
    no_fast_forward: bool,
    form: str,
    strict: bool,
    verbose: bool,
    **parameters: Any,
) -> int:
    """Measure, and print the result; answers the exit status."""
    if function is None:
        known = ", ".join(_native.function_names())
        raise UsageError(f"nothing to measure; give -f FUNCTION, one of {known}")
    spes_and_private = which_spes(spes, private_spes)
    kind: Literal["result", "placements"] = "result" if which is None else "placements"
    found = find(kind, form, give_one_of)
    more = {"verbose": verbose} if form == "text" else {}
    if machine == "host":
        from cellstats.host.host_machine import HostMachine

        if which is not None:
            raise UsageError("--placements is for simulated machines; see cellstats matrix")
        host = HostMachine()
        given = {**parameters, **spes_and_private, "fast_forward": not no_fast_forward}
        result = host.run(function, given)
        sys.stdout.write(found.write([result], **more))
        return DISTURBED if strict and result.disturbed else DONE
    check_strict(strict, machine)
    target = find_machine(machine)
    if no_fast_forward and sys.stderr.isatty():
        print("cellstats: simulating every cycle; this may take minutes", file=sys.stderr)
    parameters = simulated(parameters)
    parameters |= {"fast_forward": not no_fast_forward, **spes_and_private}
    if which is None:
        sys.stdout.write(found.write([target.measure(function, **parameters)], **more))
    else:
        done = _over_placements(target, function, which, parameters)
        sys.stdout.write(found.write(done, **more))
    return DONE


def _over_placements(
    machine: Machine, function: str, which: str, parameters: dict[str, Any]
) -> "Placements":
    """The measurement over `which` placements, `all` or a number, with a progress bar on stderr."""
    from cellstats.measure.over_placements import plan
    from cellstats.measure.pool import run_rows
    from cellstats.measure.progress import Progress

    number = "all" if which == "all" else parse_count(which, "--placements")
    seed = parameters.pop("seed") or 0
    planned = plan(machine, function, number, seed, parameters)
    results: dict[int, Result] = {}
    with Progress(len(planned.rows)) as bar:

        def finished(nth: int, result: "Result") -> None:
            results[nth] = result
            bar.advance()

        run_rows(planned.rows, finished)
    return planned.placements(results)
