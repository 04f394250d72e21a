//! The scheduler of the PPEs' hardware threads.
//!
//! All hardware threads share one run queue. The ready thread that has used the least processor time runs next.
//! Among threads with equal processor time, the thread that became ready first runs next.
//!
//! A thread runs until it waits, or until its time slice ends while another thread is ready. Waiting threads take no
//! processor time: queues and deadlines wake them.
//!
//! A thread that becomes ready wakes an idle hardware thread: one whose sibling is idle, too, if possible, and on the PPE
//! on which the thread ran last, if possible.
//!
//! MODEL: when a thread wakes, its used time is raised to at least the minimum over all ready threads, minus the wakeup
//! granularity. A woken thread therefore runs next, and shortens the time slice of the thread that has run longest.
//! The fair scheduler of Linux has the same effect. All threads have the same priority, and no running thread
//! migrates. On a real system, the schedule also depends on other activity in the system.

use super::thread::{State, Thread};
use crate::hardware::Hardware;
use crate::tid::{PROCESS, Tid};
use crate::wait::{Nanos, Wait, Wakes};
use cell::units::{THREADS_PER_PPE, other_thread};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Times that threads run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Granularity {
    /// Time slice of a thread while other threads are ready.
    pub time_slice_ns: Nanos,
    /// Minimum time that a thread keeps running when another thread wakes.
    pub wakeup_ns: Nanos,
    /// `wakeup_ns` in processor cycles.
    pub wakeup_cycles: u64,
}

/// The threads of the process, and the current thread of each hardware thread.
pub struct Scheduler {
    /// All threads that have not ended.
    pub threads: BTreeMap<Tid, Thread>,
    granularity: Granularity,
    last_tid: Tid,
    /// The run queue: ready threads in the order in which they became ready.
    ready: VecDeque<Tid>,
    /// Waiting threads in the order in which they went to sleep.
    sleepers: Vec<Tid>,
    /// Deadlines of waiting threads.
    deadlines: BTreeSet<(Nanos, Tid)>,
    hardware_threads: Vec<HardwareThread>,
}

#[derive(Clone, Copy, Default, Debug)]
struct HardwareThread {
    current: Option<Tid>,
    slice_end: Nanos,
    /// Time at which `current` began to run.
    since: Nanos,
    /// Whether the hardware thread sleeps until an interrupt or a wakeup.
    idle: bool,
    /// The ready thread for which the hardware thread was woken. No other PPE may take this thread.
    called: Option<Tid>,
}

impl Scheduler {
    /// A scheduler without threads, for this number of PPEs.
    pub fn new(granularity: Granularity, ppes: usize) -> Scheduler {
        Scheduler {
            threads: BTreeMap::new(),
            granularity,
            last_tid: PROCESS,
            ready: VecDeque::new(),
            sleepers: Vec::new(),
            deadlines: BTreeSet::new(),
            hardware_threads: vec![HardwareThread::default(); ppes * THREADS_PER_PPE],
        }
    }

    /// Mask of all hardware threads.
    pub fn all_hardware_threads(&self) -> u8 {
        (1 << self.hardware_threads.len()) - 1
    }

    /// A new thread number.
    pub fn new_tid(&mut self) -> Tid {
        self.last_tid.0 += 1;
        self.last_tid
    }

    /// The current thread of a hardware thread.
    fn current(&self, hardware_thread: usize) -> Option<Tid> {
        self.hardware_threads.get(hardware_thread)?.current
    }

    /// Whether a thread runs on a hardware thread.
    pub fn is_busy(&self, hardware_thread: usize) -> bool {
        self.current(hardware_thread).is_some()
    }

    /// The hardware thread on which a thread runs.
    pub fn hardware_thread_of(&self, tid: Tid) -> Option<usize> {
        self.hardware_threads.iter().position(|hardware_thread| hardware_thread.current == Some(tid))
    }

    /// End of the current time slice on a hardware thread. A time slice ends only if another thread is ready.
    pub fn slice_end(&self, hardware_thread: usize) -> Nanos {
        match self.hardware_threads.get(hardware_thread) {
            Some(hardware_thread) if !self.ready.is_empty() => hardware_thread.slice_end,
            _ => Nanos::MAX,
        }
    }

