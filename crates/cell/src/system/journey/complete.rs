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
pub(crate) fn complete(
    id: RequestId,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) {
    let (request, now) = (bus.requests.remove(id), time.now());
    probes.traced(|trace| trace.request_done(id, now));
    link::give_place(&request, board, time, bus, probes);
    // What the interface carries on has no command of its own.
    if request.issuer != Issuer::Bif && board.is_global(&request) {
        command::give_back_credit(request.ramp, board, time, bus, processors);
    }
    match request.issuer {
        Issuer::Mfc(spe, entry) => {
            claim_as_zeros(&request, &mut memory.store);
            return_to_mfc(&request, processors.spe(spe), entry, board, time, bus, probes);
        }
        Issuer::Atomic(spe) => lock_lines::completed(processors.spe(spe), board, time, probes),
        Issuer::Ppe => arrivals::complete(&request, time, &mut processors.ppe),
        Issuer::Castout(_) | Issuer::Bif => (),
    }
}

/// `sdcrz`: the line is claimed and becomes zero.
fn claim_as_zeros(request: &Request, store: &mut Store) {
    if let (RequestKind::Claim, Target::Memory(address)) = (request.kind, request.target) {
        store.write(address, &[0; LINE_BYTES as usize][..usize::from(request.bytes)]);
    }
}

fn return_to_mfc(
    request: &Request,
    spe: &mut Spe<'_>,
    entry: EntryId,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) {
    let is_read = request.kind == RequestKind::Read;
    let was_full = spe.mfc.is_full(is_read, &board.machine.mfc);
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
