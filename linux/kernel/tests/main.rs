//! All integration tests of this crate. One executable is built sooner than one for each file.

mod common;
mod compiled;
mod files;
#[path = "../../../crates/ppu/tests/parts.rs"]
mod parts;
mod process;
