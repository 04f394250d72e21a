//! A processor that runs a program: the program's state, and the processor's own time.
//!
//! A processor may be a few cycles ahead of the bus clock, for instance while it writes the parameters of a command.
//! The processor waits for the bus clock to catch up before it touches anything that other units see.

use crate::snapshot::Snapshot;
use crate::units::{BusCycle, SpuCycles};

/// State of a program. `Q` is the type of the program's operations, and `A` the type of their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State<Q, A> {
    /// Not started.
    Idle,
    /// The program has received the result of its last operation and can continue.
    Ready(A),
    /// The program has requested an operation that the machine has not handled yet.
    Asked(Q),
    /// The operation must wait.
    Blocked(Q),
    /// The program ends as soon as the bus clock has caught up with the processor.
    Stopping(u32),
    /// The program has ended with a code.
    Stopped(u32),
}

/// A processor and the progress of its program.
#[derive(Clone, Debug)]
pub struct Core<Q, A> {
    /// State of the program.
    pub state: State<Q, A>,
    /// The processor's own time, in processor cycles since the start of the machine.
    pub time: SpuCycles,
    /// Number of marks made so far.
    pub marks: u64,
    /// Number of remaining iterations that the program reported at its last mark.
    pub remaining: u64,
    /// Number of iterations to skip that have not yet been reported to the program.
    pub skip: u64,
    /// Digest of all results received since the last mark, or since the start if there is no mark.
    history: u64,
    /// Time of the last turn, and the number of turns since time last advanced.
    last_turn_time: SpuCycles,
    idle_turns: u32,
}

/// Maximum number of consecutive turns in which no time passes; beyond this, the program is considered to loop
/// endlessly.
const IDLE_TURNS_MAX: u32 = 1_000_000;

/// Returns the error message for a program that makes no progress.
#[cold]
pub fn no_progress() -> String {
    format!("{IDLE_TURNS_MAX} turns in which no time passed; compute for at least one cycle")
}

impl<Q: Copy, A: Copy> Core<Q, A> {
    /// A processor without a program.
    pub fn new() -> Self {
        Core {
            state: State::Idle,
            time: 0,
            marks: 0,
            remaining: 0,
            skip: 0,
            history: 0,
            last_turn_time: 0,
            idle_turns: 0,
        }
    }

    /// Starts a program, passing `answer` as the input of its first turn.
    pub fn start(&mut self, answer: A, time: SpuCycles) {
        *self = Core { state: State::Ready(answer), time, ..Core::new() };
    }

    /// Begins a turn of the program. Returns false if the program makes no progress because none of its
    /// operations takes any time (see [`no_progress`]).
    #[inline]
    pub fn begin_turn(&mut self) -> bool {
        if self.time != self.last_turn_time {
            self.last_turn_time = self.time;
            self.idle_turns = 0;
        }
        self.idle_turns += 1;
        self.idle_turns <= IDLE_TURNS_MAX
    }

    /// Records the result of an operation. The behaviour of a marked program depends only on the results since its last
    /// mark.
    pub fn note(&mut self, answer: u64) {
        self.history = (self.history.rotate_left(23) ^ answer).wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    }

    /// Records a mark, and discards the digest of the results before the mark.
    pub fn mark(&mut self, remaining: u64) {
        self.marks += 1;
        self.remaining = remaining;
        self.history = 0;
    }

    /// Whether the program has started and has not ended.
    pub fn is_running(&self) -> bool {
        !matches!(self.state, State::Idle | State::Stopped(_))
    }

    /// Adds the processor's state to a snapshot, relative to `now`. `question` adds the contents of an
    /// operation.
    pub fn capture(
        &self,
        now: BusCycle,
        ratio: u64,
        out: &mut Snapshot,
        question: impl Fn(&Q, &mut Snapshot),
        answer: impl Fn(A) -> u64,
    ) {
        let Core {
            state,
            time,
            // Fast-forward compares the remaining iterations separately.
            marks: _,
            remaining: _,
            skip,
            history,
            // These two fields only detect an endless loop.
            last_turn_time: _,
            idle_turns: _,
        } = self;
        match state {
            State::Idle => out.word(0),
            State::Ready(value) => {
                out.word(1);
                out.word(answer(*value));
            }
            State::Asked(op) => {
                out.word(2);
                question(op, out);
            }
            State::Blocked(op) => {
                out.word(3);
                question(op, out);
            }
            State::Stopping(code) => {
                out.word(4);
                out.word(u64::from(*code));
            }
            State::Stopped(code) => {
                out.word(5);
                out.word(u64::from(*code));
            }
        }
        let ahead = match state {
            State::Idle | State::Stopped(_) => 0,
            // A blocked program resumes when it is woken, regardless of how long it has been blocked.
            State::Blocked(_) => time.saturating_sub(now * ratio),
            // A program that continues may be a fraction of a bus cycle behind the clock, and that fraction is part of
            // the state.
            State::Ready(_) | State::Asked(_) | State::Stopping(_) => time.wrapping_sub(now * ratio),
        };
        out.word(ahead);
        out.word(*history);
        out.word(*skip);
    }
}

impl<Q: Copy, A: Copy> Default for Core<Q, A> {
    fn default() -> Self {
        Core::new()
    }
}
