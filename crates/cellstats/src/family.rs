//! What a family of FUNCTIONs is: its parameters and refusals, where its bytes lie, and its two programs.
//!
//! Every FUNCTION runs the same way (abellan2008ps3, section 3).  The PPE marshals a control block for each
//! SPE, creates the threads and synchronises them by mailbox; each SPE fetches its control block by DMA,
//! reports that and waits for the go-ahead, warms up, loops, reads its decrementer and mails the ticks; the PPE
//! computes the averages.  A family says what differs; a method with a default is the same in most families.

use crate::choices::SpeProgram;
use crate::control_block::ControlBlock;
use crate::director;
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Description, MEASURED_TAG, Setup, Task, Ticks};
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
    /// The one that the tool runs on.
    Host,
}

/// A family of FUNCTIONs.
pub trait Family: Workload + Sized {
    /// Names of its FUNCTIONs on the command line; below, `nth` is an index into this list.
    const FUNCTIONS: &'static [&'static str];
    /// What comes before them where the command line lists all FUNCTIONs; nothing: they follow the family before.
    const HEADING: &'static str = "";
    /// What is said of them there: names, and what they measure.
    const HELP: &'static [(&'static str, &'static str)];
    /// Its parameters beyond those that every measurement has.
    const PARAMETERS: &'static [Parameter];

    /// Why one of its FUNCTIONs lacks a parameter: one of [`Family::PARAMETERS`], or another one with a better
    /// reason than the usual.
    fn lacks(_nth: usize, _parameter: Parameter, _computer: Computer) -> Option<&'static str> {
        None
    }

    /// Reads its parameters and fills in defaults.
    ///
    /// # Errors
    /// A word or a number that cannot be, whatever the machine.
    fn read(nth: usize, given: &Parameters) -> Result<Self, Refusal>;

    /// What the SPE does before it says that it is ready.
    fn prepare(_spu: &Spu, _block: &ControlBlock) -> impl Future<Output = ()> {
        async {}
    }

    /// The SPE's loop, its DMA commands in tag group `tag`.
    fn run(spu: &Spu, block: &ControlBlock, nth: usize, iterations: u64, tag: u32) -> impl Future<Output = ()>;
}

/// A FUNCTION with its parameters, and what follows from them.
pub trait Workload {
    /// The name of its FUNCTION.
    fn name(&self) -> &'static str;

    /// Its columns of a result.
    fn columns(&self, settings: &Settings) -> Columns;

    /// SPEs that take part if nobody says how many: of `usable` ones, with as many in the placement as it
    /// lists.
    fn default_spes(&self, _usable: u32, listed: Option<u32>) -> u32 {
        listed.unwrap_or(1)
    }

    /// Bytes that one iteration of one thread moves, where all threads move the same.
    fn iteration_bytes(&self) -> Option<u64> {
        None
    }

    /// Bytes that one iteration of a thread moves; none where no data move.
    fn bytes_of_thread(&self, _thread: ThreadId) -> Option<u64> {
        self.iteration_bytes()
    }

    /// Iterations if nobody says how many.
    fn default_iterations(&self, spe_program: SpeProgram) -> u64 {
        /// Nothing of a run by instructions can be left out, and by then an average has settled to a thousandth.
        const IN_C: u64 = 10_000;
        if spe_program == SpeProgram::C { IN_C } else { 1_000_000 }
    }

    /// Warm-up iterations: a thousand (abellan2008ps3, 3.2), or a quarter of the measured ones if that is less;
    /// but enough for the last SPE to start before the first begins to measure.
    fn warm_up(&self, iterations: u64) -> u64 {
        const BYTES: u64 = 400 << 10;
        let least = self.iteration_bytes().map_or(300, |bytes| (BYTES / bytes.max(1)).clamp(32, 300));
        (iterations / 4).clamp(least, 1_000)
    }

    /// Threads of the PPE that measure, where no SPE takes part.
    fn ppe_threads(&self) -> u32 {
        0
    }

    /// Whether its buffers or variables lie in main memory.
    fn uses_memory(&self) -> bool;

    /// Whether a seed chooses its targets.
    fn uses_seed(&self) -> bool {
        false
    }

    /// Checks what depends on the settings and on the machine, but not on where bytes lie.
    ///
    /// # Errors
    /// What cannot be, and what would be right.
    fn check(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal>;

    /// Lays its threads out, one task for each.
    ///
    /// # Errors
    /// What does not fit, and what would.
    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal>;

    /// The PPE's programs for these tasks, one for each hardware thread in use; they leave the ticks of their
    /// threads.
    ///
    /// # Errors
    /// As [`Workload::tasks`].
    fn ppe_programs(
        &self,
        tasks: Vec<Task>,
        setup: &Setup,
        ticks: &Ticks,
    ) -> Result<Vec<Box<dyn PpeProgram>>, Refusal> {
        Ok(vec![director::common(tasks, setup, ticks)])
    }

    /// How the measured part begins, for a trace: with its first DMA, unless it has none.
    fn trigger(&self) -> Trigger {
        Trigger::TagGroup(MEASURED_TAG)
    }

    /// The run that a placement makes of it.
    fn description(&self, spes: u32, placement: &Placement) -> Description {
        let threads = placement.threads().take(spes as usize);
        let mut threads: Vec<(SpeId, u8)> = threads.map(|(thread, spe)| (spe, thread.0)).collect();
        threads.sort();
        (threads, Vec::new())
    }
}
