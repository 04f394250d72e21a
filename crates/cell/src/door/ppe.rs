//! The interface of PPE programs.

use super::calls::Syscall;
use super::supervisor::Supervisor;
use crate::units::SpuCycles;

/// An operation of a PPE program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpeOp {
    /// Load 1, 2, 4 or 8 bytes from an effective address.
    Load {
        /// Effective address.
        ea: u64,
        /// Width in bytes.
        bytes: u8,
    },
    /// Store 1, 2, 4 or 8 bytes to an effective address.
    Store {
        /// Effective address.
        ea: u64,
        /// Width in bytes.
        bytes: u8,
        /// Value to store, right-aligned.
        value: u64,
    },
    /// Access many elements of main memory in a loop.
    Walk(Walk),
    /// Bring a line of main memory into the caches, as a load or store would, but move no data. A program that
    /// accesses memory through [`Supervisor`] uses this operation to account for the time of its accesses.
    Touch {
        /// Address in main memory.
        real: u64,
        /// Whether the L2 must own the line.
        store: bool,
    },
    /// Fetch a line of instructions from the L2, or from memory through the L2.
    Fetch {
        /// Address in main memory.
        real: u64,
    },
    /// `dcbt` or `dcbtst`: a hint, which takes effect without a wait.
    Prefetch(Prefetch),
    /// `lwarx` or `ldarx`: load from main memory and reserve the line. The answer is the value.
    LoadReserved {
        /// Address in main memory.
        real: u64,
        /// Width in bytes: 4 or 8.
        bytes: u8,
    },
    /// `stwcx.` or `stdcx.`: store to main memory if the thread's reservation of the line is still valid. The answer
    /// is 1 if the value was stored, and 0 if not. The reservation ends.
    StoreConditional {
        /// Address in main memory.
        real: u64,
        /// Width in bytes: 4 or 8.
        bytes: u8,
        /// Value to store, right-aligned.
        value: u64,
    },
    /// Sleep until an interrupt occurs or the time base reaches a value. Returns 1 after an interrupt. An interrupt
    /// occurs when an SPE stops, faults, writes its outbound interrupt mailbox, reads its inbound mailbox or completes
    /// a proxy command, or when another PPE thread calls [`Supervisor::interrupt`].
    Wait {
        /// Value of the time base, in ticks, at which to wake.
        until: Option<u64>,
    },
    /// Call the operating system.
    Syscall(Syscall),
    /// `sync`: all earlier accesses are performed with respect to all chips before any later access.
    Sync,
    /// Compute for this number of processor cycles.
    Compute(SpuCycles),
    /// Read the 64-bit time base, in ticks.
    TimeBase,
}

/// What a program will probably access soon.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prefetch {
    /// A line.
    Line {
        /// Address in main memory.
        real: u64,
        /// Whether the line is for a store.
        store: bool,
    },
    /// A stream of lines towards higher addresses, which go into the L2.
    Stream {
        /// The program's number of the stream, below 16.
        number: u8,
        /// Address of the first line in main memory.
        real: u64,
        /// Number of lines.
        lines: u64,
    },
    /// The streams whose bits are set end.
    Stop {
        /// One bit for each number of a stream.
        numbers: u16,
    },
}

/// A fully unrolled loop that loads, stores or copies elements of main memory. No access depends on the data of
/// another access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Walk {
    /// What the loop does with each element.
    pub access: Access,
    /// Size of an element in bytes: 1, 2, 4 or 8, or 16 for a vector.
    pub bytes: u8,
    /// Distance in bytes from one element to the next.
    pub stride_bytes: u32,
    /// Number of elements.
    pub count: u64,
}

impl Walk {
    /// The walk that models the time of moving a block: vector loads or stores of all lines of the block, which is in
    /// main memory.
    pub fn over_block(ea: u64, bytes: u64, is_write: bool) -> Walk {
        const VECTOR_BYTES: u64 = 16;
        let from = ea - ea % VECTOR_BYTES;
        let access = if is_write { Access::Own { to: from } } else { Access::Load { from } };
        let count = if bytes == 0 { 0 } else { (ea + bytes - from).div_ceil(VECTOR_BYTES) };
        Walk { access, bytes: VECTOR_BYTES as u8, stride_bytes: VECTOR_BYTES as u32, count }
    }
}

/// What a [`Walk`] does with its elements, and the address of the first element.
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
        /// Value to store, right-aligned; a vector element contains the value twice.
        value: u64,
    },
    /// Acquires ownership of each element's cache line, as a store does, but writes no data.
    Own {
        /// Effective address.
        to: u64,
    },
    /// Touches each element's cache line: the caches begin to fetch the line, if a read-claim machine is free, and the
    /// loop does not wait.
    Touch {
        /// Effective address.
        from: u64,
        /// Whether the line is for a store. Otherwise, the line also goes into the L1.
        store: bool,
    },
    /// Loads each element and stores it to another address.
    Copy {
        /// Effective address.
        from: u64,
        /// Effective address.
        to: u64,
    },
}

/// The reason why a PPE program's turn ended; see [`super::Step`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpeStep {
    /// The program has requested an operation and waits for its result.
    Ask(PpeOp),
    /// An iteration begins; see [`super::Step::Mark`].
    Mark {
        /// Number of remaining iterations, including the one that begins now.
        remaining: u64,
    },
    /// The program has ended.
    Stop(u32),
}

/// Input of a PPE program's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PpeTurn {
    /// The result of the last operation; 0 in the first turn.
    pub answer: u64,
    /// The program's own time, in processor cycles since the start of the run.
    pub time: SpuCycles,
    /// Processor cycles from `time` until the next event of any other unit. The value is 0 for a program that does not
    /// run ahead.
    pub lookahead: SpuCycles,
}

/// A PPE program.
pub trait PpeProgram {
    /// Runs up to the next operation.
    ///
    /// # Errors
    /// See [`super::Program::resume`].
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String>;

    /// Whether the program performs its work first and then requests [`PpeOp::Compute`] with the duration of that work.
    /// Such a program gets its next turn only when the bus clock has caught up with the program's own time.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// For messages: a description of what the program is waiting for. The text is empty if another program describes
    /// the same wait.
    fn waits_for(&self) -> Option<String> {
        None
    }
}
