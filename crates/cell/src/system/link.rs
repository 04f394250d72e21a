//! The wires between two chips: commands that both must see, data that cross.
//!
//! A line for the other chip takes a ring to its own chip's IOIF0 (`reach_link`), crosses, and takes a
//! ring of the other chip from there (`crossed_link`).  A write to the other chip's memory is complete
//! for its requester once IOIF0 has its data; the interface carries it on.

use super::{Event, System, Unit};
use crate::ea::Target;
use crate::error::RunError;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::units::{BusCycle, RampIndex};

impl System<'_> {
    /// The chip of what a request touches.
    fn target_chip(&self, target: Target) -> u8 {
        match target {
            Target::Memory(address) => self.machine.home_of(address),
            Target::LocalStore(spe, _) | Target::Register(spe, _) => self.machine.chip_of(spe),
        }
    }

    /// Whether a request moves data from chip to chip, as far as its address tells.
    pub(super) fn crosses(&self, request: &Request) -> bool {
        self.chips.len() > 1
            && request.moves_data()
            && self.target_chip(request.target) != self.topology.chip_of(request.ramp)
    }

    /// Whether both chips have to see a command.
    pub(super) fn is_global(&self, request: &Request) -> bool {
        self.chips.len() > 1
            && (request.memory_line().is_some() || request.kind == RequestKind::Sync || self.crosses(request))
    }

    /// Time from a command's order to its combined response.
    pub(super) fn response_bus_cycles(&self, request: &Request) -> u64 {
        let reflection = if self.is_global(request) { self.reflection_bus_cycles() } else { 0 };
        self.machine.eib.command_response_bus_cycles + reflection
    }

    /// What it costs that a command to memory is seen by both chips, if there are two.
    pub(super) fn reflection_bus_cycles(&self) -> u64 {
        if self.chips.len() > 1 { self.machine.bif.reflection_bus_cycles } else { 0 }
    }

    /// A command that both chips must see leaves its chip's concentrator, once there is a place for its data.
    pub(super) fn go_global(&mut self, id: RequestId) {
        let request = self.requests.get(id);
        let chip = self.topology.chip_of(request.ramp);
        if self.crosses(request) && !self.bif.take_place(chip, id) {
            self.counters.bif[usize::from(chip)].place_waits += 1;
            return;
        }
        self.ascend(chip, id);
    }

    fn ascend(&mut self, chip: u8, id: RequestId) {
        let (now, top) = (self.now(), self.concentrators.len() - 1);
        self.concentrators[top].ascend(chip, id, now);
        self.occupancy.commands.expect(now);
        let at = self.concentrators[top].next_arrival(now);
        self.wake(Unit::Commands(top as u8), at);
    }

    /// A request across the interface gives its place back: its data are where they belong, or it has to
    /// come again.
    pub(super) fn leave_link(&mut self, request: &Request) {
        if request.issuer != Issuer::Bif && self.crosses(request) {
            let chip = self.topology.chip_of(request.ramp);
            if let Some(next) = self.bif.give_place(chip) {
                self.ascend(chip, next);
            }
        }
    }

    /// When the data of a read from memory may leave it: after the combined response, if that is its way.
    pub(super) fn data_wait_for(&self, request: &Request, response_at: BusCycle) -> Option<BusCycle> {
        (!self.crosses(request)).then_some(response_at)
    }

    /// The ramp where a request's data are to go.
    pub(super) fn destination(&self, request: &Request) -> RampIndex {
        match (request.kind, request.target) {
            (RequestKind::Write, Target::Memory(address)) => {
                self.chips[usize::from(self.machine.home_of(address))].mic_ramp
            }
            (RequestKind::Write, Target::LocalStore(spe, _) | Target::Register(spe, _)) => self.topology.spe_ramp(spe),
            _ => request.ramp,
        }
    }

    /// Data have come to IOIF0, to go to the other chip.
    pub(super) fn reach_link(&mut self, id: RequestId) -> Result<(), RunError> {
        let request = self.requests.get(id);
        let posted = request.kind == RequestKind::Write
            && matches!(request.target, Target::Memory(_))
            && request.issuer != Issuer::Bif;
        if posted {
            return self.deliver(id);
        }
        self.end_visit(id);
        self.cross(id);
        Ok(())
    }

    /// Carries on a write to the other chip's memory.
    pub(super) fn carry_on(&mut self, written: RequestId) {
        let request = Request { issuer: Issuer::Bif, ..*self.requests.get(written) };
        let id = self.requests.add(request);
        self.traced(|trace, now| trace.carried_on(written, id, &request, now));
        self.cross(id);
    }

    fn cross(&mut self, id: RequestId) {
        let request = self.requests.get(id);
        let chip = 1 - self.topology.chip_of(self.destination(request));
        let bytes = request.bytes;
        let crossing = self.bif.cross(chip, bytes, self.now());
        let end = &mut self.counters.bif[usize::from(chip)];
        end.lines_sent += 1;
        end.bytes_sent += u64::from(bytes);
        end.lanes_busy_bus_cycles += crossing.lane_bus_cycles;
        self.calendar.push(crossing.arrives_at, Event::Crossed(id));
    }

    /// Data have crossed; they go on unless they have to wait for their combined response.
    pub(super) fn crossed_link(&mut self, id: RequestId) {
        if self.bif.joined(id) {
            let to = self.destination(self.requests.get(id));
            let from = self.chips[usize::from(self.topology.chip_of(to))].ioif0_ramp;
            self.queue_data(from, to, self.now(), id);
        }
    }

    /// The combined response of a read from memory has come.
    pub(super) fn memory_has_it(&mut self, id: RequestId) {
        if self.crosses(self.requests.get(id)) {
            self.crossed_link(id);
        }
    }
}
