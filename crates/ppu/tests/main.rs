//! All integration tests of this crate. One executable is built sooner than one for each file.

mod common;
mod console;
mod files;
mod floating;
mod instructions;
mod linux;
mod parts;
mod process;
mod qemu;
mod vector;
