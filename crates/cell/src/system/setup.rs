//! Prepares a machine for its run: its programs, the initial bytes of memory, and the contents of the record.

use super::fast_forward::anchor::Search;
use super::fast_forward::settling::Settling;
use super::memory::Memory;
use super::parts::System;
use super::probes::transfer_log::TransferLog;
use super::processors::Processors;
use super::wires::Wires;
use crate::counters::Latencies;
use crate::door::{PpeProgram, ProgramFactory};
use crate::machine::Machine;
use crate::placement::Placement;
use crate::store::{LocalStore, Store};
use crate::units::{BusCycle, ThreadId};

impl<'p> System<'p> {
    /// A machine at rest, with threads placed on its SPEs.
    pub fn new(machine: &Machine, placement: Placement) -> System<'p> {
        let wires = Wires::new(machine, placement);
        let (memory, processors) = (Memory::new(&wires.board), Processors::new(&wires.board));
        System { wires, memory, processors, fast_forward: None, settling: None }
    }

    /// Allows the run to skip whole periods of a loop. The record stays bit-identical.
    pub fn enable_fast_forward(&mut self) {
        self.fast_forward = Some(Search::default());
    }

    /// Allows the run to skip most of its measured loops once their pace has settled. The record is then an
    /// extrapolation, and [`Record::settling`](crate::record::Record::settling) says so. Needs
    /// [`System::count_measured_part`].
    pub fn enable_settling(&mut self) {
        self.settling = Some(Settling::default());
    }

    /// Keeps a row for every transfer over the rings, and disables fast-forward and settling.
    pub fn record_transfers(&mut self) {
        self.wires.probes.transfers = Some(TransferLog::all());
        self.fast_forward = None;
        self.settling = None;
    }

    /// Keeps the last `most` transfers over the rings for [`crate::door::Supervisor::transfers`].
    pub fn keep_last_transfers(&mut self, most: usize) {
        self.wires.probes.transfers = Some(TransferLog::last(most));
    }

    /// Keeps the latency of every DMA command of one tag group, from the write of `MFC_Cmd` until the tag status shows
    /// the command's end.
    pub fn record_latencies(&mut self, tag: u32) {
        self.wires.probes.latency_tag = Some(tag);
        self.wires.probes.counters.latencies = vec![Latencies::new(); self.processors.spes.len()];
    }

    /// Restricts the record's counters to the time in which `programs` programs measure simultaneously. The measured
    /// time begins when the last program first writes its decrementer, and ends when any program first reads its
    /// decrementer. If there is no measured time, the counters cover the whole run.
    pub fn count_measured_part(&mut self, programs: usize) {
        self.wires.probes.count_measured_part(programs, self.processors.spes.len());
    }

    /// Gives a thread its program. Without a PPE program, all threads start at cycle 0.
    pub fn load(&mut self, thread: ThreadId, factory: ProgramFactory<'p>) {
        let spe = self.wires.board.placement.spe(thread);
        self.processors.spe(spe).factory = Some(factory);
    }

    /// Gives the PPE a program, which creates the threads on SPEs. The PPE has two hardware threads. A second program
    /// runs on the other hardware thread, and a third and a fourth program run on the PPE of the second chip. All
    /// programs start together.
    pub fn load_ppe(&mut self, program: Box<dyn PpeProgram + 'p>) {
        self.processors.load_ppe(program, &self.wires.board.machine);
    }

    /// Main memory.
    pub fn memory(&self) -> &Store {
        &self.memory.store
    }

    /// Main memory, for initialisation before the run.
    pub fn memory_mut(&mut self) -> &mut Store {
        &mut self.memory.store
    }

    /// A thread's local store.
    pub fn local_store(&self, thread: ThreadId) -> &LocalStore {
        &self.processors.spes[usize::from(self.wires.board.placement.spe(thread).0)].local_store
    }

    /// Bus cycles since the start, including the bus cycles that fast-forward skipped.
    pub fn bus_cycles(&self) -> BusCycle {
        self.wires.time.bus_cycles()
    }
}
