//! The door of SPU programs.

use crate::channel::Channel;
use crate::store::LocalStore;
use crate::units::SpuCycles;

/// An operation of an SPU program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// `rdch`: the answer is the value.  A blocking channel answers once it has a value.
    Read(Channel),
    /// `wrch`: the answer is 0.  A blocking channel answers once it has room.
    Write(Channel, u32),
    /// `rchcnt`: the answer is the channel's count.
    Count(Channel),
    /// Work on registers and the local store for this many SPU cycles.
    Compute(SpuCycles),
}

/// The reason why a program's turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The program waits for an answer.
    Ask(Op),
    /// An iteration begins.  The answer is the number of iterations that the program must skip because their outcome is
    /// already known.  The answer is always smaller than `remaining`.
    Mark {
        /// Number of iterations that have not begun, including this one.
        remaining: u64,
    },
    /// `stop` with a code: the program has ended, or waits until the PPE resumes it ([`Program::goes_on`]).
    Stop(u32),
}

/// Input of a program's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The answer to the last operation; 0 in the first turn.
    pub answer: u32,
    /// The program's own time, in SPU cycles since the start of the machine.
    pub time: SpuCycles,
    /// Number of SPU cycles from `time` in which only the program itself accesses its local store.  The value is 0 for
    /// a program that does not run ahead.
    pub lookahead: SpuCycles,
    /// First SPU cycle at or after `time` in which DMA occupies the local-store port.
    pub line_at: Option<SpuCycles>,
    /// Whether an enabled event is pending.  Such an event interrupts a program that has interrupts enabled.
    pub event: bool,
}

/// An SPU program.
pub trait Program {
    /// Runs up to the next operation.
    ///
    /// # Errors
    /// A message of one line with the reason why the program cannot continue, for instance a Python exception.  The run
    /// ends.
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String>;

    /// The program's next channel write, if it does not depend on the last answer, as with the parameters of a DMA
    /// command.  The machine performs this write without a turn.  The program's next turn follows the write.
    fn writes_anyway(&mut self) -> Option<(Channel, u32)> {
        None
    }

    /// Whether the program works first and then spends the time with [`Op::Compute`], as an instruction interpreter
    /// does.  Such a program touches its local store only within its [`Turn::lookahead`].  The program then computes
    /// for the duration of the work, or for 0 cycles if it could not start.  In each bus cycle, the program works after
    /// all other units, so the boundaries of its turns have no effect.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// Whether the program can continue after its current stop when the PPE asks for it
    /// ([`super::Syscall::ThreadContinue`]).
    fn goes_on(&self) -> bool {
        false
    }

    /// The program's position in its source text, for messages.
    fn place(&self) -> Option<String> {
        None
    }
}

/// Makes a program each time its thread is created.  The argument is the creator's `argp`.
pub type ProgramFactory<'p> = Box<dyn FnMut(u64) -> Box<dyn Program + 'p> + 'p>;
