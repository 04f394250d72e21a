//! Wakes an SPE's units: the program when it can continue, and the DMAC when it has work.

use crate::channel::Channel;
use crate::door::Op;
use crate::processor::State;
use crate::system::processors::spe::Spe;
use crate::system::stage::Unit;
use crate::system::wires::Wires;
use crate::units::{BusCycle, NEVER};

/// Starts the program that was loaded for an SPE, unless there is no such program or it is already running.
pub(crate) fn start_program(spe: &mut Spe<'_>, argument: u64, wires: &mut Wires) {
    if spe.core.is_running() {
        return;
    }
    let Some(factory) = &mut spe.factory else { return };
    let program = factory(argument);
    spe.lookahead = program.runs_ahead();
    spe.program = Some(program);
    spe.core.start(0, wires.time.now_in_spu_cycles());
    wires.time.wake(Unit::Spu(spe.id), wires.time.now());
    wires.probes.program_started(spe.id, &wires.board, wires.time.now());
}

/// Resumes a program after its stop.
///
/// # Errors
/// The program has not stopped, or cannot continue; the text is the reason.
pub(crate) fn continue_program(spe: &mut Spe<'_>, wires: &mut Wires) -> Result<(), &'static str> {
    match spe.core.state {
        State::Idle => return Err("was never created"),
        State::Stopped(_) if spe.program.is_none() => return Err("has ended, and cannot go on"),
        State::Stopped(_) => (),
        _ => return Err("has not stopped"),
    }
    spe.core.start(0, wires.time.now_in_spu_cycles());
    wires.time.wake(Unit::Spu(spe.id), wires.time.now());
    wires.probes.program_started(spe.id, &wires.board, wires.time.now());
    Ok(())
}

/// A channel has changed, so a program that waits for the channel retries its operation.
pub(crate) fn unblock(spe: &mut Spe<'_>, channel: Channel, wires: &mut Wires) {
    let core = &mut spe.core;
    let State::Blocked(op) = core.state else { return };
    if !matches!(op, Op::Read(c) | Op::Write(c, _) if c == channel) {
        return;
    }
    core.state = State::Asked(op);
    core.time = core.time.max(wires.time.now_in_spu_cycles());
    wires.probes.traced(|trace| trace.resumed(spe.id, wires.time.now()));
    wires.time.wake(Unit::Spu(spe.id), wires.time.now());
}

/// Raises events, and wakes a program that waits for an event.
pub(crate) fn raise(spe: &mut Spe<'_>, bits: u32, wires: &mut Wires) {
    if spe.channels.events.raise(bits) {
        unblock(spe, Channel::RD_EVENT_STAT, wires);
    }
}

/// Raises the events of a channel whose count has just changed, if the count was 0: a greater count raises nothing (CBEA
/// 9.11).
pub(crate) fn raise_if(was_0: bool, spe: &mut Spe<'_>, bits: u32, wires: &mut Wires) {
    if was_0 {
        raise(spe, bits, wires);
    }
}

/// Wakes a DMAC for a command that has just been enqueued and is ready at `ready_at`. If the DMAC wakes earlier
/// anyway, no second wake is needed, because each wake considers all commands.
pub(crate) fn wake_dmac_by(ready_at: BusCycle, spe: &Spe<'_>, wires: &mut Wires) {
    if wires.time.wakes_at(Unit::Dmac(spe.id)) > ready_at {
        wake_dmac(spe, wires);
    }
}

/// Wakes a DMAC in the first bus cycle in which it has work.
#[inline(always)]
pub(crate) fn wake_dmac(spe: &Spe<'_>, wires: &mut Wires) {
    if wires.bus.credits.any(spe.ramp) {
        let at = spe.mfc.next_advance(&wires.board.machine.mfc);
        if at != NEVER {
            wires.time.wake(Unit::Dmac(spe.id), at.max(wires.time.now()));
        }
    }
}
