"""Run notebooks cell by cell, and return what each cell shows.

    .venv/bin/python workshop/notebooks.py FILE.ipynb ...        # run them and print what they show
    .venv/bin/python workshop/notebooks.py --write FILE.ipynb ...   # keep it in the files, too

As in Jupyter, the value of a cell's last line is shown as HTML, as a picture or as text: the first
of these forms that the value has. A line that ends with a semicolon shows nothing. No Jupyter
kernel is used, so that none has to be installed. Our notebooks must not need a kernel (magics,
widgets).

The files have outputs, so that they show something wherever they are read. A page that plays a run
is kept as its name, as it takes a megabyte. A test runs the cells and compares the outputs, except
for the pixels of pictures, which depend on fonts.
"""

import ast
import base64
import contextlib
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cellstats.show.page import Page

ROOT = Path(__file__).resolve().parent.parent
FORMAT = 4
_PICTURE = re.compile(r'<p><img alt="" src="data:image/png;base64,([^"]+)"></p>')
"""A value that is a picture and nothing else."""
_PIXELS = re.compile(r'(?<="image/png": ")[^"]+|(?<=data:image/png;base64,)[^"\\\\]+')
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
    """The cells of a notebook. Raises ValueError if the notebook is invalid."""
    data = json.loads(text)
    if data.get("nbformat") != FORMAT:
        raise ValueError(f"not a notebook of format {FORMAT}")
    cells = []
    for number, cell in enumerate(data["cells"], 1):
        kind, source = cell["cell_type"], "".join(cell["source"])
        if kind not in ("markdown", "code"):
            raise ValueError(f"cell {number} is {kind}; give markdown or code")
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


def kept(one: Output) -> dict[str, Any]:
    """An output as the file keeps it."""
    if one.text is not None and one.value is None:
        lines = one.text.splitlines(keepends=True)
        return {"output_type": "stream", "name": "stdout", "text": lines}
    data: dict[str, Any] = {"text/plain": repr(one.value).splitlines(keepends=True)}
    if one.html is not None and not isinstance(one.value, Page):
        is_picture = _PICTURE.fullmatch(one.html)
        data = (
            {"image/png": is_picture[1], "text/plain": ["a figure"]}
            if is_picture
            else {"text/html": one.html.splitlines(keepends=True)}
        )
    return {"output_type": "display_data", "data": data, "metadata": {}}


def without_pixels(outputs: Any) -> Any:
    """Outputs for a comparison: what depends on fonts and on versions of matplotlib is left out."""
    return json.loads(_PIXELS.sub("", json.dumps(outputs)))


def written(path: Path, shown: Iterator[list[Output]] | None = None) -> str:
    """The text of a notebook's file: as it is, or with the outputs of all cells."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for cell in data["cells"]:
        outputs = next(shown) if shown is not None else None
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            if outputs is not None:
                cell["outputs"] = list(map(kept, outputs))
    data["metadata"] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main(arguments: list[str]) -> None:
    """Run notebooks and print their outputs; with `--write`, keep these in the files."""
    for path in [Path(each) for each in arguments if each != "--write"]:
        shown = []
        for cell, outputs in run(read(path.read_text(encoding="utf-8"))):
            shown.append(outputs)
            if cell.kind == "code":
                print(*(f">>> {line}" for line in cell.source.splitlines()), sep="\n")
            for one in outputs:
                print(one.text if one.text is not None else f"[{len(one.html or '')} of HTML]")
        if "--write" in arguments:
            path.write_text(written(path, iter(shown)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
