//! The connections between the units: the board, the clock, the bus, and the probes.
//!
//! ```text
//!   SPE ──┐          ┌── board    the machine's values, and the position of each unit
//!   PPE ──┼── Wires ─┼── time     the clock, and the calendar of events and wakes
//!   MIC ──┤          ├── bus      concentrators, rings, requests in flight
//!   BIF ──┘          └── probes   counters and the trace
//! ```
//! Nearly every step of the machine takes [`Wires`] as a parameter. The other parameters of a step are the units that
//! the step changes or reads.

mod measure;

use super::board::Board;
use super::bus::Bus;
use super::probes::set::Probes;
use super::stage::Unit;
use super::time::Time;
use crate::ea::Target;
use crate::machine::Machine;
use crate::placement::Placement;
use crate::request::{Issuer, Request, RequestId};
use crate::units::{BusCycle, NEVER, RampIndex};

/// The part of the machine to which every unit is connected.
pub(crate) struct Wires {
    pub board: Board,
    pub time: Time,
    pub bus: Bus,
    pub probes: Probes,
}

impl Wires {
    /// A machine's wires at bus cycle 0, with threads placed on its SPEs.
    pub fn new(machine: &Machine, placement: Placement) -> Wires {
        let board = Board::new(machine, placement);
        Wires { time: Time::new(machine), bus: Bus::new(&board), probes: Probes::new(&board), board }
    }

    /// Sends the command of a new request to the address concentrator, where a line's journey begins.
    #[inline(always)]
    pub fn send(&mut self, request: Request) {
        let id = self.bus.requests.add(request);
        self.send_again(id);
    }

    /// Sends the command of a request in flight.
    #[inline(always)]
    pub fn send_again(&mut self, id: RequestId) {
        let Wires { board, time, bus, probes } = self;
        let (request, now) = (bus.requests.get(id), time.now());
        probes.traced(|trace| trace.issued(id, request, now));
        let issue = match (request.issuer, request.target) {
            (Issuer::Ppe(_), Target::Memory(_)) => board.machine.ppe_memory.command_issue_bus_cycles,
            _ => board.machine.eib.command_issue_bus_cycles,
        };
        bus.credits.take(request.ramp);
        let chip = board.topology.chip_of(request.ramp);
        let stop = board.topology.place(request.ramp);
        let arrival = bus.concentrators[usize::from(chip)].send(stop, id, now + issue);
        probes.occupancy.commands.expect(arrival);
        time.wake(Unit::Commands(chip), arrival);
    }

    /// Makes a unit's use of a line of memory end at `until`, if the unit is using the line.
    #[inline(never)]
    pub fn end_use(&mut self, line: u64, by: RampIndex, until: BusCycle) {
        let (now, level) = (self.time.now(), self.bus.concentrators.len() as u8 - 1);
        let concentrator = self.bus.top_concentrator();
        concentrator.lines.end(line, by, now, until);
        let next = concentrator.next_arrival(now);
        if next != NEVER {
            self.time.wake(Unit::Commands(level), next.max(now + 1));
        }
    }
}
