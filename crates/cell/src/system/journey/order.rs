//! A command at the moment it is ordered: who answers it.

use super::{link, memory, snoop};
use crate::ea::Target;
use crate::eib::Taken;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::{Event, Outcome};
use crate::system::memory::Memory;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::lock_lines;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{LINE_BYTES, NEVER};

/// What becomes of a command.
enum Ordered {
    /// The concentrator keeps it until its line is free.
    Held,
    /// Memory has no room for it yet.
    WaitsForRoom,
    /// It gets its combined response.
    Answered(Outcome),
}

/// An address concentrator's cycle: that of a chip or, behind those of two chips, the one above them.
#[inline(never)]
pub(crate) fn run_concentrator(
    level: u8,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    let (now, index) = (time.now(), usize::from(level));
    let of_both_chips = index > 0 && index == board.chips();
    let mut taken = 0;
    if let Some(command) = bus.concentrators[index].take(now) {
        taken += u64::from(!command.was_held);
        if of_both_chips {
            take_here(command, board, time, bus, memory, processors, probes);
            bus.concentrators[index].rest(now + board.machine.bif.global_command_bus_cycles);
        } else {
            take_at_chip(command, board, time, bus, memory, processors, probes);
            if board.machine.eib.commands_per_bus_cycle > 1 {
                taken += take_more(level, board, time, bus, memory, processors, probes);
            }
        }
    }
    let concentrator = &mut bus.concentrators[index];
    let next = concentrator.next_arrival(now);
    if next <= now || taken > 1 {
        probes.occupancy.commands.found(taken + concentrator.arrived(now));
    }
    if next != NEVER {
        time.wake(Unit::Commands(level), next.max(now + 1));
    }
}

/// The rest of a bus cycle in which a chip's concentrator takes more than one command; how many of them had arrived.
#[inline(never)]
fn take_more(
    level: u8,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> u64 {
    let mut taken = 0;
    for _ in 1..board.machine.eib.commands_per_bus_cycle {
        let Some(command) = bus.concentrators[usize::from(level)].take(time.now()) else { break };
        taken += u64::from(!command.was_held);
        take_at_chip(command, board, time, bus, memory, processors, probes);
    }
    taken
}

/// A chip's concentrator has taken a command: it goes on to the one of both chips, or is ordered.
#[inline(always)]
fn take_at_chip(
    command: Taken,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    if board.is_global(bus.requests.get(command.id)) {
        probes.occupancy.commands.leave(time.now());
        link::go_global(command.id, board, time, bus, probes);
    } else {
        take_here(command, board, time, bus, memory, processors, probes);
    }
}

/// The concentrator that orders a command has taken it.
#[inline(always)]
fn take_here(
    command: Taken,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    let (now, id) = (time.now(), command.id);
    if !command.was_held {
        probes.occupancy.commands.leave(now);
        probes.counters.command.count(bus.requests.get(id));
    }
    match order(command, board, time, bus, memory, processors, probes) {
        Ordered::Held => {
            probes.counters.command.waits_line_in_use += 1;
            return;
        }
        Ordered::WaitsForRoom => probes.counters.command.waits_memory_queue += 1,
        Ordered::Answered(outcome) => {
            let at = now + board.response_bus_cycles(bus.requests.get(id));
            time.push(at, Event::Response(id, outcome));
        }
    }
    probes.traced(|trace| trace.ordered(id, now));
}

/// A command is ordered, unless it has to wait for its line: every unit snoops it, and this is when it takes effect
/// on them.
#[inline(always)]
fn order(
    command: Taken,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Ordered {
    let request = bus.requests.get(command.id);
    match request.memory_line() {
        None => Ordered::Answered(order_uncached(request, board)),
        Some(line) => order_line((line, command), board, time, bus, memory, processors, probes),
    }
}

/// As [`order`], of a command to a line of memory.
#[inline(never)]
fn order_line(
    (line, command): (u64, Taken),
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Ordered {
    let id = command.id;
    let request = &{ *bus.requests.get(id) };
    if !lock_lines::is_still_wanted(request, line, &processors.spes) {
        return Ordered::Answered(Outcome::Done);
    }
    let castout = request.is_castout();
    let holder = snoop::holder(request, line, board, processors);
    let by_cache = request.kind == RequestKind::Claim || request.kind != RequestKind::Write && holder.is_some();
    if by_cache && !take_cached_line(line, request, board, time, bus) {
        probes.counters.command.retries_address_match += 1;
        return Ordered::Answered(Outcome::Retry);
    }
    if !by_cache && !castout && !take_line_of_memory(line, command, board, time, bus) {
        return Ordered::Held;
    }
    let outcome = match (request.kind, holder) {
        (RequestKind::Claim, _) => Some(Outcome::Done),
        (RequestKind::Write, _) => {
            let reserved = memory::reserve_write(id, line * LINE_BYTES, board, time, memory, probes);
            reserved.then_some(Outcome::DataFrom(request.ramp))
        }
        (_, Some(holder)) => Some(Outcome::DataFrom(holder)),
        (_, None) => memory::order_read(id, line * LINE_BYTES, board, time, bus, memory, probes),
    };
    if !castout {
        if let Issuer::Atomic(spe) = request.issuer {
            let shared = snoop::is_elsewhere(line, spe, processors);
            let spe = processors.spe(spe);
            let evicted = lock_lines::ordered(spe, line, shared, &mut memory.store);
            lock_lines::cast_out(spe, evicted, board, time, bus, probes);
        }
        snoop::snoop(request, line, time, processors, probes);
    }
    outcome.map_or(Ordered::WaitsForRoom, Ordered::Answered)
}

/// Whether the line is free for a command that a cache answers; if so, the atomic units now deal with it.
fn take_cached_line(line: u64, request: &Request, board: &Board, time: &Time, bus: &mut Bus) -> bool {
    let (now, eib) = (time.now(), &board.machine.eib);
    bus.top_concentrator().lines.take(line, request.ramp, now, now + eib.cached_match_bus_cycles)
}

/// Whether a command that memory is to answer goes through; if so, memory now deals with its line.  If not, the
/// concentrator holds it; one that it held is the next for its line.
fn take_line_of_memory(line: u64, command: Taken, board: &Board, time: &Time, bus: &mut Bus) -> bool {
    let (now, eib, request) = (time.now(), &board.machine.eib, *bus.requests.get(command.id));
    let is_write = request.kind == RequestKind::Write;
    let until = now + if is_write { eib.line_write_bus_cycles } else { eib.line_read_bus_cycles };
    let lines = &mut bus.top_concentrator().lines;
    if command.was_held {
        lines.take(line, request.ramp, now, until)
    } else {
        lines.take_or_hold(line, request.ramp, command.id, now, until)
    }
}

#[inline(always)]
fn order_uncached(request: &Request, board: &Board) -> Outcome {
    match (request.kind, request.target) {
        (RequestKind::Read, Target::LocalStore(spe, _) | Target::Register(spe, _)) => {
            Outcome::DataFrom(board.topology.spe_ramp(spe))
        }
        (RequestKind::Write, _) => Outcome::DataFrom(request.ramp),
        _ => Outcome::Done,
    }
}
