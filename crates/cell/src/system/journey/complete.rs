//! A request is complete, and returns to the unit that issued it.
use crate::system::wires::Wires;

use super::{link, response};
use crate::ea::Target;
use crate::mfc::Returned;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::store::Store;
use crate::system::memory::Memory;
use crate::system::ppe::arrivals;
use crate::system::processors::Processors;
use crate::system::processors::spe::Spe;
use crate::system::spe::{commands, lock_lines, wake};
use crate::units::{BusCycle, EntryId, LINE_BYTES};

/// A request is complete.
#[inline(always)]
pub(crate) fn complete(id: RequestId, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) {
    let request = wires.bus.requests.get(id);
    let (issuer, kind) = (request.issuer, request.kind);
    if kind == RequestKind::Claim || wires.board.is_global(request) {
        complete_rarely(id, memory, processors, wires);
    }
    wires.probes.traced(|trace| trace.request_done(id, wires.time.now()));
    match issuer {
        Issuer::Mfc(spe, entry) => return_to_mfc(id, kind, processors.spe(spe), entry, wires),
        Issuer::Atomic(spe) => lock_lines::completed(processors.spe(spe), wires),
        Issuer::Ppe(chip) => arrivals::complete(wires.bus.requests.get(id), processors.ppe(chip), &mut wires.time),
        Issuer::Castout(_) | Issuer::Bif => (),
    }
    wires.bus.requests.remove(id);
}

/// Handles the rare steps at the end of a request: if both chips have seen its command, and at the end of a claim.
#[inline(never)]
fn complete_rarely(id: RequestId, memory: &mut Memory, processors: &mut Processors<'_>, wires: &mut Wires) {
    let request = *wires.bus.requests.get(id);
    link::release_slot(&request, wires);
    // A request that the interface forwards sends no command, so it holds no credit.
    if request.issuer != Issuer::Bif && wires.board.is_global(&request) {
        response::return_credit(request.ramp, processors, wires);
    }
    if let Issuer::Mfc(..) = request.issuer {
        claim_as_zeros(&request, &mut memory.store);
    }
}

/// Carries out `sdcrz`, which fills the claimed line with zeros.
fn claim_as_zeros(request: &Request, store: &mut Store) {
    if let (RequestKind::Claim, Target::Memory(address)) = (request.kind, request.target) {
        store.write(address, &[0; LINE_BYTES as usize][..usize::from(request.bytes)]);
    }
}

/// Time from the arrival of a command's last data until the unit learns of it, if they went to memory; otherwise 0.
///
/// MODEL: on a PlayStation 3, a `put` is complete for its unit `mic.write_complete_bus_cycles` after its last data have
/// arrived, however long its writes then wait for DRAM. The delay is about a row cycle and the way back. Silicon might
/// wait until DRAM has the lines, but then reads that never pause would delay a `put` without end.
fn acknowledged_after(id: RequestId, kind: RequestKind, wires: &Wires) -> BusCycle {
    let request = wires.bus.requests.get(id);
    let is_to_memory = matches!(request.target, Target::Memory(_)) && !wires.board.crosses(request);
    if kind == RequestKind::Write && is_to_memory { wires.board.machine.mic.write_complete_bus_cycles } else { 0 }
}

#[inline(always)]
fn return_to_mfc(id: RequestId, kind: RequestKind, spe: &mut Spe<'_>, entry: EntryId, wires: &mut Wires) {
    let was_full = spe.mfc.is_full(kind == RequestKind::Read, &wires.board.machine.mfc);
    wires.probes.occupancy.mfc(spe.id).outstanding.leave(wires.time.now());
    match spe.mfc.returned(entry) {
        Returned::Pending => (),
        Returned::Ended => commands::end_soon(spe.id, entry, acknowledged_after(id, kind, wires), wires),
        Returned::Stalled(tag) => commands::list_stalled(spe, tag, wires),
    }
    if was_full {
        wake::wake_dmac(spe, wires);
    }
}
