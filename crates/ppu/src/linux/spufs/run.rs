//! `spu_run`: a context runs until it stops.

use super::context::{Context, Seat};
use super::faults::{Reported, Told, What, status};
use super::program::Running;
use super::schedule;
use super::state::{Spufs, World};
use crate::linux::errno::Errno;
use crate::linux::memory::piece::Number;
use crate::linux::request::NotDone;
use crate::linux::signals::pending::Info;
use crate::linux::tid::Tid;
use crate::linux::wait::{Nanos, Wait};
use cell::error::RunError;
use cell::units::SpeId;
use spu::core::Exit;
use std::rc::Rc;

/// Gets an SPE for the context and starts it there.
pub fn begin(number: Number, npc: u32, tid: Tid, spufs: &mut Spufs, world: &mut World<'_>) -> Result<(), NotDone> {
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let moved = context.queues.moved;
    if context.run_by.is_some_and(|other| other != tid) {
        return Err(Wait::on(moved).into());
    }
    context.run_by = Some(tid);
    if !schedule::acquire(number, spufs, world) {
        let seated = spufs.contexts.get(&number).filter(|context| context.spe().is_some());
        let until = seated.map(|context| context.seated_at);
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

/// A thread that waits for an SPE is called away by a signal.
pub fn give_up(number: Number, tid: Tid, spufs: &mut Spufs, world: &mut World<'_>) {
    schedule::withdraw(number, spufs, world);
    if let Some(context) = spufs.contexts.get_mut(&number).filter(|context| context.run_by == Some(tid)) {
        context.run_by = None;
    }
}

/// A signal for the thread that runs a context, and what people are told if it ends the process.
pub type Killed = (Info, String);

/// Waits for the stop; `SPU_Status` then, or the signal that its fault is.
pub fn end(number: Number, spufs: &mut Spufs, world: &mut World<'_>) -> Result<Result<u32, Killed>, NotDone> {
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let (Seat::On(spe), Some(spes)) = (context.seat, world.hardware.spes()) else {
        return Err(Wait::on(context.queues.moved).into());
    };
    let Some(ended) = spes.take_end(spe) else { return Err(Wait::on(context.queues.moved).into()) };
    let bus_hz = spes.machine().bus_hz();
    context.run_by = None;
    context.account.running_ns += world.now.saturating_sub(context.started_at);
    context.npc = context.runner.borrow().spu().pc();
    world.wakes.wake(context.queues.moved);
    Ok(match ended {
        Ok(_) => stopped(context, spe, world.now),
        Err(error) => match &error {
            RunError::Rule { bus_cycle, place, command, rule, .. } => {
                let what = What::Rule(command.clone(), rule.clone());
                let time_ns = (u128::from(*bus_cycle) * 1_000_000_000 / u128::from(bus_hz)) as Nanos;
                let place = place.clone().unwrap_or_default();
                tell(context, error.to_string(), Reported::new(time_ns, spe, place, what, context.has_events()))
            }
            _ => Ok(0),
        },
    })
}

/// `SPU_Status` after an instruction has ended the run; where it goes on is noted.
fn stopped(context: &mut Context, spe: SpeId, now: Nanos) -> Result<u32, Killed> {
    context.status = match context.end.take() {
        Some(Exit::Stop { code }) => code << status::CODE_SHIFT | status::STOPPED_BY_STOP,
        Some(Exit::Fault(fault)) => {
            context.npc = fault.address.wrapping_add(4);
            let line = format!("an SPE's program at {:#x}: {:#010x} is no instruction", fault.address, fault.word);
            let place = context.runner.borrow().place();
            let reported = Reported::new(now, spe, place, What::Instruction(fault), context.has_events());
            return tell(context, line, reported);
        }
        _ => 0,
    };
    Ok(context.status)
}

/// Tells the process of a fault; `line` is for people, if that ends it.
fn tell(context: &mut Context, line: String, reported: Reported) -> Result<u32, Killed> {
    let told = reported.told;
    context.account.faults.add(reported);
    context.status = match told {
        Told::Signal(info) => return Err((info, line)),
        Told::Status(status) => status,
        Told::Event(event) => {
            context.events |= event;
            0
        }
    };
    Ok(context.status)
}
