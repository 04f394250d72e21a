//! A context: the state of an SPE, which an operating system can move from one SPE to another.

use super::proxy::ProxyRegisters;
use super::spe::{Spe, new_local_store};
use crate::atomic::AtomicUnit;
use crate::channels::Channels;
use crate::door::{Op, Program};
use crate::error::RunError;
use crate::machine::Machine;
use crate::mfc::Mfc;
use crate::page_table::PageTable;
use crate::processor::Core;
use crate::store::LocalStore;
use crate::units::{ContextId, SpeId};
use std::rc::Rc;

/// A saved SPE state, which is not on any SPE.
pub(crate) struct SpeContext<'p> {
    /// Mailboxes, signals, events.
    pub channels: Channels,
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
    /// A context in the reset state, with a local store of zeros. The context's DMA commands will use the page table
    /// `pages`.
    pub fn new(machine: &Machine, pages: &Rc<PageTable>) -> SpeContext<'p> {
        // The SPE's number is set when the context is restored.
        let mut mfc = Mfc::new(SpeId(0), 0, machine);
        mfc.mmu.pages = Some(Rc::clone(pages));
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

    /// Takes the state of an SPE, and leaves the SPE at rest.
    pub fn take(spe: &mut Spe<'p>, machine: &Machine) -> SpeContext<'p> {
        let at_rest = Spe { supervised: true, ..Spe::new(spe.id, spe.ramp, machine) };
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
        SpeContext { channels, local_store, program, core, mfc, proxy, end, fault, lookahead }
    }

    /// Loads this state into an SPE at rest.
    pub fn put(self, spe: &mut Spe<'p>, machine: &Machine) {
        let SpeContext { channels, local_store, program, core, mfc, proxy, end, fault, lookahead } = self;
        (spe.channels, spe.local_store, spe.program, spe.core) = (channels, local_store, program, core);
        (spe.mfc, spe.proxy, spe.end, spe.fault, spe.lookahead) = (mfc, proxy, end, fault, lookahead);
        spe.atomic = AtomicUnit::new(machine.atomic.cache_lines);
        (spe.supervised, spe.suspended) = (true, false);
        spe.mfc.move_to(spe.id, spe.ramp, machine);
    }
}

/// Stores a context under the lowest free number.
pub(crate) fn keep<'p>(context: SpeContext<'p>, contexts: &mut Vec<Option<SpeContext<'p>>>) -> ContextId {
    let free = contexts.iter().position(Option::is_none).unwrap_or(contexts.len());
    if free == contexts.len() {
        contexts.push(None);
    }
    contexts[free] = Some(context);
    ContextId(free as u32)
}
