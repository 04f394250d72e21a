//! The command phase at its two ends: a command goes to the address concentrator, and the combined response
//! comes back.

use super::link;
use crate::ea::Target;
use crate::request::{Issuer, Request, RequestId};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::{Event, Outcome};
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::wake;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::RampIndex;

/// Sends the command of a new request to the address concentrator.
#[inline(always)]
pub(crate) fn send(request: Request, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    let id = bus.requests.add(request);
    send_again(id, board, time, bus, probes);
}

/// Sends the command of a request that is under way.
#[inline(always)]
pub(crate) fn send_again(id: RequestId, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    let (request, now) = (bus.requests.get(id), time.now());
    probes.traced(|trace| trace.issued(id, request, now));
    let issue = match (request.issuer, request.target) {
        (Issuer::Ppe, Target::Memory(_)) => board.machine.ppe_memory.command_issue_bus_cycles,
        _ => board.machine.eib.command_issue_bus_cycles,
    };
    let chip = board.topology.chip_of(request.ramp);
    let place = board.topology.place(request.ramp);
    let arrival = bus.concentrators[usize::from(chip)].send(place, id, now + issue);
    probes.occupancy.commands.expect(arrival);
    time.wake(Unit::Commands(chip), arrival);
}

/// The combined response reaches the unit that issued the command, which may send another one; after a Retry,
/// the same again.
#[inline(always)]
pub(crate) fn respond(
    id: RequestId,
    outcome: Outcome,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    processors: &Processors<'_>,
    probes: &mut Probes,
) {
    let now = time.now();
    let request = bus.requests.get(id);
    // A global command keeps its place on the way to AC0 until it is complete.
    if outcome == Outcome::Retry || !board.is_global(request) {
        give_back_credit(request.ramp, board, time, bus, processors);
    }
    probes.traced(|trace| trace.responded(id, name(outcome), now));
    if outcome == Outcome::Retry {
        let request = *bus.requests.get(id);
        if let Issuer::Mfc(spe, _) | Issuer::Atomic(spe) | Issuer::Castout(spe) = request.issuer {
            probes.counters.spes[usize::from(spe.0)].retries += 1;
        }
        link::give_place(&request, board, time, bus, probes);
        time.push(now + board.machine.eib.retry_bus_cycles, Event::Send(id));
    }
}

/// The place that a unit's command had at its concentrator is free, for another of its commands.
#[inline(always)]
pub(crate) fn give_back_credit(
    ramp: RampIndex,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    processors: &Processors<'_>,
) {
    let was_out_of_credit = !bus.has_credit(ramp, board);
    bus.return_credit(ramp, board);
    if was_out_of_credit {
        credit_came(ramp, board, time, bus, processors);
    }
}

#[inline(never)]
fn credit_came(ramp: RampIndex, board: &Board, time: &mut Time, bus: &Bus, processors: &Processors<'_>) {
    if let Some(spe) = processors.spes.iter().find(|spe| spe.ramp == ramp) {
        wake::wake_dmac(spe, board, time, bus);
    }
}

/// What a trace calls a response.
fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Retry => "retry",
        Outcome::DataFrom(_) => "data",
        Outcome::Memory => "memory",
        Outcome::Done => "done",
    }
}
