//! Loads and stores of the PPE to SPEs' windows.
//!
//! The accesses travel over the bus like other requests, and in program order. Up to `mmio_store_entries` stores are
//! posted; a load waits until all stores have arrived.
//!
//! MODEL: a store is complete when the PPE has received its acknowledgement. Loads and `sync` wait for all
//! acknowledgements. The duration of the acknowledgement is derived from two measured round trips with one store each.

use super::rules::decode;
use crate::ea::Target;
use crate::error::RunError;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::event::Event;
use crate::system::processors::ppe::Ppe;
use crate::system::wires::Wires;

/// The value of a store, right-aligned, and its width.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    pub bytes: u8,
    pub value: u64,
}

/// Issues a load from an SPE's window, unless stores are in flight. The value returns over the bus.
///
/// # Errors
/// Nothing is mapped at the address, or the mapping does not allow this access.
pub(crate) fn load(thread: usize, ea: u64, bytes: u8, ppe: &mut Ppe<'_>, wires: &mut Wires) -> Result<(), RunError> {
    let target = decode(ea, bytes, wires)?;
    if ppe.stores == 0 {
        ppe.threads[thread].loading = true;
        let request = Request { bytes, ..request(thread, RequestKind::Read, target, (ppe.chip, &wires.board)) };
        send_later(request, wires);
    }
    Ok(())
}

/// Issues a store to an SPE's window. Returns false if the store must wait for earlier stores.
///
/// # Errors
/// Nothing is mapped at the address, or the mapping does not allow this access.
pub(crate) fn store(
    thread: usize,
    ea: u64,
    word: Word,
    ppe: &mut Ppe<'_>,
    wires: &mut Wires,
) -> Result<bool, RunError> {
    let Word { bytes, value } = word;
    let target = decode(ea, bytes, wires)?;
    let room = ppe.stores < wires.board.machine.ppe.mmio_store_entries;
    if room {
        ppe.stores += 1;
        let core = &mut ppe.threads[thread].core;
        let issue = wires.board.machine.ppe.mmio_issue_bus_cycles * wires.time.ratio;
        core.time = core.time.max(wires.time.now_in_spu_cycles()) + issue;
        let request = Request { bytes, value, ..request(thread, RequestKind::Write, target, (ppe.chip, &wires.board)) };
        send_later(request, wires);
    }
    Ok(room)
}

/// Sends a `sync` over the bus. When the `sync` ends, all units of all chips have seen it.
pub(crate) fn sync(thread: usize, ppe: &mut Ppe<'_>, wires: &mut Wires) {
    ppe.threads[thread].loading = true;
    send_later(request(thread, RequestKind::Sync, Target::Memory(0), (ppe.chip, &wires.board)), wires);
}

fn request(thread: usize, kind: RequestKind, target: Target, (chip, board): (u8, &Board)) -> Request {
    // The PPE has no local store, so the local-store address field contains the thread's number.
    let lsa = thread as u32;
    Request { kind, issuer: Issuer::Ppe(chip), ramp: board.ppe_ramp(chip), bytes: 0, lsa, target, value: 0, retries: 0 }
}

/// Schedules a request to be sent after the PPE's issue time.
fn send_later(request: Request, wires: &mut Wires) {
    let id = wires.bus.requests.add(request);
    wires.time.push(wires.time.now() + wires.board.machine.ppe.mmio_issue_bus_cycles, Event::Send(id));
}
