"""The papers: what they claim, and the scripts of their figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType

from cellstats import papers as _papers
from cellstats._native import UsageError
from cellstats.draw.charts import Chart
from cellstats.refusal import refusal
from cellstats.reproduce.answers import Answers
from cellstats.reproduce.asks import Ask
from cellstats.reproduce.claims import (
    Claim,
    Contradiction,
    PaperFile,
    read_claims,
    read_contradictions,
)
from cellstats.text.nearest import did_you_mean

HERE = Path(_papers.__file__).parent


@dataclass(frozen=True)
class Figure:
    """A figure or table of a paper: one script."""

    paper: str
    name: str
    """Of the script, such as `figure4` or `table1`."""

    @cached_property
    def _script(self) -> ModuleType:
        return import_module(f"{_papers.__name__}.{self.paper}.{self.name}")

    @property
    def title(self) -> str:
        """The first line of the script's description."""
        return (self._script.__doc__ or self.name).strip().splitlines()[0].rstrip(".")

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """What it measures."""
        rows: Callable[[], Iterable[Ask]] = self._script.rows
        return tuple(dict.fromkeys(rows()))

    def charts(self, rows: Answers) -> list[Chart]:
        """Its panels, of rows in the order of `asks`; none for a table."""
        draw: Callable[[Answers], Iterable[Chart]] = self._script.draw
        return list(draw(rows))


@dataclass(frozen=True)
class Paper:
    """One paper."""

    file: PaperFile
    figures: tuple[Figure, ...]

    @property
    def key(self) -> str:
        """The name of its directory, such as `kistler2006`."""
        return self.file.key

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What it says, in the order of the file."""
        return self.file.claims

    def only(self, figure: str | None) -> "Paper | None":
        """The paper as if it had this figure only; None if it has no such figure.

        A figure is called by its script's name, or by its number.
        """
        names = {figure, f"figure{figure}", f"table{figure}"}
        chosen = tuple(each for each in self.figures if each.name in names)
        if not chosen:
            return None
        kept = {each.name for each in chosen}
        one = self.with_claims(claim for claim in self.claims if claim.figure in kept)
        return replace(one, figures=chosen)

    def with_claims(self, claims: Iterable[Claim]) -> "Paper":
        """The paper as if it claimed this only."""
        return replace(self, file=replace(self.file, claims=tuple(claims)))

    def asks_of(self, claim: Claim) -> set[Ask]:
        """The rows that answer a claim."""
        of = [figure for figure in self.figures if figure.name == claim.figure]
        return set(claim.metric.asks(of[0].asks)) if claim.metric is not None and of else set()


def paper_keys() -> list[str]:
    """All papers, by the year of their publication.

    >>> paper_keys()[0]
    'kistler2006'
    """
    keys = (path.parent.name for path in HERE.glob("*/claims.toml"))
    return sorted(keys, key=lambda key: (key.lstrip("abcdefghijklmnopqrstuvwxyz")[:4], key))


@cache
def contradictions() -> dict[str, Contradiction]:
    """All contradictions between papers, by id."""
    return read_contradictions(HERE / "contradictions.toml")


@cache
def paper(key: str, *, finished: bool = True) -> Paper:
    """The paper with this key; finished: with a reason for all that is off.

    Raises UsageError if there is none, or if its file is wrong.
    """
    if key not in paper_keys():
        raise UsageError(f"unknown paper {key!r}; {did_you_mean(key, paper_keys())}")
    file = read_claims(HERE / key / "claims.toml", contradictions(), finished=finished)
    return Paper(file, tuple(Figure(key, name) for name in file.figures))


def chosen(keys: Sequence[str], figure: str | None) -> list[Paper]:
    """These papers, or all; of them only one figure, if it is given.

    Raises UsageError if there is no such paper, or if none of them has such a figure.
    """
    papers = [paper(key) for key in dict.fromkeys(keys or paper_keys())]
    if figure is None:
        return papers
    with_it = [only for each in papers if (only := each.only(figure)) is not None]
    if not with_it:
        names = [name.name for each in papers for name in each.figures]
        raise refusal(f"{{figure}} {figure}: {did_you_mean(figure, list(dict.fromkeys(names)))}")
    return with_it
