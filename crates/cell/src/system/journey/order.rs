//! A command at the moment it is ordered: who answers it.

use super::{link, memory, snoop};
use crate::ea::Target;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::{Event, Outcome, Unit};
use crate::system::memory::Memory;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::lock_lines;
use crate::system::time::Time;
use crate::units::{LINE_BYTES, NEVER, RampIndex};

/// An address concentrator's cycle: that of a chip or, behind those of two chips, the one above them.
#[inline(always)]
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
    let of_both_chips = index == board.chips();
    let most = if of_both_chips { 1 } else { board.machine.eib.commands_per_bus_cycle };
    let mut taken = 0;
    for _ in 0..most {
        let Some(id) = bus.concentrators[index].advance(now) else { break };
        taken += 1;
        probes.occupancy.commands.leave(now);
        if !of_both_chips && board.is_global(bus.requests.get(id)) {
            link::go_global(id, board, time, bus, probes);
            continue;
        }
        probes.traced(|trace| trace.ordered(id, now));
        if let Some(outcome) = order(id, board, time, bus, memory, processors, probes) {
            let at = now + board.response_bus_cycles(bus.requests.get(id));
            time.push(at, Event::Response(id, outcome));
        }
    }
    let concentrator = &mut bus.concentrators[index];
    if of_both_chips && taken > 0 {
        concentrator.rest(now + board.machine.bif.global_command_bus_cycles);
    }
    let next = concentrator.next_arrival(now);
    if next <= now || taken > 1 {
        probes.occupancy.commands.found(taken + concentrator.arrived(now));
    }
    if next != NEVER {
        time.wake(Unit::Commands(level), next.max(now + 1));
    }
}

/// A command is ordered: every unit snoops it, and this is when it takes effect on them.  No outcome yet if it
/// has to wait for room in a memory queue.
fn order(
    id: RequestId,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Option<Outcome> {
    let request = &{ *bus.requests.get(id) };
    probes.counters.command.count(request);
    let Some(line) = request.memory_line() else { return Some(order_uncached(request, board)) };
    if !lock_lines::is_still_wanted(request, line, &processors.spes) {
        bus.top_concentrator().forget(line, request.ramp);
        return Some(Outcome::Done);
    }
    let castout = request.is_castout();
    let holder = snoop::holder(request, line, board, processors);
    let by_cache = request.kind == RequestKind::Claim || request.kind != RequestKind::Write && holder.is_some();
    if !castout && !take_free_line(line, request.ramp, by_cache, board, time, bus) {
        probes.counters.command.retries_address_match += 1;
        return Some(Outcome::Retry);
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
    if outcome.is_none() {
        probes.counters.command.waits_memory_queue += 1;
    }
    if !castout {
        if let Issuer::Atomic(spe) = request.issuer {
            let shared = snoop::is_elsewhere(line, spe, processors);
            let spe = processors.spe(spe);
            let evicted = lock_lines::ordered(spe, line, shared, &mut memory.store);
            lock_lines::cast_out(spe, evicted, board, time, bus, probes);
        }
        snoop::snoop(request, line, time, processors, probes);
    }
    outcome
}

/// Whether the line is free for this command; if so, the atomic units or memory now deal with it.
fn take_free_line(line: u64, ramp: RampIndex, by_cache: bool, board: &Board, time: &Time, bus: &mut Bus) -> bool {
    let (now, eib) = (time.now(), &board.machine.eib);
    let concentrator = bus.top_concentrator();
    if by_cache {
        concentrator.take_line(line, ramp, now, now + eib.cached_match_bus_cycles)
    } else {
        concentrator.take_line_in_turn(line, ramp, now, now + eib.address_match_bus_cycles)
    }
}

fn order_uncached(request: &Request, board: &Board) -> Outcome {
    match (request.kind, request.target) {
        (RequestKind::Read, Target::LocalStore(spe, _) | Target::Register(spe, _)) => {
            Outcome::DataFrom(board.topology.spe_ramp(spe))
        }
        (RequestKind::Write, _) => Outcome::DataFrom(request.ramp),
        _ => Outcome::Done,
    }
}
