//! An SPU's turn: its program issues operations, and the channels answer.
//!
//! ```text
//!     ┌─────────────────── answer ────────────────────┐
//!     v                                               │
//!   Ready ──> the program's turn ──> Asked ───────────┴─ none yet ──> Blocked
//!                  │        │          ^                                 │
//!               a mark   Stopping      └──────────── unblock ────────────┘
//! ```

use super::rules::{broken, operation};
use super::{channel_writes, channels, lookahead};
use crate::channel::Channel;
use crate::door::{Op, Step, Turn};
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::processor::{State, no_progress};
use crate::system::processors::spe::Spe;
use crate::system::processors::{Pause, Processors};
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::system::wires::Wires;
use crate::units::{BusCycle, SpeId, SpuCycles};
use std::ops::ControlFlow::{self, Break, Continue};

/// Maximum number of bus cycles by which a program's private operations run ahead of the bus clock. The parameters of
/// one command take at most 16 bus cycles.
const RUN_AHEAD_BUS_CYCLES: u64 = 16;

/// Runs a program until it must wait, makes a mark or stops.
///
/// # Errors
/// The program breaks a rule, or fails.
pub(crate) fn run(id: SpeId, processors: &mut Processors<'_>, wires: &mut Wires) -> Result<Pause, RunError> {
    if processors.spe(id).suspended {
        return Ok(Pause::Waits);
    }
    // The program's state is stored only when the program waits, because no other unit reads the state earlier.
    let mut next = match processors.spe(id).core.state {
        State::Ready(answer) => go_on(id, answer, processors, wires)?,
        State::Asked(op) => Continue(op),
        State::Stopping(code) => Break(stop(processors.spe(id), code, wires)),
        State::Idle | State::Blocked(_) | State::Stopped(_) => Break(Pause::Waits),
    };
    loop {
        let op = match next {
            Continue(op) => op,
            Break(pause) => return Ok(pause),
        };
        let spe = processors.spe(id);
        if let Some(at) = must_wait_for_clock(spe, op, &wires.time)
            // The other lookahead SPUs of this bus cycle are not in the calendar.
            && (spe.lookahead || !wires.time.advance_idle(at))
        {
            spe.core.state = State::Asked(op);
            wires.time.wake(Unit::Spu(id), at);
            return Ok(Pause::Waits);
        }
        wires.asked(op, spe.id, spe.core.time);
        if let Op::Compute(cycles @ 1..) = op {
            // The program does not access its local store until the computation's cycles have passed.
            spe.core.time = spe.core.time.saturating_add(cycles);
            next = Continue(Op::Compute(0));
            continue;
        }
        let Some(value) = answer(spe, op, wires)? else {
            spe.core.state = State::Blocked(op);
            wires.probes.stalled(id, op, wires.time.now());
            return Ok(Pause::Waits);
        };
        next = go_on(id, value, processors, wires)?;
    }
}

