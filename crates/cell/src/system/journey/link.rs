//! The link between two chips: commands that both chips must see, and data that cross.
//!
//! ```text
//!   on-ramp ── ring ──> IOIF0 ═══ lanes ═══> IOIF0 ── ring ──> off-ramp
//!                  leave_chip              join
//!   └────────── chip 0 ─────┘              └───── chip 1 ──────────┘
//! ```
//! A write to the other chip's memory is complete for its requester once IOIF0 has the data (`is_posted`). The
//! interface then forwards the write (`forward`).

use super::ring::{self, Line};
use crate::ea::Target;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::system::event::Event;
use crate::system::stage::Unit;
use crate::system::wires::Wires;

/// A command that both chips must see leaves its chip's concentrator once the interface has a slot for the command's
/// data.
#[inline(never)]
pub(crate) fn go_global(id: RequestId, wires: &mut Wires) {
    let request = wires.bus.requests.get(id);
    let chip = wires.board.topology.chip_of(request.ramp);
    if wires.board.crosses(request) && !wires.bus.bif.take_place(chip, id) {
        wires.probes.counters.bif[usize::from(chip)].place_waits += 1;
        return;
    }
    ascend(chip, id, wires);
}

fn ascend(chip: u8, id: RequestId, wires: &mut Wires) {
    let (now, top) = (wires.time.now(), wires.bus.concentrators.len() - 1);
    wires.bus.concentrators[top].ascend(chip, id, now);
    wires.probes.occupancy.commands.expect(now);
    wires.time.wake(Unit::Commands(top as u8), wires.bus.concentrators[top].next_arrival(now));
}

/// Releases the interface's slot for a request, once the data have arrived or the command is retried.
#[inline(always)]
pub(crate) fn release_slot(request: &Request, wires: &mut Wires) {
    if request.issuer != Issuer::Bif && wires.board.crosses(request) {
        pass_slot_on(wires.board.topology.chip_of(request.ramp), wires);
    }
}

/// Releases a slot, and passes it to the next command that waits for a slot.
#[inline(never)]
fn pass_slot_on(chip: u8, wires: &mut Wires) {
    if let Some(next) = wires.bus.bif.give_place(chip) {
        ascend(chip, next, wires);
    }
}

/// Whether a request to the other chip is complete for its requester as soon as IOIF0 has the data.
pub(crate) fn is_posted(request: &Request) -> bool {
    request.kind == RequestKind::Write && matches!(request.target, Target::Memory(_)) && request.issuer != Issuer::Bif
}

/// Data for the other chip have arrived at IOIF0.
#[inline(never)]
pub(crate) fn leave_chip(id: RequestId, wires: &mut Wires) {
    wires.bus.requests.end_visit(id, wires.time.now());
    cross(id, wires);
}

/// Forwards a write to the other chip's memory as a new request, which the interface issues.
pub(crate) fn forward(written: RequestId, wires: &mut Wires) {
    let request = Request { issuer: Issuer::Bif, ..*wires.bus.requests.get(written) };
    let (id, now) = (wires.bus.requests.add(request), wires.time.now());
    wires.probes.traced(|trace| trace.forwarded(written, id, &request, now));
    cross(id, wires);
}

fn cross(id: RequestId, wires: &mut Wires) {
    let request = wires.bus.requests.get(id);
    let chip = 1 - wires.board.topology.chip_of(wires.board.destination(request));
    let crossing = wires.bus.bif.cross(chip, request.bytes, wires.time.now());
    let end = &mut wires.probes.counters.bif[usize::from(chip)];
    end.lines_sent += 1;
    end.bytes_sent += u64::from(request.bytes);
    end.lanes_busy_bus_cycles += crossing.lane_bus_cycles;
    wires.probes.traced(|trace| trace.crosses(id, wires.time.now(), crossing.arrives_at));
    wires.time.push(crossing.arrives_at, Event::Crossed(id));
}

/// Data have crossed. The data continue their route, unless they must wait for their combined response.
#[inline(never)]
pub(crate) fn join(id: RequestId, wires: &mut Wires) {
    if wires.bus.bif.joined(id) {
        let to = wires.board.destination(wires.bus.requests.get(id));
        let from = wires.board.ioif0_ramp(usize::from(wires.board.topology.chip_of(to)));
        let line = Line { request: id, from, to, at: wires.time.now() };
        ring::queue(line, wires);
    }
}

/// The combined response of a read from memory has arrived. Data that have crossed may be waiting for the response.
#[inline(never)]
pub(crate) fn join_response(id: RequestId, wires: &mut Wires) {
    if wires.board.crosses(wires.bus.requests.get(id)) {
        join(id, wires);
    }
}
