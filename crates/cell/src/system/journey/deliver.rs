//! Data have arrived: here, and only here, bytes move.
//!
//! MODEL: the bytes of a line move in one piece and at one moment, when they arrive; silicon reads them
//! some cycles before.

use super::{link, memory, snoop};
use crate::ea::Target;
use crate::error::RunError;
use crate::request::{Issuer, RequestId, RequestKind};
use crate::store;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::memory::Memory;
use crate::system::ppe::arrivals;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::registers;
use crate::system::spe::unit::Spe;
use crate::system::time::Time;
use crate::units::{LINE_BYTES, SpeId};

/// A request's data have arrived.
///
/// # Errors
/// There is no such register, or a command that a register's access gives breaks a rule.
#[inline(always)]
pub(crate) fn deliver(
    id: RequestId,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Result<(), RunError> {
    bus.requests.end_visit(id, time.now());
    let request = *bus.requests.get(id);
    let (lsa, n) = (u64::from(request.lsa), usize::from(request.bytes));
    match (request.issuer, request.kind, request.target) {
        (Issuer::Castout(_) | Issuer::Bif, _, Target::Memory(address))
        | (Issuer::Ppe, RequestKind::Write, Target::Memory(address)) => {
            reach_memory(id, address, board, time, bus, memory, probes);
        }
        (Issuer::Ppe, _, Target::Memory(_)) => (),
        (Issuer::Mfc(spe, _), RequestKind::Write, Target::Memory(address)) => {
            store::copy(&processors.spe(spe).local_store, lsa, &mut memory.store, address, n);
            // A copy that was taken since the put was ordered has the old bytes.
            snoop::take_line_for_put(address / LINE_BYTES, spe, time, processors, probes);
            reach_memory(id, address, board, time, bus, memory, probes);
        }
        (Issuer::Mfc(spe, _), RequestKind::Write, Target::LocalStore(to, offset)) => {
            copy_local(&mut processors.spes, (spe, lsa), (to, u64::from(offset)), n);
        }
        (Issuer::Mfc(spe, _), RequestKind::Write, Target::Register(to, offset)) => {
            let value = processors.spe(spe).local_store.read_u32(lsa);
            registers::write(processors.spe(to), offset, value, board, time, probes)?;
        }
        (
            Issuer::Mfc(spe, _) | Issuer::Atomic(spe),
            RequestKind::Read | RequestKind::ReadLine,
            Target::Memory(address),
        ) => store::copy(&memory.store, address, &mut processors.spe(spe).local_store, lsa, n),
        (Issuer::Mfc(spe, _), _, Target::LocalStore(from, offset)) => {
            copy_local(&mut processors.spes, (from, u64::from(offset)), (spe, lsa), n);
        }
        (Issuer::Mfc(spe, _), _, Target::Register(from, offset)) => {
            let value = registers::read(processors.spe(from), offset, board, time, bus, probes)?;
            processors.spe(spe).local_store.write_u32(lsa, value);
        }
        (Issuer::Ppe, ..) => arrivals::deliver(&request, board, time, bus, processors, probes)?,
        (Issuer::Mfc(..) | Issuer::Atomic(_) | Issuer::Castout(_) | Issuer::Bif, ..) => (),
    }
    probes.moved(&request);
    Ok(())
}

/// Memory takes what was written to it, or the interface does on the way there.
fn reach_memory(
    id: RequestId,
    address: u64,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    probes: &mut Probes,
) {
    let request = bus.requests.get(id);
    if request.issuer != Issuer::Bif && board.crosses(request) {
        link::carry_on(id, board, time, bus, probes);
    } else {
        memory::write(address, request.bytes, board, time, memory);
    }
}

/// Copies `n` bytes from a place in one local store to a place in another.
#[inline(always)]
fn copy_local(spes: &mut [Spe<'_>], (from, source): (SpeId, u64), (to, target): (SpeId, u64), n: usize) {
    let (from, to) = (usize::from(from.0), usize::from(to.0));
    match spes.get_disjoint_mut([from, to]) {
        Ok([from, to]) => store::copy(&from.local_store, source, &mut to.local_store, target, n),
        // An SPE may well name its own local store.
        Err(_) => {
            let bytes = spes[from].local_store.bytes(source, n);
            spes[to].local_store.write(target, &bytes);
        }
    }
}
