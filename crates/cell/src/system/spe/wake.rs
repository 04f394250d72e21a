//! Wakes of an SPE's units: its program, when what it waits for has come, and its DMAC.

use super::unit::Spe;
use crate::channel::Channel;
use crate::door::Op;
use crate::processor::State;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::probes::set::Probes;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{BusCycle, NEVER};

/// Starts the program that was loaded for an SPE, if there is one and it is not running.
pub(crate) fn start_program(spe: &mut Spe<'_>, argument: u64, board: &Board, time: &mut Time, probes: &mut Probes) {
    if spe.core.is_running() {
        return;
    }
    let Some(factory) = &mut spe.factory else { return };
    let program = factory(argument);
    spe.lookahead = program.runs_ahead();
    spe.program = Some(program);
    spe.core.start(0, time.now_in_spu_cycles());
    time.wake(Unit::Spu(spe.id), time.now());
    probes.program_started(spe.id, board, time.now());
}

/// Lets a program go on behind the stop that it has come to.
///
/// # Errors
/// What it is doing instead.
pub(crate) fn continue_program(
    spe: &mut Spe<'_>,
    board: &Board,
    time: &mut Time,
    probes: &mut Probes,
) -> Result<(), &'static str> {
    match spe.core.state {
        State::Idle => return Err("was never created"),
        State::Stopped(_) if spe.program.is_none() => return Err("has ended, and cannot go on"),
        State::Stopped(_) => (),
        _ => return Err("has not stopped"),
    }
    spe.core.start(0, time.now_in_spu_cycles());
    time.wake(Unit::Spu(spe.id), time.now());
    probes.program_started(spe.id, board, time.now());
    Ok(())
}

/// Something has happened to a channel: if the program waits for it, it tries again.
pub(crate) fn unblock(spe: &mut Spe<'_>, channel: Channel, time: &mut Time, probes: &mut Probes) {
    let core = &mut spe.core;
    let State::Blocked(op) = core.state else { return };
    if !matches!(op, Op::Read(c) | Op::Write(c, _) if c == channel) {
        return;
    }
    core.state = State::Asked(op);
    core.time = core.time.max(time.now_in_spu_cycles());
    probes.traced(|trace| trace.resumed(spe.id, time.now()));
    time.wake(Unit::Spu(spe.id), time.now());
}

/// Raises events and lets a program that waits for one see them.
pub(crate) fn raise(spe: &mut Spe<'_>, bits: u32, time: &mut Time, probes: &mut Probes) {
    spe.channels.raise(bits);
    if spe.channels.events & spe.channels.event_mask != 0 {
        unblock(spe, Channel::RD_EVENT_STAT, time, probes);
    }
}

/// Wakes a DMAC for a command that has just been given and is ready at `ready_at`.  One that wakes by then will look
/// at it anyhow.
pub(crate) fn wake_dmac_by(ready_at: BusCycle, spe: &Spe<'_>, board: &Board, time: &mut Time, bus: &Bus) {
    if time.wakes_at(Unit::Dmac(spe.id)) > ready_at {
        wake_dmac(spe, board, time, bus);
    }
}

/// Wakes a DMAC for the first moment at which it could do something.
#[inline(always)]
pub(crate) fn wake_dmac(spe: &Spe<'_>, board: &Board, time: &mut Time, bus: &Bus) {
    if bus.has_credit(spe.ramp, board) {
        let at = spe.mfc.next_advance(&board.machine.mfc);
        if at != NEVER {
            time.wake(Unit::Dmac(spe.id), at.max(time.now()));
        }
    }
}
