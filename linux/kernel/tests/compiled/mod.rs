//! Does Linux behave as compiled C programs expect? The tests are skipped if no compiler for 32-bit PowerPC is
//! installed.
//!
//! The test programs check results themselves, and print `ok` when they end (`c/check.h`).

mod any_bytes;
mod deaths;
mod determinism;
mod layouts;
mod own_path;
mod programs;
mod refusals;
mod stacks;
mod toolchain;
