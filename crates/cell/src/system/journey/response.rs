//! The combined response comes back to the unit that sent the command.

use super::link;
use crate::request::{Issuer, RequestId};
use crate::system::event::{Event, Outcome};
use crate::system::processors::Processors;
use crate::system::spe::wake;
use crate::system::wires::Wires;
use crate::units::RampIndex;

/// The combined response reaches the unit, and the unit may send another command. After a Retry, the unit sends the
/// same command again.
#[inline(always)]
pub(crate) fn respond(id: RequestId, outcome: Outcome, processors: &Processors<'_>, wires: &mut Wires) {
    let now = wires.time.now();
    let request = wires.bus.requests.get(id);
    // A global command keeps its credit until the command is complete.
    if outcome == Outcome::Retry || !wires.board.is_global(request) {
        return_credit(request.ramp, processors, wires);
    }
    wires.probes.traced(|trace| trace.responded(id, name(outcome), now));
    if outcome == Outcome::Retry {
        let request = wires.bus.requests.retried(id);
        if let Issuer::Mfc(spe, _) | Issuer::Atomic(spe) | Issuer::Castout(spe) = request.issuer {
            wires.probes.counters.spes[usize::from(spe.0)].retries += 1;
        }
        link::release_slot(&request, wires);
        wires.time.push(now + wires.board.machine.eib.retry_bus_cycles, Event::Send(id));
    }
}

/// Returns a credit to a unit, and wakes the unit if it had no credits left.
#[inline(always)]
pub(crate) fn return_credit(ramp: RampIndex, processors: &Processors<'_>, wires: &mut Wires) {
    let was_out_of_credit = wires.bus.credits.give_back(ramp);
    if was_out_of_credit {
        wake_unit(ramp, processors, wires);
    }
}

#[inline(never)]
fn wake_unit(ramp: RampIndex, processors: &Processors<'_>, wires: &mut Wires) {
    if let Some(spe) = processors.spes.iter().find(|spe| spe.ramp == ramp) {
        wake::wake_dmac(spe, wires);
    }
}

/// The name of a response in a trace.
fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Retry => "retry",
        Outcome::DataFrom(_) => "data",
        Outcome::Memory => "memory",
        Outcome::Done => "done",
    }
}
