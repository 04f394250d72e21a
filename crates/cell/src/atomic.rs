//! The atomic unit of an SPE: reservation and a small coherent cache of lock lines.
//!
//! A cached line is Modified, Exclusive or Shared.  Every command hits a Modified or Exclusive line.
//! `putllc` and `putlluc` claim a Shared line on the bus, and fetch and claim a line that is not cached.
//! A write to a line by any other unit takes it away, and the reservation with it (CBEA 8.4; the
//! performance monitor's atomic-cache events).
//!
//! MODEL: `getllar` of a Shared line asks on the bus again, and another unit's cache provides it.  The
//! architecture would let it hit; but then the unit that wrote last is always the first to write again,
//! and starves the others, where the papers see each of them served in its turn.
//!
//! MODEL: main memory always holds the current bytes, and the cache holds states only: what a line
//! costs depends on its state, what it contains does not.  Of the states the monitor counts, MU, SL
//! and T are folded into M and S.

use crate::command::Action;
use crate::snapshot::Snapshot;
use crate::units::EntryId;

/// Whether and how a line is cached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineState {
    /// In no other cache, and changed: written back when it is evicted.
    Modified,
    /// In no other cache.
    Exclusive,
    /// Perhaps in other caches, too.
    Shared,
}

/// A lock-line command under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    /// One of the four lock-line actions.
    pub action: Action,
    /// Line number.
    pub line: u64,
    /// Local-store address of the line.
    pub lsa: u32,
    /// The queue entry of a `putqlluc`.
    pub entry: Option<EntryId>,
    /// For a conditional put that has been ordered: whether it succeeded.
    pub succeeded: bool,
}

/// One SPE's atomic unit.
#[derive(Clone, Debug)]
pub struct AtomicUnit {
    /// Cached lines, the least recently used first.
    lines: Vec<(u64, LineState)>,
    capacity: usize,
    /// The reserved line.
    pub reservation: Option<u64>,
    /// The command under way.
    pub pending: Option<Pending>,
    /// A `putqlluc` whose turn came while the unit was busy.
    pub queued: Option<Pending>,
}

impl AtomicUnit {
    /// Nothing cached, nothing reserved.
    pub fn new(cache_lines: u32) -> AtomicUnit {
        AtomicUnit { lines: Vec::new(), capacity: cache_lines as usize, reservation: None, pending: None, queued: None }
    }

    /// The state of a line, if it is cached.
    pub fn state(&self, line: u64) -> Option<LineState> {
        self.lines.iter().find(|(cached, _)| *cached == line).map(|(_, state)| *state)
    }

    /// The lines that it has cached.
    pub fn lines(&self) -> impl Iterator<Item = u64> {
        self.lines.iter().map(|(line, _)| *line)
    }

    /// Caches a line, or changes its state; the line evicted for it, if that was modified.
    pub fn set(&mut self, line: u64, state: LineState) -> Option<u64> {
        if let Some((last, of_last)) = self.lines.last_mut()
            && *last == line
        {
            *of_last = state;
            return None;
        }
        self.lines.retain(|(cached, _)| *cached != line);
        let evicted = (self.lines.len() == self.capacity).then(|| self.lines.remove(0));
        self.lines.push((line, state));
        evicted.filter(|(_, state)| *state == LineState::Modified).map(|(line, _)| line)
    }

    /// Snoops a read by another unit: the line is shared from now on.
    pub fn snoop_read(&mut self, line: u64) {
        for (cached, state) in &mut self.lines {
            if *cached == line {
                *state = LineState::Shared;
            }
        }
    }

    /// Takes a line away; whether the reservation went with it.
    pub fn invalidate(&mut self, line: u64) -> bool {
        self.lines.retain(|(cached, _)| *cached != line);
        let reserved = self.reservation == Some(line);
        if reserved {
            self.reservation = None;
        }
        reserved
    }

    /// Adds its state.
    pub fn capture(&self, out: &mut Snapshot) {
        // A constant of the machine: `capacity`.
        let AtomicUnit { lines, capacity: _, reservation, pending, queued } = self;
        out.word(lines.len() as u64);
        for (line, state) in lines {
            out.word(line << 2 | *state as u64);
        }
        out.word(reservation.map_or(u64::MAX, |line| line));
        for pending in [pending, queued] {
            let Some(Pending { action, line, lsa, entry, succeeded }) = *pending else {
                out.word(u64::MAX);
                continue;
            };
            let entry = entry.map_or(0, |id| 1 + u64::from(id.index));
            out.word(line);
            out.word(u64::from(lsa) << 32 | entry << 16 | (action as u64) << 1 | u64::from(succeeded));
        }
    }
}
