//! An address concentrator's cycle: it orders a command, and decides which unit answers the command.

use super::{link, memory};
use crate::ea::Target;
use crate::eib::Taken;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::event::{Event, Outcome};
use crate::system::memory::Memory;
use crate::system::processors::Processors;
use crate::system::snoop;
use crate::system::spe::lock_lines;
use crate::system::stage::Unit;
use crate::system::wires::Wires;
use crate::units::{BusCycle, LINE_BYTES, NEVER, RampIndex};

/// Result of an attempt to order a command.
enum Ordered {
    /// The concentrator holds the command until its line is free.
    Held,
    /// The command waits for room in a memory queue.
    WaitsForRoom,
    /// The command receives this combined response.
    Answered(Outcome),
}

/// One cycle of an address concentrator: that of a chip or, with two chips, the concentrator above both chips.
#[inline(never)]
pub(crate) fn run_concentrator(level: u8, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) {
    let (now, index) = (wires.time.now(), usize::from(level));
    let of_both_chips = index > 0 && index == wires.board.chips();
    let mut taken = 0;
    if let Some(command) = wires.bus.concentrators[index].take(now) {
        taken += u64::from(!command.was_held);
        if of_both_chips {
            take_here(command, memory, processors, wires);
            wires.bus.concentrators[index].rest(now + wires.board.machine.bif.global_command_bus_cycles);
        } else {
            take_at_chip(command, memory, processors, wires);
            if wires.board.machine.eib.commands_per_bus_cycle > 1 {
                taken += take_more(level, memory, processors, wires);
            }
        }
    }
    let concentrator = &mut wires.bus.concentrators[index];
    let next = concentrator.next_arrival(now);
    if next <= now || taken > 1 {
        let at_most = taken + concentrator.queued();
        wires.probes.occupancy.commands.found(at_most, || taken + concentrator.arrived(now));
    }
    if next != NEVER {
        wires.time.wake(Unit::Commands(level), next.max(now + 1));
    }
}

/// Takes further commands if a chip's concentrator may take several commands per bus cycle. Returns the number of
/// these commands that had not been held before.
#[inline(never)]
fn take_more(level: u8, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) -> u64 {
    let mut taken = 0;
    for _ in 1..wires.board.machine.eib.commands_per_bus_cycle {
        let Some(command) = wires.bus.concentrators[usize::from(level)].take(wires.time.now()) else { break };
        taken += u64::from(!command.was_held);
        take_at_chip(command, memory, processors, wires);
    }
    taken
}

/// A chip's concentrator has taken a command. The concentrator orders the command, or passes it to the concentrator
/// above both chips.
#[inline(always)]
fn take_at_chip(command: Taken, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) {
    if wires.board.is_global(wires.bus.requests.get(command.id)) {
        wires.probes.occupancy.commands.leave(wires.time.now());
        link::go_global(command.id, wires);
    } else {
        take_here(command, memory, processors, wires);
    }
}

/// The concentrator that orders a command has taken the command.
#[inline(always)]
fn take_here(command: Taken, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) {
    let (now, id) = (wires.time.now(), command.id);
    if !command.was_held {
        wires.probes.occupancy.commands.leave(now);
        wires.probes.counters.command.count(wires.bus.requests.get(id));
    }
    match order(command, memory, processors, wires) {
        Ordered::Held => {
            wires.probes.counters.command.waits_line_in_use += 1;
            return;
        }
        Ordered::WaitsForRoom => wires.probes.counters.command.waits_memory_queue += 1,
        Ordered::Answered(outcome) => {
            let at = now + wires.board.response_bus_cycles(wires.bus.requests.get(id));
            wires.time.push(at, Event::Response(id, outcome));
        }
    }
    wires.probes.traced(|trace| trace.ordered(id, now));
}

/// Orders a command, unless it must wait for its line. Every unit snoops the command, and the command takes effect in
/// all units immediately.
#[inline(always)]
fn order(command: Taken, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) -> Ordered {
    let request = wires.bus.requests.get(command.id);
    match request.memory_line() {
        None => Ordered::Answered(order_uncached(request, &wires.board)),
        Some(line) => order_line((line, command), memory, processors, wires),
    }
}

