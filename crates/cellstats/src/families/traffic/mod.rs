//! FUNCTIONs `hotspot` to `cycle`: traffic patterns in which all SPEs transfer at once (kistler2006; jimenez2007 4.2).

mod layout;
mod offered_load;
mod open_loop;
mod partner;

use crate::choices::{SpeProgram, TransferOp, choice, word};
use crate::control_block::{ControlBlock, Role};
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Description, Load, Setup, Task};
use crate::sizes;
use crate::transfers;
use cell::coroutine::Spu;
use cell::ea::local_store_ea;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{SpeId, ThreadId};
use layout::Layout;
use offered_load::{OfferedLoad, SPU_CYCLE, peak_interval};
use partner::{Partner, Shape, Target, partner};

/// Default number of bytes that one SPE moves by `get` and `put` commands together (jimenez2007, section 3).
const TOTAL_BYTES: u64 = 32 << 20;
/// Default size of a DMA, which is the maximum size of one command.
const SIZE_BYTES: u32 = 16_384;
/// Distance between the seeds of two threads, so that no two threads begin with the same random number.
const SEEDS_APART: u64 = 1 << 16;

/// A traffic pattern, in which every SPE uses its buffers cyclically.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Traffic {
    shape: Shape,
    op: TransferOp,
    target: Target,
    size_bytes: u32,
    list_elements: Option<u32>,
    batch: u32,
    seed: u64,
    offered: Option<OfferedLoad>,
}

impl Traffic {
    fn command_bytes(&self) -> u64 {
        u64::from(self.size_bytes) * u64::from(self.list_elements.unwrap_or(1))
    }

    fn partner(&self, threads: u32, thread: ThreadId) -> Partner {
        partner(self.shape, self.target, threads, thread)
    }

    fn target_name(&self) -> Option<String> {
        match (self.shape, self.target) {
            (_, Target::Thread(thread)) => Some(thread.to_string()),
            (Shape::HotSpot, Target::Memory) => Some("memory".to_string()),
            (_, Target::Partners(partners, n)) => {
                let listed: Vec<String> = partners[..usize::from(n)].iter().map(ToString::to_string).collect();
                Some(listed.join(","))
            }
            _ => None,
        }
    }

    fn check_threads(&self, settings: &Settings) -> Result<(), Refusal> {
        let (n, name) = (settings.spes, self.name());
        let refused = |with: &str, why: &str| Err(settings.spes_refused(why).with(with));
        match (self.shape, self.target) {
            (Shape::Complement | Shape::Pairwise | Shape::Couples, _) if n % 2 == 1 => {
                refused(name, "every SPE has a partner, give an even number")
            }
            (Shape::Uniform | Shape::Cycle | Shape::Neighbour | Shape::Tornado | Shape::Permutation, _) if n < 2 => {
                refused(name, "communication between SPEs takes at least 2")
            }
            (_, Target::Partners(_, listed)) if u32::from(listed) != n => {
                refused("{target}", &format!("there are {listed} partners, give one for each SPE"))
            }
            (_, Target::Thread(_)) if n < 2 => refused("{target}", "the hot SPE counts too, give at least 2"),
            (_, Target::Thread(thread)) if thread >= n => {
                let reason = format!("there are SPEs 0 to {}, or memory", n - 1);
                Err(Refusal::of(Parameter::Target, reason).given(thread))
            }
            _ => Ok(()),
        }
    }

    /// The average interval of the DMAs that are offered, and the interval at the peak; 0 if no load is offered.
    fn intervals(&self, machine: &Machine) -> Result<(u64, u32), Refusal> {
        let bytes = self.command_bytes();
        let of = |load: OfferedLoad| load.interval(machine, bytes, self.op.transfers());
        let interval = self.offered.map(of).transpose()?;
        Ok(interval.map_or((0, 0), |interval| (interval, peak_interval(machine, bytes) as u32)))
    }

    fn task(&self, setup: &Setup, layout: &Layout, thread: ThreadId) -> Result<Task, Refusal> {
        let (interval, peak_interval) = self.intervals(setup.machine)?;
        let partner = self.partner(setup.settings.spes, thread);
        let own = setup.spe(thread);
        let window = |spe: SpeId| local_store_ea(spe, 0);
        let buffers = match partner {
            Partner::Memory => layout.with_memory(own, setup.data_ea()),
            Partner::Thread(partner) => layout.between_local_stores(window(setup.spe(partner))),
            // For every DMA, the address of the partner's window is added to these addresses.
            Partner::Any | Partner::Nobody => layout.between_local_stores(0),
        };
        let others: Vec<u64> = if partner == Partner::Any { self.others(setup, own) } else { Vec::new() };
        let block = ControlBlock {
            role: if partner == Partner::Nobody { Role::Holder } else { Role::Active },
            size_bytes: self.size_bytes,
            list_elements: self.list_elements.unwrap_or(0),
            batch: self.batch,
            op: self.op,
            buffers,
            seed: self.seed.wrapping_mul(SEEDS_APART).wrapping_add(u64::from(thread.0)),
            targets: others.len() as u32,
            interval,
            peak_interval,
            injection: self.offered.map(|load| load.injection).unwrap_or_default(),
            ..setup.block()
        };
        let targets = ControlBlock::target_ea(crate::addresses::control_ea(own), 0);
        Ok(Task { words: vec![(targets, others)], ..Task::new(thread, block) })
    }

