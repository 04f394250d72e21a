//! A DMAC's turn: it chooses a command, and issues a request for one line of the command's data.

use crate::error::RunError;
use crate::fault::Operation;
use crate::request::Request;
use crate::system::processors::spe::Spe;
use crate::system::spe::rules::broken;
use crate::system::spe::{commands, lock_lines, wake};
use crate::system::wires::Wires;

/// One turn of a DMAC.
///
/// # Errors
/// The command, or a list element, breaks a rule.
#[inline(never)]
pub(crate) fn run_dmac(spe: &mut Spe<'_>, wires: &mut Wires) -> Result<(), RunError> {
    if spe.suspended || !wires.bus.credits.any(spe.ramp) {
        return Ok(());
    }
    match spe.mfc.go_on(wires.time.now(), &wires.board.machine.mfc) {
        Some(request) => issue(request, spe, wires),
        None => choose(spe, wires)?,
    }
    wake::wake_dmac(spe, wires);
    Ok(())
}

/// The bus interface accepts a request, and sends its command.
#[inline(always)]
fn issue(request: Request, spe: &Spe<'_>, wires: &mut Wires) {
    wires.probes.occupancy.mfc(spe.id).outstanding.enter(wires.time.now());
    wires.send(request);
}

/// Runs a turn in which the MFC may choose any command.
#[inline(never)]
fn choose(spe: &mut Spe<'_>, wires: &mut Wires) -> Result<(), RunError> {
    let advance = match spe.mfc.advance(wires.time.now(), &wires.board.machine, &spe.local_store) {
        Ok(advance) => advance,
        Err((entry, fault)) => {
            let command = spe.mfc.queue(entry.proxy).entry(entry.index).command;
            spe.mfc.give_up(entry);
            return Err(broken(spe, Operation::Command(command), fault.into(), &wires.time));
        }
    };
    if let Some(request) = advance.request {
        issue(request, spe, wires);
    }
    if let Some(entry) = advance.lock_line {
        let begun = lock_lines::begin_queued(spe, entry, wires);
        begun.map_err(|fault| broken(spe, Operation::PutQlluc, fault.into(), &wires.time))?;
    }
    if let Some(entry) = advance.ended {
        commands::end_soon(spe.id, entry, 0, wires);
    }
    if let Some(tag) = advance.stalled_tag {
        commands::list_stalled(spe, tag, wires);
    }
    Ok(())
}
