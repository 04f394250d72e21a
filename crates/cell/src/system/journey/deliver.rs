//! Data have arrived. This module is the only place where bytes move.
//!
//! MODEL: all bytes of a line move at the moment when the line arrives. Silicon reads the bytes some cycles earlier.
use crate::system::wires::Wires;

use super::{link, memory};
use crate::ea::Target;
use crate::error::RunError;
use crate::request::{Issuer, RequestId, RequestKind};
use crate::store;
use crate::system::memory::Memory;
use crate::system::ppe::arrivals;
use crate::system::processors::Processors;
use crate::system::processors::spe::Spe;
use crate::system::snoop;
use crate::system::spe::registers;
use crate::units::{LINE_BYTES, SpeId};

/// A request's data have arrived.
///
/// # Errors
/// There is no such register, or the access to a register issues a command that breaks a rule.
#[inline(always)]
pub(crate) fn deliver(
    id: RequestId,
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Result<(), RunError> {
    wires.bus.requests.end_visit(id, wires.time.now());
    let request = *wires.bus.requests.get(id);
    let (lsa, n) = (u64::from(request.lsa), usize::from(request.bytes));
    match (request.issuer, request.kind, request.target) {
        (Issuer::Castout(_) | Issuer::Bif, _, Target::Memory(address))
        | (Issuer::Ppe(_), RequestKind::Write, Target::Memory(address)) => {
            reach_memory(id, address, memory, wires);
        }
        (Issuer::Ppe(_), _, Target::Memory(_)) => (),
        (Issuer::Mfc(spe, _), RequestKind::Write, Target::Memory(address)) => {
            store::copy(&processors.spe(spe).local_store, lsa, &mut memory.store, address, n);
            // Cached copies that were made after the `put` was ordered contain the old bytes.
            snoop::take_line_for_put(address / LINE_BYTES, spe, processors, wires);
            reach_memory(id, address, memory, wires);
        }
        (Issuer::Mfc(spe, _), RequestKind::Write, Target::LocalStore(to, offset)) => {
            copy_local(&mut processors.spes, (spe, lsa), (to, u64::from(offset)), n);
        }
        (Issuer::Mfc(spe, _), RequestKind::Write, Target::Register(to, offset)) => {
            let value = processors.spe(spe).local_store.read_u32(lsa);
            registers::write(processors.spe(to), offset, value, wires)?;
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
            let value = registers::read(processors.spe(from), offset, wires)?;
            processors.spe(spe).local_store.write_u32(lsa, value);
        }
        (Issuer::Ppe(chip), ..) => arrivals::deliver(chip, &request, processors, wires)?,
        (Issuer::Mfc(..) | Issuer::Atomic(_) | Issuer::Castout(_) | Issuer::Bif, ..) => (),
    }
    wires.probes.moved(&request);
    Ok(())
}

/// The data of a write reach the memory of this chip or, for memory of the other chip, the interface between the chips.
fn reach_memory(id: RequestId, address: u64, memory: &mut Memory, wires: &mut Wires) {
    let request = wires.bus.requests.get(id);
    if request.issuer != Issuer::Bif && wires.board.crosses(request) {
        link::forward(id, wires);
    } else {
        memory::write(id, address, memory, wires);
    }
}

/// Copies `n` bytes from one local store to another.
#[inline(always)]
fn copy_local(spes: &mut [Spe<'_>], (from, source): (SpeId, u64), (to, target): (SpeId, u64), n: usize) {
    let (from, to) = (usize::from(from.0), usize::from(to.0));
    match spes.get_disjoint_mut([from, to]) {
        Ok([from, to]) => store::copy(&from.local_store, source, &mut to.local_store, target, n),
        // An SPE may access its own local store over the bus.
        Err(_) => {
            let bytes = spes[from].local_store.bytes(source, n);
            spes[to].local_store.write(target, &bytes);
        }
    }
}
