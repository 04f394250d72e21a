//! Contexts: the state of an SPE, which an operating system takes from one SPE and gives to another.
//!
//! MODEL: a context is saved between two bus requests of its MFC, with the commands that are left in its
//! queues, as soon as nothing of it is under way.  Its reservation is lost, and the lines that its atomic unit
//! has changed need not be written back, because main memory holds their bytes already.  What moving a local
//! store takes is a value of the machine that the operating system asks for.

use super::decrementer;
use super::proxy::ProxyRegisters;
use super::unit::{Spe, new_local_store};
use super::wake::wake_dmac;
use crate::atomic::AtomicUnit;
use crate::channel::event;
use crate::channels::Channels;
use crate::door::{Op, Program};
use crate::ea::Target;
use crate::error::RunError;
use crate::machine::Machine;
use crate::mfc::Mfc;
use crate::page_table::PageTable;
use crate::processor::{Core, State};
use crate::store::LocalStore;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::probes::set::Probes;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{ContextId, SpeId};
use std::rc::Rc;

/// Keeps a context, under the lowest number that is free.
pub(crate) fn keep<'p>(context: SpeContext<'p>, shelf: &mut Vec<Option<SpeContext<'p>>>) -> ContextId {
    let free = shelf.iter().position(Option::is_none).unwrap_or(shelf.len());
    if free == shelf.len() {
        shelf.push(None);
    }
    shelf[free] = Some(context);
    ContextId(free as u32)
}

/// The state of an SPE that is not on one.
pub(crate) struct SpeContext<'p> {
    /// Mailboxes, signals, events.
    pub channels: Channels,
    /// The local store.
    pub local_store: LocalStore,
    program: Option<Box<dyn Program + 'p>>,
    core: Core<Op, u32>,
    mfc: Mfc,
    proxy: ProxyRegisters,
    end: Option<u32>,
    fault: Option<RunError>,
    lookahead: bool,
}

impl<'p> SpeContext<'p> {
    /// The state after reset, with a local store of zeros; its DMA commands will go through `pages`.
    pub fn new(machine: &Machine, pages: &Rc<PageTable>) -> SpeContext<'p> {
        // Who it is is known as soon as it is on an SPE.
        let mut mfc = Mfc::new(SpeId(0), 0, machine);
        mfc.pages = Some(Rc::clone(pages));
        SpeContext {
            channels: Channels::new(machine),
            local_store: new_local_store(machine),
            program: None,
            core: Core::new(),
            mfc,
            proxy: ProxyRegisters::default(),
            end: None,
            fault: None,
            lookahead: false,
        }
    }
}

/// Starts a program, supervised.
pub(crate) fn start<'p>(
    spe: &mut Spe<'p>,
    program: Box<dyn Program + 'p>,
    pages: Rc<PageTable>,
    board: &Board,
    time: &mut Time,
    probes: &mut Probes,
) {
    spe.lookahead = program.runs_ahead();
    spe.program = Some(program);
    spe.mfc.pages = Some(pages);
    (spe.supervised, spe.end, spe.fault) = (true, None, None);
    spe.core.start(0, time.now_in_spu_cycles());
    time.wake(Unit::Spu(spe.id), time.now());
    probes.program_started(spe.id, board, time.now());
}

/// How its program has ended; told once.
pub(crate) fn take_end(spe: &mut Spe<'_>) -> Option<Result<u32, RunError>> {
    match spe.fault.take() {
        Some(fault) => Some(Err(fault)),
        None => spe.end.take().map(Ok),
    }
}

/// Ends its program wherever it stands.
pub(crate) fn halt(spe: &mut Spe<'_>) {
    if spe.core.is_running() {
        spe.core.state = State::Stopped(0);
        spe.program = None;
    }
}

/// Takes its state and leaves it at rest; nothing while something is under way.
pub(crate) fn save<'p>(
    spe: &mut Spe<'p>,
    board: &Board,
    time: &Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Option<SpeContext<'p>> {
    let lock_lines = spe.atomic.pending.is_some() || spe.atomic.queued.is_some() || spe.channels.ms_sync_pending;
    let is_own = |target| matches!(target, Target::LocalStore(of, _) | Target::Register(of, _) if of == spe.id);
    let visitors = bus.requests.any_about(is_own);
    if !spe.suspended || lock_lines || visitors || !spe.mfc.is_quiet() {
        return None;
    }
    if spe.atomic.reservation.is_some() {
        spe.channels.raise(event::LOCK_LINE);
    }
    for proxy in [false, true] {
        spe.mfc.queue(proxy).iter().for_each(|_| probes.occupancy.mfc(spe.id).of(proxy).leave(time.now()));
    }
    let at_rest = Spe { supervised: true, ..Spe::new(spe.id, spe.ramp, &board.machine) };
    let Spe {
        program,
        core,
        channels,
        mfc,
        proxy,
        local_store,
        end,
        fault,
        lookahead,
        // The SPE itself.
        id: _,
        ramp: _,
        factory: _,
        stopped_at_spu_cycle: _,
        supervised: _,
        suspended: _,
        // Lost.
        atomic: _,
    } = std::mem::replace(spe, at_rest);
    Some(SpeContext { channels, local_store, program, core, mfc, proxy, end, fault, lookahead })
}

/// Gives an SPE at rest a state, and lets it go on.
pub(crate) fn restore<'p>(
    spe: &mut Spe<'p>,
    saved: SpeContext<'p>,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) {
    let SpeContext { channels, local_store, program, core, mfc, proxy, end, fault, lookahead } = saved;
    (spe.channels, spe.local_store, spe.program, spe.core) = (channels, local_store, program, core);
    (spe.mfc, spe.proxy, spe.end, spe.fault, spe.lookahead) = (mfc, proxy, end, fault, lookahead);
    spe.atomic = AtomicUnit::new(board.machine.atomic.cache_lines);
    (spe.supervised, spe.suspended) = (true, false);
    spe.mfc.move_to(spe.id, spe.ramp);
    for proxy in [false, true] {
        spe.mfc.queue(proxy).iter().for_each(|_| probes.occupancy.mfc(spe.id).of(proxy).enter(time.now()));
    }
    if let State::Blocked(op) = spe.core.state {
        spe.core.state = State::Asked(op);
    }
    if spe.core.is_running() {
        spe.core.time = spe.core.time.max(time.now_in_spu_cycles());
        time.wake(Unit::Spu(spe.id), time.now());
    }
    decrementer::arm(spe, time);
    wake_dmac(spe, board, time, bus);
}
