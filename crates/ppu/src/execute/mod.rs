//! What each instruction does to registers and storage, without time: a function for each.
//!
//! Left out: what concerns the run loop or the system, which is handed up as an [`End`].
//!
//! Sources: PowerPC User Instruction Set Architecture 2.02, Book I and II; Cell Broadband Engine Programming Handbook.

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

/// Executes one instruction.
///
/// It changes nothing before its last access to storage was done, so that it can be executed again.
pub type Computation<M> = fn(&Instruction, &mut Cpu, &mut M) -> Done;

/// Whether the next instruction follows.
pub type Done = Result<(), End>;

/// Why the next instruction does not simply follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// An access to storage is not done.
    Stop(Stop),
    /// A branch that does not depend on anything; the register for the address is set.
    Jump,
    /// A conditional branch that is taken; the register for the address is set.
    Taken,
    /// A conditional branch that is not taken.
    NotTaken,
    /// The time base goes into RT: its right half, its left half if RA (in the number of the register) is odd.
    TimeBase,
    /// Code in the line of this address may have changed.
    Invalidate {
        /// Effective address.
        ea: u32,
    },
    /// A system call.
    SystemCall,
    /// A trap whose condition holds.
    Trap,
    /// The word was not looked at yet.
    Undecoded,
    /// The word is no instruction, or none that user programs may execute.
    Illegal,
}

const _: () = assert!(size_of::<Done>() == 8);

impl From<Stop> for End {
    #[inline(always)]
    fn from(stop: Stop) -> End {
        End::Stop(stop)
    }
}

/// Stands for a word that was not looked at yet.
pub fn undecoded<M>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::Undecoded)
}

/// Stands for a word that is no instruction.
pub fn illegal<M>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::Illegal)
}
