//! The door of PPE programs.

use super::calls::Syscall;
use super::supervisor::Supervisor;
use crate::units::SpuCycles;

/// What a PPE program asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpeOp {
    /// Load 1, 2, 4 or 8 bytes from an effective address.
    Load {
        /// Effective address.
        ea: u64,
        /// Width in bytes.
        bytes: u8,
    },
    /// Store 1, 2, 4 or 8 bytes.
    Store {
        /// Effective address.
        ea: u64,
        /// Width in bytes.
        bytes: u8,
        /// What to store, right-aligned.
        value: u64,
    },
    /// Access many elements of main memory.
    Walk(Walk),
    /// Bring a line of main memory into the caches, as a load or a store of it does, but move no data: a program that
    /// reads and writes memory by itself asks for the time that this takes.
    Touch {
        /// Address in main memory.
        real: u64,
        /// The L2 has to own the line.
        store: bool,
    },
    /// Sleep until there is an interrupt, or until the time base reaches a value.  The answer is 1 if it was an
    /// interrupt: an SPE has stopped, has left its program with a fault, has written its interrupting mailbox, has
    /// taken an entry of its inbound mailbox, or has ended a proxy command; or another PPE thread has asked for it
    /// ([`Supervisor::interrupt`]).
    Wait {
        /// Ticks.
        until: Option<u64>,
    },
    /// Call the operating system.
    Syscall(Syscall),
    /// `sync`: everything before it has been performed, as all chips see it, before anything behind it.
    Sync,
    /// Work for this many processor cycles.
    Compute(SpuCycles),
    /// Read the 64-bit time base, in ticks.
    TimeBase,
}

/// A fully unrolled loop of loads, stores or copies over main memory: no access waits for the value of
/// another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Walk {
    /// What is done with each element.
    pub access: Access,
    /// Bytes of an element: 1, 2, 4, 8, or 16 for a vector.
    pub bytes: u8,
    /// Bytes from one element to the next.
    pub stride_bytes: u32,
    /// Number of elements.
    pub count: u64,
}

/// What a [`Walk`] does with its elements, and where the first one lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Loads each element.
    Load {
        /// Effective address.
        from: u64,
    },
    /// Stores one value into each element.
    Store {
        /// Effective address.
        to: u64,
        /// What to store, right-aligned; a vector has it twice.
        value: u64,
    },
    /// Owns each element's line, as a store has to, and stores nothing.
    Own {
        /// Effective address.
        to: u64,
    },
    /// Loads each element and stores it elsewhere.
    Copy {
        /// Effective address.
        from: u64,
        /// Effective address.
        to: u64,
    },
}

/// How a PPE program's turn ends; as [`super::Step`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpeStep {
    /// It waits for an answer.
    Ask(PpeOp),
    /// As [`super::Step::Mark`].
    Mark {
        /// Iterations that have not begun, this one included.
        remaining: u64,
    },
    /// It has ended.
    Stop(u32),
}

/// What a PPE program is told at the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PpeTurn {
    /// The answer to what it asked last; 0 at first.
    pub answer: u64,
    /// Its own time, in processor cycles since the start of the machine.
    pub time: SpuCycles,
    /// Processor cycles from `time` on until something else is due in the machine.
    pub lookahead: SpuCycles,
}

/// A PPE program.
pub trait PpeProgram {
    /// Runs up to the next question.
    ///
    /// # Errors
    /// As [`super::Program::resume`].
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String>;

    /// Whether it works first and then computes for as long as that took; its turns wait for the bus clock.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// What it waits for, for messages; an empty text if another program tells it.
    fn waits_for(&self) -> Option<String> {
        None
    }
}
