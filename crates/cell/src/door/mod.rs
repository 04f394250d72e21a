//! The two doors: the interfaces through which programs drive the machine.
//!
//! An SPU program sees what real SPU code sees: it reads and writes channels, asks for a channel's count, computes for
//! some cycles, and uses its own local store.  A stalled channel answers once its stall ends.  The PPE's door is
//! equally narrow: load, store, sync, system call, compute.  [`crate::spu_mfcio`] and [`crate::libspe`] implement the
//! familiar library functions with these operations.  A PPE program that acts as an operating system can also control
//! the machine directly during its turn ([`Supervisor`]), and may wait for the SPEs' interrupts.
//!
//! A program that repeats itself may *mark* each iteration.  A mark promises two things about the time until the next
//! mark: the program's operations depend only on the answers that it receives, and every 32-bit word that it changes
//! either ends the iteration as it began or changes by the same amount each time (modulo 2^32).  Exact fast-forward
//! ([`crate::system`]) needs no other information.

mod calls;
mod ppe;
mod spu;
mod supervisor;

pub use calls::{NO_ENTRY, SpeEvents, Syscall, TagUpdate};
pub use ppe::{Access, PpeOp, PpeProgram, PpeStep, PpeTurn, Walk};
pub use spu::{Op, Program, ProgramFactory, Step, Turn};
pub use supervisor::Supervisor;
