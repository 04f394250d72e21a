//! A request is complete, and returns to the unit that issued it.
use crate::system::wires::Wires;

use super::{link, response};
use crate::ea::Target;
use crate::mfc::Returned;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::store::Store;
use crate::system::event::Event;
use crate::system::memory::Memory;
use crate::system::ppe::arrivals;
use crate::system::processors::Processors;
use crate::system::processors::spe::Spe;
use crate::system::spe::{commands, lock_lines, wake};
use crate::units::{EntryId, LINE_BYTES};

/// Whether a request whose data have arrived is a `put` to memory that is complete only later.
///
/// MODEL: on a PlayStation 3, a `put` is complete for its unit `mic.write_complete_bus_cycles` after its data have
/// arrived, however long its write then waits for DRAM. The delay is about a row cycle and the way back. Silicon might
/// wait until DRAM has the line, but then reads that never pause would delay a `put` without end.
#[inline(always)]
pub(crate) fn is_complete_later(id: RequestId, wires: &mut Wires) -> bool {
    wires.board.machine.mic.write_complete_bus_cycles > 0 && postpone_put(id, wires)
}

#[inline(never)]
fn postpone_put(id: RequestId, wires: &mut Wires) -> bool {
    let request = wires.bus.requests.get(id);
    let is_put = matches!(request.issuer, Issuer::Mfc(..)) && request.kind == RequestKind::Write;
    let is_to_memory = matches!(request.target, Target::Memory(_)) && !wires.board.crosses(request);
    if is_put && is_to_memory {
        let at = wires.time.now() + wires.board.machine.mic.write_complete_bus_cycles;
        wires.time.push(at, Event::Written(id));
    }
    is_put && is_to_memory
}

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
        Issuer::Mfc(spe, entry) => return_to_mfc(kind, processors.spe(spe), entry, wires),
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

#[inline(always)]
fn return_to_mfc(kind: RequestKind, spe: &mut Spe<'_>, entry: EntryId, wires: &mut Wires) {
    let was_full = spe.mfc.is_full(kind == RequestKind::Read, &wires.board.machine.mfc);
    wires.probes.occupancy.mfc(spe.id).outstanding.leave(wires.time.now());
    match spe.mfc.returned(entry) {
        Returned::Pending => (),
        Returned::Ended => commands::end_soon(spe.id, entry, wires),
        Returned::Stalled(tag) => commands::list_stalled(spe, tag, wires),
    }
    if was_full {
        wake::wake_dmac(spe, wires);
    }
}
