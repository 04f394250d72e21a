//! Effects of instructions on registers and storage, without their timing. Each instruction has one function.
//!
//! Work for the run loop or the operating system is passed to the caller as an [`End`].
//!
//! Sources: PowerPC User Instruction Set Architecture 2.02, Book I and II; Cell Broadband Engine Programming Handbook.

pub mod access;
pub mod address;
pub mod arithmetic;
pub mod branch;
pub mod cache;
pub mod compare;
pub mod condition;
pub mod floating;
pub mod floating_status;
pub mod floating_storage;
pub mod logical;
pub mod special;
pub mod storage;
pub mod vector;
pub mod vector_storage;

use crate::instruction::Instruction;
use crate::memory::Stop;
use crate::registers::Cpu;

/// A function that executes one instruction.
///
/// The function changes nothing before its last access to storage has completed, so that the instruction can be
/// executed again.
pub type Computation<M> = fn(&Instruction, &mut Cpu, &mut M) -> Done;

/// `Ok` if execution continues with the next instruction in storage.
pub type Done = Result<(), End>;

/// The reason why execution does not simply continue with the next instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// [`Stop::Fault`]. A [`Stop`] in an `End` would need more of the host's instructions to tell all ends apart.
    Fault {
        /// The right half of the effective address.
        ea: u32,
        /// Whether the access was a store.
        store: bool,
    },
    /// [`Stop::Wait`].
    Wait,
    /// [`Stop::Alignment`].
    Alignment {
        /// The right half of the effective address.
        ea: u32,
    },
    /// The instruction was an unconditional branch. The program counter is already set to the target.
    Jump,
    /// The instruction was a taken conditional branch. The program counter is already set to the target.
    Taken,
    /// The instruction was an untaken conditional branch.
    NotTaken,
    /// The instruction issues later than its registers allow, because of its operands' values.
    Late {
        /// The number of cycles.
        cycles: u8,
    },
    /// The instruction reads the time base into RT: only its left half if RA (a part of the special register's number)
    /// is odd.
    TimeBase,
    /// Code in a cache line may have changed.
    Invalidate {
        /// The right half of an effective address in the cache line.
        ea: u32,
    },
    /// The instruction was a system call.
    SystemCall,
    /// The condition of a trap instruction is true.
    Trap,
    /// The word has not been decoded yet.
    Undecoded,
    /// The word is not an instruction that user programs may execute.
    Illegal,
}

const _: () = assert!(size_of::<Done>() == 8);

impl From<Stop> for End {
    #[inline(always)]
    fn from(stop: Stop) -> End {
        match stop {
            Stop::Fault { ea, store } => End::Fault { ea, store },
            Stop::Wait => End::Wait,
            Stop::Alignment { ea } => End::Alignment { ea },
        }
    }
}

/// Stands in for the function of a word that has not been decoded yet.
pub fn undecoded<M>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::Undecoded)
}

/// Stands in for the function of a word that is not an instruction.
pub fn illegal<M>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::Illegal)
}
