//! The SPU's arithmetic, one element at a time: pure functions on the bits of a word or a doubleword.
//!
//! An instruction works on the four words or two doublewords of a register. For element k, the FPSCR has a *slice* k
//! with the flags of that element. This module does not use registers, instructions or time.
//!
//! Sources: SPU Instruction Set Architecture 1.2, chapter 9 (formats, rounding, exceptions) and chapter
//! 10 (the FPSCR); Mueller et al., "The vector floating-point unit in a synergistic processor element of
//! a Cell processor", ARITH-17, 2005.

pub mod convert;
pub mod double;
pub mod estimate;
pub mod four;
pub(crate) mod fpscr;
mod host;
pub mod round;
pub mod single;

pub use fpscr::{DoubleFlags, DoubleSlice, Fpscr, Rounding, SingleFlags};
