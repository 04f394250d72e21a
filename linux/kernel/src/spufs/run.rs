//! `spu_run`: runs a context until it stops.

use super::context::{Context, Residency};
use super::faults::{Cause, Notification, Reported, status};
use super::program::Running;
use super::schedule;
use super::state::{Spufs, World};
use super::stop::Stop;
use crate::errno::Errno;
use crate::memory::context_part::Number;
use crate::request::NotDone;
use crate::signals::pending::Info;
use crate::tid::Tid;
use crate::wait::{Nanos, Wait};
use cell::error::RunError;
use cell::units::SpeId;
use spu::core::Exit;
use std::rc::Rc;

/// Acquires an SPE for the context, and starts the context on this SPE.
pub fn begin(number: Number, npc: u32, tid: Tid, spufs: &mut Spufs, world: &mut World<'_>) -> Result<(), NotDone> {
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let moved = context.queues.moved;
    if context.run_by.is_some_and(|other| other != tid) {
        return Err(Wait::on(moved).into());
    }
    context.run_by = Some(tid);
    if !schedule::acquire(number, spufs, world) {
        let resident = spufs.contexts.get(&number).filter(|context| context.spe().is_some());
        let until = resident.map(|context| context.resident_at);
        return Err(Wait::on(moved).until(until).into());
    }
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    context.runner.borrow_mut().go_to(npc);
    (context.npc, context.status, context.started_at) = (npc, status::RUNNING, world.now);
    context.account.runs += 1;
    context.end.take();
    let program = Running { runner: Rc::clone(&context.runner), end: Rc::clone(&context.end) };
    if let (Some(spe), Some(spes)) = (context.spe(), world.hardware.spes()) {
        spes.take_end(spe);
        spes.start(spe, Box::new(program));
    }
    Ok(())
}

/// Removes a context from the run queue because a signal interrupts the thread in `spu_run`.
pub fn give_up(number: Number, tid: Tid, spufs: &mut Spufs, world: &mut World<'_>) {
    schedule::dequeue(number, spufs, world);
    if let Some(context) = spufs.contexts.get_mut(&number).filter(|context| context.run_by == Some(tid)) {
        context.run_by = None;
    }
}

/// A signal for the thread in `spu_run`, and a human-readable message in case the signal ends the process.
pub type Killed = (Info, String);

/// Waits for the context to stop. Returns `SPU_Status`, or the signal for the fault that stopped the context.
pub fn end(number: Number, spufs: &mut Spufs, world: &mut World<'_>) -> Result<Result<u32, Killed>, NotDone> {
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let (Residency::Resident(spe), Some(spes)) = (context.residency, world.hardware.spes()) else {
        return Err(Wait::on(context.queues.moved).into());
    };
    let Some(ended) = spes.take_end(spe) else { return Err(Wait::on(context.queues.moved).into()) };
    let bus_hz = spes.machine().bus_hz();
    context.run_by = None;
    context.account.running_ns += world.now.saturating_sub(context.started_at);
    let (at, npc) = (context.runner.borrow().at(), context.runner.borrow().spu().pc());
    context.npc = npc;
    world.wakes.wake(context.queues.moved);
    Ok(match ended {
        Ok(_) => {
            context.account.stop = context.end.borrow().as_ref().map(|exit| Stop::by(exit, at));
            stopped(context, spe, world.now)
        }
        Err(error) => match &error {
            RunError::Rule { bus_cycle, place, command, rule, .. } => {
                context.account.stop = Some(Stop::of(&error, at));
                let cause = Cause::Rule(command.clone(), rule.clone());
                let time_ns = (u128::from(*bus_cycle) * 1_000_000_000 / u128::from(bus_hz)) as Nanos;
                let place = place.clone().unwrap_or_default();
                report_fault(
                    context,
                    error.to_string(),
                    Reported::new(time_ns, spe, place, cause, context.has_events()),
                )
            }
            _ => Ok(0),
        },
    })
}

/// Returns `SPU_Status` for a run that was ended by an instruction. Updates the next instruction's address.
fn stopped(context: &mut Context, spe: SpeId, now: Nanos) -> Result<u32, Killed> {
    context.status = match context.end.take() {
        Some(Exit::Stop { code }) => code << status::CODE_SHIFT | status::STOPPED_BY_STOP,
        Some(Exit::Fault(fault)) => {
            context.npc = fault.address.wrapping_add(4);
            let line = format!("an SPE's program at {:#x}: {:#010x} is no instruction", fault.address, fault.word);
            let place = context.runner.borrow().place();
            let reported = Reported::new(now, spe, place, Cause::Instruction(fault), context.has_events());
            return report_fault(context, line, reported);
        }
        _ => 0,
    };
    Ok(context.status)
}

/// Reports a fault to the process. `line` is a human-readable explanation of the fault, used if its signal ends the
/// process.
fn report_fault(context: &mut Context, line: String, reported: Reported) -> Result<u32, Killed> {
    let told = reported.told;
    context.account.faults.add(reported);
    context.status = match told {
        Notification::Signal(info) => return Err((info, line)),
        Notification::Status(status) => status,
        Notification::Event(event) => {
            context.events |= event;
            0
        }
    };
    Ok(context.status)
}
