//! The interface of a family of FUNCTIONs: its parameters and refusals, its memory layout, and its two programs.
//!
//! Every FUNCTION runs in the same way (abellan2008ps3, section 3). The PPE stores a control block for each SPE,
//! creates the threads and synchronises them by mailbox. Each SPE fetches its control block by DMA, reports that it is
//! ready and waits for the go-ahead. The SPE then warms up, runs the measured loop, reads its decrementer and mails the
//! ticks. The PPE computes the averages. A family implements only its differences from this procedure; most families
//! use the default methods.

use crate::choices::SpeProgram;
use crate::control_block::ControlBlock;
use crate::director;
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Description, Load, MEASURED_TAG, Setup, Task, Ticks};
use cell::coroutine::Spu;
use cell::door::PpeProgram;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::trace::Trigger;
use cell::units::{SpeId, ThreadId};
use std::future::Future;

/// Which computer is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computer {
    /// A simulated Cell.
    Cell,
    /// The computer on which the tool runs.
    Host,
}

/// A family of FUNCTIONs.
pub trait Family: Workload + Sized {
    /// Names of the family's FUNCTIONs on the command line; `nth` in the functions below is an index into this list.
    const FUNCTIONS: &'static [&'static str];
    /// The family's name on a page.
    const TITLE: &'static str;
    /// Heading in the list of all FUNCTIONs; if empty, the FUNCTIONs are listed under the previous family's heading.
    const HEADING: &'static str = "";
    /// Rows in the list of all FUNCTIONs: names and descriptions.
    const HELP: &'static [(&'static str, &'static str)];
    /// The family's parameters, apart from those that every measurement has.
    const PARAMETERS: &'static [Parameter];

    /// The reason why one of the family's FUNCTIONs lacks a parameter. The parameter may be one of
    /// [`Family::PARAMETERS`], or any other parameter whose usual reason does not suit the family.
    fn lacks(_nth: usize, _parameter: Parameter, _computer: Computer) -> Option<&'static str> {
        None
    }

    /// Reads the family's parameters and fills in defaults.
    ///
    /// # Errors
    /// A word or a number that is invalid on every machine.
    fn read(nth: usize, given: &Parameters) -> Result<Self, Refusal>;

    /// Prepares the SPE, which then reports that it is ready.
    fn prepare(_spu: &Spu, _block: &ControlBlock) -> impl Future<Output = ()> {
        async {}
    }

    /// The SPE's loop; its DMA commands are in tag group `tag`.
    fn run(spu: &Spu, block: &ControlBlock, nth: usize, iterations: u64, tag: u32) -> impl Future<Output = ()>;

    /// What the SPE does after the measured loop, before it mails the ticks.
    fn finish(_spu: &Spu, _block: &ControlBlock) -> impl Future<Output = ()> {
        async {}
    }
}

/// A FUNCTION with its parameters, and the properties that follow from them.
pub trait Workload {
    /// The name of the FUNCTION.
    fn name(&self) -> &'static str;

    /// The columns of a result that this FUNCTION fills.
    fn columns(&self, settings: &Settings) -> Columns;

    /// Default number of SPEs, given the number of SPEs that threads may use and the number of SPEs `listed` in an
    /// explicit placement.
    fn default_spes(&self, _usable: u32, listed: Option<u32>) -> u32 {
        listed.unwrap_or(1)
    }

    /// Bytes that one iteration of a thread moves, if all threads move the same number.
    fn iteration_bytes(&self) -> Option<u64> {
        None
    }

    /// Bytes that one iteration of this thread moves, or `None` if no data move.
    fn bytes_of_thread(&self, _thread: ThreadId) -> Option<u64> {
        self.iteration_bytes()
    }

    /// Default number of iterations.
    fn default_iterations(&self, spe_program: SpeProgram) -> u64 {
        /// Fast-forward cannot skip iterations of programs that run instruction by instruction. With this number of
        /// iterations, averages are accurate to 0.1 %.
        const IN_C: u64 = 10_000;
        if spe_program == SpeProgram::C { IN_C } else { 1_000_000 }
    }

    /// Warm-up iterations: a thousand (abellan2008ps3, 3.2), or a quarter of the measured iterations if that is less.
    /// Warm-up always lasts long enough for the last SPE to start before the first SPE begins to measure.
    fn warm_up(&self, iterations: u64) -> u64 {
        const BYTES: u64 = 400 << 10;
        let least = self.iteration_bytes().map_or(300, |bytes| (BYTES / bytes.max(1)).clamp(32, 300));
        (iterations / 4).clamp(least, 1_000)
    }

    /// Number of PPE threads that measure; 0 if SPEs measure.
    fn ppe_threads(&self) -> u32 {
        0
    }

    /// Whether the buffers or variables are in main memory.
    fn uses_memory(&self) -> bool;

    /// Whether the measured loops use only SPEs and the rings between them.
    fn between_spes(&self) -> bool {
        false
    }

    /// The load that is offered at a rate, if there is one.
    fn offered_load(&self, _machine: &Machine) -> Option<Load> {
        None
    }

    /// Whether a seed chooses the targets of the DMAs, or when they are offered.
    fn uses_seed(&self) -> bool {
        false
    }

    /// Checks everything that depends on the settings and the machine, but not on the memory layout.
    ///
    /// # Errors
    /// The invalid parameter, and a valid choice.
    fn check(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal>;

    /// Lays out the threads, one task for each.
    ///
    /// # Errors
    /// The buffers do not fit; the refusal names a valid choice.
    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal>;

    /// The PPE's programs for these tasks, one for each hardware thread in use. The programs write their threads' ticks
    /// into `ticks`.
    ///
    /// # Errors
    /// The same as [`Workload::tasks`].
    fn ppe_programs(
        &self,
        tasks: Vec<Task>,
        setup: &Setup,
        ticks: &Ticks,
    ) -> Result<Vec<Box<dyn PpeProgram>>, Refusal> {
        Ok(vec![director::common(tasks, setup, ticks)])
    }

    /// The event at which a trace of the measured part begins: the first DMA, if there are DMAs.
    fn trigger(&self) -> Trigger {
        Trigger::TagGroup(MEASURED_TAG)
    }

    /// The control block that stands for all blocks with which the built-in program does the same work in the same
    /// time. The value is `None` if the PPE's programs depend on more than the tasks.
    fn same_work(&self, _block: ControlBlock, _machine: &Machine) -> Option<ControlBlock> {
        None
    }

    /// Describes the run that results from a placement.
    fn description(&self, spes: u32, placement: &Placement) -> Description {
        let threads = placement.threads().take(spes as usize);
        let mut threads: Vec<(SpeId, u8)> = threads.map(|(thread, spe)| (spe, thread.0)).collect();
        threads.sort();
        (threads, Vec::new())
    }
}
