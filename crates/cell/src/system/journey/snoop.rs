//! What an ordered command finds in the caches of others, and what it does to them.

use crate::atomic::LineState;
use crate::channel::event;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::unit::Spe;
use crate::system::spe::wake::raise;
use crate::system::time::Time;
use crate::units::{RampIndex, SpeId};

/// The ramp of the unit that gives the line instead of memory: an atomic unit or the PPE's L2 that has
/// changed it; for an atomic unit, any other one with a copy.
pub(crate) fn holder(request: &Request, line: u64, board: &Board, processors: &Processors<'_>) -> Option<RampIndex> {
    let any_copy = request.kind != RequestKind::Read;
    let holds = |spe: &&Spe<'_>| {
        let state = spe.atomic.state(line);
        spe.ramp != request.ramp && (state == Some(LineState::Modified) || any_copy && state.is_some())
    };
    let l2_has_changed_it = || processors.ppe.memory.state(line) == Some(LineState::Modified);
    let l2 = (request.ramp != board.ppe_ramp && l2_has_changed_it()).then_some(board.ppe_ramp);
    processors.spes.iter().find(holds).map(|spe| spe.ramp).or(l2)
}

/// Whether anybody has a copy of the line but this SPE.
pub(crate) fn is_elsewhere(line: u64, own: SpeId, processors: &Processors<'_>) -> bool {
    let by_other = processors.spes.iter().any(|spe| spe.id != own && spe.atomic.state(line).is_some());
    by_other || processors.ppe.memory.state(line).is_some() || processors.ppe.reservations.contains(&Some(line))
}

/// What an ordered command does to reservations and cached copies.
pub(crate) fn snoop(
    request: &Request,
    line: u64,
    time: &mut Time,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    let Processors { spes, ppe, .. } = processors;
    if request.issuer == Issuer::Ppe {
        let shared = spes.iter().any(|spe| spe.atomic.state(line).is_some());
        ppe.memory.ordered(line, shared);
    }
    if request.takes_ownership() {
        match request.issuer {
            Issuer::Mfc(spe, _) => take_line_for_put(line, spe, time, processors, probes),
            Issuer::Atomic(spe) | Issuer::Castout(spe) => take_line(line, Some(spe), time, processors, probes),
            Issuer::Ppe | Issuer::Bif => take_line(line, None, time, processors, probes),
        }
    } else {
        for spe in spes.iter_mut().filter(|spe| spe.ramp != request.ramp) {
            spe.atomic.snoop_read(line);
        }
        if request.issuer != Issuer::Ppe {
            ppe.memory.snoop_read(line);
        }
    }
}

/// Takes a line, and reservations on it, from the PPE and every atomic unit but one; from every atomic
/// unit if it is the PPE that takes it.
pub(crate) fn take_line(
    line: u64,
    but: Option<SpeId>,
    time: &mut Time,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    if but.is_some() {
        processors.ppe.memory.take_line(line);
        processors.ppe.lose_reservations(line);
    }
    for spe in &mut processors.spes {
        if Some(spe.id) != but && spe.atomic.invalidate(line) {
            raise(spe, event::LOCK_LINE, time, probes);
        }
    }
}

/// As [`take_line`] for a put, which costs its own SPE the reservation too, but raises no event there
/// (CBEA 8.4.3).
pub(crate) fn take_line_for_put(
    line: u64,
    own: SpeId,
    time: &mut Time,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    take_line(line, Some(own), time, processors, probes);
    processors.spe(own).atomic.invalidate(line);
}
