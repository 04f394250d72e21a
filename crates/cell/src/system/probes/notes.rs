//! Notes for a trace, if there is one.

use super::set::Probes;
use crate::channel::Channel;
use crate::command::Command;
use crate::door::Op;
use crate::mic::Served;
use crate::system::board::Board;
use crate::system::spe::unit::Spe;
use crate::system::time::Time;
use crate::trace::{Recorder, TRACE_SCHEMA_VERSION, Trace, Trigger};
use crate::units::{BusCycle, EntryId, SpeId};

impl Probes {
    /// Notes something, if there is a trace.
    #[inline(always)]
    pub fn traced(&mut self, note: impl FnOnce(&mut Recorder)) {
        if let Some(trace) = &mut self.trace {
            note(trace);
        }
    }

    /// Something happens that may open the window.  From then on every cycle counts.
    pub fn trigger(&mut self, trigger: Trigger, time: &mut Time) {
        if self.trace.as_mut().is_some_and(|trace| trace.trigger(trigger, time.now())) {
            time.fix();
        }
    }

    /// A program starts on an SPE.
    pub fn program_started(&mut self, id: SpeId, board: &Board, now: BusCycle) {
        self.traced(|trace| trace.started(id, board.thread_of(id).0, now));
    }

    /// A program has what it asked for.
    pub fn answered(&mut self, spe: &Spe<'_>, op: Op, value: u32) {
        if op == Op::Read(Channel::RD_TAG_STAT) {
            self.traced(|trace| trace.status_read(spe.id, value, spe.core.time));
        }
    }

    /// A program waits for what it asked for.
    pub fn stalled(&mut self, id: SpeId, op: Op, now: BusCycle) {
        self.counters.spes[usize::from(id.0)].channel_stalls += 1;
        if let Op::Read(channel) | Op::Write(channel, _) = op {
            self.traced(|trace| trace.stalled(id, channel, now));
        }
    }

    /// An SPU has written a parameter of its next command.
    pub fn parameter_written(&mut self, spe: &Spe<'_>, board: &Board) {
        let write_spu_cycles = board.machine.spu.channel_write_spu_cycles;
        self.traced(|trace| trace.parameter(spe.id, spe.core.time.saturating_sub(write_spu_cycles)));
    }

    /// A command has been put into a queue.
    pub fn command_given(&mut self, spe: &Spe<'_>, proxy: bool, command: &Command, time: &mut Time) {
        if self.trace.is_none() {
            return;
        }
        self.trigger(Trigger::TagGroup(command.tag), time);
        self.trigger(Trigger::Command, time);
        let queue = spe.mfc.queue(proxy);
        let newest = queue.newest().map(|index| (EntryId { proxy, index }, queue.entry(index)));
        let list_fetch_at = newest.filter(|(_, entry)| entry.decoded.list).map(|(_, entry)| entry.ready_at);
        let entry = newest.map(|(id, _)| id);
        self.traced(|trace| trace.given(spe.id, entry, command, list_fetch_at, time.now()));
    }

    /// A memory channel begins an access, and is busy with it until `until`.
    pub fn accessed(&mut self, channel: u8, served: Served, now: BusCycle, until: BusCycle) {
        let read = match served {
            Served::Read(request, data_at) => Some((request, data_at)),
            Served::Write => None,
        };
        self.traced(|trace| trace.accessed(channel, read, now, until));
    }

    /// The trace, if its window has begun; `beats` is the length of a line on a ring.
    pub fn take_trace(&mut self, board: &Board, time: &Time, beats: u64) -> Option<Trace> {
        let trace = self.trace.take()?.finish(time.now(), time.skipped())?;
        let (machine, eib) = (&board.machine, &board.machine.eib);
        let clockwise = (0..eib.clockwise_rings).map(|_| "clockwise");
        let rings = clockwise.chain((0..eib.counterclockwise_rings).map(|_| "counterclockwise"));
        Some(Trace {
            schema: TRACE_SCHEMA_VERSION,
            machine: machine.name.clone(),
            machine_hash: machine.hash(),
            bus_hz: machine.bus_hz(),
            beats,
            chips: machine.bif.chips,
            memory_channels: machine.bif.chips * machine.mic.channels,
            elements: board.topology.names(),
            rings: (0..board.chips()).flat_map(|_| rings.clone()).collect(),
            ..trace
        })
    }
}
