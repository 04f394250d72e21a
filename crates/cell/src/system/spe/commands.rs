//! Commands in the MFC's queues, from enqueueing until the command's end; tag status and list stalls.
use super::wake::{raise_if, start_program, unblock, wake_dmac, wake_dmac_by};
use crate::channel::{Channel, event};
use crate::command::{Action, Command};
use crate::fault::Fault;
use crate::last_gets::LastGet;
use crate::mfc::ListElement;
use crate::system::event::Event;
use crate::system::processors::spe::Spe;
use crate::system::wires::Wires;
use crate::units::{BusCycle, EntryId, SpeId};

/// Puts a command into a queue that has a free entry.
///
/// # Errors
/// Returns the rule that the command breaks.
pub(crate) fn enqueue(spe: &mut Spe<'_>, command: Command, proxy: bool, wires: &mut Wires) -> Result<(), Fault> {
    let taken = spe.mfc.enqueue(command, proxy, wires.time.now(), &wires.board.machine);
    taken.map_err(|fault| Fault::Given(command, fault))?;
    if let Some(at) = spe.program.as_ref().filter(|_| !proxy).and_then(|program| program.offered_at()) {
        spe.mfc.newest_was_offered(at / wires.time.ratio);
    }
    remember_get(spe, command, wires);
    wires.probes.occupancy.mfc(spe.id).of(proxy).enter(wires.time.now());
    wires.probes.counters.spes[usize::from(spe.id.0)].dma_commands += 1;
    wires.probes.command_given(spe.id, &spe.mfc, proxy, &command, &mut wires.time);
    wake_dmac_by(wires.time.now() + wires.board.machine.mfc.issue_bus_cycles, spe, wires);
    Ok(())
}

/// Remembers a `get` command, for the report of a program whose code the command may overwrite.
fn remember_get(spe: &mut Spe<'_>, command: Command, wires: &Wires) {
    let Some(decoded) = command.code().decode().filter(|decoded| decoded.action == Action::Get) else { return };
    let bytes = if decoded.list { list_bytes(spe, &command) } else { command.size };
    let get = LastGet { command, bytes, enqueued_at: wires.time.now() + wires.time.skipped() };
    spe.channels.last_gets.remember(get, spe.local_store.size_bytes() as u32);
}

/// Number of bytes that a list's elements move.
fn list_bytes(spe: &Spe<'_>, command: &Command) -> u32 {
    let words = (0..command.size / 8).map(|n| spe.local_store.read_u64(command.ea + u64::from(8 * n)));
    words.map(|word| ListElement::decode(word).size.next_multiple_of(16)).sum()
}

/// Handles the end of a command's work, of which the unit learns `after` some time: the command leaves its queue after
/// the completion time.
#[inline(always)]
pub(crate) fn end_soon(spe: SpeId, entry: EntryId, after: BusCycle, wires: &mut Wires) {
    let at = wires.time.now() + after + wires.board.machine.mfc.completion_bus_cycles;
    wires.time.push(at, Event::CommandDone(spe, entry));
}

/// A command leaves its queue.
#[inline(never)]
pub(crate) fn end(spe: &mut Spe<'_>, entry: EntryId, wires: &mut Wires) {
    let now = wires.time.now();
    wires.probes.occupancy.mfc(spe.id).of(entry.proxy).leave(now);
    let some_waited = spe.mfc.queue(entry.proxy).some_wait();
    let ended = spe.mfc.remove(entry);
    wires.probes.traced(|trace| trace.command_done(spe.id, Some(entry), now));
    if let Some(ended) = &ended {
        wires.probes.command_ended(spe.id, ended, &wires.board, &wires.time);
    }
    if ended.is_some_and(|ended| ended.decoded.start) {
        start_program(spe, 0, wires);
    }
    if some_waited {
        wake_dmac(spe, wires);
    }
    if entry.proxy {
        wires.time.interrupt_all();
    } else {
        unblock(spe, Channel::MFC_CMD, wires);
        raise_if(spe.mfc.spu_queue.free() == 1, spe, event::QUEUE_VACANCY, wires);
        update_tag_status(spe, wires);
    }
}

/// Answers a pending tag-status request if its condition is now met.
pub(crate) fn update_tag_status(spe: &mut Spe<'_>, wires: &mut Wires) {
    if spe.channels.tag_update.is_none() {
        return;
    }
    let idle = spe.mfc.spu_queue.idle_tags();
    let was_read = spe.channels.tag_status.is_none();
    if spe.channels.meet_tag_update(idle) {
        unblock(spe, Channel::RD_TAG_STAT, wires);
        raise_if(was_read, spe, event::TAG_STATUS, wires);
    }
}

/// A list command of a tag group stalls, and the SPU program is notified.
pub(crate) fn list_stalled(spe: &mut Spe<'_>, tag: u32, wires: &mut Wires) {
    let was_read = spe.channels.list_stall == 0;
    spe.channels.list_stall |= 1 << tag;
    unblock(spe, Channel::RD_LIST_STALL_STAT, wires);
    raise_if(was_read, spe, event::LIST_STALL, wires);
}
