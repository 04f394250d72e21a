//! Lock-line commands at work.

use super::commands;
use super::unit::Spe;
use super::wake::unblock;
use crate::atomic::{LineState, Pending};
use crate::channel::Channel;
use crate::command::{Action, Command, DmaFault};
use crate::ea::{self, Target};
use crate::page_table::AccessKind;
use crate::request::{Issuer, Request, RequestKind};
use crate::store::{self, Store};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::Event;
use crate::system::journey::command::send;
use crate::system::probes::set::Probes;
use crate::system::time::Time;
use crate::units::{EntryId, LINE_BYTES};

/// `MFC_RdAtomicStat` values (`spu_mfcio.h`).
const PUTLLC_FAILED: u32 = 1;
const PUTLLUC_DONE: u32 = 2;
const GETLLAR_DONE: u32 = 4;

/// Takes an immediate lock-line command from the channel; false while another one is under way.
///
/// # Errors
/// The line does not lie in main memory.
pub(crate) fn give(
    spe: &mut Spe<'_>,
    action: Action,
    command: Command,
    board: &Board,
    time: &mut Time,
    probes: &mut Probes,
) -> Result<bool, DmaFault> {
    let line = line_of(spe, &command, board)?;
    if spe.atomic.pending.is_some() || spe.mfc.spu_queue.free() == 0 {
        return Ok(false);
    }
    probes.traced(|trace| trace.given(spe.id, None, &command, None, time.now()));
    spe.channels.atomic_status = None;
    let lsa = line_in_local_store(&command, board);
    begin(spe, Pending { action, line, lsa, entry: None, succeeded: false }, board, time, probes);
    Ok(true)
}

/// The line that a lock-line command is about.  The low bits of the addresses are ignored: a lock
/// line is aligned (CBEA 7.8).
///
/// # Errors
/// It does not lie in main memory.
pub(crate) fn line_of(spe: &Spe<'_>, command: &Command, board: &Board) -> Result<u64, DmaFault> {
    let ea = command.ea & !(LINE_BYTES - 1);
    let target = match &spe.mfc.pages {
        Some(pages) => Some(pages.region(ea, AccessKind::Store).map_err(DmaFault::Storage)?.0),
        None => ea::decode(&board.machine, ea, LINE_BYTES),
    };
    match target {
        Some(Target::Memory(address)) => Ok(address / LINE_BYTES),
        _ => Err(DmaFault::NoLockLine(ea)),
    }
}

/// The line of the local store.
fn line_in_local_store(command: &Command, board: &Board) -> u32 {
    command.local_store_address(&board.machine.mfc) & !(LINE_BYTES as u32 - 1)
}

/// Begins a `putqlluc` whose turn in the queue has come, or lets it wait for the atomic unit.
///
/// # Errors
/// The line does not lie in main memory any more.
pub(crate) fn begin_queued(
    spe: &mut Spe<'_>,
    entry: EntryId,
    board: &Board,
    time: &mut Time,
    probes: &mut Probes,
) -> Result<(), DmaFault> {
    let command = &spe.mfc.queue(entry.proxy).entry(entry.index).command;
    let pending = Pending {
        action: Action::PutQlluc,
        line: line_of(spe, command, board)?,
        lsa: line_in_local_store(command, board),
        entry: Some(entry),
        succeeded: false,
    };
    if spe.atomic.pending.is_some() {
        spe.atomic.queued = Some(pending);
    } else {
        begin(spe, pending, board, time, probes);
    }
    Ok(())
}

fn begin(spe: &mut Spe<'_>, pending: Pending, board: &Board, time: &mut Time, probes: &mut Probes) {
    probes.counters.spes[usize::from(spe.id.0)].atomic_commands += 1;
    probes.traced(|trace| trace.lock_line(spe.id, pending.entry));
    spe.atomic.pending = Some(pending);
    let lookup = match pending.action {
        Action::GetLlar => board.machine.atomic.getllar_hit_bus_cycles,
        _ => board.machine.atomic.putllc_hit_bus_cycles,
    };
    // What the cache cannot serve goes to the bus as soon as any DMA command would.
    let serves = match (pending.action, spe.atomic.state(pending.line)) {
        // Without a reservation there is nothing to look up.
        (Action::PutLlc, _) if spe.atomic.reservation != Some(pending.line) => false,
        (_, state) => matches!(state, Some(LineState::Modified | LineState::Exclusive)),
    };
    let wait = if serves { lookup } else { board.machine.mfc.issue_bus_cycles };
    time.push(time.now() + wait, Event::AtomicLookup(spe.id));
}

