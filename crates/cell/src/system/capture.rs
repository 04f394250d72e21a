//! The state of the whole machine, for exact fast-forward; and the skip itself.

use super::fast_forward::{Period, Progress, Runner};
use super::{Event, Outcome, System};
use crate::channel::Channel;
use crate::counters::Counters;
use crate::door::Op;
use crate::eib::CommandNetwork;
use crate::snapshot::Snapshot;
use crate::store::LineChange;
use crate::units::{BusCycle, EntryId, SpeId};

impl System<'_> {
    /// A program has made a mark; how many of its iterations it is to leave out.
    pub(super) fn marked(&mut self, runner: Runner) -> u64 {
        if let Some(mut fast_forward) = self.fast_forward.take() {
            fast_forward.marked(runner, self);
            self.fast_forward = Some(fast_forward);
        }
        std::mem::take(self.skip_of(runner))
    }

    /// Adds the whole state to `out`, unless it turns out to differ from `like` on the way.
    pub(crate) fn capture(&self, out: &mut Snapshot, like: Option<&Snapshot>) -> bool {
        let now = self.now();
        out.clear();
        self.rank_commands(out);
        for spe in &self.spes {
            spe.core.capture(now, self.ratio, out, capture_op, u64::from);
            spe.channels.capture(out);
            spe.mfc.capture(now, out);
            // A trace, too, tells when a command that is still here was given.
            if self.latency_tag.is_some() || self.trace.is_some() {
                spe.mfc.spu_queue.iter().for_each(|(_, entry)| out.word(now.wrapping_sub(entry.ready_at)));
            }
            spe.atomic.capture(out);
            spe.proxy.capture(out);
            out.word(u64::from(spe.ahead && spe.visits.was_visited_at(now)));
            if like.is_some_and(|like| !out.is_prefix_of(like)) {
                return false;
            }
        }
        self.capture_ppe(now, out);
        self.concentrators.iter().for_each(|commands| commands.capture(now, &self.requests, out));
        for chip in &self.chips {
            chip.data.capture(now, &self.requests, out);
            chip.mic.capture(now, &self.requests, out);
        }
        if self.chips.len() > 1 {
            self.bif.capture(now, &self.requests, out);
        }
        self.calendar.for_each(|distance, event| self.capture_event(distance, event, out));
        like.is_none_or(|like| out == like)
    }

    fn rank_commands(&self, out: &mut Snapshot) {
        for (id, spe) in (0..).map(SpeId).zip(&self.spes) {
            for proxy in [false, true] {
                for (rank, index) in (0..).zip(spe.mfc.queue(proxy).by_age()) {
                    out.set_rank(id, EntryId { proxy, index }, rank);
                }
            }
        }
    }

    fn capture_event(&self, distance: u64, event: &Event, out: &mut Snapshot) {
        let rank = if let Event::CommandDone(spe, id) = event { out.rank(*spe, *id) } else { 0 };
        let mut put = |kind: u64, detail: u64| out.word(distance << 32 | kind << 24 | detail);
        match event {
            Event::Wake(unit) if self.wakes[self.unit_index(*unit)] != self.now() + distance => (),
            Event::SpusAhead => put(12, u64::from(self.spus_ahead)),
            Event::Wake(unit) => put(1, self.unit_index(*unit) as u64),
            Event::Response(request, outcome) => {
                put(2, outcome_word(*outcome));
                self.requests.get(*request).capture(out);
            }
            Event::Resend(request) => {
                put(3, 0);
                self.requests.get(*request).capture(out);
            }
            Event::Deliver(request) => {
                put(4, 0);
                self.requests.get(*request).capture(out);
            }
            Event::AtLink(request) => {
                put(10, 0);
                self.requests.get(*request).capture(out);
            }
            Event::Crossed(request) => {
                put(11, 0);
                self.requests.get(*request).capture(out);
            }
            Event::CommandDone(spe, id) => put(5, u64::from(spe.0) << 16 | u64::from(id.proxy) << 8 | rank),
            Event::AtomicLookup(spe) => put(6, u64::from(spe.0)),
            Event::AtomicDone(spe, status) => put(7, u64::from(spe.0) << 8 | u64::from(*status)),
            Event::MsSyncDone(spe) => put(8, u64::from(spe.0)),
            Event::Decrementer(spe) => put(9, u64::from(spe.0)),
        }
    }

    /// Programs that run, each with its marks, what it has left, and what it is yet to leave out.
    pub(crate) fn progress(&self) -> Vec<Progress> {
        let spes = self.spes.iter().enumerate().filter(|(_, spe)| spe.core.is_running()).map(|(n, spe)| Progress {
            runner: Runner::Spu(SpeId(n as u8)),
            marks: spe.core.marks,
            remaining: spe.core.remaining,
        });
        let ppe = (0..).zip(&self.ppe.threads).filter(|(_, thread)| thread.core.is_running()).map(|(n, thread)| {
            Progress { runner: Runner::Ppe(n), marks: thread.core.marks, remaining: thread.core.remaining }
        });
        spes.chain(ppe).collect()
    }

    fn skip_of(&mut self, runner: Runner) -> &mut u64 {
        match runner {
            Runner::Spu(spe) => &mut self.spe(spe).core.skip,
            Runner::Ppe(thread) => &mut self.ppe.threads[usize::from(thread)].core.skip,
        }
    }

    /// Brings the counters up to date: those of queues stand still while the queues do.
    pub(crate) fn settle_counters(&mut self) {
        let now = self.now();
        let commands = self.concentrators.iter().flat_map(CommandNetwork::arrivals);
        self.occupancy.settle(now, commands, &mut self.counters);
        let (topology, chips) = (&self.topology, &self.chips);
        let on_ramps = &mut self.occupancy.on_ramps;
        let mut settle = |ramp, wait: &mut u64| {
            let lines = chips[usize::from(topology.chip_of(ramp))].data.ready_times(topology.place(ramp));
            on_ramps[usize::from(ramp)].settle(lines, now, wait)
        };
        for (spe, counters) in self.spes.iter_mut().zip(&mut self.counters.spes) {
            spe.queues.settle(now, counters);
            counters.data_waiting_max = settle(spe.ramp, &mut counters.data_wait_bus_cycles);
        }
        for (chip, mic) in chips.iter().zip(&mut self.counters.mics) {
            mic.data_waiting_max = settle(chip.mic_ramp, &mut mic.data_wait_bus_cycles);
        }
        for (chip, end) in chips.iter().zip(&mut self.counters.bif) {
            end.data_waiting_max = settle(chip.ioif0_ramp, &mut end.data_wait_bus_cycles);
        }
    }

    /// What the machine has counted, queues until they were settled last.
    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Bus cycle of the calendar, without what was left out.
    pub(crate) fn calendar_time(&self) -> BusCycle {
        self.now()
    }

    /// Where the memory's refresh stands.
    pub(crate) fn refresh_phase(&self) -> u64 {
        self.chips[0].mic.refresh_phase(self.bus_cycles())
    }

    /// Bus cycles that may still pass before the caller's limit.
    pub(crate) fn bus_cycles_left(&self) -> BusCycle {
        self.limit_bus_cycles.saturating_sub(self.bus_cycles())
    }

    /// Leaves out `times` periods of `period`, in which programs, counters and words moved as given.
    pub(crate) fn leave_out(&mut self, times: u64, period: &Period) {
        self.skipped += times * period.bus_cycles;
        self.traced(|trace, now| trace.left_out(now - period.bus_cycles, times * period.bus_cycles));
        for (runner, marks) in &period.marks {
            *self.skip_of(*runner) += times * marks;
        }
        self.counters.repeat(&period.counters_before, times);
        let stores = std::iter::once(&mut self.memory).chain(self.spes.iter_mut().map(|spe| &mut spe.local_store));
        for (store, changes) in stores.zip(&period.changes) {
            store.repeat(changes, times);
        }
    }

    /// Opens, or opens again, the journals of all stores.
    pub(crate) fn open_journals(&mut self) {
        self.memory.open_journal();
        self.spes.iter_mut().for_each(|spe| spe.local_store.open_journal());
    }

    /// What changed in each store since the journals were opened.
    pub(crate) fn changes(&self) -> Vec<Vec<LineChange>> {
        let local_stores = self.spes.iter().map(|spe| spe.local_store.changes());
        std::iter::once(self.memory.changes()).chain(local_stores).collect()
    }
}

fn capture_op(op: &Op, out: &mut Snapshot) {
    match *op {
        Op::Read(Channel(number)) => out.word(u64::from(number)),
        Op::Count(Channel(number)) => out.word(1 << 40 | u64::from(number)),
        Op::Write(Channel(number), value) => out.word(2 << 40 | u64::from(number) << 32 | u64::from(value)),
        Op::Compute(cycles) => {
            out.word(3 << 40);
            out.word(cycles);
        }
    }
}

fn outcome_word(outcome: Outcome) -> u64 {
    match outcome {
        Outcome::Retry => 0,
        Outcome::Memory => 1,
        Outcome::Done => 2,
        Outcome::DataFrom(ramp) => 3 + u64::from(ramp),
    }
}
