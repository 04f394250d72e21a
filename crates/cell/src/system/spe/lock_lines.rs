//! Lock-line commands: `getllar`, `putllc`, `putlluc` and `putqlluc` in the atomic unit.
//!
//! ```text
//!   channel ── give ─────────┐                     hit
//!                            ├─> begin ─> look_up ────────────────────────────┬─> finish ─> end
//!   queue ── begin_queued ───┘              │ miss                            │
//!                                           └──> bus ─> ordered ─> completed ─┘
//! ```
use crate::system::wires::Wires;

use super::commands;
use super::wake::unblock;
use crate::atomic::{AtomicUnit, LineState, Pending};
use crate::channel::Channel;
use crate::command::{Action, Command, DmaFault};
use crate::ea::Target;
use crate::page_table::AccessKind;
use crate::request::{Issuer, Request, RequestKind};
use crate::store::{self, Store};
use crate::system::board::Board;
use crate::system::event::Event;
use crate::system::processors::Processors;
use crate::system::processors::spe::Spe;
use crate::units::{BusCycle, EntryId, LINE_BYTES};

/// `MFC_RdAtomicStat` values (`spu_mfcio.h`).
const PUTLLC_FAILED: u32 = 1;
const PUTLLUC_DONE: u32 = 2;
const GETLLAR_DONE: u32 = 4;

/// Takes an immediate lock-line command from the channel. Returns false if the channel must stall: another lock-line
/// command is in progress, or the queue is full.
///
/// # Errors
/// The line is not in main memory.
pub(crate) fn give(spe: &mut Spe<'_>, action: Action, command: Command, wires: &mut Wires) -> Result<bool, DmaFault> {
    let line = line_of(spe, &command, &wires.board)?;
    if spe.atomic.pending.is_some() || spe.mfc.spu_queue.free() == 0 {
        return Ok(false);
    }
    wires.probes.traced(|trace| trace.given(spe.id, None, &command, None, wires.time.now()));
    spe.channels.atomic_status = None;
    let lsa = line_in_local_store(&command, &wires.board);
    let now = wires.time.now();
    let translated_at = spe.mfc.mmu.available_at(command.ea, false, now, &wires.board.machine);
    begin(spe, Pending { action, line, lsa, entry: None, succeeded: false }, translated_at, wires);
    Ok(true)
}

/// The line of a lock-line command. The low bits of the command's addresses are ignored, because a lock line is
/// aligned (CBEA 7.8).
///
/// # Errors
/// The line is not in main memory.
pub(crate) fn line_of(spe: &Spe<'_>, command: &Command, board: &Board) -> Result<u64, DmaFault> {
    let ea = command.ea & !(LINE_BYTES - 1);
    match spe.mfc.mmu.region(ea, AccessKind::Store, &board.machine) {
        Ok((Target::Memory(address), left)) if left >= LINE_BYTES => Ok(address / LINE_BYTES),
        Err(bad) if spe.mfc.mmu.pages.is_some() => Err(DmaFault::Storage(bad)),
        _ => Err(DmaFault::NoLockLine(ea)),
    }
}

/// The local-store address of the line.
fn line_in_local_store(command: &Command, board: &Board) -> u32 {
    command.local_store_address(&board.machine.mfc) & !(LINE_BYTES as u32 - 1)
}

/// Begins a `putqlluc` that the queue has selected, or makes the command wait until the atomic unit is idle.
///
/// # Errors
/// The line is no longer in main memory.
pub(crate) fn begin_queued(spe: &mut Spe<'_>, entry: EntryId, wires: &mut Wires) -> Result<(), DmaFault> {
    let command = &spe.mfc.queue(entry.proxy).entry(entry.index).command;
    let pending = Pending {
        action: Action::PutQlluc,
        line: line_of(spe, command, &wires.board)?,
        lsa: line_in_local_store(command, &wires.board),
        entry: Some(entry),
        succeeded: false,
    };
    if spe.atomic.pending.is_some() {
        spe.atomic.queued = Some(pending);
    } else {
        begin(spe, pending, wires.time.now(), wires);
    }
    Ok(())
}

