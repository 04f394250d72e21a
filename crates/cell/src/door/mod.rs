//! The two doors through which programs drive the machine.
//!
//! An SPU program sees only what real SPU code sees: read a channel, write a channel, ask a
//! channel's count, compute for some cycles; and its own local store.  A stall is an answer that has
//! not come yet.  The PPE's door is as narrow: load, store, sync, system call, compute.  Everything with a
//! familiar name is built on these, in [`crate::spu_mfcio`] and [`crate::libspe`].  A program that is an
//! operating system besides has the machine in its hands for the length of its turn ([`Supervisor`]), and may
//! wait for the SPEs' interrupts.
//!
//! A program that repeats itself may *mark* each iteration.  With a mark it promises that, until the
//! next one, what it asks depends only on the answers it gets, and that every 32-bit word it changes
//! either ends the iteration as it began or moves by the same amount each time (modulo 2^32).
//! Exact fast-forward ([`crate::system`]) needs to know no more.

mod calls;
mod ppe;
mod spu;
mod supervisor;

pub use calls::{NO_ENTRY, SpeEvents, Syscall, TagUpdate};
pub use ppe::{Access, PpeOp, PpeProgram, PpeStep, PpeTurn, Walk};
pub use spu::{Op, Program, ProgramFactory, Step, Turn};
pub use supervisor::Supervisor;
