//! What a hardware thread knows of storage from turn to turn: which lines of the process are where, and in the caches.
//!
//! MODEL: a load or store that finds its line in the L1, or in the L2's ownership, takes what its class of instructions
//! takes; any other waits until the line is there, with the time of the caches' model.  On silicon stores wait in a
//! queue, and loads that hit renew a line's age each time: here they do when the line is looked up, which is once
//! until something leaves a cache.  Instructions are fetched in no time.

use super::replay::Replay;
use cell::door::{PpeOp, Supervisor};
use std::cell::Cell;
use std::rc::Rc;

/// Lines that are known at once, a power of two.
const LINES: usize = 2048;
/// Bits of a line's number within a process.
const LINE_NUMBER_BITS: u32 = 32 - LINE_SHIFT;
/// Bytes of a line, as a power of two.
pub const LINE_SHIFT: u32 = 7;
/// No line.
pub const NO_LINE: u64 = u64::MAX;

/// A line of the process: it may be loaded from, or stored to, in the age that the tags tell.
#[derive(Clone, Copy)]
pub struct Line {
    /// Number and age, if loads hit.
    pub load: u64,
    /// Number and age, if stores hit.
    pub store: u64,
    /// The address in main memory of its first byte.
    pub real: u64,
}

/// The lines that the hardware threads have reserved.
pub type Reserved = Rc<[Cell<u64>; 2]>;

/// State from turn to turn.
pub struct Storage {
    /// By the last bits of a line's number.
    pub lines: Box<[Line]>,
    age: u64,
    generations: [u64; 2],
    /// Which hardware thread it is.
    pub place: usize,
    /// What all have reserved.
    pub reserved: Reserved,
    /// Accesses over the bus.
    pub replay: Replay,
    /// The line that was fetched for the instruction that comes next, for a store or not: it may use it even if somebody
    /// has taken it away again.
    pub granted: Option<(u64, bool)>,
    /// A line that has to be fetched.
    pub wanted: Option<PpeOp>,
    /// Pages that were used for the first time in this turn.
    pub first_uses: u64,
}

impl Storage {
    /// Nothing known yet.
    pub fn new(place: usize, reserved: Reserved) -> Storage {
        Storage {
            lines: vec![Line { load: NO_LINE, store: NO_LINE, real: 0 }; LINES].into_boxed_slice(),
            age: 0,
            generations: [0; 2],
            place,
            reserved,
            replay: Replay::default(),
            granted: None,
            wanted: None,
            first_uses: 0,
        }
    }

    /// A turn begins: what is known may be out of date.
    pub fn begin(&mut self, machine: &mut dyn Supervisor) {
        let generations = [machine.pages().generation(), machine.cache_generation()];
        if generations != self.generations {
            self.generations = generations;
            self.age += 1;
        }
        self.replay.begin();
        self.wanted = None;
        self.first_uses = 0;
    }

    /// The tag of the line of an address, now.
    #[inline(always)]
    pub fn tag(&self, ea: u32) -> u64 {
        self.age << LINE_NUMBER_BITS | u64::from(ea >> LINE_SHIFT)
    }

    /// The place of the line of an address.
    #[inline(always)]
    pub fn index(ea: u32) -> usize {
        (ea >> LINE_SHIFT) as usize % LINES
    }

    /// What has to be asked of the machine before the instruction can be executed.
    pub fn take_wanted(&mut self, others_before: bool) -> Option<PpeOp> {
        self.replay.take_next(others_before).or_else(|| self.wanted.take())
    }

    /// What was asked for is done.
    pub fn made(&mut self, op: PpeOp, answer: u64) {
        match op {
            PpeOp::Touch { real, store } => self.granted = Some((real >> LINE_SHIFT, store)),
            op => self.replay.made(op, answer),
        }
    }

    /// The instruction is done, or given up.
    pub fn end(&mut self) {
        self.replay.end();
        self.granted = None;
    }

    /// Another thread runs here from now on; it has reserved nothing.
    pub fn switch(&mut self, machine: &mut dyn Supervisor) {
        self.end();
        machine.take_reservation(NO_LINE);
        self.reserved[self.place].set(NO_LINE);
    }

    /// The line that the other hardware thread has reserved.
    #[inline(always)]
    pub fn reserved_by_other(&self) -> u64 {
        self.reserved[1 - self.place].get()
    }
}