fn begin(spe: &mut Spe<'_>, pending: Pending, translated_at: BusCycle, wires: &mut Wires) {
    wires.probes.counters.spes[usize::from(spe.id.0)].atomic_commands += 1;
    wires.probes.traced(|trace| trace.lock_line(spe.id, pending.entry));
    spe.atomic.pending = Some(pending);
    wires.bus.snooping_spes |= 1 << spe.id.0;
    let lookup = match pending.action {
        Action::GetLlar => wires.board.machine.atomic.getllar_hit_bus_cycles,
        _ => wires.board.machine.atomic.putllc_hit_bus_cycles,
    };
    // A command that misses in the cache goes to the bus after the issue time of a DMA command.
    let serves = match (pending.action, spe.atomic.state(pending.line)) {
        // Without a reservation, a `putllc` fails without a cache access.
        (Action::PutLlc, _) if spe.atomic.reservation != Some(pending.line) => false,
        (_, state) => matches!(state, Some(LineState::Modified | LineState::Exclusive)),
    };
    let wait = if serves { lookup } else { wires.board.machine.mfc.issue_bus_cycles };
    wires.time.push(translated_at + wait, Event::AtomicLookup(spe.id));
}

/// The atomic unit looks up the line in its cache. The cache serves the command, or the command goes to the bus.
#[inline(never)]
pub(crate) fn look_up(spe: &mut Spe<'_>, memory: &mut Store, wires: &mut Wires) {
    let Some(pending) = spe.atomic.pending else { return };
    let kind = match (pending.action, spe.atomic.state(pending.line)) {
        (Action::GetLlar, Some(state @ (LineState::Modified | LineState::Exclusive))) => {
            spe.atomic.set(pending.line, state);
            spe.atomic.reservation = Some(pending.line);
            keep_again(spe, pending.line, wires);
            wires.probes.counters.spes[usize::from(spe.id.0)].getllar_hits += 1;
            let (address, lsa) = (pending.line * LINE_BYTES, u64::from(pending.lsa));
            store::copy(memory, address, &mut spe.local_store, lsa, LINE_BYTES as usize);
            return finish(spe, pending, wires);
        }
        (Action::GetLlar, _) => RequestKind::ReadLine,
        (Action::PutLlc, _) if spe.atomic.reservation != Some(pending.line) => {
            return finish(spe, pending, wires);
        }
        (_, Some(LineState::Modified | LineState::Exclusive)) => {
            let evicted = put_line(spe, pending, memory);
            let now = wires.time.now();
            end_use(spe, pending.line, now, wires);
            cast_out(spe, evicted, wires);
            return finish(spe, Pending { succeeded: true, ..pending }, wires);
        }
        (_, Some(LineState::Shared)) => RequestKind::Claim,
        (_, None) => RequestKind::ClaimWithData,
    };
    wires.send(request(spe, kind, Issuer::Atomic(spe.id), pending.line, pending.lsa));
}

fn request(spe: &Spe<'_>, kind: RequestKind, issuer: Issuer, line: u64, lsa: u32) -> Request {
    let target = Target::Memory(line * LINE_BYTES);
    Request { kind, issuer, ramp: spe.ramp, bytes: LINE_BYTES as u8, lsa, target, value: 0, retries: 0 }
}

/// Whether a request that is about to be ordered still has a purpose. A conditional put or store that has lost its
/// reservation fails without touching the line.
pub(crate) fn is_still_wanted(request: &Request, line: u64, processors: &Processors<'_>) -> bool {
    if let Issuer::Ppe(chip) = request.issuer {
        return !matches!(request.kind, RequestKind::Claim | RequestKind::ClaimWithData)
            || processors.ppes[usize::from(chip)].needs_ownership(line);
    }
    issuing_unit(request, &processors.spes).is_none_or(|atomic| {
        let conditional = atomic.pending.is_some_and(|pending| pending.action == Action::PutLlc);
        !conditional || atomic.reservation == Some(line)
    })
}

