//! Threads come to run, wait, and wake.

use super::hardware::Hardware;
use super::kernel::Kernel;
use super::scheduler::Place;
use super::thread::{State, Tid};
use super::wait::{Nanos, Wait};

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
        let ahead = self.clock.cycles(self.costs.wakeup_granularity_ns);
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
