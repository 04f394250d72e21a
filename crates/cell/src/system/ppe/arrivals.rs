//! Arrivals of the PPE's requests: stores at an SPE's window, the data of loads, and lines of memory.
use crate::door::PpeOp;
use crate::ea::Target;
use crate::error::RunError;
use crate::processor::State;
use crate::request::{Request, RequestKind};
use crate::system::event::Event;
use crate::system::processors::Processors;
use crate::system::processors::ppe::Ppe;
use crate::system::spe::registers;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::system::wires::Wires;
use crate::units::{LINE_BYTES, NEVER, THREADS_PER_PPE};

/// Handles the arrival of a store at an SPE's window, or of a load's data.
///
/// # Errors
/// There is no such register, or the access issues a command that breaks a rule.
pub(crate) fn deliver(
    chip: u8,
    request: &Request,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Result<(), RunError> {
    let (n, thread) = (usize::from(request.bytes), request.lsa as usize);
    match (request.kind, request.target) {
        (RequestKind::Write, Target::Register(spe, offset)) => {
            registers::write(processors.spe(spe), offset, request.value as u32, wires)?;
        }
        (RequestKind::Write, Target::LocalStore(spe, offset)) => {
            let bytes = request.value.to_be_bytes();
            processors.spe(spe).local_store.write(u64::from(offset), &bytes[8 - n..]);
        }
        (_, Target::Register(spe, offset)) => {
            let value = registers::read(processors.spe(spe), offset, wires)?;
            loaded(thread, u64::from(value), processors.ppe(chip), &mut wires.time);
        }
        (_, Target::LocalStore(spe, offset)) => {
            let bytes = processors.spe(spe).local_store.bytes(u64::from(offset), n);
            loaded(thread, big_endian(&bytes), processors.ppe(chip), &mut wires.time);
        }
        (_, Target::Memory(_)) => (),
    }
    if request.kind == RequestKind::Write {
        wires
            .time
            .push(wires.time.now() + wires.board.machine.ppe.mmio_acknowledge_bus_cycles, Event::Acknowledged(chip));
    }
    Ok(())
}

/// The PPE receives the acknowledgement of a store to an SPE's window.
pub(crate) fn acknowledged(ppe: &mut Ppe<'_>, time: &mut Time) {
    ppe.stores -= 1;
    (0..THREADS_PER_PPE).for_each(|thread| retry_thread(thread, ppe, time));
}

/// A request of the PPE is complete.
pub(crate) fn complete(request: &Request, ppe: &mut Ppe<'_>, time: &mut Time) {
    match (request.kind, request.target) {
        (RequestKind::Sync, _) => loaded(request.lsa as usize, 0, ppe, time),
        (RequestKind::Write, _) => (),
        // The line of a load has reached the L2, or a claim has been granted.
        (_, Target::Memory(address)) => {
            ppe.memory.arrived(address / LINE_BYTES, time.now_in_spu_cycles());
            time.wake(Unit::Ppe(ppe.chip), time.now() + 1);
        }
        _ => (),
    }
}

/// A thread's load has returned its value.
fn loaded(thread: usize, value: u64, ppe: &mut Ppe<'_>, time: &mut Time) {
    let unit = Unit::Ppe(ppe.chip);
    let thread = &mut ppe.threads[thread];
    thread.loading = false;
    thread.value = value;
    thread.core.time = time.now_in_spu_cycles();
    if !matches!(thread.core.state, State::Blocked(PpeOp::Syscall(_))) {
        thread.core.state = State::Ready(value);
    }
    time.wake(unit, time.now());
}

/// A store has arrived: a thread that waited for earlier stores retries its operation.
fn retry_thread(thread: usize, ppe: &mut Ppe<'_>, time: &mut Time) {
    let (unit, walks) = (Unit::Ppe(ppe.chip), ppe.memory.walks(thread));
    let thread = &mut ppe.threads[thread];
    if thread.loading {
        return;
    }
    if let State::Blocked(op @ (PpeOp::Load { .. } | PpeOp::Store { .. } | PpeOp::Sync)) = thread.core.state
        && !walks
    {
        thread.core.state = State::Asked(op);
        thread.core.time = thread.core.time.max(time.now_in_spu_cycles());
        time.wake(unit, time.now());
    } else if !thread.kernel.is_empty() && time.wakes_at(unit) == NEVER {
        time.wake(unit, time.now());
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
