//! Reports of events to the trace, if the run has a trace.

use super::set::Probes;
use crate::channel::Channel;
use crate::command::Command;
use crate::door::{Op, Position};
use crate::eib::DataNetwork;
use crate::mfc::Mfc;
use crate::mic::Served;
use crate::request::RequestId;
use crate::system::board::Board;
use crate::system::time::Time;
use crate::trace::{Recorder, Trigger};
use crate::units::{BusCycle, EntryId, RampIndex, SpeId, SpuCycles};

impl Probes {
    /// Reports an event to the trace, if there is a trace.
    #[inline(always)]
    pub fn traced(&mut self, report: impl FnOnce(&mut Recorder)) {
        if let Some(trace) = &mut self.trace {
            report(trace);
        }
    }

    /// Opens the trace's window if this event is its trigger. Fast-forward then ends.
    pub fn trigger(&mut self, trigger: Trigger, time: &mut Time) {
        if self.trace.as_mut().is_some_and(|trace| trace.trigger(trigger, time.now())) {
            time.fix();
        }
    }

    /// A program starts on an SPE.
    pub fn program_started(&mut self, id: SpeId, board: &Board, now: BusCycle) {
        self.traced(|trace| trace.started(id, board.thread_of(id).0, now));
    }

    /// The lookahead of a program's turn, and whether the trace asks for every position in this turn.
    #[inline(always)]
    pub fn traces_turn(&self, own_time: SpuCycles, lookahead: SpuCycles, time: &Time) -> (SpuCycles, bool) {
        match &self.trace {
            Some(trace) if lookahead > 0 => trace.positions.asks(own_time, lookahead, time.skipped()),
            _ => (lookahead, false),
        }
    }

    /// A program reports the positions of its last turn.
    pub fn positions(&mut self, id: SpeId, positions: Vec<Position>, time: &Time) {
        if !positions.is_empty() {
            self.traced(|trace| trace.positions.add(id, positions, time.now(), time.skipped()));
        }
    }

    /// A program receives the answer to its operation at SPU cycle `at` of the program's own time.
    pub fn answered(&mut self, id: SpeId, op: Op, value: u32, at: SpuCycles) {
        if op == Op::Read(Channel::RD_TAG_STAT) {
            self.traced(|trace| trace.status_read(id, value, at));
        }
    }

    /// A program begins to wait for an answer.
    pub fn stalled(&mut self, id: SpeId, op: Op, now: BusCycle) {
        self.counters.spes[usize::from(id.0)].channel_stalls += 1;
        if let Op::Read(channel) | Op::Write(channel, _) = op {
            self.traced(|trace| trace.stalled(id, channel, now));
        }
    }

    /// An SPU has written a parameter of its next command, and the write ended at SPU cycle `at`.
    pub fn parameter_written(&mut self, id: SpeId, at: SpuCycles, board: &Board) {
        let write_spu_cycles = board.machine.spu.channel_write_spu_cycles;
        self.traced(|trace| trace.parameter(id, at.saturating_sub(write_spu_cycles)));
    }

    /// A command has been put into a queue of an MFC.
    pub fn command_given(&mut self, id: SpeId, mfc: &Mfc, proxy: bool, command: &Command, time: &mut Time) {
        if self.trace.is_none() {
            return;
        }
        self.trigger(Trigger::TagGroup(command.tag), time);
        self.trigger(Trigger::Command, time);
        let queue = mfc.queue(proxy);
        let newest = queue.newest().map(|index| (EntryId { proxy, index }, queue.entry(index)));
        let list_fetch_at = newest.filter(|(_, entry)| entry.decoded.list).map(|(_, entry)| entry.ready_at);
        let entry = newest.map(|(id, _)| id);
        self.traced(|trace| trace.given(id, entry, command, list_fetch_at, time.now()));
    }

    /// A memory channel begins an access, which occupies the channel until `until`.
    pub fn accessed(&mut self, channel: u8, served: Served, now: BusCycle, until: BusCycle) {
        let read = match served {
            Served::Read(request, data_at) => Some((request, data_at)),
            Served::Write => None,
        };
        self.traced(|trace| trace.accessed(channel, read, now, until));
    }

    /// A request enters a queue of a memory channel, or reserves an entry in it.
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

    /// A memory channel begins to serve a request from one of its queues.
    #[inline(always)]
    pub fn leaves_memory_queue(&mut self, channel: u8, write: bool, now: BusCycle) {
        let queue = self.occupancy.memory_queue(channel, write);
        queue.leave(now);
        let entries = queue.length();
        self.traced(|trace| trace.memory_queue(channel, write, entries, now));
    }

    /// Reports why the line at the head of an on-ramp's queue waits. `stop` is the ramp's stop on the chip's ring, and
    /// `first` is the number of the chip's first ramp.
    pub fn head_waits(&mut self, stop: RampIndex, first: RampIndex, data: &DataNetwork, now: BusCycle) {
        self.traced(|trace| {
            let wait = data.wait_of(stop, now);
            let wait = wait.map(|wait| (wait, wait.obstacle.by().and_then(|by| data.head_request(by))));
            trace.waits(first + stop, wait, now);
        });
    }
}
