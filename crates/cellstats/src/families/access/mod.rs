//! `load`, `store` and `copy`: accesses of the PPE's threads to a level of its memory hierarchy, or of SPUs to their local
//! stores (jimenez2007 4.1 and 4.2.2).

mod element_access;
mod ppe;
mod spe;

use crate::chips::MemoryChoice;
use crate::choices::{Level, SpeProgram, choice, shown, word};
use crate::control_block::ControlBlock;
use crate::director;
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Setup, Task, Ticks};
use crate::value::PlacementChoice;
use cell::coroutine::Spu;
use cell::door::PpeProgram;
use cell::machine::Machine;
use cell::trace::Trigger;
use cell::units::THREADS_PER_PPE;
use element_access::{ElementAccess, Kind};

/// Bytes that all PPE threads together move by default.
const TOTAL_BYTES: u64 = 128 << 20;

/// A processor's loads, stores or copies, element by element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    each: ElementAccess,
    threads: Option<u32>,
}

impl Access {
    fn by_ppe(&self) -> bool {
        self.each.level != Level::Ls
    }

    fn level_name(&self) -> &'static str {
        word(&Level::ALL, self.each.level)
    }

    /// Refuses parameters about SPEs where the PPE makes the accesses.
    fn check_ppe(&self, given: &Parameters, name: &str) -> Result<(), Refusal> {
        let level = self.level_name();
        if let Some(cells) = &given.cells {
            let refusal = Refusal::of(Parameter::Cells, "no SPE takes part, leave {cells} out");
            return Err(refusal.given(shown(cells)).with(name));
        }
        if let Some(spes) = given.spes.filter(|spes| *spes > 0) {
            let reason = format!("SPEs only have level ls; at {level} give {{threads}}");
            return Err(Refusal::of(Parameter::Spes, reason).given(spes).with(name));
        }
        if given.placement != PlacementChoice::Default {
            let reason = format!("at level {level} no SPE takes part");
            return Err(Refusal::of(Parameter::Placement, reason).with(name));
        }
        match self.threads {
            Some(threads) if threads == 0 || threads as usize > THREADS_PER_PPE => {
                let reason = format!("the PPE has {THREADS_PER_PPE} threads, give 1 to {THREADS_PER_PPE}");
                Err(Refusal::of(Parameter::Threads, reason).given(threads))
            }
            _ => Ok(()),
        }
    }
}

impl Family for Access {
    const FUNCTIONS: &'static [&'static str] = &["load", "store", "copy"];
    const TITLE: &'static str = "Loads and stores";
    const HEADING: &'static str = "or loads and stores of one processor, element by element:";
    const HELP: &'static [(&'static str, &'static str)] =
        &[("load, store, copy", "by the PPE in its caches or memory, by SPUs with --level ls")];
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::Size,
        Parameter::Stride,
        Parameter::Level,
        Parameter::Threads,
        Parameter::NonTemporal,
        Parameter::WorkingSet,
        Parameter::Chase,
        Parameter::Pages,
        Parameter::Mix,
        Parameter::Background,
        Parameter::Rate,
    ];

    fn lacks(nth: usize, parameter: Parameter, computer: Computer) -> Option<&'static str> {
        match (parameter, computer) {
            (Parameter::SpeToSpe, Computer::Cell) => {
                Some("load, store and copy do not communicate, leave {spe_to_spe} out")
            }
            (Parameter::Stride | Parameter::Rate, Computer::Cell) => Some(parameter.why_not()),
            (Parameter::Stride | Parameter::Chase | Parameter::Background | Parameter::Rate, _)
                if Kind::ALL[nth] != Kind::Load =>
            {
                Some(parameter.why_not())
            }
            (Parameter::Mix, _) if Kind::ALL[nth] == Kind::Store => Some(parameter.why_not()),
            _ => None,
        }
    }

    fn read(nth: usize, given: &Parameters) -> Result<Access, Refusal> {
        let level = given.level.as_deref().map(|level| choice(&Level::ALL, level, Parameter::Level)).transpose()?;
        let level = level.unwrap_or(Level::L1);
        let each =
            ElementAccess { kind: Kind::ALL[nth], level, size_bytes: given.size.unwrap_or(ElementAccess::SIZE_BYTES) };
        let (name, access) = (Access::FUNCTIONS[nth], Access { each, threads: given.threads });
        if access.by_ppe() {
            access.check_ppe(given, name)?;
        } else if given.threads.is_some() {
            return Err(Refusal::of(Parameter::Threads, Parameter::Threads.why_not()).with(name));
        }
        let size_bytes = access.each.size_bytes;
        if !matches!(size_bytes, 1 | 2 | 4 | 8 | 16) {
            let refusal = Refusal::of(Parameter::Size, "a load or store has 1, 2, 4, 8 or 16 bytes");
            return Err(refusal.given(size_bytes));
        }
        Ok(access)
    }

    async fn run(spu: &Spu, block: &ControlBlock, nth: usize, iterations: u64, _: u32) {
        spe::in_local_store(spu, block, Kind::ALL[nth], iterations).await;
    }
}

