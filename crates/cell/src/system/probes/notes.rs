//! Notes for a trace, if there is one.

use super::set::Probes;
use crate::channel::Channel;
use crate::command::Command;
use crate::door::Op;
use crate::eib::DataNetwork;
use crate::mic::Served;
use crate::request::RequestId;
use crate::system::board::Board;
use crate::system::spe::unit::Spe;
use crate::system::time::Time;
use crate::trace::{Recorder, TRACE_SCHEMA_VERSION, Trace, Trigger};
use crate::units::{BusCycle, EntryId, RampIndex, SpeId};

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

    /// A request is taken into a queue of a memory channel, or promised a place there.
    #[inline(always)]
    pub fn enters_memory_queue(&mut self, id: RequestId, channel: u8, write: bool, now: BusCycle) {
        let queue = self.occupancy.memory_queue(channel, write);
        queue.enter(now);
        let entries = queue.length();
        self.traced(|trace| {
            trace.queued(id, now);
            trace.memory_queue(channel, write, entries, now);
        });
    }

    /// A memory channel begins with a request of its queues.
    #[inline(always)]
    pub fn leaves_memory_queue(&mut self, channel: u8, write: bool, now: BusCycle) {
        let queue = self.occupancy.memory_queue(channel, write);
        queue.leave(now);
        let entries = queue.length();
        self.traced(|trace| trace.memory_queue(channel, write, entries, now));
    }

    /// What the head of an on-ramp's queue waits for; `first` is the number of the chip's first ramp.
    pub fn head_waits(&mut self, from: RampIndex, first: RampIndex, data: &DataNetwork, now: BusCycle) {
        self.traced(|trace| {
            let wait = data.wait_of(from, now);
            let wait = wait.map(|wait| (wait, wait.obstacle.by().and_then(|by| data.head_request(by))));
            trace.waits(first + from, wait, now);
        });
    }

    /// What was noted in the window so far, if it has begun; `beats` is the length of a line on a ring.
    pub fn trace(&self, board: &Board, time: &Time, beats: u64) -> Option<Trace> {
        let trace = self.trace.as_ref()?.tell(time.now(), time.skipped())?;
        let (machine, eib) = (&board.machine, &board.machine.eib);
        let clockwise = (0..eib.clockwise_rings).map(|_| "clockwise");
        let rings = clockwise.chain((0..eib.counterclockwise_rings).map(|_| "counterclockwise"));
        Some(Trace {
            schema: TRACE_SCHEMA_VERSION,
            machine: machine.name.clone(),
            machine_hash: machine.hash(),
            bus_hz: machine.bus_hz(),
            beats,
            hop_bus_cycles: eib.hop_bus_cycles,
            spu_cycles_per_bus_cycle: time.ratio,
            chips: machine.bif.chips,
            memory_channels: machine.bif.chips * machine.mic.channels,
            elements: board.topology.names(),
            rings: (0..board.chips()).flat_map(|_| rings.clone()).collect(),
            ..trace
        })
    }
}
