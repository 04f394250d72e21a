//! What comes to the PPE over the bus, or ends there: its stores at SPEs' windows, loads, lines.

use super::unit::Ppe;
use crate::door::PpeOp;
use crate::ea::Target;
use crate::error::RunError;
use crate::ppe::THREADS;
use crate::processor::State;
use crate::request::{Request, RequestKind};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::Event;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::registers;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{LINE_BYTES, NEVER};

/// A PPE store to an SPE's window has arrived, or a load's data have.
///
/// # Errors
/// There is no such register, or the command that its access gives breaks a rule.
pub(crate) fn deliver(
    request: &Request,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Result<(), RunError> {
    let (n, thread) = (usize::from(request.bytes), request.lsa as usize);
    match (request.kind, request.target) {
        (RequestKind::Write, Target::Register(spe, offset)) => {
            registers::write(processors.spe(spe), offset, request.value as u32, board, time, probes)?;
        }
        (RequestKind::Write, Target::LocalStore(spe, offset)) => {
            let bytes = request.value.to_be_bytes();
            processors.spe(spe).local_store.write(u64::from(offset), &bytes[8 - n..]);
        }
        (_, Target::Register(spe, offset)) => {
            let value = registers::read(processors.spe(spe), offset, board, time, bus, probes)?;
            loaded(thread, u64::from(value), time, &mut processors.ppe);
        }
        (_, Target::LocalStore(spe, offset)) => {
            let bytes = processors.spe(spe).local_store.bytes(u64::from(offset), n);
            loaded(thread, big_endian(&bytes), time, &mut processors.ppe);
        }
        (_, Target::Memory(_)) => (),
    }
    if request.kind == RequestKind::Write {
        time.push(time.now() + board.machine.ppe.mmio_acknowledge_bus_cycles, Event::Acknowledged);
    }
    Ok(())
}

/// The PPE knows that a store to an SPE's window has arrived.
pub(crate) fn acknowledged(time: &mut Time, ppe: &mut Ppe<'_>) {
    ppe.stores -= 1;
    (0..THREADS).for_each(|thread| stores_arrived(thread, time, ppe));
}

/// A request of the PPE has done its work.
pub(crate) fn complete(request: &Request, time: &mut Time, ppe: &mut Ppe<'_>) {
    match (request.kind, request.target) {
        (RequestKind::Sync, _) => loaded(request.lsa as usize, 0, time, ppe),
        (RequestKind::Write, _) => (),
        // A line has come for the L2, or a claim has been granted.
        (_, Target::Memory(address)) => {
            ppe.memory.arrived(address / LINE_BYTES, time.now_in_spu_cycles());
            time.wake(Unit::Ppe, time.now() + 1);
        }
        _ => (),
    }
}

fn loaded(thread: usize, value: u64, time: &mut Time, ppe: &mut Ppe<'_>) {
    let thread = &mut ppe.threads[thread];
    thread.loading = false;
    thread.value = value;
    thread.core.time = time.now_in_spu_cycles();
    if !matches!(thread.core.state, State::Blocked(PpeOp::Syscall(_))) {
        thread.core.state = State::Ready(value);
    }
    time.wake(Unit::Ppe, time.now());
}

/// What waited for earlier stores tries again.
fn stores_arrived(thread: usize, time: &mut Time, ppe: &mut Ppe<'_>) {
    let walks = ppe.memory.walks(thread);
    let thread = &mut ppe.threads[thread];
    if thread.loading {
        return;
    }
    if let State::Blocked(op @ (PpeOp::Load { .. } | PpeOp::Store { .. } | PpeOp::Sync)) = thread.core.state
        && !walks
    {
        thread.core.state = State::Asked(op);
        thread.core.time = thread.core.time.max(time.now_in_spu_cycles());
        time.wake(Unit::Ppe, time.now());
    } else if !thread.kernel.is_empty() && time.wakes_at(Unit::Ppe) == NEVER {
        time.wake(Unit::Ppe, time.now());
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
