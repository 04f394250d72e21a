//! Who runs on the PPE's two hardware threads: one queue for both, from which the thread comes that has used the least
//! processor time, and among equals the one that came first.
//!
//! A thread runs until it waits, or until its time slice ends while another one is ready.  Threads that wait cost
//! nothing: they are woken by queues and deadlines.
//!
//! MODEL: a thread that wakes counts as having used at least as much as the one that has used the least of all ready
//! ones, less the wakeup granularity; so it is next, and shortens the slice of whoever has run longest, as the fair
//! scheduler of Linux does in effect.  There are no priorities, and no thread moves while it runs.  How threads of a
//! real system come to run depends on everything that it does besides.

use super::thread::Tid;
use super::wait::Nanos;
use std::collections::{BTreeSet, VecDeque};

/// Hardware threads of the PPE.
pub const HARDWARE_THREADS: usize = 2;

/// Queues of threads, and what runs where.
#[derive(Default, Debug)]
pub struct Scheduler {
    pub(super) ready: VecDeque<Tid>,
    /// Threads that wait, in the order in which they went to sleep.
    pub(super) sleepers: Vec<Tid>,
    pub(super) deadlines: BTreeSet<(Nanos, Tid)>,
    pub(super) places: [Place; HARDWARE_THREADS],
}

/// A hardware thread.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    pub(super) current: Option<Tid>,
    pub(super) slice_end: Nanos,
    /// Since when `current` runs.
    pub(super) since: Nanos,
    pub(super) idle: bool,
}

impl Scheduler {
    /// What runs on a hardware thread.
    pub fn current(&self, place: usize) -> Option<Tid> {
        self.places.get(place)?.current
    }

    /// When a hardware thread's slice ends; never, if nobody else is ready.
    pub fn slice_end(&self, place: usize) -> Nanos {
        match self.places.get(place) {
            Some(place) if !self.ready.is_empty() => place.slice_end,
            _ => Nanos::MAX,
        }
    }

    /// First deadline of a thread that waits.
    pub fn next_deadline(&self) -> Option<Nanos> {
        self.deadlines.first().map(|(at, _)| *at)
    }

    /// A hardware thread has nothing to do until it is woken.
    pub fn rests(&mut self, place: usize) {
        if let Some(place) = self.places.get_mut(place) {
            place.idle = true;
        }
    }

    /// Takes a hardware thread's thread from it.
    pub fn leave(&mut self, place: usize) {
        if let Some(place) = self.places.get_mut(place) {
            place.current = None;
        }
    }

    /// Whoever has run longest where a thread may run makes room for it, once he has run for so long.
    pub(super) fn shorten_slice(&mut self, allowed: u8, least_ns: Nanos) {
        let places = self.places.iter_mut().enumerate().filter(|(number, _)| allowed & 1 << number != 0);
        if let Some((_, place)) = places.min_by_key(|(_, place)| place.since) {
            place.slice_end = place.slice_end.min(place.since.saturating_add(least_ns));
        }
    }

    /// A thread's slice ends now, if it runs: it stays only if nobody else is ready.
    pub fn end_slice(&mut self, tid: Tid) {
        if let Some(place) = self.places.iter_mut().find(|place| place.current == Some(tid)) {
            place.slice_end = 0;
        }
    }

    /// Where a thread runs.
    pub fn place_of(&self, tid: Tid) -> Option<usize> {
        self.places.iter().position(|place| place.current == Some(tid))
    }
}
