//! A request has done its work, and goes back to the unit that issued it.

use super::{command, link};
use crate::ea::Target;
use crate::mfc::Returned;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::store::Store;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::memory::Memory;
use crate::system::ppe::arrivals;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::unit::Spe;
use crate::system::spe::{commands, lock_lines, wake};
use crate::system::time::Time;
use crate::units::{EntryId, LINE_BYTES};

/// A request has done its work.
#[inline(always)]
pub(crate) fn complete(
    id: RequestId,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    let request = bus.requests.get(id);
    let (issuer, kind) = (request.issuer, request.kind);
    if board.chips() > 1 || kind == RequestKind::Claim {
        complete_rarely(id, board, time, bus, memory, processors, probes);
    }
    probes.traced(|trace| trace.request_done(id, time.now()));
    match issuer {
        Issuer::Mfc(spe, entry) => return_to_mfc(kind, processors.spe(spe), entry, board, time, bus, probes),
        Issuer::Atomic(spe) => lock_lines::completed(processors.spe(spe), board, time, probes),
        Issuer::Ppe => arrivals::complete(bus.requests.get(id), time, &mut processors.ppe),
        Issuer::Castout(_) | Issuer::Bif => (),
    }
    bus.requests.remove(id);
}

/// What a request does at its end on a machine of two chips, or as a claim of a line.
#[inline(never)]
fn complete_rarely(
    id: RequestId,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    let request = *bus.requests.get(id);
    link::give_place(&request, board, time, bus, probes);
    // What the interface carries on has no command of its own.
    if request.issuer != Issuer::Bif && board.is_global(&request) {
        command::give_back_credit(request.ramp, board, time, bus, processors);
    }
    if let Issuer::Mfc(..) = request.issuer {
        claim_as_zeros(&request, &mut memory.store);
    }
}

/// `sdcrz`: the line is claimed and becomes zero.
fn claim_as_zeros(request: &Request, store: &mut Store) {
    if let (RequestKind::Claim, Target::Memory(address)) = (request.kind, request.target) {
        store.write(address, &[0; LINE_BYTES as usize][..usize::from(request.bytes)]);
    }
}

#[inline(always)]
fn return_to_mfc(
    kind: RequestKind,
    spe: &mut Spe<'_>,
    entry: EntryId,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) {
    let was_full = spe.mfc.is_full(kind == RequestKind::Read, &board.machine.mfc);
    probes.occupancy.mfc(spe.id).outstanding.leave(time.now());
    match spe.mfc.returned(entry) {
        Returned::Pending => (),
        Returned::Ended => commands::end_soon(spe.id, entry, board, time),
        Returned::Stalled(tag) => commands::list_stalled(spe, tag, time, probes),
    }
    if was_full {
        wake::wake_dmac(spe, board, time, bus);
    }
}