impl Workload for Access {
    fn name(&self) -> &'static str {
        Access::FUNCTIONS[self.each.kind as usize]
    }

    fn columns(&self, _: &Settings) -> Columns {
        Columns {
            size_bytes: Some(self.each.size_bytes),
            level: Some(self.level_name()),
            threads: Some(self.ppe_threads()).filter(|threads| *threads > 0),
            ..Columns::default()
        }
    }

    fn default_spes(&self, _: u32, listed: Option<u32>) -> u32 {
        if self.by_ppe() { 0 } else { listed.unwrap_or(1) }
    }

    fn iteration_bytes(&self) -> Option<u64> {
        Some(self.each.counted_bytes())
    }

    fn default_iterations(&self, _: SpeProgram) -> u64 {
        let bytes = self.each.counted_bytes().saturating_mul(self.ppe_threads().max(1).into());
        (TOTAL_BYTES / bytes.max(1)).max(1)
    }

    fn ppe_threads(&self) -> u32 {
        if self.by_ppe() { self.threads.unwrap_or(1) } else { 0 }
    }

    fn uses_memory(&self) -> bool {
        self.by_ppe()
    }

    fn check(&self, settings: &Settings, _: &Machine) -> Result<(), Refusal> {
        if settings.memory == MemoryChoice::Interleaved {
            let refusal = Refusal::of(Parameter::Memory, "the PPE walks through one chip's memory, give 0 or 1");
            return Err(refusal.given(settings.memory.name()).with(self.name()));
        }
        Ok(())
    }

    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
        if self.by_ppe() {
            return ppe::walks(self.each, self.ppe_threads(), setup).map(|_| Vec::new());
        }
        let each = self.each;
        let block = ControlBlock {
            size_bytes: each.size_bytes,
            buffers: spe::buffers(each, setup.machine)?,
            iteration_cycles: spe::element_cycles(each, setup.machine),
            ..setup.block()
        };
        Ok(setup.threads().map(|thread| Task::new(thread, block)).collect())
    }

    fn ppe_programs(
        &self,
        tasks: Vec<Task>,
        setup: &Setup,
        ticks: &Ticks,
    ) -> Result<Vec<Box<dyn PpeProgram>>, Refusal> {
        if !self.by_ppe() {
            return Ok(vec![director::common(tasks, setup, ticks)]);
        }
        let walks = ppe::walks(self.each, self.ppe_threads(), setup)?;
        Ok(walks.into_iter().enumerate().map(|(nth, own)| ppe::program(own, nth, ticks.clone())).collect())
    }

    fn trigger(&self) -> Trigger {
        if self.by_ppe() { Trigger::TimeBase } else { Trigger::Decrementer }
    }
}
