//! FUNCTION `exchange`: runs a communication pattern given as data, with messages in phases and a barrier after each
//! phase (sudheer2009).

mod script;
mod spe;
#[cfg(test)]
mod tests;

use crate::choices::SpeProgram;
use crate::control_block::ControlBlock;
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::pattern::Pattern;
use crate::refusal::{Refusal, verbatim};
use crate::settings::Settings;
use crate::setup::{Columns, Description, Setup, Task};
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{SpeId, ThreadId};
use script::Script;

/// Default number of measured iterations, and default number of warm-up iterations.
const ITERATIONS: u64 = 1_000;
const WARM_UP: u64 = 1;

/// An exchange of a pattern's messages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Exchange {
    pattern: Pattern,
}

impl Family for Exchange {
    const FUNCTIONS: &'static [&'static str] = &["exchange"];
    const TITLE: &'static str = "Custom pattern";
    const HEADING: &'static str = "or a pattern that is given as data:";
    const HELP: &'static [(&'static str, &'static str)] =
        &[("exchange", "messages in phases, each after a barrier (--pattern)")];
    const PARAMETERS: &'static [Parameter] = &[Parameter::Pattern, Parameter::Size, Parameter::Histogram];

    fn lacks(_: usize, parameter: Parameter, computer: Computer) -> Option<&'static str> {
        match (parameter, computer) {
            (Parameter::SpeToSpe, Computer::Cell) => Some("the pattern says who communicates, leave {spe_to_spe} out"),
            _ => None,
        }
    }

    fn read(_: usize, given: &Parameters) -> Result<Exchange, Refusal> {
        let missing = || Refusal::new("no messages; give {pattern}, such as {pattern} ring, or a file");
        let pattern = given.pattern.clone().ok_or_else(|| missing().with("exchange"))?;
        if given.size.is_some() {
            // The caller has already built the pattern from its name and the size.
            return Err(Refusal::of(Parameter::Size, Parameter::Size.why_not()).with("exchange"));
        }
        Ok(Exchange { pattern })
    }

    async fn prepare(spu: &Spu, block: &ControlBlock) {
        spe::prepare(spu, block).await;
    }

    async fn run(spu: &Spu, block: &ControlBlock, _: usize, iterations: u64, tag: u32) {
        spe::exchange(spu, block, iterations, tag).await;
    }
}

impl Workload for Exchange {
    fn name(&self) -> &'static str {
        Exchange::FUNCTIONS[0]
    }

    fn columns(&self, _: &Settings) -> Columns {
        let (size_bytes, pattern) = (Some(self.pattern.longest_bytes()), Some(self.pattern.name.clone()));
        Columns { size_bytes, pattern, ..Columns::default() }
    }

    fn default_spes(&self, _: u32, _: Option<u32>) -> u32 {
        self.pattern.threads
    }

    fn bytes_of_thread(&self, thread: ThreadId) -> Option<u64> {
        Some(self.pattern.bytes_issued(thread))
    }

    fn default_iterations(&self, _: SpeProgram) -> u64 {
        ITERATIONS
    }

    /// One warm-up iteration is enough, because its barriers keep every SPE from measuring before the last SPE has
    /// started.
    fn warm_up(&self, _: u64) -> u64 {
        WARM_UP
    }

    fn uses_memory(&self) -> bool {
        self.pattern.uses_memory()
    }

    fn between_spes(&self) -> bool {
        !self.uses_memory()
    }

    fn check(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal> {
        let Pattern { name, threads, .. } = &self.pattern;
        if *threads != settings.spes {
            let name = verbatim(name);
            return Err(settings.spes_refused(format!("pattern {name} has {threads} threads, leave {{spes}} out")));
        }
        self.pattern.check(machine)
    }

    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
        let scripts = script::scripts(&self.pattern, setup)?;
        let task = |thread: ThreadId| {
            let script = scripts.iter().find(|script| script.spe == setup.spe(thread))?;
            let ea = Script::ea(script.spe);
            let block = ControlBlock { size_bytes: script.bytes(), ea, ..setup.block() };
            let words = vec![(ea, script.words.clone())];
            // In a barrier, signals from several SPEs must not overwrite each other.
            Some(Task { words, signals_or: true, ..Task::new(thread, block) })
        };
        Ok(setup.threads().filter_map(task).collect())
    }

    /// The SPEs that take part, and the messages between them. Thread numbers do not matter.
    fn description(&self, spes: u32, placement: &Placement) -> Description {
        let mut taking_part: Vec<(SpeId, u8)> =
            placement.threads().take(spes as usize).map(|(_, spe)| (spe, 0)).collect();
        taking_part.sort();
        (taking_part, self.pattern.on(placement))
    }
}
