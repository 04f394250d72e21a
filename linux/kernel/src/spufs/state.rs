//! The contexts and gangs of a process.

use super::context::{Account, Context, Gang};
use crate::memory::context_part::Number;
pub use crate::vfs::object::Context as World;
use crate::wait::Nanos;
use cell::counters::Counters;
use cell::machine::Machine;
use cell::units::SpeId;

use cell::channel::event;
use cell::door::Supervisor;
use spu::profile::Profile;
use spu::source::Code;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Costs of saving and restoring contexts, and the length of a context's time slice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Costs {
    /// Duration of restoring a context on an SPE.
    pub spu_restore_ns: Nanos,
    /// Duration of saving a context.
    pub spu_save_ns: Nanos,
    /// A time slice.
    pub spu_time_slice_ns: Nanos,
}

/// What PPE and SPEs have done.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Progress {
    /// Processor cycles of the PPE's threads.
    used_cycles: u64,
    /// SPU instructions of the contexts that run.
    instructions: u64,
}

/// Totals of a context, and the context's profile if one was requested.
pub type Report = (Account, Option<Profile>);

/// The contexts and gangs of the process, and the run queue.
#[derive(Default)]
pub struct Spufs {
    /// Costs.
    pub costs: Costs,
    /// Contexts by number.
    pub contexts: BTreeMap<Number, Context>,
    /// Gangs by number. Contexts and gangs share one sequence of numbers.
    pub gangs: BTreeMap<Number, Gang>,
    /// The run queue: contexts that wait for an SPE, in order of arrival.
    pub(super) run_queue: Vec<Number>,
    /// Time at which the context scheduler must be called again.
    pub due: Option<Nanos>,
    /// Whether contexts record a profile.
    pub profile: bool,
    numbers: u32,
    /// SPEs on which operations of destroyed contexts are still in flight.
    pub(super) draining: Vec<SpeId>,
    /// The SPE executables that are in the process's memory, or were in it.
    pub programs: Vec<Code>,
    /// Number of preemptions of all contexts.
    pub(super) preemptions: u64,
    /// What the contexts had done when one of them last made progress, and the preemptions until then.
    progress: (Progress, u64),
    /// Reports of destroyed contexts.
    pub(super) ended: BTreeMap<Number, Report>,
}

impl Spufs {
    /// A state without contexts.
    pub fn new(machine: &Machine) -> Rc<RefCell<Spufs>> {
        let linux = &machine.linux;
        let costs = Costs {
            spu_restore_ns: linux.spu_restore_ns,
            spu_save_ns: linux.spu_save_ns,
            spu_time_slice_ns: linux.spu_time_slice_ns,
        };
        Rc::new(RefCell::new(Spufs { costs, ..Spufs::default() }))
    }

    /// A new number for a context or gang.
    pub fn new_number(&mut self) -> Number {
        self.numbers += 1;
        Number(self.numbers)
    }

    /// The context at a path, which is relative to the root of spufs.
    pub fn context_at(&self, path: &[u8]) -> Option<Number> {
        self.contexts.iter().find(|(_, context)| context.path.as_deref() == Some(path)).map(|(number, _)| *number)
    }

    /// Whether a context or a gang has this path.
    pub fn has(&self, path: &[u8]) -> bool {
        self.context_at(path).is_some() || self.gangs.values().any(|gang| gang.path == path)
    }

    /// Notes the SPE executables in a file whose bytes have come into the process's memory.
    pub fn learn(&mut self, file: &[u8]) {
        for code in Code::embedded(file) {
            if !self.programs.contains(&code) {
                self.programs.push(code);
            }
        }
    }

    /// The number of a context in reports: contexts are counted from 1, in the order of their creation.
    pub fn ordinal(&self, number: Number) -> usize {
        self.ended.range(..=number).count() + self.contexts.range(..=number).count()
    }

    /// Whether no context in the run queue could make progress on an SPE. The caller has checked that no thread of the
    /// PPE can do anything before an SPE does.
    ///
    /// Each context has been on an SPE twice since an SPE or the PPE last executed an instruction, so that more rounds
    /// of time slices would be the same again. A context that waits for its decrementer can still go on.
    pub fn is_stuck(&mut self, used_cycles: u64, spes: &mut dyn Supervisor) -> bool {
        if self.run_queue.is_empty() {
            return false;
        }
        let running = || self.contexts.values().filter(|context| context.run_by.is_some());
        let awaits_time = |context: &Context| {
            context.channels(spes).is_none_or(|channels| channels.events.mask() & event::DECREMENTER != 0)
        };
        let rounds = 2 * running().count() as u64;
        let instructions = running().map(|context| context.runner.borrow().spu().instructions()).sum();
        let progress = Progress { used_cycles, instructions };
        if running().any(awaits_time) || self.progress.0 != progress {
            self.progress = (progress, self.preemptions);
        }
        self.preemptions - self.progress.1 >= rounds
    }

    /// Creates the reports of all contexts at the end of the run, in order of creation.
    pub fn reports(&mut self, counters: &Counters, now: Nanos, spes: &mut dyn Supervisor) -> Vec<Report> {
        let mut reports = std::mem::take(&mut self.ended);
        for (number, context) in &mut self.contexts {
            if let Some(spe) = context.residency.spe() {
                if let Some(counters) = counters.spes.get(usize::from(spe.0)) {
                    context.count(counters);
                }
                if context.run_by.is_some() {
                    context.account.running_ns += now.saturating_sub(context.started_at);
                }
            }
            reports.insert(*number, context.report(&self.programs, spes));
        }
        reports.into_values().collect()
    }
}
