//! The data phase: a line that is ready requests a ring, and the arbiter grants one.

use crate::ea::Target;
use crate::eib::{DataRequest, Grant};
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::system::board::Board;
use crate::system::event::Event;
use crate::system::stage::Unit;
use crate::system::wires::Wires;
use crate::units::{BusCycle, NEVER, RampIndex};

/// A line that is at an on-ramp, or will arrive at the on-ramp.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub request: RequestId,
    pub from: RampIndex,
    /// The off-ramp of the destination, on either chip.
    pub to: RampIndex,
    /// The bus cycle in which the line reaches the on-ramp.
    pub at: BusCycle,
}

/// The unit with a request's data fetches the data and requests a ring.
#[inline(always)]
pub(crate) fn fetch_data(from: RampIndex, id: RequestId, wires: &mut Wires) {
    let request = wires.bus.requests.get(id);
    let at = wires.time.now() + fetch_bus_cycles(from, request, &wires.board, wires.time.ratio);
    let to = wires.board.destination(request);
    queue(Line { request: id, from, to, at }, wires);
}

/// The time that a unit takes to fetch the data of a request.
#[inline(always)]
fn fetch_bus_cycles(from: RampIndex, request: &Request, board: &Board, ratio: u64) -> u64 {
    let (mfc, atomic) = (&board.machine.mfc, &board.machine.atomic);
    match (request.kind, request.target, request.issuer) {
        (RequestKind::Write, _, Issuer::Mfc(..) | Issuer::Castout(_)) => mfc.local_store_read_bus_cycles,
        (RequestKind::Write, ..) => 0,
        (_, Target::Memory(_), _) if board.is_ppe(from) => board.machine.ppe_memory.l2_load_spu_cycles.div_ceil(ratio),
        (_, Target::Memory(_), _) => atomic.intervention_bus_cycles,
        (_, Target::LocalStore(..), _) => mfc.local_store_read_bus_cycles,
        (_, Target::Register(..), _) => mfc.register_access_bus_cycles,
    }
}

/// Requests a ring for a line: to its destination or, for a destination on the other chip, to the interface between the
/// chips.
#[inline(always)]
pub(crate) fn queue(line: Line, wires: &mut Wires) {
    let Line { request, from, to, at } = line;
    let Wires { board, time, bus, probes } = wires;
    let ready_at = at + board.machine.eib.data_request_bus_cycles;
    let chip = board.topology.chip_of(from);
    let leaves = board.topology.chip_of(to) != chip;
    let to = if leaves { board.ioif0_ramp(usize::from(chip)) } else { to };
    let about = bus.requests.get(request);
    let (read, to_use_bus_cycles) = (about.kind != RequestKind::Write, to_use_bus_cycles(about, board));
    let data = DataRequest { to: board.topology.place(to), ready_at, request, read, leaves, to_use_bus_cycles };
    let head_at = bus.data[usize::from(chip)].request(board.topology.place(from), data);
    probes.occupancy.on_ramps[usize::from(from)].expect(ready_at);
    probes.traced(|trace| trace.ready(request, from, to, ready_at));
    if let Some(at) = head_at {
        time.wake(Unit::Arbiter(chip), at);
        if probes.trace.is_some() {
            report_wait(chip, wires.board.topology.place(from), wires);
        }
    }
}

/// A data arbiter's cycle.
#[inline(never)]
pub(crate) fn run_arbiter(chip: u8, wires: &mut Wires) {
    if start_next(chip, wires) && wires.board.machine.eib.grants_per_bus_cycle > 1 {
        start_more(chip, wires);
    }
    if wires.probes.trace.is_some() {
        (0..wires.board.topology.ramps_on_chip()).for_each(|from| report_wait(chip, from, wires));
    }
    let next = wires.bus.data[usize::from(chip)].next_advance(wires.time.now());
    if next != NEVER {
        wires.time.wake(Unit::Arbiter(chip), next);
    }
}

/// Reports why the line at the head of an on-ramp's queue waits. `from` is the on-ramp's stop on the chip's ring.
#[cold]
fn report_wait(chip: u8, from: RampIndex, wires: &mut Wires) {
    let first = chip * wires.board.topology.ramps_on_chip();
    wires.probes.head_waits(from, first, &wires.bus.data[usize::from(chip)], wires.time.now());
}

/// Starts the remaining transfers when the arbiter grants several rings in a bus cycle.
// This is a separate function: if the loop included the usual single grant, compilers would load all values of the
// machine for every grant.
#[inline(never)]
fn start_more(chip: u8, wires: &mut Wires) {
    for _ in 1..wires.board.machine.eib.grants_per_bus_cycle {
        if !start_next(chip, wires) {
            return;
        }
    }
}

/// Starts the next line's transfer. Returns false if no line can start.
#[inline(always)]
fn start_next(chip: u8, wires: &mut Wires) -> bool {
    let Wires { board, time, bus, probes } = wires;
    let now = time.now();
    let data = &mut bus.data[usize::from(chip)];
    let first_ring = usize::from(chip) * data.ring_count();
    let Some(grant) = data.advance(now, &mut probes.counters.rings[first_ring..]) else { return false };
    let first_ramp = chip * board.topology.ramps_on_chip();
    let on_ramp = &mut probes.occupancy.on_ramps[usize::from(first_ramp + grant.from)];
    on_ramp.leave_behind(now, |nth| data.is_ready(grant.from, nth, now));
    let grant = Grant {
        ring: first_ring as u8 + grant.ring,
        from: first_ramp + grant.from,
        to: first_ramp + grant.to,
        ..grant
    };
    probes.granted(&grant, || bus.requests.get(grant.request).bytes, data.beats(), board, time);
    let (at, event) = if grant.leaves {
        (grant.arrives_at, Event::AtLink(grant.request))
    } else {
        (grant.arrives_at + u64::from(grant.to_use_bus_cycles), Event::Deliver(grant.request))
    };
    bus.requests.expect_visit(grant.request, at);
    time.push(at, event);
    true
}

/// The time from the off-ramp until a request's data can be used.
#[inline(always)]
fn to_use_bus_cycles(request: &Request, board: &Board) -> u32 {
    let mfc = &board.machine.mfc;
    let bus_cycles = match (request.kind, request.target, request.issuer) {
        (RequestKind::Write, Target::Memory(_), _) => 0,
        (RequestKind::Write, Target::LocalStore(..), _) => mfc.local_store_write_bus_cycles,
        (RequestKind::Write, Target::Register(..), _) => mfc.register_access_bus_cycles,
        (_, Target::Memory(_), Issuer::Ppe(_)) => 0,
        (_, _, Issuer::Ppe(_)) => board.machine.ppe.mmio_return_bus_cycles,
        _ => mfc.local_store_write_bus_cycles,
    };
    bus_cycles as u32
}
