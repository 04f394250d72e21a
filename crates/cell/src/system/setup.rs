//! A machine made ready: programs, bytes, and what the record is to tell.

use super::board::Board;
use super::bus::Bus;
use super::fast_forward::anchor::Search;
use super::memory::Memory;
use super::parts::System;
use super::probes::set::Probes;
use super::processors::Processors;
use super::time::Time;
use crate::counters::Latencies;
use crate::door::{PpeProgram, ProgramFactory};
use crate::machine::Machine;
use crate::placement::Placement;
use crate::store::{LocalStore, Store};
use crate::units::{BusCycle, ThreadId};

impl<'p> System<'p> {
    /// A machine at rest, with threads placed on its SPEs.
    pub fn new(machine: &Machine, placement: Placement) -> System<'p> {
        let board = Board::new(machine, placement);
        System {
            time: Time::new(machine),
            bus: Bus::new(&board),
            memory: Memory::new(&board),
            processors: Processors::new(&board),
            probes: Probes::new(&board),
            fast_forward: None,
            board,
        }
    }

    /// Lets the run leave out whole periods of what repeats; the record stays the same to the bit.
    pub fn enable_fast_forward(&mut self) {
        self.fast_forward = Some(Search::default());
    }

    /// Keeps a row for every transfer over the rings, which rules fast-forward out.
    pub fn record_transfers(&mut self) {
        self.probes.transfers = Some(Vec::new());
        self.fast_forward = None;
    }

    /// Keeps the latency of every DMA command of one tag group, from the write of `MFC_Cmd` until the tag
    /// status shows its end.
    pub fn record_latencies(&mut self, tag: u32) {
        self.probes.latency_tag = Some(tag);
        self.probes.counters.latencies = vec![Latencies::new(); self.processors.spes.len()];
    }

    /// Lets the record count only what happens while all of `programs` programs measure: from the last of
    /// their first writes to the decrementer until the first of them reads it.  If there is no such time,
    /// everything counts.
    pub fn count_measured_part(&mut self, programs: usize) {
        self.probes.count_measured_part(programs, self.processors.spes.len());
    }

    /// Gives a thread its program.  Without a PPE program all threads start at cycle 0.
    pub fn load(&mut self, thread: ThreadId, factory: ProgramFactory<'p>) {
        let spe = self.board.placement.spe(thread);
        self.processors.spe(spe).factory = Some(factory);
    }

    /// Gives the PPE a program, which creates the threads on SPEs.  It has two hardware threads: a second
    /// program runs beside the first, from the start.
    pub fn load_ppe(&mut self, program: Box<dyn PpeProgram + 'p>) {
        self.processors.ppe.load(program);
    }

    /// Main memory.
    pub fn memory(&self) -> &Store {
        &self.memory.store
    }

    /// Main memory, to prepare it.
    pub fn memory_mut(&mut self) -> &mut Store {
        &mut self.memory.store
    }

    /// A thread's local store.
    pub fn local_store(&self, thread: ThreadId) -> &LocalStore {
        &self.processors.spes[usize::from(self.board.placement.spe(thread).0)].local_store
    }

    /// Bus cycles since the start, those left out included.
    pub fn bus_cycles(&self) -> BusCycle {
        self.time.bus_cycles()
    }
}