    /// Whether all threads wait without a deadline.
    pub fn all_sleep(&self) -> bool {
        self.sleepers.len() == self.threads.len() && self.deadlines.is_empty()
    }

    /// The earliest deadline of the waiting threads.
    pub fn next_deadline(&self) -> Option<Nanos> {
        self.deadlines.first().map(|(at, _)| *at)
    }

    /// Whether a thread must leave its hardware thread because its time slice has ended or its affinity has changed.
    pub fn need_resched(&self, hardware_thread: usize, tid: Tid, now: impl FnOnce() -> Nanos) -> bool {
        let may_stay = self.threads.get(&tid).is_some_and(|thread| thread.may_run_on(hardware_thread));
        let slice_end = self.slice_end(hardware_thread);
        !may_stay || slice_end != Nanos::MAX && now() >= slice_end
    }

    /// Chooses the next thread for a hardware thread, and makes it current.
    pub fn choose(&mut self, hardware_thread: usize, now: Nanos) -> Option<Tid> {
        let elsewhere = |tid: &Tid| {
            let mut all = self.hardware_threads.iter().enumerate();
            all.any(|(other, waking)| !same_ppe(other, hardware_thread) && waking.called == Some(*tid))
        };
        let may = |tid: &Tid| {
            self.threads.get(tid).is_some_and(|thread| thread.may_run_on(hardware_thread)) && !elsewhere(tid)
        };
        let ready = self.ready.iter().enumerate().filter(|(_, tid)| may(tid));
        let chosen = ready.min_by_key(|(_, tid)| self.used(tid)).map(|(at, _)| at);
        self.hardware_threads.get_mut(hardware_thread)?.called = None;
        let at = chosen?;
        let tid = self.ready.remove(at)?;
        let slice_end = now.saturating_add(self.granularity.time_slice_ns);
        *self.hardware_threads.get_mut(hardware_thread)? =
            HardwareThread { current: Some(tid), slice_end, since: now, idle: false, called: None };
        self.threads.get_mut(&tid)?.state = State::Running;
        Some(tid)
    }

    /// Marks a hardware thread as idle until it is woken.
    pub fn idle(&mut self, hardware_thread: usize) {
        if let Some(hardware_thread) = self.hardware_threads.get_mut(hardware_thread) {
            hardware_thread.idle = true;
        }
    }

    /// Moves a hardware thread's current thread into the run queue. At least one other ready thread runs before the
    /// moved thread runs again.
    pub fn yield_now(&mut self, hardware: &mut dyn Hardware, hardware_thread: usize) {
        if let Some(tid) = self.current(hardware_thread) {
            self.release(hardware_thread);
            if let Some(least) = self.least_used() {
                self.count_as_used(tid, least + 1);
            }
            self.enqueue(hardware, tid);
        }
    }

    /// Ends a running thread's time slice. The thread continues only if no other thread is ready.
    pub fn end_slice(&mut self, tid: Tid) {
        if let Some(running) = self.hardware_threads.iter_mut().find(|candidate| candidate.current == Some(tid)) {
            running.slice_end = 0;
        }
    }

