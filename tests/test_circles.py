"""`workshop/circles.py` finds all import cycles, and reports nothing else."""

from pathlib import Path

import pytest

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
        "from .room import a",
        "from .room.a import A",
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


def test_a_module_and_its_types_are_one(tmp_path: Path) -> None:
    files = {"__init__.py": "", "a.py": "from . import b", "a.pyi": "", "b.py": "import package.a"}
    graph = circles.python_graph(written(tmp_path / "package", files))
    assert circles.circles(graph) == [["package.a", "package.b"]]


@pytest.mark.parametrize(
    "way_back",
    [
        "use super::Owner;",
        "fn f(owner: &super::Owner) {}",
        "use crate::owner::*;",
        "use super::*;",
        "mod inner { use super::super::Owner; }",
        "fn f() { macro_rules! m { () => { $crate::owner::Owner::new() } } }",
    ],
)
def test_circles_of_rust(tmp_path: Path, way_back: str) -> None:
    files = {
        "lib.rs": "pub mod owner;\n",
        "owner/mod.rs": "mod part;\nuse part::Part;\npub struct Owner { part: Part }\n",
        "owner/part.rs": f"{way_back}\npub struct Part;\n",
    }
    graph = rust_files.graph(written(tmp_path, files))
    assert circles.circles(graph) == [["owner/mod.rs", "owner/part.rs"]]


def test_circles_of_modules_without_a_circle_of_files(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod memory;\nmod ring;\n",
        "memory.rs": "pub mod bank;\nuse crate::ring::Ring;\npub struct Memory(Ring);\n",
        "memory/bank.rs": "pub struct Bank;\n",
        "ring.rs": "use crate::memory::bank::Bank;\npub struct Ring(Bank);\n",
    }
    graph = rust_files.graph(written(tmp_path, files))
    assert circles.circles(graph) == []
    assert circles.circles(circles.modules(graph, Path())) == [["memory", "ring"]]


@pytest.mark.parametrize(
    "use",
    [
        "use crate::{b::{B, f}};",
        "use crate::{b::{self as other}};\nfn g() { other::f() }",
        "use crate::r#b::B;",
        "use crate::b::E::*;",
        "pub use crate::b::B;\nstruct S(B);",
        "fn g() { Vec::<crate::b::B>::new(); }",
        "fn g() { crate::shout!() }",
        "fn g() { shout!() }",
        "struct S { #[cfg(test)] n: fn(u8) -> u8, b: crate::b::B }",
        "fn g() { let brace = '{'; }\n#[cfg(not(test))]\nuse crate::b::B;",
    ],
)
def test_what_uses_an_item_of_rust(tmp_path: Path, use: str) -> None:
    files = {
        "lib.rs": "mod a;\nmod b;\n",
        "a.rs": use,
        "b.rs": "pub struct B;\npub enum E { X }\npub fn f() {}\n"
        "#[macro_export]\nmacro_rules! shout { () => { } }\n",
    }
    assert rust_files.graph(written(tmp_path, files))["a.rs"] == {"b.rs"}


@pytest.mark.parametrize(
    "no_use",
    [
        "use crate::b;",
        "pub use crate::b::B;\nfn g() { self.B }",
        "use std::b::B;",
        'fn g() { r#"crate::b::B "and so on""# }',
        "/// As crate::b::B.\nfn g() {}",
        "#[cfg(test)]\nuse crate::b::{B, f};",
        "#[cfg(all(test, unix))]\nmod tests { use crate::b::B; }",
        "#[cfg(test)]\n#[allow(dead_code)]\nfn g() { crate::b::f() }",
        "#[cfg(test)]\nmod tests;",
    ],
)
def test_what_does_not_use_it(tmp_path: Path, no_use: str) -> None:
    files = {
        "lib.rs": "mod a;\nmod b;\n",
        "a.rs": no_use,
        "a/tests.rs": "use crate::b::B;",
        "b.rs": "pub struct B;\npub fn f() {}\n",
    }
    assert rust_files.graph(written(tmp_path, files))["a.rs"] == set()


@pytest.mark.parametrize(
    "use",
    [
        "use crate::Thing;",
        "use super::room::Thing as Other;",
        "fn f(_: crate::room::Thing) {}",
        "use crate::room::*;\nfn f(_: Thing) {}",
        "use crate::*;\nfn f() { Thing::new() }",
        "use crate::room::wing::*;\nfn f() { size() }",
        "use crate::room::*;\nfn f() { wing::size() }",
    ],
)
def test_re_exports_of_rust_are_followed_through_several_files(tmp_path: Path, use: str) -> None:
    files = {
        "lib.rs": "mod room;\nmod user;\npub use room::Thing;\n",
        "room/mod.rs": "pub mod wing;\npub use wing::Thing;\n",
        "room/wing/mod.rs": "mod deep;\npub use self::deep::*;\n",
        "room/wing/deep.rs": "pub struct Thing;\npub const fn size() {}\nuse crate::user::User;\n",
        "user.rs": f"{use}\npub struct User;\n",
    }
    graph = rust_files.graph(written(tmp_path, files))
    assert circles.circles(graph) == [["room/wing/deep.rs", "user.rs"]]


def test_all_files_of_a_module_and_all_roots_are_read(tmp_path: Path) -> None:
    back = "use crate::Root;\npub struct Machine;\n"
    either = '#[cfg(unix)]\n#[path = "one.rs"]\nmod machine;\n'
    other = '#[cfg(windows)]\n#[path = "other.rs"]\nmod machine;\n'
    root = "use machine::Machine;\npub struct Root(Machine);\n"
    files = {"main.rs": either + other + root, "one.rs": back, "other.rs": back, "lib.rs": ""}
    graph = rust_files.graph(written(tmp_path, files))
    assert graph["one.rs"] == graph["other.rs"] == {"main.rs"}
    assert graph["lib.rs"] == set()
    assert len(circles.circles(graph)) == 1


def test_only_these_modules_import_others_by_name() -> None:
    # No cycle and no layer is checked where a module's name is a string.
    found = {
        str(path.relative_to(circles.PACKAGE))
        for path in circles.PACKAGE.rglob("*.py")
        if "import_module(" in path.read_text(encoding="utf-8")
    }
    plugins = {"measure/engines.py", "show/figures.py"}  # packages of others
    assert found - plugins == {
        "__init__.py",
        "cli/group.py",
        "reproduce/verdicts.py",
        "show/__init__.py",
    }
