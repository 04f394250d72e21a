//! A DMAC's turn: it chooses a command, and makes a request for one line of it.

use super::command::send;
use crate::error::RunError;
use crate::fault::Operation;
use crate::request::Request;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::probes::set::Probes;
use crate::system::spe::rules::broken;
use crate::system::spe::unit::Spe;
use crate::system::spe::{commands, lock_lines, wake};
use crate::system::time::Time;

/// One turn of a DMAC.
///
/// # Errors
/// The command, or a list element, breaks a rule.
#[inline(never)]
pub(crate) fn run_dmac(
    spe: &mut Spe<'_>,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    probes: &mut Probes,
) -> Result<(), RunError> {
    if spe.suspended || !bus.has_credit(spe.ramp, board) {
        return Ok(());
    }
    match spe.mfc.go_on(time.now(), &board.machine.mfc) {
        Some(request) => issue(request, spe, board, time, bus, probes),
        None => choose(spe, board, time, bus, probes)?,
    }
    wake::wake_dmac(spe, board, time, bus);
    Ok(())
}

/// The bus interface holds a request, whose command goes out.
#[inline(always)]
fn issue(request: Request, spe: &Spe<'_>, board: &Board, time: &mut Time, bus: &mut Bus, probes: &mut Probes) {
    probes.occupancy.mfc(spe.id).outstanding.enter(time.now());
    send(request, board, time, bus, probes);
}

/// A step in which any command may be the next.
#[inline(never)]
fn choose(
    spe: &mut Spe<'_>,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    probes: &mut Probes,
) -> Result<(), RunError> {
    let advance = match spe.mfc.advance(time.now(), &board.machine, &spe.local_store) {
        Ok(advance) => advance,
        Err((entry, fault)) => {
            let command = spe.mfc.queue(entry.proxy).entry(entry.index).command;
            spe.mfc.give_up(entry);
            return Err(broken(spe, Operation::Command(command), fault.into(), time));
        }
    };
    if let Some(request) = advance.request {
        issue(request, spe, board, time, bus, probes);
    }
    if let Some(entry) = advance.lock_line {
        let begun = lock_lines::begin_queued(spe, entry, board, time, probes);
        begun.map_err(|fault| broken(spe, Operation::PutQlluc, fault.into(), time))?;
    }
    if let Some(entry) = advance.ended {
        commands::end_soon(spe.id, entry, board, time);
    }
    if let Some(tag) = advance.stalled_tag {
        commands::list_stalled(spe, tag, time, probes);
    }
    Ok(())
}
