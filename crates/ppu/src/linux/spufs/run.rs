//! `spu_run`: a context runs until it stops.

use super::context::{Context, Seat, flag};
use super::files::Node;
use super::piece::Number;
use super::program::Running;
use super::schedule;
use super::state::{Spufs, World};
use crate::linux::call::Caller;
use crate::linux::errno::Errno;
use crate::linux::request::{Answer, NotDone};
use crate::linux::signals::number::Signal;
use crate::linux::signals::pending::{Info, code};
use crate::linux::thread::Tid;
use crate::linux::wait::Wait;
use cell::error::RunError;
use spu::core::{Exit, Why};
use std::rc::Rc;

/// Bits of `SPU_Status` (CBEA, SPU Status Register).
mod status {
    pub const RUNNING: u32 = 0x01;
    pub const STOPPED_BY_STOP: u32 = 0x02;
    pub const STOPPED_BY_HALT: u32 = 0x04;
    pub const INVALID_INSTRUCTION: u32 = 0x20;
    pub const INVALID_CHANNEL: u32 = 0x40;
    /// The stop-and-signal type stands from here on.
    pub const CODE_SHIFT: u32 = 16;
}

/// Events that `spu_run` tells.
mod event {
    pub const DMA_ALIGNMENT: u32 = 0x0008;
    pub const DATA_STORAGE: u32 = 0x0040;
    pub const INVALID_DMA: u32 = 0x0800;
}

/// `si_code`: an error of the object behind an address.
const BUS_OBJERR: i32 = 3;

/// How far a call has come.
const WANTS_SPE: u32 = 0;
const STARTED: u32 = 1;

/// `int spu_run(int fd, uint32_t *npc, uint32_t *event)`: `SPU_Status` after the stop.
pub fn spu_run(caller: &mut Caller<'_>) -> Answer {
    let [descriptor, npc, event, ..] = caller.request.arguments;
    let Node::Context(number) = caller.spufs_node(descriptor)? else { return Err(Errno::EINVAL.into()) };
    let spufs = Rc::clone(&caller.kernel.spufs);
    let spufs = &mut *spufs.borrow_mut();
    if caller.request.progress == WANTS_SPE {
        let at = caller.hardware.word(npc)?;
        let (tid, interrupted) = (caller.tid, caller.request.interrupted);
        if let Err(wait) = begin(number, at, tid, spufs, &mut caller.context()) {
            if interrupted {
                give_up(number, tid, spufs);
            }
            return Err(wait);
        }
        caller.request.progress = STARTED;
    }
    let status = match end(number, spufs, &mut caller.context())? {
        Ok(status) => status,
        Err((info, line)) => {
            caller.kernel.force(caller.tid, info, line);
            return Err(Errno::EINTR.into());
        }
    };
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    caller.hardware.put_word(npc, context.npc)?;
    if event != 0 {
        caller.hardware.put_word(event, context.events)?;
    }
    context.events = 0;
    Ok(status)
}

/// Gets an SPE for the context and starts it there.
fn begin(number: Number, npc: u32, tid: Tid, spufs: &mut Spufs, world: &mut World<'_>) -> Result<(), NotDone> {
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
fn give_up(number: Number, tid: Tid, spufs: &mut Spufs) {
    schedule::withdraw(number, spufs);
    if let Some(context) = spufs.contexts.get_mut(&number).filter(|context| context.run_by == Some(tid)) {
        context.run_by = None;
    }
}

/// A signal for the thread that runs a context, and what people are told if it ends the process.
type Fault = (Info, String);

/// Waits for the stop; `SPU_Status` then, or the signal that its fault is.
fn end(number: Number, spufs: &mut Spufs, world: &mut World<'_>) -> Result<Result<u32, Fault>, NotDone> {
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let ended = match (context.seat, world.hardware.spes()) {
        (Seat::On(spe), Some(spes)) => spes.take_end(spe),
        _ => None,
    };
    let Some(ended) = ended else { return Err(Wait::on(context.queues.moved).into()) };
    context.run_by = None;
    context.account.running_ns += world.now.saturating_sub(context.started_at);
    context.npc = context.runner.borrow().spu().pc();
    world.wakes.wake(context.queues.moved);
    Ok(match ended {
        Ok(_) => stopped(context),
        Err(error) => faulted(context, &error),
    })
}

/// `SPU_Status` after an instruction has ended the run; where it goes on is noted.  A word that is no instruction is
/// a signal, where the program has not asked for events.
fn stopped(context: &mut Context) -> Result<u32, Fault> {
    context.status = match context.end.take() {
        Some(Exit::Stop { code }) => code << status::CODE_SHIFT | status::STOPPED_BY_STOP,
        Some(Exit::Fault(fault)) => {
            context.npc = fault.address.wrapping_add(4);
            match fault.why {
                Why::Halt => status::STOPPED_BY_HALT,
                Why::NoInstruction if context.flags & flag::EVENTS_ENABLED == 0 => {
                    let line =
                        format!("an SPE's program at {:#x}: {:#010x} is no instruction", fault.address, fault.word);
                    return Err((Info::fault(Signal::SIGILL, code::ILL_ILLOPC, fault.address), line));
                }
                Why::NoInstruction => status::INVALID_INSTRUCTION,
            }
        }
        _ => 0,
    };
    Ok(context.status)
}

/// What a rule that the context's program or its DMA broke means: a status or an event, where the program has asked
/// for events; a signal otherwise.
fn faulted(context: &mut Context, error: &RunError) -> Result<u32, Fault> {
    let RunError::Rule { rule, .. } = error else { return Ok(0) };
    // Rules of DMA name the class of the interrupt that they are on silicon.
    let (event, signal, code) = if rule.contains("DMA alignment:") {
        (event::DMA_ALIGNMENT, Signal::SIGBUS, code::BUS_ADRALN)
    } else if rule.contains("data storage:") {
        (event::DATA_STORAGE, Signal::SIGSEGV, code::SEGV_MAPERR)
    } else if rule.contains("DMA command:") || rule.contains("local store overrun:") {
        (event::INVALID_DMA, Signal::SIGBUS, BUS_OBJERR)
    } else {
        context.status = status::INVALID_CHANNEL;
        return Ok(context.status);
    };
    if context.flags & flag::EVENTS_ENABLED == 0 {
        return Err((Info::fault(signal, code, context.npc), error.to_string()));
    }
    context.events |= event;
    context.status = 0;
    Ok(0)
}
