//! A hardware thread's record of the process's cache lines, kept between turns.
//!
//! MODEL: a load that hits in the L1 or the L2, or a store that hits an owned line in the L2, waits only in the
//! pipelines. Any other load or store waits for its line, for the time that the cache model computes. On silicon,
//! stores wait in a queue, later instructions issue while a load misses, and every load that hits renews the line's
//! age. The model looks up a line, and renews its age, only at the first access after any line has left a cache.

use super::replay::Replay;
use super::translation::{BLOCK_BYTES, Translation};
use cell::door::{PpeOp, Supervisor};
use cell::store::Place;
use cell::units::other_thread;
use std::cell::Cell;
use std::rc::Rc;

/// Number of recorded cache lines, a power of two.
const LINES: usize = 2048;
/// Width of a line number in the process's address space, in bits.
const LINE_NUMBER_BITS: u32 = 32 - LINE_SHIFT;
/// Binary logarithm of the cache-line size.
pub const LINE_SHIFT: u32 = 7;
/// Line number that stands for no line.
pub const NO_LINE: u64 = u64::MAX;

/// A cache line of the process. An access hits if the line's tag equals the current [`Storage::tag`].
#[derive(Clone, Copy)]
pub struct Line {
    /// Tag for loads: line number and age.
    pub load: u64,
    /// Tag for stores: line number and age.
    pub store: u64,
    /// Main-memory address of the line's first byte.
    pub real: u64,
    /// Where main memory has this byte.
    pub place: Place,
}

/// Cache lines reserved by the two hardware threads of a PPE.
pub type Reserved = Rc<[Cell<u64>; 2]>;

/// Storage state of a hardware thread, kept between turns.
pub struct Storage {
    /// Recorded cache lines, indexed by the low bits of their numbers.
    pub lines: Box<[Line; LINES]>,
    /// Age of valid records, above the bits of a line number.
    age: u64,
    generations: [u64; 2],
    /// Number of the hardware thread on its PPE.
    pub hardware_thread: usize,
    /// Cache lines reserved by the two hardware threads of this PPE.
    pub reserved: Reserved,
    /// Main-memory address of the line that the other hardware thread has reserved at the begin of this turn.
    pub guarded: u64,
    /// Accesses over the bus.
    pub replay: Replay,
    /// Number of the cache line fetched for the next instruction, and whether the line was fetched for a store. The
    /// instruction may use this line even if another unit has invalidated it since.
    pub granted: Option<(u64, bool)>,
    /// Number of the line of instructions that was fetched.
    pub fetched: Option<u64>,
    /// Request for a line to be fetched.
    pub wanted: Option<PpeOp>,
    /// The translation of addresses. Only lines of blocks in its ERAT are recorded.
    pub translation: Translation,
    /// Addresses of the streams that the program has described by `dcbt`, and their lengths in lines.
    pub streams: [(u32, u64); 16],
    /// Pages used for the first time in this turn.
    pub first_uses: u64,
    /// The address of an access that faulted because the process has no such address.
    pub outside: Option<u64>,
}

impl Storage {
    /// Storage state without recorded cache lines.
    pub fn new(hardware_thread: usize, reserved: Reserved, translation: Translation) -> Storage {
        Storage {
            lines: Box::new([Line { load: NO_LINE, store: NO_LINE, real: 0, place: Place::default() }; LINES]),
            age: 0,
            generations: [0; 2],
            hardware_thread,
            reserved,
            guarded: NO_LINE,
            replay: Replay::default(),
            granted: None,
            fetched: None,
            wanted: None,
            translation,
            streams: [(0, 0); 16],
            first_uses: 0,
            outside: None,
        }
    }

    /// Begins a turn, and invalidates outdated records of lines.
    pub fn begin(&mut self, machine: &mut dyn Supervisor) {
        let generations = [machine.pages().generation(), machine.cache_generation()];
        if generations != self.generations {
            self.generations = generations;
            self.age += 1 << LINE_NUMBER_BITS;
        }
        self.guarded = self.reserved[other_thread(self.hardware_thread)].get() << LINE_SHIFT;
        self.replay.begin();
        self.wanted = None;
        self.first_uses = 0;
        self.outside = None;
        self.translation.cycles = 0;
    }

    /// Drops the records of the lines of a block.
    pub fn forget(&mut self, block: u32) {
        for ea in (block..=block + (BLOCK_BYTES - 1)).step_by(1 << LINE_SHIFT) {
            let line = &mut self.lines[Storage::index(ea)];
            let is_of = |tag: u64| (tag as u32) << LINE_SHIFT == ea;
            if is_of(line.load) || is_of(line.store) {
                (line.load, line.store) = (NO_LINE, NO_LINE);
            }
        }
    }

    /// Current tag of the cache line at an address.
    #[inline(always)]
    pub fn tag(&self, ea: u32) -> u64 {
        self.age | u64::from(ea >> LINE_SHIFT)
    }

    /// Index in [`Storage::lines`] for an address.
    #[inline(always)]
    pub fn index(ea: u32) -> usize {
        (ea >> LINE_SHIFT) as usize % LINES
    }

    /// Takes the request that the machine must handle before the instruction can be executed.
    pub fn take_wanted(&mut self, others_before: bool) -> Option<PpeOp> {
        self.replay.take_next(others_before).or_else(|| self.wanted.take())
    }

    /// Records the machine's answer to a request. Returns the cycles until a load has its line.
    pub fn made(&mut self, op: PpeOp, answer: u64) -> u64 {
        match op {
            PpeOp::Touch { real, store } => {
                self.granted = Some((real >> LINE_SHIFT, store));
                return answer;
            }
            PpeOp::Fetch { real } => self.fetched = Some(real >> LINE_SHIFT),
            op => self.replay.made(op, answer),
        }
        0
    }

    /// Ends the instruction, whether or not it is complete.
    pub fn end(&mut self) {
        self.replay.end();
        self.granted = None;
    }

    /// Switches to another thread, which begins without a reservation.
    pub fn switch(&mut self, machine: &mut dyn Supervisor) {
        self.end();
        machine.clear_reservation();
        self.reserved[self.hardware_thread].set(NO_LINE);
    }
}
