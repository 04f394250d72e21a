//! `spu_run`: a context runs until it stops.

use super::context::{Context, Number, Seat, flag};
use super::program::Running;
use super::schedule;
use crate::linux::call::{Answer, Caller, NotDone};
use crate::linux::errno::Errno;
use crate::linux::files::spufs::Node;
use crate::linux::signals::fault::Fault;
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

/// How far a call has come.
const WANTS_SPE: u32 = 0;
const STARTED: u32 = 1;

/// `int spu_run(int fd, uint32_t *npc, uint32_t *event)`: `SPU_Status` after the stop.
pub fn spu_run(caller: &mut Caller<'_>) -> Answer {
    let [descriptor, npc, event, ..] = caller.request.arguments;
    let number = match caller.kernel.files.spufs(descriptor) {
        Some(Node::Context(number)) => number,
        Some(_) => return Err(Errno::EINVAL.into()),
        None => return Err(Errno::EBADF.into()),
    };
    if caller.request.progress == WANTS_SPE {
        let npc = caller.hardware.word(npc)?;
        begin(number, npc, caller)?;
    }
    let status = end(number, caller)?;
    let context = context(number, caller)?;
    let (at, events) = (context.npc, std::mem::take(&mut context.events));
    caller.hardware.put_word(npc, at)?;
    if event != 0 {
        caller.hardware.put_word(event, events)?;
    }
    Ok(status)
}

fn context<'c>(number: Number, caller: &'c mut Caller<'_>) -> Result<&'c mut Context, NotDone> {
    caller.kernel.spufs.contexts.get_mut(&number).ok_or(NotDone::Failed(Errno::EBADF))
}

/// Gets an SPE for the context and starts it there.
fn begin(number: Number, npc: u32, caller: &mut Caller<'_>) -> Result<(), NotDone> {
    let (tid, now, interrupted) = (caller.tid, caller.now(), caller.request.interrupted);
    let context = context(number, caller)?;
    let moved = context.queues.moved;
    if context.run_by.is_some_and(|other| other != tid) {
        return Err(Wait::on(moved).into());
    }
    context.run_by = Some(tid);
    if !schedule::acquire(number, caller.kernel, caller.hardware, now) {
        if interrupted {
            schedule::withdraw(number, &mut caller.kernel.spufs);
            self::context(number, caller)?.run_by = None;
        }
        let seated_at = caller.kernel.spufs.contexts.get(&number).filter(|context| context.spe().is_some());
        let until = seated_at.map(|context| context.seated_at);
        return Err(Wait::on(moved).until(until).into());
    }
    let context = self::context(number, caller)?;
    context.runner.borrow_mut().go_to(npc);
    (context.npc, context.status, context.started_at) = (npc, status::RUNNING, now);
    context.account.runs += 1;
    context.end.take();
    let program = Running { runner: Rc::clone(&context.runner), end: Rc::clone(&context.end) };
    if let (Some(spe), Some(spes)) = (context.spe(), caller.hardware.spes()) {
        spes.take_end(spe);
        spes.start(spe, Box::new(program));
    }
    caller.request.progress = STARTED;
    Ok(())
}

/// Waits for the stop; `SPU_Status` then.
fn end(number: Number, caller: &mut Caller<'_>) -> Result<u32, NotDone> {
    let (tid, now) = (caller.tid, caller.now());
    let Caller { kernel, hardware, .. } = caller;
    let context = kernel.spufs.contexts.get_mut(&number).ok_or(NotDone::Failed(Errno::EBADF))?;
    let ended = match (context.seat, hardware.spes()) {
        (Seat::On(spe), Some(spes)) => spes.take_end(spe),
        _ => None,
    };
    let Some(ended) = ended else { return Err(Wait::on(context.queues.moved).into()) };
    context.run_by = None;
    context.account.running_ns += now.saturating_sub(context.started_at);
    context.npc = context.runner.borrow().spu().pc();
    kernel.wakes.wake(context.queues.moved);
    match ended {
        Ok(_) => {
            context.status = stopped(context);
            Ok(context.status)
        }
        Err(error) => faulted(context, &error).map_err(|fault| {
            kernel.raise_fault(tid, fault);
            NotDone::Failed(Errno::EINTR)
        }),
    }
}

/// `SPU_Status` after an instruction has ended the run; where it goes on is noted.
fn stopped(context: &mut Context) -> u32 {
    match context.end.take() {
        Some(Exit::Stop { code }) => code << status::CODE_SHIFT | status::STOPPED_BY_STOP,
        Some(Exit::Fault(fault)) => {
            context.npc = fault.address.wrapping_add(4);
            match fault.why {
                Why::Halt => status::STOPPED_BY_HALT,
                Why::NoInstruction => status::INVALID_INSTRUCTION,
            }
        }
        _ => 0,
    }
}

/// What a rule that the context's program or its DMA broke means: a status or an event, where the program has asked
/// for events; a signal otherwise.
fn faulted(context: &mut Context, error: &RunError) -> Result<u32, Fault> {
    let RunError::Rule { rule, .. } = error else { return Ok(0) };
    let (event, fault): (u32, fn(String) -> Fault) = match rule {
        _ if rule.starts_with("DMA alignment") => (event::DMA_ALIGNMENT, Fault::misaligned),
        _ if rule.starts_with("data storage") => (event::DATA_STORAGE, Fault::unmapped),
        _ if rule.contains("DMA") || rule.starts_with("local store") => (event::INVALID_DMA, Fault::bus_error),
        _ => {
            context.status = status::INVALID_CHANNEL;
            return Ok(context.status);
        }
    };
    if context.flags & flag::EVENTS_ENABLED == 0 {
        return Err(fault(error.to_string()));
    }
    context.events |= event;
    context.status = 0;
    Ok(0)
}
