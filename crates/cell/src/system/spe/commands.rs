//! A command in one of the MFC's queues, from when it is given until it ends; tag status and list stalls.

use super::unit::Spe;
use super::wake::{raise, start_program, unblock, wake_dmac, wake_dmac_by};
use crate::channel::{Channel, event};
use crate::command::Command;
use crate::fault::Fault;
use crate::ppe::ALL_THREADS;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::Event;
use crate::system::probes::set::Probes;
use crate::system::time::Time;
use crate::units::{EntryId, SpeId};

/// Puts a command into a queue with room.
///
/// # Errors
/// The rule that the command breaks.
pub(crate) fn enqueue(
    spe: &mut Spe<'_>,
    command: Command,
    proxy: bool,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Result<(), Fault> {
    let taken = spe.mfc.enqueue(command, proxy, time.now(), &board.machine);
    taken.map_err(|fault| Fault::Given(command, fault))?;
    probes.occupancy.mfc(spe.id).of(proxy).enter(time.now());
    probes.counters.spes[usize::from(spe.id.0)].dma_commands += 1;
    probes.command_given(spe, proxy, &command, time);
    wake_dmac_by(time.now() + board.machine.mfc.issue_bus_cycles, spe, board, time, bus);
    Ok(())
}

/// A command has done all its work, and its end is on the way to its queue.
pub(crate) fn end_soon(spe: SpeId, entry: EntryId, board: &Board, time: &mut Time) {
    time.push(time.now() + board.machine.mfc.completion_bus_cycles, Event::CommandDone(spe, entry));
}

/// A command leaves its queue.
#[inline(never)]
pub(crate) fn end(spe: &mut Spe<'_>, entry: EntryId, board: &Board, time: &mut Time, bus: &Bus, probes: &mut Probes) {
    let now = time.now();
    probes.occupancy.mfc(spe.id).of(entry.proxy).leave(now);
    let some_waited = spe.mfc.queue(entry.proxy).some_wait();
    let ended = spe.mfc.remove(entry);
    probes.traced(|trace| trace.command_done(spe.id, Some(entry), now));
    if let Some(ended) = &ended {
        probes.command_ended(spe.id, ended, board, time);
    }
    if ended.is_some_and(|ended| ended.decoded.start) {
        start_program(spe, 0, board, time, probes);
    }
    if some_waited {
        wake_dmac(spe, board, time, bus);
    }
    if entry.proxy {
        time.interrupt(ALL_THREADS);
    } else {
        unblock(spe, Channel::MFC_CMD, time, probes);
        raise(spe, event::QUEUE_VACANCY, time, probes);
        update_tag_status(spe, time, probes);
    }
}

/// Meets a waiting tag-status request if that is possible now.
pub(crate) fn update_tag_status(spe: &mut Spe<'_>, time: &mut Time, probes: &mut Probes) {
    if spe.channels.tag_update.is_none() {
        return;
    }
    let idle = spe.mfc.spu_queue.idle_tags();
    if spe.channels.meet_tag_update(idle) {
        unblock(spe, Channel::RD_TAG_STAT, time, probes);
        unblock(spe, Channel::WR_TAG_UPDATE, time, probes);
        raise(spe, event::TAG_STATUS, time, probes);
    }
}

/// A list of a tag group stalls: its program is notified.
pub(crate) fn list_stalled(spe: &mut Spe<'_>, tag: u32, time: &mut Time, probes: &mut Probes) {
    spe.channels.list_stall |= 1 << tag;
    unblock(spe, Channel::RD_LIST_STALL_STAT, time, probes);
    raise(spe, event::LIST_STALL, time, probes);
}
