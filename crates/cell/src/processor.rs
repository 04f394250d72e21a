//! A processor running a program: where it stands, and how far its own time has come.
//!
//! A processor may be a few cycles ahead of the bus clock, while it writes the parameters of a command
//! say; it waits for the bus clock to catch up before it touches anything that others see.

use crate::snapshot::Snapshot;
use crate::units::{BusCycle, SpuCycles};

/// Where a program stands; `Q` is what it can ask and `A` what it is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State<Q, A> {
    /// Not started.
    Idle,
    /// It has its answer and can go on.
    Ready(A),
    /// It has asked; nobody has looked at the question yet.
    Asked(Q),
    /// The question cannot be answered yet.
    Blocked(Q),
    /// It ends as soon as the bus clock has caught up with it.
    Stopping(u32),
    /// It has ended, with a code.
    Stopped(u32),
}

/// A processor's place in its program.
#[derive(Clone, Debug)]
pub struct Core<Q, A> {
    /// Where the program stands.
    pub state: State<Q, A>,
    /// Its own time, in processor cycles since the start of the machine.
    pub time: SpuCycles,
    /// Marks made so far.
    pub marks: u64,
    /// What it said was left at the last mark.
    pub remaining: u64,
    /// Iterations that it has yet to be told to leave out.
    pub skip: u64,
    /// Digest of all answers since the last mark, or since the start.
    history: u64,
    /// Its time at the last turn, and turns since it last moved.
    last_turn_time: SpuCycles,
    idle_turns: u32,
}

/// Turns without any time passing after which a program is taken to be caught in a loop.
const IDLE_TURNS_MAX: u32 = 1_000_000;

/// What is said of a program that makes no progress.
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

    /// Starts a program with its first answer.
    pub fn start(&mut self, answer: A, time: SpuCycles) {
        *self = Core { state: State::Ready(answer), time, ..Core::new() };
    }

    /// A turn of the program begins; false if it makes no progress, because nothing that it asks takes any time
    /// ([`no_progress`]).
    #[inline]
    pub fn begin_turn(&mut self) -> bool {
        if self.time != self.last_turn_time {
            self.last_turn_time = self.time;
            self.idle_turns = 0;
        }
        self.idle_turns += 1;
        self.idle_turns <= IDLE_TURNS_MAX
    }

    /// Notes an answer: with those before it, it determines what a marked program does next.
    pub fn note(&mut self, answer: u64) {
        self.history = (self.history.rotate_left(23) ^ answer).wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    }

    /// Notes a mark: from here on only new answers count.
    pub fn mark(&mut self, remaining: u64) {
        self.marks += 1;
        self.remaining = remaining;
        self.history = 0;
    }

    /// Whether it is started and has not ended.
    pub fn is_running(&self) -> bool {
        !matches!(self.state, State::Idle | State::Stopped(_))
    }

    /// Marks made, and what was left at the last one, of a program that is running.
    pub fn progress(&self) -> Option<(u64, u64)> {
        self.is_running().then_some((self.marks, self.remaining))
    }

    /// Adds its state, relative to `now`; the questions' contents are added by `question`.
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
            // What is left of the loops is compared apart.
            marks: _,
            remaining: _,
            skip,
            history,
            // They end a run that would not end.
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
            // A blocked program resumes from the moment it is woken, however long it has waited.
            State::Blocked(_) => time.saturating_sub(now * ratio),
            // One that goes on may be a fraction of a bus cycle behind the clock, and that counts.
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
