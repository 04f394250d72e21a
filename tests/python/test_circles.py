"""Are circles of imports found, and nothing else?"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import circles
import rust_files


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    "way_back",
    [
        "import package.room.a",
        "def later():\n    from package.room import a",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from package.room.a import A",
    ],
)
def test_imports_of_python_count_wherever_they_stand(tmp_path: Path, way_back: str) -> None:
    files = {
        "__init__.py": "from package.room import a",
        "room/__init__.py": "",
        "room/a.py": "from package.b import f",
        "b.py": way_back,
    }
    graph = circles.python_graph(written(tmp_path / "package", files))
    assert circles.circles(graph) == [["package.b", "package.room.a"]]


def test_a_package_counts_only_by_its_own_name(tmp_path: Path) -> None:
    files = {"__init__.py": "from package.a import f", "a.py": "from package import b", "b.py": ""}
    assert circles.circles(circles.python_graph(written(tmp_path / "package", files))) == []
    (tmp_path / "package" / "b.py").write_text("from package import f")
    graph = circles.python_graph(tmp_path / "package")
    assert circles.circles(graph) == [["package", "package.a", "package.b"]]


def test_paths_of_rust_lead_to_the_file_that_defines_the_item(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod bus;\nmod unit;\npub use bus::Bus;\n",
        "bus/mod.rs": "mod ring;\npub use ring::{Bus, Ring as Way};\n",
        "bus/ring.rs": "pub struct Bus;\npub struct Ring;\n// use crate::unit::Unit;\n",
        "unit.rs": 'use crate::Bus;\nfn f(w: crate::bus::Way) { g("crate::none::None") }\n'
        "pub struct Unit;\n#[cfg(test)]\nmod tests { use crate::tested::Tested; }\n",
    }
    graph = rust_files.graph(written(tmp_path, files))
    assert graph["unit.rs"] == {"bus/ring.rs"}
    assert graph["lib.rs"] == graph["bus/mod.rs"] == graph["bus/ring.rs"] == set()


@pytest.mark.parametrize(
    "way_back",
    ["use super::Owner;", "fn f(owner: &super::Owner) {}", "use crate::owner::*;"],
)
def test_circles_of_rust(tmp_path: Path, way_back: str) -> None:
    files = {
        "lib.rs": "pub mod owner;\n",
        "owner/mod.rs": "mod part;\nuse part::Part;\npub struct Owner { part: Part }\n",
        "owner/part.rs": f"{way_back}\npub struct Part;\n",
    }
    graph = rust_files.graph(written(tmp_path, files))
    assert circles.circles(graph) == [["owner/mod.rs", "owner/part.rs"]]
