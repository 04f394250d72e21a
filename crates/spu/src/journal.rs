//! The journal of a turn: every position of the program, for a trace.
//!
//! [`Journal`] is a probe. The pipelines count cycles without those in which a channel blocked, so each run of the
//! processor tells the journal which SPU cycle of the machine its cycle 0 corresponds to.

use crate::profile::{Cause, Issuing, Probe};
use cell::door::Position;
use cell::store::LocalStore;
use cell::units::SpuCycles;

/// The cause of cycles after a stop: the PPE carries out a call, or ends the program.
const STOPPED: &str = "stop";

/// The positions since the last call of [`Journal::take`].
#[derive(Default)]
pub struct Journal {
    positions: Vec<Position>,
    /// The number of positions whose instruction words are known.
    read: usize,
    /// The machine's SPU cycle that corresponds to cycle 0 of the pipelines.
    origin: SpuCycles,
    /// The first cycle of the pipelines in which no instruction has issued yet.
    free: u64,
    /// The position in which the turn ended, if it is not among the others.
    last: Option<Position>,
}

impl Journal {
    /// The processor runs from now on: cycle `now` of its pipelines is the machine's SPU cycle `time`.
    pub fn begin(&mut self, time: SpuCycles, now: u64) {
        self.origin = time.wrapping_sub(now);
    }

    /// The turn has ended at the machine's SPU cycle `time`, at an instruction. If its positions were not recorded, this
    /// is the only one.
    #[inline]
    pub fn end(&mut self, time: SpuCycles, (address, word): (u32, u32), traced: bool, stopped: bool) {
        let cause = stopped.then_some(STOPPED);
        self.last = (stopped || !traced).then_some(Position { at: time, address, word, cause });
    }

    /// Takes the positions.
    pub fn take(&mut self) -> Vec<Position> {
        self.read = 0;
        let mut positions = std::mem::take(&mut self.positions);
        positions.extend(self.last.take());
        positions
    }

    fn push(&mut self, address: u32, at: u64, cause: Option<&'static str>) {
        self.positions.push(Position { at: self.origin.wrapping_add(at), address, word: 0, cause });
    }
}

impl Probe for Journal {
    const ON: bool = true;

    fn issued(&mut self, address: u32, from: u64, now: u64, _: Option<u8>, _: Issuing) {
        self.lost(address, Cause::Dependency, from, now);
        self.push(address, now, None);
        self.free = now + 1;
    }

    fn lost(&mut self, address: u32, cause: Cause, from: u64, until: u64) {
        // If the second instruction of a pair waits, the first may still have issued in the cycle `from`.
        let from = from.max(self.free);
        if from < until {
            self.push(address, from, Some(cause.name()));
        }
    }

    fn paused(&mut self, ls: &LocalStore) {
        for position in &mut self.positions[self.read..] {
            position.word = ls.read_u32(position.address.into());
        }
        self.read = self.positions.len();
    }
}

/// Two probes, which are notified of the same events.
impl<A: Probe, B: Probe> Probe for (&mut A, &mut B) {
    const ON: bool = A::ON || B::ON;

    fn issued(&mut self, address: u32, from: u64, now: u64, waited_for: Option<u8>, issuing: Issuing) {
        self.0.issued(address, from, now, waited_for, issuing);
        self.1.issued(address, from, now, waited_for, issuing);
    }

    fn lost(&mut self, address: u32, cause: Cause, from: u64, until: u64) {
        self.0.lost(address, cause, from, until);
        self.1.lost(address, cause, from, until);
    }

    fn paused(&mut self, ls: &LocalStore) {
        self.0.paused(ls);
        self.1.paused(ls);
    }
}
