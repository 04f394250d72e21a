//! SPUs at work: asking programs what they want, and answering through the channels.

use super::rules::{broken, describe};
use super::unit::Spe;
use super::{channel_writes, channels, lookahead};
use crate::channel::Channel;
use crate::door::{Op, Step, Turn};
use crate::error::RunError;
use crate::processor::State;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::Unit;
use crate::system::probes::set::Probes;
use crate::system::processors::{Pause, Processors};
use crate::system::time::Time;
use crate::units::{BusCycle, SpeId, SpuCycles};

/// How far, in bus cycles, a program may run ahead of the bus clock on operations of its own: enough
/// for the parameters of a command.
const RUN_AHEAD_BUS_CYCLES: u64 = 16;

/// Lets a program run until it has to wait, makes a mark or stops.
///
/// # Errors
/// It breaks a rule, or fails.
pub(crate) fn run(
    id: SpeId,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Result<Pause, RunError> {
    loop {
        match processors.spe(id).core.state {
            State::Ready(answer) => {
                let (lookahead, line_at) = if processors.spe(id).lookahead {
                    (lookahead::of(id, board, time, bus, processors), lookahead::visited_at(id, time, bus))
                } else {
                    (0, None)
                };
                if resume(processors.spe(id), answer, lookahead, line_at, board, time)? {
                    return Ok(Pause::Marked);
                }
            }
            State::Asked(op) => {
                let spe = processors.spe(id);
                if let Some(at) = must_wait_for_clock(spe, op, time) {
                    time.wake(Unit::Spu(id), at);
                    return Ok(Pause::Waits);
                }
                try_answer(spe, op, board, time, bus, probes)?;
            }
            State::Stopping(code) => {
                let spe = processors.spe(id);
                if let Some(at) = is_ahead(spe, 0, time) {
                    time.wake(Unit::Spu(id), at);
                    return Ok(Pause::Waits);
                }
                stop(spe, code, time, probes);
                return Ok(Pause::Stopped);
            }
            State::Idle | State::Blocked(_) | State::Stopped(_) => return Ok(Pause::Waits),
        }
    }
}

/// A turn of the program, up to its next question or mark; whether it is a mark.
fn resume(
    spe: &mut Spe<'_>,
    answer: u32,
    lookahead: SpuCycles,
    line_at: Option<SpuCycles>,
    board: &Board,
    time: &Time,
) -> Result<bool, RunError> {
    let Some(program) = &mut spe.program else { return Ok(false) };
    let core = &mut spe.core;
    let skipped = time.skipped() * time.ratio;
    let own_time = core.time + skipped;
    let line_at = line_at.map(|at| at + skipped).filter(|at| *at >= own_time);
    let event = spe.channels.events & spe.channels.event_mask != 0;
    let turn = Turn { answer, time: own_time, lookahead, line_at, event };
    core.note(u64::from(answer));
    let progress = core.begin_turn();
    let step = match progress.and_then(|()| program.resume(turn, &mut spe.local_store)) {
        Ok(step) => step,
        Err(why) => return Err(broken(spe, "program".to_string(), why, time)),
    };
    match step {
        Step::Ask(op) => {
            if let Op::Write(..) = op {
                core.time += board.machine.spu.channel_write_spu_cycles;
            }
            core.state = State::Asked(op);
        }
        Step::Mark { remaining } => {
            core.mark(remaining);
            core.state = State::Ready(0);
            return Ok(true);
        }
        Step::Stop(code) => core.state = State::Stopping(code),
    }
    Ok(false)
}

fn stop(spe: &mut Spe<'_>, code: u32, time: &Time, probes: &mut Probes) {
    spe.core.state = State::Stopped(code);
    spe.stopped_at_spu_cycle = spe.core.time + time.skipped() * time.ratio;
    spe.program = None;
    probes.traced(|trace| trace.stopped(spe.id, time.now()));
}

/// The bus cycle that an operation has to wait for, if that is still to come.
fn must_wait_for_clock(spe: &Spe<'_>, op: Op, time: &Time) -> Option<BusCycle> {
    is_ahead(spe, if is_private(op) { RUN_AHEAD_BUS_CYCLES } else { 0 }, time)
}

/// The bus cycle in which the clock will have caught up with a program that is more than `slack` bus cycles ahead.
fn is_ahead(spe: &Spe<'_>, slack: BusCycle, time: &Time) -> Option<BusCycle> {
    let is_ahead = spe.core.time > (time.now() + slack) * time.ratio;
    is_ahead.then(|| spe.core.time.div_ceil(time.ratio))
}

fn try_answer(
    spe: &mut Spe<'_>,
    op: Op,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Result<(), RunError> {
    probes.asked(op, spe, board, time, bus);
    let answer = match op {
        Op::Compute(0) => Ok(Some(0)),
        Op::Compute(cycles) => {
            // It looks at its local store again when this has passed, and not before.
            spe.core.time = spe.core.time.saturating_add(cycles);
            spe.core.state = State::Asked(Op::Compute(0));
            return Ok(());
        }
        Op::Count(channel) => channels::count(spe, channel).map(Some),
        Op::Read(channel) => channels::read(spe, channel, time),
        Op::Write(channel, value) => {
            channel_writes::write(spe, channel, value, board, time, bus, probes).map(|done| done.then_some(0))
        }
    };
    match answer.map_err(|rule| broken(spe, describe(op), rule, time))? {
        Some(value) => {
            if matches!(op, Op::Read(_) | Op::Count(_)) {
                spe.core.time += board.machine.spu.channel_read_spu_cycles;
            }
            spe.core.state = State::Ready(value);
            probes.answered(spe, op, value);
        }
        None => {
            spe.core.state = State::Blocked(op);
            probes.stalled(spe.id, op, time.now());
        }
    }
    Ok(())
}

/// Whether an operation concerns nobody but the SPU itself, whenever it happens.
fn is_private(op: Op) -> bool {
    match op {
        Op::Write(channel, _) => {
            (Channel::MFC_LSA.0..=Channel::MFC_TAG_ID.0).contains(&channel.0)
                || matches!(channel, Channel::WR_TAG_MASK | Channel::WR_SRR0)
        }
        Op::Read(channel) => {
            matches!(channel, Channel::RD_TAG_MASK | Channel::RD_SRR0 | Channel::RD_EVENT_MASK | Channel::RD_DEC)
        }
        Op::Count(_) | Op::Compute(_) => false,
    }
}
