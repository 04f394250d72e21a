//! The wires of a second chip's memory: commands that both chips see, lines that cross the link.

use super::{Event, Outcome, System, Unit};
use crate::far_memory::Crossed;
use crate::request::{Request, RequestId, RequestKind};
use crate::units::{BusCycle, NEVER, RampIndex};

impl System<'_> {
    /// Time from a command's order to its combined response.  A command to main memory, and one that orders
    /// others, is reflected on both chips of a two-chip machine.
    pub(super) fn response_bus_cycles(&self, request: &Request) -> u64 {
        let global = request.memory_line().is_some() || request.kind == RequestKind::Sync;
        if global { self.global_response_bus_cycles() } else { self.machine.eib.command_response_bus_cycles }
    }

    /// The same for a command that both chips see.
    pub(super) fn global_response_bus_cycles(&self) -> u64 {
        self.machine.eib.command_response_bus_cycles + self.machine.eib.global_command_bus_cycles
    }

    /// A command that waited for room in a memory queue has its place and gets its response; whether it is
    /// a write.
    pub(super) fn answer_admitted(&mut self, id: RequestId, response_at: BusCycle) -> bool {
        let request = self.requests.get(id);
        let is_write = request.kind == RequestKind::Write;
        let outcome = if is_write { Outcome::DataFrom(request.ramp) } else { Outcome::Memory };
        self.calendar.push(response_at, Event::Response(id, outcome));
        is_write
    }

    /// The ramp of the memory that has an address.
    pub(super) fn memory_ramp(&self, address: u64) -> RampIndex {
        if self.far_memory.holds(address) { self.far_memory.ramp } else { self.mic_ramp }
    }

    /// A read of far memory is ordered; whether there is a place for it.
    pub(super) fn order_far_read(&mut self, id: RequestId, response_at: u64) -> bool {
        let taken = self.far_memory.read(id, self.now(), response_at);
        self.wake_far_memory();
        taken
    }

    /// The data of a write have reached IOIF0.
    pub(super) fn write_far_memory(&mut self) {
        self.far_memory.write(self.now());
        self.wake_far_memory();
    }

    fn wake_far_memory(&mut self) {
        let at = self.far_memory.next_advance();
        if at != NEVER {
            self.wake(Unit::FarMemory, at);
        }
    }

    /// Lines have crossed the link.
    pub(super) fn run_far_memory(&mut self) {
        let now = self.now();
        while let Some(crossed) = self.far_memory.advance(now) {
            match crossed {
                Crossed::Write => self.counters.far.writes += 1,
                Crossed::Read(id, data_at) => {
                    self.counters.far.reads += 1;
                    self.queue_data(self.far_memory.ramp, self.requests.get(id).ramp, data_at, id);
                }
            }
        }
        let response_at = now + self.global_response_bus_cycles();
        while let Some(id) = self.far_memory.admit(now, response_at) {
            self.answer_admitted(id, response_at);
        }
        self.wake_far_memory();
    }
}
