//! Do compiled C programs find the Linux that they expect?  Left out where no compiler for 32-bit PowerPC is installed.
//!
//! Programs check themselves, and print `ok` at their end (`programs/check.h`).

mod deaths;
mod determinism;
mod programs;
mod refusals;
mod toolchain;
