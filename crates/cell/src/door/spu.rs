//! The interface of SPU programs.

use crate::channel::Channel;
use crate::store::LocalStore;
use crate::units::SpuCycles;

/// An operation of an SPU program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// `rdch`: returns the channel's value. A read of a blocking channel waits until the channel has a value.
    Read(Channel),
    /// `wrch`: returns 0. A write to a blocking channel waits until the channel has room.
    Write(Channel, u32),
    /// `rchcnt`: returns the channel's count.
    Count(Channel),
    /// Computation on registers and the local store that takes this number of SPU cycles.
    Compute(SpuCycles),
}

/// The reason why a program's turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The program has requested an operation and waits for its result.
    Ask(Op),
    /// An iteration begins. The result is the number of iterations that the program must skip because their outcome is
    /// already known. The result is always less than `remaining`.
    Mark {
        /// Number of remaining iterations, including the one that begins now.
        remaining: u64,
    },
    /// `stop` with a stop code: the program has ended, or waits until the PPE resumes it ([`Program::goes_on`]).
    Stop(u32),
}

/// Input of a program's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The result of the last operation; 0 in the first turn.
    pub answer: u32,
    /// The program's own time, in SPU cycles since the start of the run.
    pub time: SpuCycles,
    /// Number of SPU cycles from `time` in which only the program itself accesses its local store. The value is 0 for
    /// a program that does not run ahead.
    pub lookahead: SpuCycles,
    /// The first SPU cycle, not before `time`, in which DMA occupies the local-store port.
    pub line_at: Option<SpuCycles>,
    /// Whether an enabled event is pending. Such an event interrupts a program that has interrupts enabled.
    pub event: bool,
    /// Whether a trace asks for every position of the program in this turn ([`Program::take_positions`]).
    pub traced: bool,
}

/// A position of a program of instructions: the instruction at `address` issues at `at` or, with a cause, no
/// instruction issues from `at` on because of this instruction. The position is valid until the program's next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// SPU cycles since the start of the run.
    pub at: SpuCycles,
    /// The instruction's local-store address.
    pub address: u32,
    /// The instruction word, because a program may change its code.
    pub word: u32,
    /// The reason why no instruction issues.
    pub cause: Option<&'static str>,
}

/// An SPU program.
pub trait Program {
    /// Runs up to the next operation.
    ///
    /// # Errors
    /// A one-line message about the reason why the program cannot continue, for example a Python exception. The run
    /// ends.
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String>;

    /// The program's next channel write, if it does not depend on the result of the last operation. For example, the
    /// writes of a DMA command's parameters are independent of each other's results. The machine performs such a write
    /// without giving the program a turn. The next turn comes after the write.
    fn writes_anyway(&mut self) -> Option<(Channel, u32)> {
        None
    }

    /// Whether the program performs its work first and then spends the time for it with [`Op::Compute`], as an
    /// instruction interpreter does. Such a program accesses its local store only within its [`Turn::lookahead`]. It
    /// then requests [`Op::Compute`] with the duration of the work, or with 0 cycles if it could not start. In each
    /// bus cycle, the program works after all other units, so the boundaries of its turns have no effect.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// Whether the program can continue after its current stop when the PPE resumes it
    /// ([`super::Syscall::ThreadContinue`]).
    fn goes_on(&self) -> bool {
        false
    }

    /// Number of iterations in a tour of the program's loop (see [`crate::door`]); 1 if the loop makes no tours.
    fn tour(&self) -> u32 {
        1
    }

    /// When the program's next commands were offered to the program, if they come from a source that does not wait for
    /// the program. The latency of these commands counts from then.
    fn offered_at(&self) -> Option<SpuCycles> {
        None
    }

    /// The program's position in its source text, for messages.
    fn place(&self) -> Option<String> {
        None
    }

    /// The program's positions in its last turn, in the order of their times. After a turn that was not
    /// [`Turn::traced`], only the last position is known. There are none if the program has no instructions.
    fn take_positions(&mut self) -> Vec<Position> {
        Vec::new()
    }
}

/// Creates a thread's program each time the thread is created. The argument is the `argp` that the creator of the
/// thread passes.
pub type ProgramFactory<'p> = Box<dyn FnMut(u64) -> Box<dyn Program + 'p> + 'p>;