    /// Local-store windows of the SPEs among which a thread of uniform traffic chooses, in the order of the SPEs.
    fn others(&self, setup: &Setup, own: SpeId) -> Vec<u64> {
        let mut spes = setup.settings.spes_of(setup.placement);
        spes.retain(|spe| *spe != own);
        spes.sort();
        spes.into_iter().map(|spe| local_store_ea(spe, 0)).collect()
    }
}

/// Whether partners are drawn at random.
fn draws(shape: Shape, target: Target) -> bool {
    shape == Shape::Uniform || matches!(target, Target::Random(_))
}

impl Family for Traffic {
    const FUNCTIONS: &'static [&'static str] =
        &["hotspot", "complement", "pairwise", "uniform", "couples", "cycle", "neighbour", "tornado", "permutation"];
    const TITLE: &'static str = "Traffic patterns";
    const HEADING: &'static str = "or a pattern of traffic, all SPEs at once, each with buffers of its own:";
    const HELP: &'static [(&'static str, &'static str)] = &[
        ("hotspot", "all with main memory, or with one SPE (--target)"),
        ("complement, pairwise", "thread I with thread N-1-I; threads 0 and 1, 2 and 3, ..."),
        ("uniform", "every DMA with another thread, chosen at random"),
        ("couples", "even threads with the next thread, which is passive"),
        ("cycle", "every thread with the next thread, the last with the first"),
        ("neighbour", "the same, in one direction"),
        ("tornado", "every thread with the one almost half way round"),
        ("permutation", "every thread with the one that --target lists, or that is drawn"),
    ];
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::Size,
        Parameter::ListElements,
        Parameter::Batch,
        Parameter::Op,
        Parameter::Target,
        Parameter::Histogram,
        Parameter::Rate,
        Parameter::Injection,
        Parameter::NonTemporal,
    ];

    fn lacks(nth: usize, parameter: Parameter, computer: Computer) -> Option<&'static str> {
        match (parameter, computer) {
            (Parameter::Private, Computer::Cell) => {
                Some("in a pattern every SPE has buffers of its own anyhow, give {shared}")
            }
            (Parameter::Rate, Computer::Host) => Some("only the background of a chase has a rate, leave {rate} out"),
            (Parameter::SpeToSpe, Computer::Cell) => Some("the pattern says who communicates, leave {spe_to_spe} out"),
            (Parameter::ListElements, Computer::Cell) if Shape::ALL[nth] == Shape::Uniform => {
                Some("every DMA has a target of its own, leave {list_elements} out")
            }
            (Parameter::Target, _) if !matches!(Shape::ALL[nth], Shape::HotSpot | Shape::Permutation) => {
                Some(parameter.why_not())
            }
            _ => None,
        }
    }

    fn read(nth: usize, given: &Parameters) -> Result<Traffic, Refusal> {
        let shape = Shape::ALL[nth];
        let both_ways = matches!(shape, Shape::Couples | Shape::Cycle);
        let op = given.op.as_deref().map(|op| choice(&TransferOp::ALL, op, Parameter::Op)).transpose()?;
        let target = match given.target.as_deref() {
            None if shape == Shape::Permutation => Target::Random(given.seed.unwrap_or(0)),
            Some(listed) if shape == Shape::Permutation => Target::partners(listed).ok_or_else(|| {
                let reason = "name the partner of each thread, and each thread once, as in 1,2,3,0";
                Refusal::of(Parameter::Target, reason).given(format!("{listed:?}"))
            })?,
            None | Some("memory") => Target::Memory,
            Some(name) => Target::Thread(name.parse().map_err(|_| {
                let reason = "give memory or the number of an SPE's thread";
                Refusal::of(Parameter::Target, reason).given(format!("{name:?}"))
            })?),
        };
        let offered = OfferedLoad::read(given)?;
        Ok(Traffic {
            shape,
            op: op.unwrap_or(if both_ways { TransferOp::Copy } else { TransferOp::Get }),
            target,
            size_bytes: given.size.unwrap_or(SIZE_BYTES),
            list_elements: given.list_elements,
            batch: given.batch.unwrap_or(0),
            seed: given.seed.filter(|_| draws(shape, target) || offered.is_some()).unwrap_or(0),
            offered,
        })
    }

    async fn prepare(spu: &Spu, block: &ControlBlock) {
        transfers::build_lists(spu, block);
    }

    async fn run(spu: &Spu, block: &ControlBlock, _: usize, iterations: u64, tag: u32) {
        if block.interval > 0 {
            open_loop::run(spu, block, tag).await;
        } else {
            transfers::transfer(spu, block, iterations, tag).await;
        }
    }

    async fn finish(spu: &Spu, block: &ControlBlock) {
        if block.interval > 0 {
            open_loop::drain(spu, block).await;
        }
    }
}

