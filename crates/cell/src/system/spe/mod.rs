//! The SPE side of the machine.
//!
//! The program of an `spu` reads `channels` and their counts, and writes channels (`channel_writes`). Channel writes
//! start `commands` in the MFC's queues, `lock_lines` and `ms_sync`, and set the `decrementer`. Other units access the
//! SPE through its `registers`. An operating system saves and restores the SPE's `context`. `lookahead` limits how
//! far ahead of the bus clock a program may run, and `wake` wakes the SPE's units.

mod channel_writes;
mod channels;
pub(super) mod commands;
pub(super) mod context;
pub(super) mod decrementer;
pub(super) mod lock_lines;
mod lookahead;
pub(super) mod ms_sync;
pub(super) mod registers;
pub(super) mod rules;
pub(super) mod spu;
pub(super) mod wake;
