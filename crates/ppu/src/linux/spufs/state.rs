//! Contexts and gangs of a process, and who has which SPE.

use super::context::{Account, Context, Gang, Seat};
use crate::linux::memory::piece::Number;
pub use crate::linux::vfs::object::Context as World;
use crate::linux::wait::Nanos;
use cell::counters::Counters;
use cell::machine::Machine;
use cell::units::SpeId;

use spu::profile::Profile;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What moving contexts costs, and how long one runs while others wait.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Costs {
    /// Getting a context on an SPE.
    pub spu_restore_ns: Nanos,
    /// Taking one off.
    pub spu_save_ns: Nanos,
    /// A time slice.
    pub spu_time_slice_ns: Nanos,
}

/// What a context has done, and its profile, if one is kept.
pub type Report = (Account, Option<Profile>);

/// Contexts and gangs of the process, and who has which SPE.
#[derive(Default)]
pub struct Spufs {
    /// Costs.
    pub costs: Costs,
    /// By number.
    pub contexts: BTreeMap<Number, Context>,
    /// By number, which contexts and gangs share.
    pub gangs: BTreeMap<Number, Gang>,
    /// Contexts that want an SPE, the one that has waited longest first.
    pub(super) waiting: Vec<Number>,
    /// When the scheduler has to look again.
    pub due: Option<Nanos>,
    /// Whether what the contexts' programs do is recorded instruction by instruction.
    pub profile: bool,
    numbers: u32,
    /// SPEs whose contexts are gone, and that have something under way.
    pub(super) emptied: Vec<SpeId>,
    /// Of contexts that are gone.
    pub(super) ended: BTreeMap<Number, Report>,
}

impl Spufs {
    /// No contexts yet.
    pub fn new(machine: &Machine) -> Rc<RefCell<Spufs>> {
        let linux = &machine.linux;
        let costs = Costs {
            spu_restore_ns: linux.spu_restore_ns,
            spu_save_ns: linux.spu_save_ns,
            spu_time_slice_ns: linux.spu_time_slice_ns,
        };
        Rc::new(RefCell::new(Spufs { costs, ..Spufs::default() }))
    }

    /// A number that no context or gang has had.
    pub fn new_number(&mut self) -> Number {
        self.numbers += 1;
        Number(self.numbers)
    }

    /// The context at a path below the root of spufs.
    pub fn context_at(&self, path: &[u8]) -> Option<Number> {
        self.contexts.iter().find(|(_, context)| context.path == path).map(|(number, _)| *number)
    }

    /// Whether a context or a gang has this path.
    pub fn has(&self, path: &[u8]) -> bool {
        self.context_at(path).is_some() || self.gangs.values().any(|gang| gang.path == path)
    }

    /// What all contexts have done, in the order in which they were made, once the run is over.
    pub fn reports(&mut self, counters: &Counters, now: Nanos) -> Vec<Report> {
        let mut reports = std::mem::take(&mut self.ended);
        for (number, context) in &mut self.contexts {
            if let Seat::On(spe) | Seat::Leaving(spe) = context.seat {
                if let Some(counters) = counters.spes.get(usize::from(spe.0)) {
                    context.count(counters);
                }
                if context.run_by.is_some() {
                    context.account.running_ns += now.saturating_sub(context.started_at);
                }
            }
            reports.insert(*number, context.report());
        }
        reports.into_values().collect()
    }
}