impl Workload for Traffic {
    fn name(&self) -> &'static str {
        Traffic::FUNCTIONS[self.shape as usize]
    }

    fn columns(&self, _: &Settings) -> Columns {
        Columns {
            size_bytes: Some(self.size_bytes),
            op: Some(word(&TransferOp::ALL, self.op)),
            target: self.target_name(),
            list_elements: self.list_elements,
            batch: Some(self.batch),
            ..Columns::default()
        }
    }

    fn default_spes(&self, usable: u32, listed: Option<u32>) -> u32 {
        if let Target::Partners(_, n) = self.target {
            return n.into();
        }
        let paired = matches!(self.shape, Shape::Complement | Shape::Pairwise | Shape::Couples);
        listed.unwrap_or(if paired { usable & !1 } else { usable })
    }

    fn iteration_bytes(&self) -> Option<u64> {
        Some(self.command_bytes().saturating_mul(self.op.transfers()))
    }

    fn default_iterations(&self, _: SpeProgram) -> u64 {
        (TOTAL_BYTES / self.command_bytes().saturating_mul(self.op.transfers()).max(1)).max(1)
    }

    fn warm_up(&self, _: u64) -> u64 {
        (self.default_iterations(SpeProgram::Builtin) / 64).max(1)
    }

    fn uses_memory(&self) -> bool {
        (self.shape, self.target) == (Shape::HotSpot, Target::Memory)
    }

    fn between_spes(&self) -> bool {
        !self.uses_memory()
    }

    fn uses_seed(&self) -> bool {
        draws(self.shape, self.target) || self.offered.is_some()
    }

    fn offered_load(&self, machine: &Machine) -> Option<Load> {
        let ((interval, _), offered) = (self.intervals(machine).ok()?, self.offered?);
        let (numerator, denominator) = offered.share(machine, self.op.transfers());
        Some(Load {
            rate: numerator as f64 / denominator as f64,
            injection: offered.injection,
            interval_spu_cycles: interval as f64 / SPU_CYCLE as f64,
            dma_bytes: self.command_bytes(),
        })
    }

    fn check(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal> {
        self.check_threads(settings)?;
        sizes::check_dma(machine, self.size_bytes, self.list_elements.unwrap_or(1))?;
        self.intervals(machine).map(drop)
    }

    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
        let with_memory = self.partner(setup.settings.spes, ThreadId(0)) == Partner::Memory;
        let layout = Layout::new(setup.machine, self.size_bytes, self.list_elements, self.op, with_memory);
        layout.check(setup)?;
        setup.threads().map(|thread| self.task(setup, &layout, thread)).collect()
    }

    fn same_work(&self, block: ControlBlock, machine: &Machine) -> Option<ControlBlock> {
        self.offered.is_none().then(|| transfers::with_longest_elements(block, machine))
    }

    fn description(&self, spes: u32, placement: &Placement) -> Description {
        const PASSIVE: u8 = u8::MAX;
        const MEMORY: u8 = u8::MAX - 1;
        let described = |(thread, spe): (ThreadId, SpeId)| match self.partner(spes, thread) {
            // Each thread has its own random numbers.
            _ if self.offered.is_some() => (spe, thread.0),
            Partner::Any => (spe, thread.0),
            Partner::Thread(partner) => (spe, placement.spe(partner).0),
            Partner::Nobody => (spe, PASSIVE),
            Partner::Memory => (spe, MEMORY),
        };
        let mut description: Vec<(SpeId, u8)> = placement.threads().take(spes as usize).map(described).collect();
        description.sort();
        (description, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn couples_of_the_same_spes_are_one_run_whatever_their_threads_are_called() {
        let machine = Machine::builtin("eval-board").unwrap();
        let couples = Traffic::read(Shape::Couples as usize, &Parameters::default()).unwrap();
        let of = |spes: [u32; 4]| couples.description(4, &Placement::new(&spes, &machine).unwrap());
        assert_eq!(of([0, 1, 2, 3]), of([2, 3, 0, 1]));
        assert_ne!(of([0, 1, 2, 3]), of([1, 0, 2, 3]), "the other one is active");
    }
}