/// Orders a command to a line of memory, as part of [`order`].
#[inline(never)]
fn order_line(
    (line, command): (u64, Taken),
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Ordered {
    let id = command.id;
    let request = &{ *wires.bus.requests.get(id) };
    if !lock_lines::is_still_wanted(request, line, processors) {
        return Ordered::Answered(Outcome::Done);
    }
    let castout = request.is_castout();
    let holder = snoop::holder(request, line, wires, processors);
    let writes = request.kind == RequestKind::Write || lock_lines::is_unconditional(request, &processors.spes);
    let by_cache = !writes && (request.kind == RequestKind::Claim || holder.is_some());
    if by_cache && let Some(refusal) = refuse_cached(line, request, command, processors, wires) {
        return refusal;
    }
    if !by_cache && !castout && !take_or_hold_line(line, command, writes, wires) {
        return Ordered::Held;
    }
    let outcome = match (request.kind, holder) {
        (RequestKind::Claim, _) => Some(Outcome::Done),
        (RequestKind::Write, _) => {
            let reserved = memory::reserve_write(id, line * LINE_BYTES, memory, wires);
            reserved.then_some(Outcome::DataFrom(request.ramp))
        }
        (_, Some(holder)) => Some(Outcome::DataFrom(holder)),
        (_, None) => memory::order_read(id, line * LINE_BYTES, memory, wires),
    };
    if !castout {
        if let Issuer::Atomic(spe) = request.issuer {
            let shared = snoop::is_elsewhere(line, spe, processors);
            let spe = processors.spe(spe);
            let evicted = lock_lines::ordered(spe, line, shared, &mut memory.store);
            lock_lines::cast_out(spe, evicted, wires);
        }
        snoop::snoop(request, line, processors, wires);
    }
    outcome.map_or(Ordered::WaitsForRoom, Ordered::Answered)
}

/// Marks a line as in use by a command that a cache answers. If the line is not free for the command, returns what
/// happens to the command: on a machine whose atomic units keep lines, the concentrator holds the command; on other
/// machines, the unit must send the command again.
///
/// MODEL: a command that has received Retry `most_retries` times is held, too. Units that send their commands again after
/// equal times could otherwise keep another unit from a line for ever.
fn refuse_cached(
    line: u64,
    request: &Request,
    command: Taken,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Option<Ordered> {
    if wires.board.machine.atomic.keep_bus_cycles > 0 {
        return (!take_or_hold_cached_line(line, request, command, processors, wires)).then_some(Ordered::Held);
    }
    let is_reserved = is_reserved_by_spe(line, request, processors, wires);
    let (now, eib) = (wires.time.now(), &wires.board.machine.eib);
    let until = now + eib.cached_match_bus_cycles;
    if !is_reserved && u32::from(request.retries) >= eib.most_retries {
        return (!take_in_turn(line, request.ramp, command, until, wires)).then_some(Ordered::Held);
    }
    let refused = is_reserved || !wires.bus.top_concentrator().lines.take(line, request.ramp, now, until);
    wires.probes.counters.command.retries_address_match += u64::from(refused);
    refused.then_some(Ordered::Answered(Outcome::Retry))
}

/// Whether the PPE's L2 must repeat its claim of a line, because an SPE has reserved the line.
///
/// MODEL: the L2 receives Retry, at most `l2_claim_retries` times, when it claims a line that an SPE has reserved. The
/// L2 claims a line back faster than an SPE proceeds from its `getllar` to its `putllc`, so PPE threads that spin on a
/// test-and-set lock would otherwise prevent the SPE's `putllc` for ever.
fn is_reserved_by_spe(line: u64, request: &Request, processors: &mut Processors<'_>, wires: &Wires) -> bool {
    let Issuer::Ppe(chip) = request.issuer else { return false };
    request.takes_ownership()
        && processors.spes.iter().any(|spe| spe.atomic.reservation == Some(line))
        && processors.ppe(chip).memory.refuse_claim(line, wires.board.machine.atomic.l2_claim_retries)
}

/// Marks a line as in use by a command that a cache answers, or returns false if the concentrator holds the command.
///
/// MODEL: on a blade, an atomic unit that receives a line from another cache keeps the line until its own `putllc`, and
/// the commands of other units wait in order of arrival. SPEs that change a line therefore do so strictly one after
/// the other. A `getllar` of a copy that the unit still has does not make others wait, because an SPE that only polls
/// the line will not change it.
fn take_or_hold_cached_line(
    line: u64,
    request: &Request,
    command: Taken,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> bool {
    let now = wires.time.now();
    let until = match request.issuer {
        _ if request.takes_ownership() => now + wires.board.machine.eib.cached_match_bus_cycles,
        Issuer::Atomic(spe) if processors.spe(spe).atomic.state(line).is_none() => NEVER,
        _ => now,
    };
    let ends = request.takes_ownership() && wires.bus.top_concentrator().lines.end(line, request.ramp, now, until);
    ends || take_in_turn(line, request.ramp, command, until, wires)
}

/// Marks a line as in use by a command that memory answers, or that writes at least a part of the line (`writes`). If
/// the line is not free for the command, returns false, and the concentrator holds the command.
fn take_or_hold_line(line: u64, command: Taken, writes: bool, wires: &mut Wires) -> bool {
    let (now, eib, ramp) = (wires.time.now(), &wires.board.machine.eib, wires.bus.requests.get(command.id).ramp);
    let until = now + if writes { eib.line_write_bus_cycles } else { eib.line_read_bus_cycles };
    take_in_turn(line, ramp, command, until, wires)
}

/// Marks a line as in use until `until`, or returns false if the concentrator holds the command. A command that was held
/// before takes precedence over the other commands that are held for the line.
#[inline(always)]
fn take_in_turn(line: u64, ramp: RampIndex, command: Taken, until: BusCycle, wires: &mut Wires) -> bool {
    let now = wires.time.now();
    let lines = &mut wires.bus.top_concentrator().lines;
    if command.was_held {
        lines.take(line, ramp, now, until)
    } else {
        lines.take_or_hold(line, ramp, command.id, now, until)
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
