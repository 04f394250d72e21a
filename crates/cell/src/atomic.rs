//! The atomic unit of an SPE: reservation and a small coherent cache of lock lines.
//!
//! A cached line is Modified, Exclusive or Shared. A Modified or Exclusive line is a hit for every command. `putllc`
//! and `putlluc` claim a Shared line on the bus; if the line is not cached, they fetch and claim it. A write to the
//! line by any other unit invalidates the cached line and clears the reservation (CBEA 8.4; the performance monitor's
//! atomic-cache events).
//!
//! MODEL: `getllar` of a Shared line sends a bus command again, and another unit's cache provides the line. The
//! architecture would allow a hit. However, if a Shared line were a hit for `getllar`, the unit that wrote last would
//! always be the first to write again and would starve the other units. The papers report that units are served in
//! turn.
//!
//! MODEL: main memory always holds the current bytes; the cache holds only states. The cost of a line depends on its
//! state, not on its contents. The performance monitor also distinguishes the states MU, SL and T, which are merged
//! into M and S here.

use crate::command::Action;
use crate::snapshot::Snapshot;
use crate::units::EntryId;

/// State of a cached line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineState {
    /// The line has been changed and is in no other cache; it is written back when it is evicted.
    Modified,
    /// In no other cache.
    Exclusive,
    /// Other caches may hold the line, too.
    Shared,
}

/// A lock-line command in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    /// `getllar`, `putllc`, `putlluc` or `putqlluc`.
    pub action: Action,
    pub line: u64,
    /// Local-store address of the line.
    pub lsa: u32,
    /// The queue entry of a `putqlluc`.
    pub entry: Option<EntryId>,
    /// Whether a conditional put succeeded; set when the put is ordered.
    pub succeeded: bool,
}

/// One SPE's atomic unit.
#[derive(Clone, Debug)]
pub struct AtomicUnit {
    /// Cached lines, least recently used first.
    lines: Vec<(u64, LineState)>,
    capacity: usize,
    /// The reserved line.
    pub reservation: Option<u64>,
    /// The command under way.
    pub pending: Option<Pending>,
    /// A `putqlluc` that the DMAC selected while the atomic unit was busy.
    pub queued: Option<Pending>,
}

impl AtomicUnit {
    /// Creates an atomic unit without cached lines and without a reservation.
    pub fn new(cache_lines: u32) -> AtomicUnit {
        AtomicUnit { lines: Vec::new(), capacity: cache_lines as usize, reservation: None, pending: None, queued: None }
    }

    /// The state of a line, if it is cached.
    pub fn state(&self, line: u64) -> Option<LineState> {
        self.lines.iter().find(|(cached, _)| *cached == line).map(|(_, state)| *state)
    }

    /// Caches a line, or changes its state. Returns the evicted line if it was modified.
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

    /// Snoops a read by another unit: the line becomes Shared.
    pub fn snoop_read(&mut self, line: u64) {
        for (cached, state) in &mut self.lines {
            if *cached == line {
                *state = LineState::Shared;
            }
        }
    }

    /// Invalidates a line. Returns whether the invalidation cleared the reservation.
    pub fn invalidate(&mut self, line: u64) -> bool {
        self.lines.retain(|(cached, _)| *cached != line);
        let reserved = self.reservation == Some(line);
        if reserved {
            self.reservation = None;
        }
        reserved
    }

    /// Adds the unit's state to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        // `capacity` is a constant of the machine.
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
