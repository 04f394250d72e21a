//! Floating point: pure functions on the bits of registers, and the status and control register.
//!
//! A register holds a double; a single lies in it as the double of the same value.  Each operation has
//! an exact answer in integers ([`mod@exact`]), and most have the same one from the host's arithmetic
//! (`host`), which is quicker and is taken where it is provably the same.
//!
//! Interrupts are not made here: a program runs with them disabled unless it asks Linux, and then
//! [`Fpscr::enabled_exception`] tells that one is due.
//!
//! MODEL: `FPSCR[NI]` is kept and has no other effect: denormalised numbers stay what they are.  Silicon may
//! replace them by zeros while it is set.
//!
//! Sources: PowerPC User Instruction Set Architecture, Book I, 2.02, chapter 4.

pub mod answer;
pub mod arithmetic;
pub mod compare;
pub mod convert;
pub mod estimate;
pub mod exact;
pub mod fpscr;
mod host;
pub mod number;
pub mod operation;
pub mod single;
pub mod status;

pub use fpscr::Fpscr;
pub use operation::{Operation, Precision};
