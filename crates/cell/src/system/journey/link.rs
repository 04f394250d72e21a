//! The wires between two chips: commands that both must see, data that cross.
//!
//! A line for the other chip takes a ring to its own chip's IOIF0 (`leave_chip`), crosses, and takes a
//! ring of the other chip from there (`join`).  A write to the other chip's memory is complete for its
//! requester once IOIF0 has its data (`is_posted`); the interface carries it on.

use super::ring::{self, Line};
use crate::ea::Target;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::Event;
use crate::system::probes::set::Probes;
use crate::system::stage::Unit;
use crate::system::time::Time;

/// A command that both chips must see leaves its chip's concentrator, once there is a place for its data.
#[inline(never)]
pub(crate) fn go_global(id: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    let request = bus.requests.get(id);
    let chip = board.topology.chip_of(request.ramp);
    if board.crosses(request) && !bus.bif.take_place(chip, id) {
        probes.counters.bif[usize::from(chip)].place_waits += 1;
        return;
    }
    ascend(chip, id, time, bus, probes);
}

fn ascend(chip: u8, id: RequestId, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    let (now, top) = (time.now(), bus.concentrators.len() - 1);
    bus.concentrators[top].ascend(chip, id, now);
    probes.occupancy.commands.expect(now);
    time.wake(Unit::Commands(top as u8), bus.concentrators[top].next_arrival(now));
}

/// A request across the interface gives its place back: its data have arrived, or it has to come again.
#[inline(always)]
pub(crate) fn give_place(request: &Request, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    if request.issuer != Issuer::Bif && board.crosses(request) {
        pass_place_on(board.topology.chip_of(request.ramp), time, bus, probes);
    }
}

#[inline(never)]
fn pass_place_on(chip: u8, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    if let Some(next) = bus.bif.give_place(chip) {
        ascend(chip, next, time, bus, probes);
    }
}

/// Whether a request that crosses is complete for its requester once IOIF0 has its data.
pub(crate) fn is_posted(request: &Request) -> bool {
    request.kind == RequestKind::Write && matches!(request.target, Target::Memory(_)) && request.issuer != Issuer::Bif
}

/// Data have come to IOIF0, to go to the other chip.
#[inline(never)]
pub(crate) fn leave_chip(id: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    bus.requests.end_visit(id, time.now());
    cross(id, board, time, bus, probes);
}

/// Carries on a write to the other chip's memory.
pub(crate) fn carry_on(written: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    let request = Request { issuer: Issuer::Bif, ..*bus.requests.get(written) };
    let (id, now) = (bus.requests.add(request), time.now());
    probes.traced(|trace| trace.carried_on(written, id, &request, now));
    cross(id, board, time, bus, probes);
}

fn cross(id: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    let request = bus.requests.get(id);
    let chip = 1 - board.topology.chip_of(board.destination(request));
    let crossing = bus.bif.cross(chip, request.bytes, time.now());
    let end = &mut probes.counters.bif[usize::from(chip)];
    end.lines_sent += 1;
    end.bytes_sent += u64::from(request.bytes);
    end.lanes_busy_bus_cycles += crossing.lane_bus_cycles;
    probes.traced(|trace| trace.crosses(id, time.now(), crossing.arrives_at));
    time.push(crossing.arrives_at, Event::Crossed(id));
}

/// Data have crossed; they go on unless they have to wait for their combined response.
#[inline(never)]
pub(crate) fn join(id: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    if bus.bif.joined(id) {
        let to = board.destination(bus.requests.get(id));
        let from = board.ioif0_ramp(usize::from(board.topology.chip_of(to)));
        let line = Line { request: id, from, to, at: time.now() };
        ring::queue(line, board, time, bus, probes);
    }
}

/// The combined response of a read from memory has come: data that cross may have waited for it.
#[inline(never)]
pub(crate) fn join_response(id: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    if board.crosses(bus.requests.get(id)) {
        join(id, board, time, bus, probes);
    }
}
