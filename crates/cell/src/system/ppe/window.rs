//! Loads and stores of the PPE to SPEs' windows.
//!
//! They travel over the bus like anything else, and are guarded: a store is posted, up to
//! `mmio_store_entries` of them, and a load waits until all stores have arrived.
//!
//! MODEL: a store is over when the PPE has an acknowledgement of it, for which loads and `sync` wait. What that takes
//! is known from two round trips with one store each.

use super::rules::decode;
use super::unit::Ppe;
use crate::ea::Target;
use crate::error::RunError;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::event::Event;
use crate::system::requests::Requests;
use crate::system::time::Time;

/// What is stored, right-aligned, and its width.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    pub bytes: u8,
    pub value: u64,
}

/// Loads from an SPE's window; the answer will come over the bus.  It may have to wait for stores.
///
/// # Errors
/// There is no such place, or no access like this.
pub(crate) fn load(
    thread: usize,
    ea: u64,
    bytes: u8,
    board: &Board,
    time: &mut Time,
    requests: &mut Requests,
    ppe: &mut Ppe<'_>,
) -> Result<(), RunError> {
    let target = decode(ea, bytes, board, time)?;
    if ppe.stores == 0 {
        ppe.threads[thread].loading = true;
        let request = Request { bytes, ..request(thread, RequestKind::Read, target, board) };
        send(request, board, time, requests);
    }
    Ok(())
}

/// Stores to an SPE's window; false if it has to wait for earlier stores.
///
/// # Errors
/// There is no such place, or no access like this.
pub(crate) fn store(
    thread: usize,
    ea: u64,
    word: Word,
    board: &Board,
    time: &mut Time,
    requests: &mut Requests,
    ppe: &mut Ppe<'_>,
) -> Result<bool, RunError> {
    let Word { bytes, value } = word;
    let target = decode(ea, bytes, board, time)?;
    let room = ppe.stores < board.machine.ppe.mmio_store_entries;
    if room {
        ppe.stores += 1;
        let core = &mut ppe.threads[thread].core;
        let issue = board.machine.ppe.mmio_issue_bus_cycles * time.ratio;
        core.time = core.time.max(time.now_in_spu_cycles()) + issue;
        let request = Request { bytes, value, ..request(thread, RequestKind::Write, target, board) };
        send(request, board, time, requests);
    }
    Ok(room)
}

/// Sends a `sync` over the bus: all units of all chips have seen it when it ends.
pub(crate) fn sync(thread: usize, board: &Board, time: &mut Time, requests: &mut Requests, ppe: &mut Ppe<'_>) {
    ppe.threads[thread].loading = true;
    send(request(thread, RequestKind::Sync, Target::Memory(0), board), board, time, requests);
}

fn request(thread: usize, kind: RequestKind, target: Target, board: &Board) -> Request {
    // It has no local store; the number of the thread stands in its address.
    let lsa = thread as u32;
    Request { kind, issuer: Issuer::Ppe, ramp: board.ppe_ramp, bytes: 0, lsa, target, value: 0 }
}

fn send(request: Request, board: &Board, time: &mut Time, requests: &mut Requests) {
    let id = requests.add(request);
    time.push(time.now() + board.machine.ppe.mmio_issue_bus_cycles, Event::Send(id));
}