/// Passes the answer to the program, and continues the program until its next operation.
#[inline(always)]
fn go_on(
    id: SpeId,
    mut answer: u32,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Result<ControlFlow<Pause, Op>, RunError> {
    loop {
        let (lookahead, line_at) = if processors.spe(id).lookahead {
            (lookahead::of(id, processors, wires), lookahead::visited_at(id, wires))
        } else {
            (0, None)
        };
        let spe = processors.spe(id);
        match turn(spe, answer, lookahead, line_at, wires)? {
            Step::Ask(Op::Write(channel, value)) => {
                if let Some(op) = write_parameters(spe, (channel, value), wires) {
                    return Ok(Continue(op));
                }
                answer = 0;
            }
            Step::Ask(op) => return Ok(Continue(op)),
            Step::Mark { remaining } => {
                spe.core.mark(remaining);
                spe.core.state = State::Ready(0);
                return Ok(Break(Pause::Marked));
            }
            Step::Stop(code) => return Ok(Break(stop(spe, code, wires))),
        }
    }
}

/// Runs one turn of the program, until its next operation, mark or end.
#[inline]
fn turn(
    spe: &mut Spe<'_>,
    answer: u32,
    lookahead: SpuCycles,
    line_at: Option<SpuCycles>,
    wires: &mut Wires,
) -> Result<Step, RunError> {
    let (time, core) = (&wires.time, &mut spe.core);
    core.note(u64::from(answer));
    let Some(program) = &mut spe.program else { return Err(broken_program(spe, "there is none".to_string(), time)) };
    if let Some((channel, value)) = program.writes_anyway() {
        return Ok(Step::Ask(Op::Write(channel, value)));
    }
    if !core.begin_turn() {
        return Err(broken_program(spe, no_progress(), time));
    }
    let skipped = time.skipped() * time.ratio;
    let own_time = core.time + skipped;
    let line_at = line_at.map(|at| at + skipped).filter(|at| *at >= own_time);
    let event = spe.channels.events.count();
    let (lookahead, traced) = wires.probes.traces_turn(own_time, lookahead, time);
    let turn = Turn { answer, time: own_time, lookahead, line_at, event, traced };
    let step = program.resume(turn, &mut spe.local_store);
    if wires.probes.trace.is_some() {
        wires.probes.positions(spe.id, program.take_positions(), time);
    }
    step.map_err(|why| broken_program(spe, why, time))
}

#[cold]
fn broken_program(spe: &Spe<'_>, why: String, time: &Time) -> RunError {
    broken(spe, Operation::Program, Fault::Program(why), time)
}

/// Performs the program's successive channel writes, as long as they only write parameters of a command, because no
/// other unit sees these parameters. Returns the first other channel write, or `None` if the program needs a turn
/// first.
#[inline]
fn write_parameters(spe: &mut Spe<'_>, (mut channel, mut value): (Channel, u32), wires: &mut Wires) -> Option<Op> {
    loop {
        spe.core.time += wires.board.machine.spu.channel_write_spu_cycles;
        match channel.parameter() {
            Some(nth) if is_ahead(spe, RUN_AHEAD_BUS_CYCLES, &wires.time).is_none() => {
                spe.channels.parameters[nth] = value
            }
            _ => return Some(Op::Write(channel, value)),
        }
        wires.probes.parameter_written(spe.id, spe.core.time, &wires.board);
        (channel, value) = spe.program.as_mut()?.writes_anyway()?;
        spe.core.note(0);
    }
}

/// Ends the program once the bus clock has caught up with the program.
#[inline(never)]
fn stop(spe: &mut Spe<'_>, code: u32, wires: &mut Wires) -> Pause {
    if let Some(at) = is_ahead(spe, 0, &wires.time) {
        spe.core.state = State::Stopping(code);
        wires.time.wake(Unit::Spu(spe.id), at);
        return Pause::Waits;
    }
    spe.core.state = State::Stopped(code);
    spe.end = spe.supervised.then_some(code);
    spe.stopped_at_spu_cycle = spe.core.time + wires.time.skipped() * wires.time.ratio;
    spe.program.take_if(|program| !program.goes_on());
    wires.probes.traced(|trace| trace.stopped(spe.id, wires.time.now()));
    Pause::Stopped
}

/// The bus cycle until which an operation must wait, if that cycle is in the future.
fn must_wait_for_clock(spe: &Spe<'_>, op: Op, time: &Time) -> Option<BusCycle> {
    is_ahead(spe, if is_private(spe, op) { RUN_AHEAD_BUS_CYCLES } else { 0 }, time)
}

/// The bus cycle in which the clock will have caught up with a program, or `None` if the program is at most `slack` bus
/// cycles ahead.
fn is_ahead(spe: &Spe<'_>, slack: BusCycle, time: &Time) -> Option<BusCycle> {
    let is_ahead = spe.core.time > (time.now() + slack) * time.ratio;
    is_ahead.then(|| spe.core.time.div_ceil(time.ratio))
}

/// The answer to an operation, or `None` if the program must wait for the channel.
#[inline]
fn answer(spe: &mut Spe<'_>, op: Op, wires: &mut Wires) -> Result<Option<u32>, RunError> {
    let answer = match op {
        Op::Compute(_) => Ok(Some(0)),
        Op::Count(channel) => Ok(Some(channels::count(spe, channel))),
        Op::Read(channel) => channels::read(spe, channel, &mut wires.time).map_err(Fault::from),
        Op::Write(channel, value) => channel_writes::write(spe, channel, value, wires).map(|done| done.then_some(0)),
    };
    let answer = answer.map_err(|rule| broken(spe, operation(op), rule, &wires.time))?;
    if let Some(value) = answer {
        if matches!(op, Op::Read(_) | Op::Count(_)) {
            spe.core.time += wires.board.machine.spu.channel_read_spu_cycles;
        }
        wires.probes.answered(spe.id, op, value, spe.core.time);
    }
    Ok(answer)
}

/// Whether an operation is invisible to all other units, so that its timing does not matter.
fn is_private(spe: &Spe<'_>, op: Op) -> bool {
    match op {
        // The new mask may complete the pending request.
        Op::Write(Channel::WR_TAG_MASK, _) => spe.channels.tag_update.is_none(),
        Op::Write(channel, _) => channel.parameter().is_some() || channel == Channel::WR_SRR0,
        Op::Read(channel) => {
            matches!(channel, Channel::RD_TAG_MASK | Channel::RD_SRR0 | Channel::RD_EVENT_MASK | Channel::RD_DEC)
        }
        Op::Count(_) | Op::Compute(_) => false,
    }
}
