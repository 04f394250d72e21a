# make run     what was published beside what is simulated: out/report.html
# make test    all tests               make check   formatting, lints, types, tidy rules
# make bench   speed and memory        make docs    the documents as a site: out/docs/index.html
# make clean   remove everything that was built
#
# Everything is set up in .venv first. PYTHON chooses the interpreter (3.11 or newer).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# The binding needs an interpreter to be linked with; all others are tested by cargo.
CRATES := -p cell -p cellstats -p files -p host -p place -p ppu -p spu
RUSTDOC := RUSTDOCFLAGS='-D warnings' cargo doc --quiet $(CRATES) --no-deps
RUST := Cargo.toml Cargo.lock $(shell find crates machines -name '*.rs' -o -name '*.toml')

.PHONY: run test test-rust test-python check check-rust check-python check-docs docs bench clean
.DELETE_ON_ERROR:

run: $(VENV)/installed
	$(BIN)/cellstats reproduce --out out

# Each in two halves that have nothing to do with each other: with -j2 one builds while the other tests.
test: test-rust test-python

check: check-rust check-python check-docs

test-rust:
	cargo test $(CRATES)

test-python: $(VENV)/installed
	$(BIN)/python -m pytest

check-rust:
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	$(RUSTDOC)

check-python: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest cellstats._native
	$(BIN)/python tests/tidy.py

check-docs: docs
	$(BIN)/python tests/links.py out/docs

# A warning is an error: a broken reference, a missing target, a name in a docstring that is not there. All pages are
# read anew, because some are made of the code. Without cargo the site has no pages of Rust.
docs: $(VENV)/installed
	if command -v cargo > /dev/null; then $(RUSTDOC); fi
	rm -rf out/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env --doctree-dir out/doctrees docs out/docs

bench: $(VENV)/installed
	cargo bench -p cellstats -p spu -p ppu
	$(BIN)/python benches/start_up.py
	$(BIN)/python benches/experiments.py

clean:
	rm -rf $(VENV) target out dist python/cellstats/_native*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/maturin:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "CellStats needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'maturin>=1.9.4,<2'
	touch $@

# Editable: Python sources are used as they lie, only Rust and machine files need a rebuild.
$(VENV)/installed: $(VENV)/maturin pyproject.toml $(RUST)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install --no-build-isolation --editable '.[dev]'
	touch $@
