//! Coherence: looks up an ordered command's line in the caches of other units, and updates their copies.

use crate::atomic::LineState;
use crate::bits::bits;
use crate::channel::event;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::processors::Processors;
use crate::system::processors::ppe::Ppe;
use crate::system::processors::spe::Spe;
use crate::system::spe::wake::raise;
use crate::system::wires::Wires;
use crate::units::{RampIndex, SpeId};

/// The ramp of the unit that supplies the line instead of memory: an atomic unit or the PPE's L2 with a modified copy.
/// For a command other than a plain read, an atomic unit with any copy supplies the line.
pub(crate) fn holder(request: &Request, line: u64, wires: &Wires, processors: &Processors<'_>) -> Option<RampIndex> {
    let any_copy = request.kind != RequestKind::Read;
    let holds = |spe: &&Spe<'_>| {
        let state = spe.atomic.state(line);
        spe.ramp != request.ramp && (state == Some(LineState::Modified) || any_copy && state.is_some())
    };
    let l2 = || {
        let ramps = processors.ppes.iter().map(|ppe| (wires.board.ppe_ramp(ppe.chip), ppe));
        let mut others = ramps.filter(|(ramp, _)| *ramp != request.ramp);
        others.find(|(_, ppe)| ppe.memory.state(line) == Some(LineState::Modified)).map(|(ramp, _)| ramp)
    };
    let mut spes = bits(wires.bus.snooping_spes).map(|spe| &processors.spes[usize::from(spe)]);
    spes.find(holds).map(|spe| spe.ramp).or_else(l2)
}

/// Whether any unit other than this SPE has a copy of the line.
pub(crate) fn is_elsewhere(line: u64, own: SpeId, processors: &Processors<'_>) -> bool {
    let by_other = processors.spes.iter().any(|spe| spe.id != own && spe.atomic.state(line).is_some());
    let in_l2 = |ppe: &Ppe<'_>| ppe.memory.state(line).is_some() || ppe.reservations.contains(&Some(line));
    by_other || processors.ppes.iter().any(in_l2)
}

/// Applies an ordered command to reservations and cached copies.
pub(crate) fn snoop(request: &Request, line: u64, processors: &mut Processors<'_>, wires: &mut Wires) {
    let Processors { spes, ppes, .. } = processors;
    if let Issuer::Ppe(chip) = request.issuer {
        let by_spe = spes.iter().any(|spe| spe.atomic.state(line).is_some());
        let by_ppe = ppes.iter().any(|ppe| ppe.chip != chip && ppe.memory.state(line).is_some());
        ppes[usize::from(chip)].memory.ordered(line, by_spe || by_ppe);
    }
    if request.takes_ownership() {
        match request.issuer {
            Issuer::Mfc(spe, _) => take_line_for_put(line, spe, processors, wires),
            Issuer::Atomic(spe) | Issuer::Castout(spe) => take_line(line, Owner::Spe(spe), processors, wires),
            Issuer::Ppe(chip) => take_line(line, Owner::Ppe(chip), processors, wires),
            // The interface between the chips issues no such commands.
            Issuer::Bif => (),
        }
    } else {
        for spe in bits(wires.bus.snooping_spes) {
            let spe = &mut spes[usize::from(spe)];
            if spe.ramp != request.ramp {
                spe.atomic.snoop_read(line);
            }
        }
        for ppe in ppes.iter_mut().filter(|ppe| request.issuer != Issuer::Ppe(ppe.chip)) {
            ppe.memory.snoop_read(line);
        }
    }
}

/// The unit that takes a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The atomic unit of an SPE.
    Spe(SpeId),
    /// The L2 of a chip's PPE.
    Ppe(u8),
}

/// Invalidates a line, and reservations on it, in every PPE and every atomic unit except that of `owner`.
pub(crate) fn take_line(line: u64, owner: Owner, processors: &mut Processors<'_>, wires: &mut Wires) {
    for ppe in processors.ppes.iter_mut().filter(|ppe| owner != Owner::Ppe(ppe.chip)) {
        ppe.memory.take_line(line);
        ppe.lose_reservations(line);
    }
    for spe in bits(wires.bus.snooping_spes) {
        let spe = processors.spe(SpeId(spe));
        if owner != Owner::Spe(spe.id) && spe.atomic.invalidate(line) {
            raise(spe, event::LOCK_LINE, wires);
        }
    }
}

/// Invalidates a line, and all reservations on it, for a `put` of an SPE.
///
/// MODEL: an SPE that puts to the line of its own reservation gets a lock-line event. The CBEA (8.4.3) says that the SPE
/// loses its reservation without an event. On a console, the event occurred (myps3tests, "atomic reservations tests"),
/// and we follow the console.
pub(crate) fn take_line_for_put(line: u64, own: SpeId, processors: &mut Processors<'_>, wires: &mut Wires) {
    take_line(line, Owner::Spe(own), processors, wires);
    let spe = processors.spe(own);
    if spe.atomic.invalidate(line) {
        raise(spe, event::LOCK_LINE, wires);
    }
}