/// Whether a request writes a lock line unconditionally, for `putlluc` or `putqlluc`.
pub(crate) fn is_unconditional(request: &Request, spes: &[Spe<'_>]) -> bool {
    let pending = issuing_unit(request, spes).and_then(|atomic| atomic.pending);
    pending.is_some_and(|pending| matches!(pending.action, Action::PutLluc | Action::PutQlluc))
}

/// The atomic unit that issued a request, or `None` for a request of any other unit.
fn issuing_unit<'a>(request: &Request, spes: &'a [Spe<'_>]) -> Option<&'a AtomicUnit> {
    if let Issuer::Atomic(id) = request.issuer { Some(&spes[usize::from(id.0)].atomic) } else { None }
}

/// The bus command of an atomic unit is ordered: a `getllar` reserves its line, or a `put` command takes effect.
/// Returns the evicted line if it must be written back to memory.
pub(crate) fn ordered(spe: &mut Spe<'_>, line: u64, shared: bool, memory: &mut Store) -> Option<u64> {
    let pending = spe.atomic.pending?;
    if pending.action == Action::GetLlar {
        spe.atomic.reservation = Some(line);
        return spe.atomic.set(line, if shared { LineState::Shared } else { LineState::Exclusive });
    }
    spe.atomic.pending = Some(Pending { succeeded: true, ..pending });
    put_line(spe, pending, memory)
}

/// Stores the bytes of a `put` command. All units see the bytes from this moment. Returns the evicted line if it must
/// be written back to memory.
fn put_line(spe: &mut Spe<'_>, pending: Pending, memory: &mut Store) -> Option<u64> {
    let (address, lsa) = (pending.line * LINE_BYTES, u64::from(pending.lsa));
    store::copy(&spe.local_store, lsa, memory, address, LINE_BYTES as usize);
    let evicted = spe.atomic.set(pending.line, LineState::Modified);
    if pending.action == Action::PutLlc || spe.atomic.reservation == Some(pending.line) {
        spe.atomic.reservation = None;
    }
    evicted
}

/// Writes an evicted line back to memory.
pub(crate) fn cast_out(spe: &Spe<'_>, evicted: Option<u64>, wires: &mut Wires) {
    let Some(line) = evicted else { return };
    wires.probes.counters.spes[usize::from(spe.id.0)].castouts += 1;
    wires.send(request(spe, RequestKind::Write, Issuer::Castout(spe.id), line, 0));
}

/// The bus command of the atomic unit is complete.
pub(crate) fn completed(spe: &Spe<'_>, wires: &mut Wires) {
    if let Some(pending) = spe.atomic.pending {
        if pending.action == Action::GetLlar {
            let until = wires.time.now() + wires.board.machine.atomic.keep_bus_cycles;
            end_use(spe, pending.line, until, wires);
        }
        finish(spe, pending, wires);
    }
}

/// Makes the atomic unit give up a line at `until`, if it keeps the line: after its `putllc`, or `keep_bus_cycles`
/// after the line has arrived, because the unit cannot know whether a `putllc` will follow.
#[inline(always)]
fn end_use(spe: &Spe<'_>, line: u64, until: BusCycle, wires: &mut Wires) {
    if wires.board.machine.atomic.keep_bus_cycles > 0 {
        wires.end_use(line, spe.ramp, until);
    }
}

/// A `getllar` has hit a line of the atomic unit's own cache. The unit keeps the line, unless other units wait for it.
#[inline(always)]
fn keep_again(spe: &Spe<'_>, line: u64, wires: &mut Wires) {
    let (now, keep) = (wires.time.now(), wires.board.machine.atomic.keep_bus_cycles);
    if keep > 0 {
        wires.bus.top_concentrator().lines.keep(line, spe.ramp, now, now + keep);
    }
}

fn finish(spe: &Spe<'_>, pending: Pending, wires: &mut Wires) {
    let status = match pending.action {
        Action::GetLlar => GETLLAR_DONE,
        Action::PutLlc if pending.succeeded => 0,
        Action::PutLlc => {
            wires.probes.counters.spes[usize::from(spe.id.0)].putllc_failures += 1;
            PUTLLC_FAILED
        }
        _ => PUTLLUC_DONE,
    };
    wires
        .time
        .push(wires.time.now() + wires.board.machine.mfc.completion_bus_cycles, Event::AtomicDone(spe.id, status));
}

/// Delivers the status of a command to its channel, or ends the queued command. Then begins the command that waits for
/// the atomic unit.
#[inline(never)]
pub(crate) fn end(spe: &mut Spe<'_>, status: u32, wires: &mut Wires) {
    let Some(pending) = spe.atomic.pending.take() else { return };
    match pending.entry {
        Some(entry) => commands::end(spe, entry, wires),
        None => {
            spe.channels.atomic_status = Some(status);
            wires.probes.traced(|trace| trace.command_done(spe.id, None, wires.time.now()));
            unblock(spe, Channel::RD_ATOMIC_STAT, wires);
        }
    }
    if let Some(queued) = spe.atomic.queued.take() {
        begin(spe, queued, wires.time.now(), wires);
    }
    unblock(spe, Channel::MFC_CMD, wires);
}
