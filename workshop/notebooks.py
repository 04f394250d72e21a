"""Run notebooks cell by cell, and return what each cell shows.

    .venv/bin/python workshop/notebooks.py FILE.ipynb ...        # run them and print what they show
    .venv/bin/python workshop/notebooks.py --strip FILE.ipynb ...   # remove outputs from the files

As in Jupyter, the value of a cell's last line is shown as HTML, as a picture or as text: the first
of these forms that the value has. A line that ends with a semicolon shows nothing. No Jupyter
kernel is used, so that none has to be installed. Our notebooks must not need a kernel (magics,
widgets).
"""

import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
FORMAT = 4
Kind: TypeAlias = Literal["markdown", "code"]


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook."""

    kind: Kind
    source: str


@dataclass(frozen=True)
class Output:
    """One output of a cell: printed text, HTML, or a value with its text or HTML."""

    text: str | None = None
    html: str | None = None
    value: Any = None


def notebooks() -> list[Path]:
    """All notebooks in the documentation."""
    return sorted((ROOT / "docs").rglob("*.ipynb"))


def read(text: str) -> list[Cell]:
    """The cells of a notebook. Raises ValueError if the notebook is invalid or contains outputs."""
    data = json.loads(text)
    if data.get("nbformat") != FORMAT:
        raise ValueError(f"not a notebook of format {FORMAT}")
    cells = []
    for number, cell in enumerate(data["cells"], 1):
        kind, source = cell["cell_type"], "".join(cell["source"])
        if kind not in ("markdown", "code"):
            raise ValueError(f"cell {number} is {kind}; give markdown or code")
        if cell.get("outputs") or cell.get("execution_count") is not None:
            raise ValueError(
                f"cell {number} has outputs; python workshop/notebooks.py --strip FILE"
            )
        cells.append(Cell(kind, source))
    return cells


def run(cells: list[Cell]) -> Iterator[tuple[Cell, list[Output]]]:
    """Run the cells in one namespace and one directory. Yield each cell with its outputs."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as directory:
        for number, cell in enumerate(cells, 1):
            shown: list[Output] = []
            if cell.kind == "code":
                with _inside(directory):
                    shown = _run_code(cell.source, f"<cell {number}>", names)
            yield cell, shown


@contextlib.contextmanager
def _inside(directory: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


def _run_code(source: str, where: str, names: dict[str, Any]) -> list[Output]:
    shown: list[Output] = []
    names["display"] = lambda *values: shown.extend(map(displayed, values))
    tree = ast.parse(source, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    # As in Jupyter kernels, the stream has an encoding. Without an encoding, µ is printed as u.
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
        if value is not None and not source.rstrip().endswith(";"):
            shown.append(displayed(value))
    printed.seek(0)
    text = printed.read()
    return [Output(text=text), *shown] if text else shown


def displayed(value: Any) -> Output:
    """The output that Jupyter shows for a value."""
    # The method of figures returns HTML with some backends, and None with others.
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    if html is not None:
        return Output(html=html, value=value)
    if hasattr(value, "_repr_png_"):
        data = base64.b64encode(value._repr_png_()).decode()
        return Output(html=f'<p><img alt="" src="data:image/png;base64,{data}"></p>', value=value)
    return Output(text=repr(value) + "\n", value=value)


def strip(path: Path) -> None:
    """Remove all outputs and execution counts from a notebook."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for cell in data["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    data["metadata"] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    text = json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    path.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Run notebooks and print their outputs, or strip the notebooks."""
    for path in [Path(each) for each in arguments if each != "--strip"]:
        if "--strip" in arguments:
            strip(path)
            continue
        for cell, outputs in run(read(path.read_text(encoding="utf-8"))):
            if cell.kind == "code":
                print(*(f">>> {line}" for line in cell.source.splitlines()), sep="\n")
            for one in outputs:
                print(one.text if one.text is not None else f"[{len(one.html or '')} of HTML]")


if __name__ == "__main__":
    main(sys.argv[1:])
