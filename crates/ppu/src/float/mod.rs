//! Floating-point arithmetic as pure functions on register bits, and the floating-point status and control register.
//!
//! A register holds a double. A single-precision number is held as the double of the same value. `exact` computes
//! the outcome of any operation in integers. The host's floating-point arithmetic (`host`) is faster, and is used for
//! most operations, where its outcome is provably the same.
//!
//! This module raises no interrupts. A program runs with floating-point interrupts disabled unless it asks Linux to
//! enable them. [`Fpscr::enabled_exception`] then reports that an interrupt is due.
//!
//! MODEL: `FPSCR[NI]` is stored but has no effect: denormalised numbers stay unchanged. Silicon may replace
//! denormalised numbers by zeros while NI is set.
//!
//! Sources: PowerPC User Instruction Set Architecture, Book I, 2.02, chapter 4.

pub(crate) mod arithmetic;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod estimate;
pub(crate) mod exact;
pub mod fpscr;
mod host;
pub(crate) mod number;
pub(crate) mod operation;
pub(crate) mod outcome;
pub mod single;
pub mod status;

pub use fpscr::Fpscr;
pub use operation::{Operation, Precision};
