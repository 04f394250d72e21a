//! All integration tests of this crate. One executable is built sooner than one for each file.

mod common;
mod console;
mod floating;
mod instructions;
mod parts;
mod qemu;
mod vector;
