//! FUNCTIONs `fetchadd` to `fetchset`: atomic changes of a word in main memory by a reservation loop (abellan2008ps3,
//! 3.2.6).

use crate::addresses::LOCK_LINE_LSA;
use crate::control_block::ControlBlock;
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Setup, Task};
use crate::sizes;
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::trace::Trigger;
use cell::units::ThreadId;

/// Computes the new value of the word.
type Change = fn(u32) -> u32;

/// Operations in the order of their FUNCTIONs.
const CHANGES: [Change; 5] = [add, subtract, add, subtract, set];

fn add(word: u32) -> u32 {
    word.wrapping_add(1)
}

fn subtract(word: u32) -> u32 {
    word.wrapping_sub(1)
}

fn set(_: u32) -> u32 {
    1
}

const VARIABLE_BYTES: u32 = 4;

/// A loop of atomic operations, issued one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atomic {
    operation: usize,
    stride: Option<u32>,
}

impl Atomic {
    fn distance_bytes(&self) -> u64 {
        sizes::distance(VARIABLE_BYTES.into(), self.stride)
    }
}

impl Family for Atomic {
    const FUNCTIONS: &'static [&'static str] = &["fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset"];
    const TITLE: &'static str = "Atomic operations";
    const HELP: &'static [(&'static str, &'static str)] =
        &[("fetchadd, fetchsub, fetchinc, fetchdec, fetchset", "atomic operations on a word of main memory")];
    const PARAMETERS: &'static [Parameter] = &[Parameter::Private, Parameter::Stride, Parameter::SpeProgram];

    fn lacks(_: usize, parameter: Parameter, computer: Computer) -> Option<&'static str> {
        match (parameter, computer) {
            (Parameter::SpeToSpe, Computer::Cell) => Some("atomic operations on a remote local store are not possible"),
            (Parameter::SpeToSpe, Computer::Host) => Some("a variable is in memory, leave {spe_to_spe} out"),
            _ => None,
        }
    }

    fn read(nth: usize, given: &Parameters) -> Result<Atomic, Refusal> {
        let unit = VARIABLE_BYTES;
        sizes::check_stride(given.stride, given.private, unit, "32-bit variables", Atomic::FUNCTIONS[nth])?;
        Ok(Atomic { operation: nth, stride: given.stride })
    }

    async fn run(spu: &Spu, block: &ControlBlock, nth: usize, iterations: u64, _: u32) {
        let mut iterations = spu.iterations(iterations);
        while iterations.next().await {
            spu.atomic_update(LOCK_LINE_LSA, block.ea, block.atomic_cycles, CHANGES[nth]).await;
            spu.compute(block.iteration_cycles).await;
        }
    }
}

impl Workload for Atomic {
    fn name(&self) -> &'static str {
        Atomic::FUNCTIONS[self.operation]
    }

    fn columns(&self, settings: &Settings) -> Columns {
        let stride_bytes = settings.private.then(|| self.distance_bytes());
        Columns { private: settings.private, stride_bytes, ..Columns::default() }
    }

    fn uses_memory(&self) -> bool {
        true
    }

    fn check(&self, _: &Settings, _: &Machine) -> Result<(), Refusal> {
        Ok(())
    }

    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
        let settings = setup.settings;
        if settings.private {
            sizes::check_memory(settings.spes, self.distance_bytes(), setup.data_bytes(), setup.memory_name())?;
        }
        let apart = if settings.private { self.distance_bytes() } else { 0 };
        let task = |thread: ThreadId| {
            let ea = setup.data_ea() + u64::from(thread.0) * apart;
            let block = setup.block();
            let iteration_cycles = block.iteration_cycles + setup.machine.software.atomic_return_spu_cycles;
            Task::new(thread, ControlBlock { ea, iteration_cycles, ..block })
        };
        Ok(setup.threads().map(task).collect())
    }

    /// The time of an operation does not depend on the word, so the first operation stands for all.
    fn same_work(&self, block: ControlBlock, _: &Machine) -> Option<ControlBlock> {
        Some(ControlBlock { function: block.function - self.operation as u32, ..block })
    }

    fn trigger(&self) -> Trigger {
        Trigger::Decrementer
    }
}