    /// Puts a thread to sleep.
    pub fn sleep(&mut self, tid: Tid, wait: Wait) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        if let Some(deadline) = wait.until {
            self.deadlines.insert((deadline, tid));
        }
        thread.state = State::Waiting(wait);
        self.sleepers.push(tid);
        if let Some(hardware_thread) = self.hardware_thread_of(tid) {
            self.release(hardware_thread);
        }
    }

    /// Wakes the threads in all woken queues.
    pub fn wake(&mut self, hardware: &mut dyn Hardware, wakes: &mut Wakes) {
        for queue in wakes.take() {
            let waits = |tid: &&Tid| match self.threads.get(*tid) {
                Some(thread) => match &thread.state {
                    State::Waiting(wait) => thread.own == queue || wait.on.contains(&queue),
                    _ => false,
                },
                None => false,
            };
            let woken: Vec<Tid> = self.sleepers.iter().filter(waits).copied().collect();
            for tid in woken {
                self.make_ready(hardware, tid);
            }
        }
    }

    /// Wakes the threads whose deadline has passed.
    pub fn wake_expired(&mut self, hardware: &mut dyn Hardware, now: Nanos) {
        while let Some((deadline, tid)) = self.deadlines.first().copied().filter(|(at, _)| *at <= now) {
            self.deadlines.remove(&(deadline, tid));
            self.make_ready(hardware, tid);
        }
    }

    /// Makes a thread ready to run, and wakes an idle hardware thread for it.
    pub fn make_ready(&mut self, hardware: &mut dyn Hardware, tid: Tid) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        if let State::Waiting(wait) = std::mem::replace(&mut thread.state, State::Ready) {
            self.sleepers.retain(|sleeper| *sleeper != tid);
            if let Some(deadline) = wait.until {
                self.deadlines.remove(&(deadline, tid));
            }
        }
        if let Some(least) = self.least_used() {
            self.count_as_used(tid, least.saturating_sub(self.granularity.wakeup_cycles));
        }
        if !self.enqueue(hardware, tid) {
            self.shorten_slice(tid);
        }
    }

    /// Wakes all idle hardware threads.
    pub fn wake_idle(&mut self, hardware: &mut dyn Hardware) {
        for (number, hardware_thread) in self.hardware_threads.iter_mut().enumerate() {
            if std::mem::take(&mut hardware_thread.idle) {
                hardware.wake_ppe(number);
            }
        }
    }

    /// Removes a thread that has ended.
    pub fn remove(&mut self, tid: Tid) {
        self.threads.remove(&tid);
        self.sleepers.retain(|sleeper| *sleeper != tid);
        self.ready.retain(|ready| *ready != tid);
        self.deadlines.retain(|(_, sleeper)| *sleeper != tid);
        if let Some(hardware_thread) = self.hardware_thread_of(tid) {
            self.release(hardware_thread);
        }
    }

    /// Takes the current thread off a hardware thread.
    fn release(&mut self, hardware_thread: usize) {
        if let Some(hardware_thread) = self.hardware_threads.get_mut(hardware_thread) {
            hardware_thread.current = None;
        }
    }

    /// Appends a thread to the run queue. Returns whether an idle hardware thread was woken for this thread.
    fn enqueue(&mut self, hardware: &mut dyn Hardware, tid: Tid) -> bool {
        let Some(thread) = self.threads.get_mut(&tid) else { return false };
        thread.state = State::Ready;
        self.ready.push_back(tid);
        let (ppe, all) = (thread.ppe, &mut self.hardware_threads);
        let idle = (0..all.len()).filter(|number| all[*number].idle && thread.may_run_on(*number));
        let Some(number) =
            idle.min_by_key(|number| (!all[other_thread(*number)].idle, number / THREADS_PER_PPE != ppe))
        else {
            return false;
        };
        (all[number].idle, all[number].called) = (false, Some(tid));
        hardware.wake_ppe(number);
        true
    }

    /// Shortens a time slice in favour of a ready thread. Chooses the permitted hardware thread whose current thread
    /// has run longest.
    fn shorten_slice(&mut self, ready: Tid) {
        let Some(thread) = self.threads.get(&ready) else { return };
        let hardware_threads = self.hardware_threads.iter_mut().enumerate();
        let permitted = hardware_threads.filter(|(number, _)| thread.may_run_on(*number));
        if let Some((_, longest)) = permitted.min_by_key(|(_, hardware_thread)| hardware_thread.since) {
            let end = longest.since.saturating_add(self.granularity.wakeup_ns);
            longest.slice_end = longest.slice_end.min(end);
        }
    }

    /// Cycle count of a thread, by which the scheduler orders ready threads.
    fn used(&self, tid: &Tid) -> u64 {
        self.threads.get(tid).map_or(0, |thread| thread.used_cycles + thread.forgone_cycles)
    }

    /// Minimum cycle count over all ready threads.
    fn least_used(&self) -> Option<u64> {
        self.ready.iter().map(|tid| self.used(tid)).min()
    }

    /// Raises a thread's cycle count to at least `cycles`.
    fn count_as_used(&mut self, tid: Tid, cycles: u64) {
        let missing = cycles.saturating_sub(self.used(&tid));
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.forgone_cycles += missing;
        }
    }
}

/// Whether two hardware threads are of the same PPE.
fn same_ppe(one: usize, other: usize) -> bool {
    one / THREADS_PER_PPE == other / THREADS_PER_PPE
}
