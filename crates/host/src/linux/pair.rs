//! Pairs of threads. A pair shares a cache line and a doorbell for each direction.

use super::abort::Abort;
use super::buffers::Buffer;
use super::doorbell::Doorbell;
use crate::error::Error;
use crate::request::{Node, Path};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Distance at which two words are neither on one cache line nor on two cache lines that a CPU fetches together.
pub const APART_BYTES: usize = 256;

/// Directions between two partners.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The direction from the thread that asks.
    Asking = 0,
    /// The direction from the thread that answers.
    Answering = 1,
}

/// The lines and doorbells that two partners share.
pub struct Pair {
    lines: OnceLock<Buffer>,
    doorbells: [Doorbell; 2],
}

impl Pair {
    /// Makes the pairs for `threads` threads.
    pub fn all(threads: usize, path: Path) -> Result<Vec<Pair>, Error> {
        let pair = |_| {
            let doorbells = [Doorbell::new(path)?, Doorbell::new(path)?];
            Ok(Pair { lines: OnceLock::new(), doorbells })
        };
        (0..threads / 2).map(pair).collect()
    }

    /// The pair of a thread, and whether the thread asks; the thread that asks makes the lines.
    pub fn of_thread<'a>(
        pairs: &'a [Pair],
        thread: usize,
        node: Node,
        abort: &Abort,
    ) -> Result<(&'a Pair, bool), Error> {
        let (pair, asks) = (&pairs[thread / 2], thread.is_multiple_of(2));
        if asks {
            pair.make_lines(node, abort)?;
        }
        Ok((pair, asks))
    }

    /// Makes the lines. Only the asking thread calls this function.
    pub fn make_lines(&self, node: Node, abort: &Abort) -> Result<(), Error> {
        let lines = Buffer::new(2 * APART_BYTES, node, abort)?;
        self.lines.get_or_init(|| lines);
        Ok(())
    }

    /// The word and the doorbell of a direction. The word and the doorbell exist once the threads have met at the
    /// barrier.
    pub fn direction(&self, direction: Direction) -> (&AtomicU32, &Doorbell) {
        let lines = self.lines.get().expect("made before the threads first meet");
        (lines.word(direction as usize * APART_BYTES), &self.doorbells[direction as usize])
    }

    /// The line of a direction as one number; it exists once the threads have met at the barrier.
    pub fn line(&self, direction: Direction) -> &AtomicU64 {
        self.lines.get().expect("made before the threads first meet").long_word(direction as usize * APART_BYTES)
    }

    /// Wakes both threads, so that they can leave.
    pub fn wake(&self) {
        if self.lines.get().is_some() {
            for direction in [Direction::Asking, Direction::Answering] {
                let (word, doorbell) = self.direction(direction);
                doorbell.ring(word);
            }
        }
    }
}

/// Sends and receives alternately; the asking thread begins with a send.
#[inline(always)]
pub fn take_turns(
    asks: bool,
    iterations: u64,
    abort: &Abort,
    send: impl Fn(Direction),
    receive: impl Fn(Direction) -> Result<(), Error>,
) -> Result<(), Error> {
    abort.repeat(iterations, || {
        if asks {
            send(Direction::Asking);
            receive(Direction::Answering)
        } else {
            receive(Direction::Asking)?;
            send(Direction::Answering);
            Ok(())
        }
    })
}
