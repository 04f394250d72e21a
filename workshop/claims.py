"""Compare the claims in the papers' files with current results.

    .venv/bin/python workshop/claims.py                       # lists changes; status 1 if any
    .venv/bin/python workshop/claims.py --write            # writes them into papers/*/claims.toml
    .venv/bin/python workshop/claims.py --write kistler2006   # only of this paper
    .venv/bin/python workshop/claims.py --write --from claims.json

The tool measures claims in the same way as `cellstats reproduce`. Both use the stored results in
out/, or in the folder given by --out. With --from, the tool measures nothing. It reads the output
of `cellstats reproduce --format json` from the file.

--write changes two keys of a claim: `status`, from reproduced to off or back, and `simulated`, if
the number has changed by more than 2 %. The rest of the file is unchanged. A claim that is
reproduced again loses `simulated`, `cause` and `reason`. A claim that is newly off receives "?" as
its cause and its reason, which `cellstats reproduce` and the tests reject until somebody writes
real ones.
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from cellstats.reproduce.claims import UNSAID
from cellstats.reproduce.runs import Store
from cellstats.reproduce.verdicts import FOLDER, MOVED, judge, paper, paper_keys

What: TypeAlias = Literal["gained", "lost", "moved"]
WHAT: tuple[What, ...] = get_args(What)
_KEY = re.compile(r"^([a-z]+) = ")


@dataclass(frozen=True)
class Change:
    """A claim whose outcome differs from the recorded one."""

    id: str
    what: What
    before: float | None
    """The recorded number, if the claim was off."""
    after: float

    def __str__(self) -> str:
        numbers = (self.before, self.after)
        shown = " to ".join(written(each) for each in numbers if each is not None)
        return f"{self.what:6}  {self.id:18}  {shown}"


def changes(claims: Iterable[Mapping[str, Any]], outcomes: Iterable[Any]) -> Iterator[Change]:
    """The differences between recorded claims (TOML tables) and outcomes (JSON objects)."""
    now = {each["id"]: each for each in outcomes}
    for claim in claims:
        outcome = now.get(claim["id"])
        if outcome is None or outcome["simulated"] is None:
            continue
        before, after = claim.get("simulated"), float(outcome["simulated"])
        agrees, agreed = outcome["status"] == "reproduced", claim["status"] == "reproduced"
        if agrees and not agreed:
            yield Change(claim["id"], "gained", before, after)
        elif agreed and not agrees:
            yield Change(claim["id"], "lost", None, after)
        elif before is not None and abs(after - before) > MOVED * abs(before):
            yield Change(claim["id"], "moved", before, after)


def rewritten(text: str, found: Iterable[Change]) -> str:
    """The text of a claims file after these changes. Other claims and keys are unchanged."""
    wanted = {each.id: each for each in found}
    parts = re.split(r"(?m)^(?=\[\[claim\]\]$)", text)
    return "".join(_part(part, wanted) for part in parts)


def _part(part: str, wanted: Mapping[str, Change]) -> str:
    """Rewrite one claim, which includes the text up to the next claim."""
    name = re.search(r'(?m)^id = "(.*)"$', part)
    change = wanted.get(name[1]) if name else None
    if change is None:
        return part
    simulated = f"simulated = {written(change.after)}\n"
    kept = {
        "gained": 'status = "reproduced"\n' + (simulated if 'kind = "held-out"' in part else ""),
        "lost": f'status = "off"\n{simulated}cause = "{UNSAID}"\nreason = "{UNSAID}"\n',
    }
    lines = []
    for line in part.splitlines(keepends=True):
        key = match[1] if (match := _KEY.match(line)) else None
        if key == "status":
            lines.append(kept.get(change.what, line))
        elif key == "simulated" and change.what == "moved":
            lines.append(simulated)
        elif key not in ("simulated", "cause", "reason", "excluded_by") or change.what == "moved":
            lines.append(line)
    return "".join(lines)


def written(value: float) -> str:
    """A number with four significant digits, in the notation of TOML.

    >>> written(0.98765), written(138.74999), written(1_683_417.2), written(205.0)
    ('0.9877', '138.7', '1683000', '205')
    """
    return f"{float(f'{value:.4g}'):.10g}"


def measured(papers: Sequence[str], out: Path) -> list[dict[str, Any]]:
    """The outcomes of these papers' claims; `out` stores the results."""
    out.mkdir(parents=True, exist_ok=True)
    with Store(out / "results.sqlite") as store:
        # The files may still contain placeholder reasons from an earlier --write.
        judged = judge([paper(key, finished=False) for key in papers], store, exact=True)
    return [outcome.to_dict() for each in judged for outcome in each.outcomes]


def main(arguments: Sequence[str]) -> int:
    """Compare or write the claims. Return the exit status."""
    known = argparse.ArgumentParser(description="Claims: what has changed.")
    known.add_argument("papers", nargs="*", metavar="PAPER", help=", ".join(paper_keys()))
    known.add_argument("--write", action="store_true", help="put it into the papers' files")
    known.add_argument("--from", type=Path, metavar="FILE", dest="saved", help="outcomes, as JSON")
    known.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="kept results")
    given = known.parse_args(arguments)
    papers = given.papers or paper_keys()
    if given.saved is None:
        outcomes = measured(papers, given.out)
    else:
        lines = given.saved.read_text(encoding="utf-8").splitlines()
        outcomes = [json.loads(line) for line in lines]
    every: list[Change] = []
    for key in papers:
        path = FOLDER / key / "claims.toml"
        text = path.read_text(encoding="utf-8")
        found = list(changes(tomllib.loads(text)["claim"], outcomes))
        if given.write and found:
            path.write_text(rewritten(text, found), encoding="utf-8")
        every += found
    for change in sorted(every, key=lambda each: WHAT.index(each.what)):
        print(change)
    print(", ".join(f"{sum(e.what == what for e in every)} {what}" for what in WHAT))
    return 0 if given.write else min(len(every), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
