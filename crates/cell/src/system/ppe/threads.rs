//! A turn of one of the PPE's two threads: its program issues an operation, and the caches, the bus or the kernel
//! answer.
//!
//! A `sync` waits for all stores, and then goes over the bus as a request.
//!
//! MODEL: reading the time base takes one bus cycle.

use super::rules::broken;
use super::supervisor::{Held, lookahead};
use super::syscall;
use super::window::{self, Word};
use super::{kernel, walks};
use crate::door::{PpeOp, PpeStep, PpeTurn, Syscall};
use crate::error::RunError;
use crate::processor::{State, no_progress};
use crate::system::memory::Memory;
use crate::system::processors::ppe::{Ppe, PpeThread};
use crate::system::processors::{Pause, Processors};
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::system::wires::Wires;
use crate::trace::Trigger;

/// Runs a thread's program until it must wait or makes a mark.
///
/// # Errors
/// The program breaks a rule, or fails.
pub(crate) fn run(
    (chip, thread): (u8, usize),
    memory: &mut Memory,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Result<Pause, RunError> {
    loop {
        let ppe = processors.ppe(chip);
        let PpeThread { core, mark, loading, runs_ahead, .. } = &ppe.threads[thread];
        // The most frequent states come first, without a copy of the operation.
        match core.state {
            State::Ready(answer) => {
                if (mark.is_some() || *runs_ahead) && waits_for_clock(thread, ppe, &mut wires.time) {
                    return Ok(Pause::Waits);
                }
                if resume(answer, &mut Held { chip, thread, memory, processors, wires })? {
                    return Ok(Pause::Marked);
                }
                continue;
            }
            State::Blocked(PpeOp::Wait { until }) => match wait(thread, until, ppe, &mut wires.time) {
                Some(answer) => {
                    ppe.threads[thread].core.state = State::Ready(answer);
                    continue;
                }
                None => return Ok(Pause::Waits),
            },
            _ => (),
        }
        let (state, loading) = (core.state, *loading);
        match state {
            State::Asked(op) if walks::begin(thread, op, ppe, wires)? => (),
            State::Asked(_) | State::Stopping(_) if waits_for_clock(thread, ppe, &mut wires.time) => {
                return Ok(Pause::Waits);
            }
            State::Asked(op) => answer(thread, op, ppe, wires)?,
            State::Stopping(code) => ppe.threads[thread].core.state = State::Stopped(code),
            State::Blocked(op @ PpeOp::Sync) if ppe.sync_is_due(thread) => {
                answer(thread, op, ppe, wires)?;
            }
            State::Blocked(PpeOp::Syscall(_)) if !loading => {
                if !kernel::run((chip, thread), processors, wires)? {
                    return Ok(Pause::Waits);
                }
            }
            _ => return Ok(Pause::Waits),
        }
    }
}

/// Whether a thread is ahead of the bus clock. The PPE then wakes when the clock has caught up.
fn waits_for_clock(thread: usize, ppe: &Ppe<'_>, time: &mut Time) -> bool {
    let own_time = ppe.threads[thread].core.time;
    own_time > time.now_in_spu_cycles() && ppe.sleep(thread, own_time.div_ceil(time.ratio), time)
}

/// Gives the program a turn, or takes its mark once the bus clock has caught up with the program. Returns whether
/// there was a mark.
fn resume(answer: u64, machine: &mut Held<'_, '_>) -> Result<bool, RunError> {
    let (chip, thread) = (machine.chip, machine.thread);
    let hardware = &mut machine.processors.ppe(chip).threads[thread];
    if let Some(remaining) = hardware.mark.take() {
        hardware.core.mark(remaining);
        return Ok(true);
    }
    // The program borrows the whole machine for its turn, so the program must be taken out of the machine first.
    let Some(mut program) = hardware.program.take() else { return Ok(false) };
    hardware.core.note(answer);
    let step = if hardware.core.begin_turn() {
        let own_time = hardware.core.time;
        let lookahead = if hardware.runs_ahead { lookahead(own_time, &machine.wires.time) } else { 0 };
        let time = own_time + machine.wires.time.skipped() * machine.wires.time.ratio;
        program.resume(PpeTurn { answer, time, lookahead }, machine)
    } else {
        Err(no_progress())
    };
    let step = step.map_err(|why| broken("program", why, &machine.wires.time))?;
    let thread = &mut machine.processors.ppe(chip).threads[thread];
    thread.program = Some(program);
    thread.core.state = match step {
        // The clock has caught up with a program that runs ahead, so the answer is known.
        PpeStep::Ask(PpeOp::Compute(cycles)) if thread.runs_ahead => {
            thread.core.time = thread.core.time.saturating_add(cycles);
            State::Ready(0)
        }
        PpeStep::Ask(op) => State::Asked(op),
        PpeStep::Mark { remaining } => {
            thread.mark = Some(remaining);
            State::Ready(0)
        }
        PpeStep::Stop(code) => State::Stopping(code),
    };
    Ok(false)
}

/// The answer to a thread that sleeps: 1 after an interrupt, 0 after the timeout, or `None` while the thread must
/// sleep.
fn wait(thread: usize, until: Option<u64>, ppe: &mut Ppe<'_>, time: &mut Time) -> Option<u64> {
    let at = until.map(|ticks| time.bus_cycle_of(ticks));
    let answer = if !time.listen(ppe.number_of(thread)) {
        1
    } else if at.is_some_and(|at| at <= time.now()) {
        time.awake(ppe.number_of(thread));
        0
    } else {
        at.into_iter().for_each(|at| time.wake(Unit::Ppe(ppe.chip), at));
        return None;
    };
    let core = &mut ppe.threads[thread].core;
    core.time = core.time.max(time.now_in_spu_cycles());
    Some(answer)
}

fn answer(thread: usize, op: PpeOp, ppe: &mut Ppe<'_>, wires: &mut Wires) -> Result<(), RunError> {
    let core = &mut ppe.threads[thread].core;
    let answer = match op {
        PpeOp::Compute(cycles) => {
            core.time = core.time.saturating_add(cycles);
            Some(0)
        }
        PpeOp::Sync => {
            if ppe.stores_are_done() {
                window::sync(thread, ppe, wires);
            }
            None
        }
        PpeOp::TimeBase => {
            core.time += wires.time.ratio;
            wires.probes.trigger(Trigger::TimeBase, &mut wires.time);
            Some(wires.time.ticks_at(wires.time.now()))
        }
        PpeOp::Load { ea, bytes } => {
            window::load(thread, ea, bytes, ppe, wires)?;
            None
        }
        PpeOp::Store { ea, bytes, value } => {
            let word = Word { bytes, value };
            window::store(thread, ea, word, ppe, wires)?.then_some(0)
        }
        PpeOp::Wait { until } => wait(thread, until, ppe, &mut wires.time),
        PpeOp::Walk(_)
        | PpeOp::Touch { .. }
        | PpeOp::Prefetch(_)
        | PpeOp::Fetch { .. }
        | PpeOp::LoadReserved { .. }
        | PpeOp::StoreConditional { .. } => Some(0),
        PpeOp::Syscall(call) => {
            // A join lasts as long as the SPE's program, and the operating system has nothing to do meanwhile.
            if !matches!(call, Syscall::ThreadJoin(_)) {
                let number = ppe.number_of(thread);
                wires.probes.traced(|trace| trace.called(number, call.name(), wires.time.now()));
            }
            syscall::begin(call, &mut ppe.threads[thread].kernel, wires)?;
            None
        }
    };
    ppe.threads[thread].core.state = answer.map_or(State::Blocked(op), State::Ready);
    Ok(())
}
