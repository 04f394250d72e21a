"""Check the tidy rules, and write the public list of everything that the simulator invents.

    python workshop/tidy.py           check; one line per offence, exit status 1 after an offence
    python workshop/tidy.py --write   rewrite docs/MODEL.md and generated texts, then check

The rules:

- no file of code is longer than 400 lines, except the lists of the papers' claims;
- no tabs, no trailing blanks, one space after a full stop, and one newline at the end of a file;
- no notes to ourselves;
- no Python function is longer than 70 lines;
- no text outside CHANGELOG.md types how many machine values or papers there are;
- docs/MODEL.md lists every comment that begins with the word for our own inventions;
- the generated texts (`workshop/generated.py`) agree with the compiled tables;
- no file states a fact that has its home elsewhere (`HOMES`);
- no file imports itself through other files, and no module of a Rust directory imports itself
  through other modules (`workshop/circles.py`);
- no crate uses what is beyond its borders (`workshop/borders.py`).
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import borders
import circles
import compiled
import generated

ROOT = Path(__file__).resolve().parent.parent
MODEL_LIST = ROOT / "docs" / "MODEL.md"
LINES_MAX = 400
FUNCTION_LINES_MAX = 70
CODE = {".rs", ".py", ".pyi", ".toml", ".c", ".h", ".ts", ".mjs", ".css"}
LISTS = {"claims.toml"}
TEXT = CODE | {".html", ".md", ".cff", ".yml", ".yaml"}
# Each word is split in two, so that this file passes its own check.
NOTES = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
VALUES = len(generated.machine_values())
COUNTED = re.compile(rf"\b({VALUES} values|(?:five|six|seven|eight|nine|\d+) papers)\b", re.I)
TWO_SPACES = re.compile(r"[a-z)`*]\.  +[A-Z`]")
MODEL = "MODEL" + ":"
COMMENT = re.compile(r"^\s*(//[/!]?|#(?!!?\[))\s?(.*)$")

HOMES = (
    (
        r"\.ts$",
        rf'\bname: "({"|".join(row["name"] for row in compiled.ROWS)})"',
        "crates/cellstats/src/parameters.rs has the one table of parameters",
    ),
    (
        r"(page/simulator|placement|measure)/.*\.(rs|py)$",
        r"\b(50|20)_000\b|<< 36",
        "crates/cellstats/src/communication_model/search.rs says how many placements are tried",
    ),
    (
        r"(src|python)/.*(?<!/eib/ring)\.(rs|py)$",
        r'halfway_clockwise_only( [!=]= |"\])',
        "crates/cell/src/eib/ring.rs chooses the routes",
    ),
    (
        r"(crates/python|page/simulator)/src/.*\.rs$",
        r"\bconst \w+_MAX: u64\b",
        "limits that every binding needs are in the crates of the simulator and the tool",
    ),
    (r"\.ts$", r"\bet al\., ", "published.toml names the claims that have published numbers"),
)
"""Facts that had a second home: the files that had it, a line of theirs, and the one home."""

MODEL_HEAD = """# What the simulator invents

Silicon did not document everything. Each place where the simulator does something of our own
invention says so in a comment that begins with `MODEL`, and says what silicon may do instead.
This is the list of them all, written by `python workshop/tidy.py --write`.
"""


def main(write: bool) -> int:
    """Check all rules and print the offences. Return the exit status: 1 after an offence."""
    if write:
        MODEL_LIST.parent.mkdir(exist_ok=True)
        MODEL_LIST.write_text(_model_list(), encoding="utf-8")
        for path, text in generated.texts():
            path.write_text(text, encoding="utf-8")
    offences = [offence for path in _files() for offence in _offences(path)]
    if not MODEL_LIST.exists() or MODEL_LIST.read_text(encoding="utf-8") != _model_list():
        offences.append("docs/MODEL.md is not the list of all models; run workshop/tidy.py --write")
    for path, text in generated.texts():
        if path.read_text(encoding="utf-8") != text:
            name = path.relative_to(ROOT)
            offences.append(
                f"{name} does not follow the compiled tables; run workshop/tidy.py --write"
            )
    offences += circles.all_offences()
    offences += borders.offences()
    for offence in offences:
        print(offence, file=sys.stderr)
    return min(len(offences), 1)


def _files() -> list[Path]:
    """All text files that git tracks or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    paths = (ROOT / name for name in sorted(set(listed)))
    return [path for path in paths if path.suffix in TEXT and path.is_file()]


def _offences(path: Path) -> Iterator[str]:
    name = path.relative_to(ROOT)
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if path.suffix in CODE and path.name not in LISTS and len(lines) > LINES_MAX:
        yield f"{name}: {len(lines)} lines; split it, {LINES_MAX} are the limit"
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        yield f"{name}: end the file with exactly one newline"
    second = [(line, home) for files, line, home in HOMES if re.search(files, str(name))]
    for number, line in enumerate(lines, 1):
        for fact, home in second:
            if re.search(fact, line):
                yield f"{name}:{number}: {home}"
        if "\t" in line:
            yield f"{name}:{number}: a tab; use spaces"
        if TWO_SPACES.search(line):
            yield f"{name}:{number}: two spaces after a full stop; one is enough"
        if line != line.rstrip():
            yield f"{name}:{number}: blanks at the end of the line"
        if path.name != "CHANGELOG.md" and (found := COUNTED.search(line)):
            yield f"{name}:{number}: {found[1]!r} will change; count them, or leave the number out"
        if path.suffix in CODE and NOTES.search(line):
            yield f"{name}:{number}: a note to ourselves; do it or drop it"
    if path.suffix in CODE and text.count(MODEL) != len(list(_models(path))):
        yield f"{name}: {MODEL} must begin a comment, so that the list has it"
    if path.suffix == ".py":
        yield from _long_functions(name, text)


def _long_functions(name: Path, text: str) -> Iterator[str]:
    """Functions that do not fit on a screen. Docstrings, some of them generated, do not count."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            length = node.end_lineno - node.lineno + 1
            first = node.body[0]
            if ast.get_docstring(node) is not None and first.end_lineno:
                length -= first.end_lineno - first.lineno + 1
            if length > FUNCTION_LINES_MAX:
                yield f"{name}:{node.lineno}: {node.name} has {length} lines; shorten it"


def _model_list() -> str:
    parts = [MODEL_HEAD]
    for path in _files():
        models = list(_models(path)) if path.suffix in CODE else []
        if models:
            parts.append(f"\n## {path.relative_to(ROOT)}\n\n")
            parts += [f"- {model}\n" for model in models]
    return "".join(parts)


def _models(path: Path) -> Iterator[str]:
    """The file's comments that begin with the marker in MODEL, each joined into one line.

    A comment ends at a line without a comment, at an empty comment line, or where the next such
    comment begins.
    """
    current: list[str] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        comment = COMMENT.match(line)
        words = comment[2].strip() if comment else ""
        if current and (not words or words.startswith(MODEL)):
            yield " ".join(current)
            current = []
        if words.startswith(MODEL):
            current = [words.removeprefix(MODEL).strip()]
        elif current:
            current.append(words)


if __name__ == "__main__":
    sys.exit(main(write="--write" in sys.argv[1:]))
