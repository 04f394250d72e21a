//! The door of SPU programs.

use crate::channel::Channel;
use crate::store::LocalStore;
use crate::units::SpuCycles;

/// What an SPU program asks of its machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// `rdch`: the answer is the value; blocking channels answer when they have one.
    Read(Channel),
    /// `wrch`: the answer is 0; blocking channels answer when there is room.
    Write(Channel, u32),
    /// `rchcnt`: the answer is the channel's count.
    Count(Channel),
    /// Work on registers and local store for this many SPU cycles.
    Compute(SpuCycles),
}

/// How a program's turn ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// It waits for an answer.
    Ask(Op),
    /// An iteration begins.  The answer is the number of iterations that the program must leave out because
    /// their outcome is known already: always fewer than `remaining`.
    Mark {
        /// Iterations that have not begun, this one included.
        remaining: u64,
    },
    /// `stop`: it has ended, or waits until the PPE lets it go on ([`Program::goes_on`]), with a code.
    Stop(u32),
}

/// What a program is told at the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The answer to what it asked last; 0 at first.
    pub answer: u32,
    /// Its own time, in SPU cycles since the start of the machine.
    pub time: SpuCycles,
    /// SPU cycles from `time` on in which only the program itself reads or writes its local store.  Known only
    /// for a program that runs ahead; 0 for others.
    pub lookahead: SpuCycles,
    /// First SPU cycle at or after `time` in which DMA occupies the local-store port.
    pub line_at: Option<SpuCycles>,
    /// Whether an enabled event is pending, which interrupts a program that has interrupts enabled.
    pub event: bool,
}

/// An SPU program.
pub trait Program {
    /// Runs up to the next question.
    ///
    /// # Errors
    /// A program that cannot go on (a Python exception, say) ends its run with a line that says why.
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String>;

    /// The channel that it writes next whatever the last answer is, and the value, if that is known, as for the
    /// parameters of a DMA command: it needs no turn for that, and its next turn comes behind it.
    fn writes_anyway(&mut self) -> Option<(Channel, u32)> {
        None
    }

    /// Whether it works first and then asks for the time that this took, as an interpreter of instructions
    /// does.  It touches its local store only within its [`Turn::lookahead`], and then computes for
    /// as long as it has worked, 0 cycles if it could not begin.  What it does in a bus cycle comes after
    /// everything else in that cycle, so that it makes no difference where its turns end.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// Whether it can go on behind the stop that it has come to, when the PPE says so ([`super::Syscall::ThreadContinue`]).
    fn goes_on(&self) -> bool {
        false
    }

    /// Its position in its source text, for messages.
    fn place(&self) -> Option<String> {
        None
    }
}

/// Makes a program each time its thread is created; the argument is what the creator passed
/// (`argp`).
pub type ProgramFactory<'p> = Box<dyn FnMut(u64) -> Box<dyn Program + 'p> + 'p>;
