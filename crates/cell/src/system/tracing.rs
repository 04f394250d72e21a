//! The machine seen by a trace: what it notes.

use super::{Outcome, System};
use crate::channel::Channel;
use crate::command::Command;
use crate::door::Op;
use crate::mic::Served;
use crate::request::RequestId;
use crate::trace::{Recorder, TRACE_SCHEMA_VERSION, Trace, Trigger};
use crate::units::{BusCycle, EntryId, SpeId};

impl System<'_> {
    /// What the trace has noted, if its window has begun.
    pub(super) fn take_trace(&mut self) -> Option<Trace> {
        let trace = self.trace.take()?.finish(self.now(), self.skipped)?;
        Some(self.described(trace))
    }

    fn described(&self, trace: Trace) -> Trace {
        let eib = &self.machine.eib;
        let clockwise = (0..eib.clockwise_rings).map(|_| "clockwise");
        let counterclockwise = (0..eib.counterclockwise_rings).map(|_| "counterclockwise");
        let rings = clockwise.chain(counterclockwise);
        Trace {
            schema: TRACE_SCHEMA_VERSION,
            machine: self.machine.name.clone(),
            machine_hash: self.machine.hash(),
            bus_hz: self.machine.bus_hz(),
            beats: self.chips[0].data.beats(),
            chips: self.machine.bif.chips,
            memory_channels: self.machine.bif.chips * self.machine.mic.channels,
            elements: self.topology.names(),
            rings: self.chips.iter().flat_map(|_| rings.clone()).collect(),
            ..trace
        }
    }

    /// Notes something, if there is a trace.
    #[inline(always)]
    pub(super) fn traced(&mut self, note: impl FnOnce(&mut Recorder, BusCycle)) {
        if let Some(trace) = &mut self.trace {
            note(trace, self.calendar.now());
        }
    }

    /// Something happens that may open the window.  From then on every cycle counts.
    pub(super) fn trigger_trace(&mut self, trigger: Trigger) {
        let now = self.now();
        if self.trace.as_mut().is_some_and(|trace| trace.trigger(trigger, now)) {
            self.fast_forward = None;
        }
    }

    pub(super) fn trace_start(&mut self, id: SpeId) {
        if self.trace.is_none() {
            return;
        }
        let thread = self.placement.threads().find(|(_, spe)| *spe == id).map_or(0, |(thread, _)| thread.0);
        self.traced(|trace, now| trace.started(id, thread, now));
    }

    pub(super) fn trace_stall(&mut self, id: SpeId, op: Op) {
        if let Op::Read(channel) | Op::Write(channel, _) = op {
            self.traced(|trace, now| trace.stalled(id, channel, now));
        }
    }

    /// A command has been put into a queue.
    pub(super) fn trace_command(&mut self, id: SpeId, proxy: bool, command: &Command) {
        if self.trace.is_none() {
            return;
        }
        self.trigger_trace(Trigger::TagGroup(command.tag));
        let queue = self.spes[usize::from(id.0)].mfc.queue(proxy);
        let newest = queue.newest().map(|index| (EntryId { proxy, index }, queue.entry(index)));
        let list_fetch_at = newest.filter(|(_, entry)| entry.decoded.list).map(|(_, entry)| entry.ready_at);
        let entry = newest.map(|(id, _)| id);
        self.traced(|trace, now| trace.given(id, entry, command, list_fetch_at, now));
    }

    /// An SPU has written a parameter of its next command.
    pub(super) fn trace_parameter(&mut self, id: SpeId) {
        if let Some(trace) = &mut self.trace {
            let written_at = self.spes[usize::from(id.0)].core.time;
            trace.parameter(id, written_at.saturating_sub(self.machine.spu.channel_write_spu_cycles));
        }
    }

    /// An SPU has read something, and now has it.
    pub(super) fn trace_read(&mut self, id: SpeId, op: Op, value: u32) {
        if op == Op::Read(Channel::RD_TAG_STAT) {
            let at = self.spes[usize::from(id.0)].core.time;
            self.traced(|trace, _| trace.status_read(id, value, at));
        }
    }

    pub(super) fn trace_issue(&mut self, id: RequestId) {
        if let Some(trace) = &mut self.trace {
            trace.issued(id, self.requests.get(id), self.calendar.now());
        }
    }

    pub(super) fn trace_access(&mut self, channel: u8, served: Option<Served>) {
        if self.trace.is_none() {
            return;
        }
        let (chip, index) = self.place_of_channel(channel);
        let busy_until = self.chips[chip].mic.busy_until(index);
        if let Some(served) = served {
            let read = match served {
                Served::Read(request, data_at) => Some((request, data_at)),
                Served::Write => None,
            };
            self.traced(|trace, now| trace.accessed(channel, read, now, busy_until));
        }
    }
}

impl Outcome {
    /// What a trace calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Outcome::Retry => "retry",
            Outcome::DataFrom(_) => "data",
            Outcome::Memory => "memory",
            Outcome::Done => "done",
        }
    }
}
