//! The interfaces through which programs control the machine, one for SPU programs and one for PPE programs.
//!
//! An SPU program has the same interface as real SPU code: it reads and writes channels, reads a channel's count,
//! computes for some cycles, and accesses its own local store. An operation on a stalled channel completes when the
//! stall ends. The interface of PPE programs is equally small: load, store, sync, system call, compute.
//! [`crate::spu_mfcio`] and `libspe` implement the familiar library functions with these operations. A PPE
//! program that acts as an operating system can also access the machine directly during its turn (through
//! [`Supervisor`]), and can wait for interrupts from the SPEs.
//!
//! A program that consists of a loop may *mark* each iteration. By marking, the program promises two things about
//! every iteration. First, its operations depend only on the results of earlier operations in that iteration. Second,
//! every 32-bit word that the program changes in an iteration changes by the same amount (possibly 0) in each
//! iteration, modulo 2^32. Exact fast-forward ([`crate::system`]) needs no other information.
//!
//! A program that only copies between local stores may do so in *tours*: `tour` iterations issue the same commands at
//! different local-store addresses, and then the addresses begin again. By a [`Program::tour`] above 1, an SPU program
//! promises that only the offsets of whole lines within a page distinguish the addresses of its iterations, and that
//! its other effects are those of DMA alone.

mod calls;
mod ppe;
mod spu;
mod supervisor;

/// Maximum duration of one request, in processor cycles: some minutes. Sums of such durations fit easily in 64 bits.
pub const CYCLES_MAX: u64 = 1 << 40;
/// Maximum number of iterations of a loop.
pub const ITERATIONS_MAX: u64 = 1_000_000_000_000;
/// Largest code of the stop-and-signal instruction.
pub const STOP_CODE_MAX: u64 = 0x3fff;
/// Maximum timeout of a wait for an event: more than a year.
pub const TIMEOUT_NS_MAX: u64 = 1 << 55;

pub use calls::{NO_ENTRY, SpeEvents, Syscall, TagUpdate};
pub use ppe::{Access, PpeOp, PpeProgram, PpeStep, PpeTurn, Prefetch, Walk};
pub use spu::{Op, Position, Program, ProgramFactory, Step, Turn};
pub use supervisor::{QueuedCommand, Supervisor};
