//! Who runs on the PPE's two hardware threads: one queue for both, from which the thread comes that has used the least
//! processor time, and among equals the one that came first.
//!
//! A thread runs until it waits, or until its time slice ends while another one is ready.  Threads that wait cost
//! nothing: they are woken by queues and deadlines.
//!
//! MODEL: a thread that wakes counts as having used at least as much as the one that has used the least of all ready
//! ones, less the wakeup granularity; so it is next, and shortens the slice of whoever has run longest, as the fair
//! scheduler of Linux does in effect.  There are no priorities, and no thread moves while it runs.  How threads of a real system come to run depends on everything that it does besides.

use super::hardware::Hardware;
use super::kernel::Kernel;
use super::thread::{State, Tid};
use super::wait::{Nanos, Wait};
use std::collections::{BTreeSet, VecDeque};

/// About as many cycles as the PPE has in a nanosecond: how far ahead a thread is that wakes need not be exact.
const CYCLES_PER_NS: u64 = 3;

/// Hardware threads of the PPE.
pub const HARDWARE_THREADS: usize = 2;

/// Queues of threads, and what runs where.
#[derive(Default, Debug)]
pub struct Scheduler {
    ready: VecDeque<Tid>,
    /// Threads that wait, in the order in which they went to sleep.
    sleepers: Vec<Tid>,
    deadlines: BTreeSet<(Nanos, Tid)>,
    places: [Place; HARDWARE_THREADS],
}

/// A hardware thread.
#[derive(Clone, Copy, Default, Debug)]
struct Place {
    current: Option<Tid>,
    slice_end: Nanos,
    /// Since when `current` runs.
    since: Nanos,
    idle: bool,
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
    fn shorten_slice(&mut self, allowed: u8, least_ns: Nanos) {
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

impl Kernel {
    /// A thread could run, from now on: a hardware thread that rests is woken for it.
    pub fn make_ready(&mut self, hardware: &mut dyn Hardware, tid: Tid) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        if let State::Waiting(wait) = std::mem::replace(&mut thread.state, State::Ready) {
            self.scheduler.sleepers.retain(|sleeper| *sleeper != tid);
            if let Some(deadline) = wait.until {
                self.scheduler.deadlines.remove(&(deadline, tid));
            }
        }
        let allowed = thread.affinity;
        let ahead = self.costs.wakeup_granularity_ns.saturating_mul(CYCLES_PER_NS);
        if let Some(least) = self.least_used() {
            self.count_as_used(tid, least.saturating_sub(ahead));
        }
        if !self.enqueue(hardware, tid) {
            self.scheduler.shorten_slice(allowed, self.costs.wakeup_granularity_ns);
        }
    }

    /// Puts a thread behind those that are ready; whether a hardware thread that rests was woken for it.
    fn enqueue(&mut self, hardware: &mut dyn Hardware, tid: Tid) -> bool {
        let Some(thread) = self.threads.get_mut(&tid) else { return false };
        thread.state = State::Ready;
        let allowed = thread.affinity;
        self.scheduler.ready.push_back(tid);
        let rests = |(number, place): &(usize, &mut Place)| place.idle && allowed & 1 << number != 0;
        let Some((number, place)) = self.scheduler.places.iter_mut().enumerate().find(rests) else { return false };
        place.idle = false;
        hardware.wake_ppe(number);
        true
    }

    /// A thread waits.
    pub fn sleep(&mut self, tid: Tid, wait: Wait) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        if let Some(deadline) = wait.until {
            self.scheduler.deadlines.insert((deadline, tid));
        }
        thread.state = State::Waiting(wait);
        self.scheduler.sleepers.push(tid);
        if let Some(place) = self.scheduler.place_of(tid) {
            self.scheduler.leave(place);
        }
    }

    /// Wakes whoever waits for something that has happened.
    pub fn settle(&mut self, hardware: &mut dyn Hardware) {
        for queue in self.wakes.take() {
            let waits = |tid: &&Tid| match self.threads.get(*tid) {
                Some(thread) => match &thread.state {
                    State::Waiting(wait) => thread.own == queue || wait.on.contains(&queue),
                    _ => false,
                },
                None => false,
            };
            let woken: Vec<Tid> = self.scheduler.sleepers.iter().filter(waits).copied().collect();
            for tid in woken {
                self.make_ready(hardware, tid);
            }
        }
    }

    /// Wakes those whose deadline has come.
    pub fn wake_late(&mut self, hardware: &mut dyn Hardware, now: Nanos) {
        while let Some((deadline, tid)) = self.scheduler.deadlines.first().copied().filter(|(at, _)| *at <= now) {
            self.scheduler.deadlines.remove(&(deadline, tid));
            self.make_ready(hardware, tid);
        }
    }

    /// Gives a hardware thread the next thread that may run there, if there is one.
    pub fn choose(&mut self, place: usize, now: Nanos) -> Option<Tid> {
        let may = |tid: &Tid| self.threads.get(tid).is_some_and(|thread| thread.affinity & 1 << place != 0);
        let ready = self.scheduler.ready.iter().enumerate().filter(|(_, tid)| may(tid));
        let (at, _) = ready.min_by_key(|(_, tid)| self.used(tid))?;
        let tid = self.scheduler.ready.remove(at)?;
        let slice_end = now.saturating_add(self.costs.time_slice_ns);
        *self.scheduler.places.get_mut(place)? = Place { current: Some(tid), slice_end, since: now, idle: false };
        self.threads.get_mut(&tid)?.state = State::Running;
        Some(tid)
    }

    /// What a thread has used, as the choice of the next one counts it.
    fn used(&self, tid: &Tid) -> u64 {
        self.threads.get(tid).map_or(0, |thread| thread.used_cycles + thread.forgone_cycles)
    }

    /// What the ready thread has used that has used the least.
    fn least_used(&self) -> Option<u64> {
        self.scheduler.ready.iter().map(|tid| self.used(tid)).min()
    }

    /// A thread counts as having used at least so much.
    fn count_as_used(&mut self, tid: Tid, cycles: u64) {
        let missing = cycles.saturating_sub(self.used(&tid));
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.forgone_cycles += missing;
        }
    }

    /// A hardware thread's thread makes room for at least one that is ready.
    pub fn give_way(&mut self, hardware: &mut dyn Hardware, place: usize) {
        if let Some(tid) = self.scheduler.current(place) {
            self.scheduler.leave(place);
            if let Some(least) = self.least_used() {
                self.count_as_used(tid, least + 1);
            }
            self.enqueue(hardware, tid);
        }
    }

    /// Both hardware threads look what there is to do.
    pub fn wake_all_places(&mut self, hardware: &mut dyn Hardware) {
        for (number, place) in self.scheduler.places.iter_mut().enumerate() {
            if std::mem::take(&mut place.idle) {
                hardware.wake_ppe(number);
            }
        }
    }

    /// A thread has ended.
    pub fn forget_thread(&mut self, tid: Tid) {
        self.threads.remove(&tid);
        self.scheduler.sleepers.retain(|sleeper| *sleeper != tid);
        self.scheduler.ready.retain(|ready| *ready != tid);
        self.scheduler.deadlines.retain(|(_, sleeper)| *sleeper != tid);
        if let Some(place) = self.scheduler.place_of(tid) {
            self.scheduler.leave(place);
        }
    }
}
