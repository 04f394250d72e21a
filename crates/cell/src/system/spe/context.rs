//! Programs and contexts under a supervisor: an operating system starts, halts, saves and restores them.
//!
//! MODEL: a context is saved between two bus requests of its MFC, as soon as no request from or to the SPE is in
//! flight. The commands that remain in the MFC's queues are part of the saved context. The context loses its
//! reservation. Modified lines of the atomic unit need no write-back, because main memory already contains their
//! bytes. The operating system spends the time of moving a local store, which is a value of the machine file.

use super::decrementer;
use super::wake::wake_dmac;
use crate::channel::event;
use crate::door::Program;
use crate::ea::Target;
use crate::error::RunError;
use crate::page_table::PageTable;
use crate::processor::State;
use crate::system::processors::context::SpeContext;
use crate::system::processors::spe::Spe;
use crate::system::stage::Unit;
use crate::system::wires::Wires;
use std::rc::Rc;

/// Starts a program under a supervisor.
pub(crate) fn start<'p>(spe: &mut Spe<'p>, program: Box<dyn Program + 'p>, pages: Rc<PageTable>, wires: &mut Wires) {
    spe.lookahead = program.runs_ahead();
    spe.program = Some(program);
    spe.mfc.mmu.pages = Some(pages);
    (spe.supervised, spe.end, spe.fault) = (true, None, None);
    let now = wires.time.now();
    spe.core.start(0, wires.time.now_in_spu_cycles());
    wires.time.wake(Unit::Spu(spe.id), now);
    wires.probes.program_started(spe.id, &wires.board, now);
}

/// Takes the stop code or the fault of a program that has ended.
pub(crate) fn take_end(spe: &mut Spe<'_>) -> Option<Result<u32, RunError>> {
    match spe.fault.take() {
        Some(fault) => Some(Err(fault)),
        None => spe.end.take().map(Ok),
    }
}

/// Ends the program at once, even in the middle of an operation.
pub(crate) fn halt(spe: &mut Spe<'_>) {
    if spe.core.is_running() {
        spe.core.state = State::Stopped(0);
        spe.program = None;
    }
}

/// Takes the state of an SPE and leaves the SPE at rest. Returns `None` while a request from or to the SPE is in
/// flight.
pub(crate) fn save<'p>(spe: &mut Spe<'p>, wires: &mut Wires) -> Option<SpeContext<'p>> {
    let lock_lines = spe.atomic.pending.is_some() || spe.atomic.queued.is_some() || spe.channels.ms_sync_pending;
    let is_own = |target| matches!(target, Target::LocalStore(of, _) | Target::Register(of, _) if of == spe.id);
    let visitors = wires.bus.requests.any_about(is_own);
    if !spe.suspended || lock_lines || visitors || !spe.mfc.is_quiet() {
        return None;
    }
    if spe.atomic.reservation.is_some() {
        spe.channels.events.raise(event::LOCK_LINE);
    }
    for proxy in [false, true] {
        let queue = wires.probes.occupancy.mfc(spe.id).of(proxy);
        spe.mfc.queue(proxy).iter().for_each(|_| queue.leave(wires.time.now()));
    }
    Some(SpeContext::take(spe, &wires.board.machine))
}

/// Loads a saved state into an SPE at rest, and resumes the program and the commands.
pub(crate) fn restore<'p>(spe: &mut Spe<'p>, saved: SpeContext<'p>, wires: &mut Wires) {
    saved.put(spe, &wires.board.machine);
    for proxy in [false, true] {
        let queue = wires.probes.occupancy.mfc(spe.id).of(proxy);
        spe.mfc.queue(proxy).iter().for_each(|_| queue.enter(wires.time.now()));
    }
    if let State::Blocked(op) = spe.core.state {
        spe.core.state = State::Asked(op);
    }
    if spe.core.is_running() {
        spe.core.time = spe.core.time.max(wires.time.now_in_spu_cycles());
        wires.time.wake(Unit::Spu(spe.id), wires.time.now());
    }
    decrementer::arm(spe, &mut wires.time);
    wake_dmac(spe, wires);
}
