//! Programs for tests and benchmarks that have no compiler.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod process;
pub mod synthetic;
