//! Coherence: looks up an ordered command's line in the caches of other units, and updates their copies.

use crate::atomic::LineState;
use crate::channel::event;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::processors::Processors;
use crate::system::processors::spe::Spe;
use crate::system::spe::wake::raise;
use crate::system::wires::Wires;
use crate::units::{RampIndex, SpeId};

/// The ramp of the unit that supplies the line instead of memory: an atomic unit or the PPE's L2 with a modified copy.
/// For a command other than a plain read, an atomic unit with any copy supplies the line.
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

/// Whether any unit other than this SPE has a copy of the line.
pub(crate) fn is_elsewhere(line: u64, own: SpeId, processors: &Processors<'_>) -> bool {
    let by_other = processors.spes.iter().any(|spe| spe.id != own && spe.atomic.state(line).is_some());
    by_other || processors.ppe.memory.state(line).is_some() || processors.ppe.reservations.contains(&Some(line))
}

/// Applies an ordered command to reservations and cached copies.
pub(crate) fn snoop(request: &Request, line: u64, processors: &mut Processors<'_>, wires: &mut Wires) {
    let Processors { spes, ppe, .. } = processors;
    if request.issuer == Issuer::Ppe {
        let shared = spes.iter().any(|spe| spe.atomic.state(line).is_some());
        ppe.memory.ordered(line, shared);
    }
    if request.takes_ownership() {
        match request.issuer {
            Issuer::Mfc(spe, _) => take_line_for_put(line, spe, processors, wires),
            Issuer::Atomic(spe) | Issuer::Castout(spe) => take_line(line, Some(spe), processors, wires),
            Issuer::Ppe | Issuer::Bif => take_line(line, None, processors, wires),
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

/// Invalidates a line, and reservations on it, in the PPE and in every atomic unit except that of `owner`.  Without an
/// `owner`, the PPE takes the line, and all atomic units lose the line.
pub(crate) fn take_line(line: u64, owner: Option<SpeId>, processors: &mut Processors<'_>, wires: &mut Wires) {
    if owner.is_some() {
        processors.ppe.memory.take_line(line);
        processors.ppe.lose_reservations(line);
    }
    for spe in &mut processors.spes {
        if Some(spe.id) != owner && spe.atomic.invalidate(line) {
            raise(spe, event::LOCK_LINE, wires);
        }
    }
}

/// Invalidates a line like [`take_line`], but for a `put`.  The SPE that issued the `put` also loses its reservation,
/// but receives no event (CBEA 8.4.3).
pub(crate) fn take_line_for_put(line: u64, own: SpeId, processors: &mut Processors<'_>, wires: &mut Wires) {
    take_line(line, Some(own), processors, wires);
    processors.spe(own).atomic.invalidate(line);
}