/// The unit looks into its cache: done, or a command for the bus.
#[inline(never)]
pub(crate) fn look_up(
    spe: &mut Spe<'_>,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Store,
    probes: &mut Probes,
) {
    let Some(pending) = spe.atomic.pending else { return };
    let kind = match (pending.action, spe.atomic.state(pending.line)) {
        (Action::GetLlar, Some(state @ (LineState::Modified | LineState::Exclusive))) => {
            spe.atomic.set(pending.line, state);
            spe.atomic.reservation = Some(pending.line);
            probes.counters.spes[usize::from(spe.id.0)].getllar_hits += 1;
            let (address, lsa) = (pending.line * LINE_BYTES, u64::from(pending.lsa));
            store::copy(memory, address, &mut spe.local_store, lsa, LINE_BYTES as usize);
            return finish(spe, pending, board, time, probes);
        }
        (Action::GetLlar, _) => RequestKind::ReadLine,
        (Action::PutLlc, _) if spe.atomic.reservation != Some(pending.line) => {
            return finish(spe, pending, board, time, probes);
        }
        (_, Some(LineState::Modified | LineState::Exclusive)) => {
            let evicted = put_line(spe, pending, memory);
            cast_out(spe, evicted, board, time, bus, probes);
            return finish(spe, Pending { succeeded: true, ..pending }, board, time, probes);
        }
        (_, Some(LineState::Shared)) => RequestKind::Claim,
        (_, None) => RequestKind::ClaimWithData,
    };
    send(request(spe, kind, Issuer::Atomic(spe.id), pending.line, pending.lsa), board, time, bus, probes);
}

fn request(spe: &Spe<'_>, kind: RequestKind, issuer: Issuer, line: u64, lsa: u32) -> Request {
    let target = Target::Memory(line * LINE_BYTES);
    Request { kind, issuer, ramp: spe.ramp, bytes: LINE_BYTES as u8, lsa, target, value: 0 }
}

/// Whether a request that is about to be ordered still has a purpose: a conditional put whose
/// reservation has gone meanwhile fails without touching the line.
pub(crate) fn is_still_wanted(request: &Request, line: u64, spes: &[Spe<'_>]) -> bool {
    let Issuer::Atomic(id) = request.issuer else { return true };
    let atomic = &spes[usize::from(id.0)].atomic;
    let conditional = atomic.pending.is_some_and(|pending| pending.action == Action::PutLlc);
    !conditional || atomic.reservation == Some(line)
}

/// The command of an atomic unit is ordered: a get reserves, a put takes place.  The line that had to make
/// room, if memory needs it.
pub(crate) fn ordered(spe: &mut Spe<'_>, line: u64, shared: bool, memory: &mut Store) -> Option<u64> {
    let pending = spe.atomic.pending?;
    if pending.action == Action::GetLlar {
        spe.atomic.reservation = Some(line);
        return spe.atomic.set(line, if shared { LineState::Shared } else { LineState::Exclusive });
    }
    spe.atomic.pending = Some(Pending { succeeded: true, ..pending });
    put_line(spe, pending, memory)
}

/// The bytes of a put, the one moment at which they change for everybody; the line that had to make room, if
/// memory needs it.
fn put_line(spe: &mut Spe<'_>, pending: Pending, memory: &mut Store) -> Option<u64> {
    let (address, lsa) = (pending.line * LINE_BYTES, u64::from(pending.lsa));
    store::copy(&spe.local_store, lsa, memory, address, LINE_BYTES as usize);
    let evicted = spe.atomic.set(pending.line, LineState::Modified);
    if pending.action == Action::PutLlc || spe.atomic.reservation == Some(pending.line) {
        spe.atomic.reservation = None;
    }
    evicted
}

/// Writes a line back that had to make room.
pub(crate) fn cast_out(
    spe: &Spe<'_>,
    evicted: Option<u64>,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    probes: &mut Probes,
) {
    let Some(line) = evicted else { return };
    probes.counters.spes[usize::from(spe.id.0)].castouts += 1;
    send(request(spe, RequestKind::Write, Issuer::Castout(spe.id), line, 0), board, time, bus, probes);
}

/// The bus has done its part.
pub(crate) fn completed(spe: &Spe<'_>, board: &Board, time: &mut Time, probes: &mut Probes) {
    if let Some(pending) = spe.atomic.pending {
        finish(spe, pending, board, time, probes);
    }
}

fn finish(spe: &Spe<'_>, pending: Pending, board: &Board, time: &mut Time, probes: &mut Probes) {
    let status = match pending.action {
        Action::GetLlar => GETLLAR_DONE,
        Action::PutLlc if pending.succeeded => 0,
        Action::PutLlc => {
            probes.counters.spes[usize::from(spe.id.0)].putllc_failures += 1;
            PUTLLC_FAILED
        }
        _ => PUTLLUC_DONE,
    };
    time.push(time.now() + board.machine.mfc.completion_bus_cycles, Event::AtomicDone(spe.id, status));
}

/// The status reaches its channel, or the queued command its end; a command that has waited begins.
#[inline(never)]
pub(crate) fn end(spe: &mut Spe<'_>, status: u32, board: &Board, time: &mut Time, bus: &Bus, probes: &mut Probes) {
    let Some(pending) = spe.atomic.pending.take() else { return };
    match pending.entry {
        Some(entry) => commands::end(spe, entry, board, time, bus, probes),
        None => {
            spe.channels.atomic_status = Some(status);
            probes.traced(|trace| trace.command_done(spe.id, None, time.now()));
            unblock(spe, Channel::RD_ATOMIC_STAT, time, probes);
        }
    }
    if let Some(queued) = spe.atomic.queued.take() {
        begin(spe, queued, board, time, probes);
    }
    unblock(spe, Channel::MFC_CMD, time, probes);
}
