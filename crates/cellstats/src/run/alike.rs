//! Requests that give the same run, which is then made only once.
//!
//! A run depends on the machine and on what the machine is loaded with, and on nothing else. Two requests therefore
//! give the same run if they load the same SPEs with the same tasks: the names of parameters do not matter, nor whether
//! SPEs were chosen by a list or by `cells`. A family may also replace a task by an equal one
//! ([`same_work`](crate::family::Workload::same_work)). Results are computed from the run for each request, so each has
//! its own columns and its own recipe.

use crate::chips::MemoryChoice;
use crate::choices::SpeProgram;
use crate::families::Experiment;
use crate::request::Request;
use crate::settings::Settings;
use crate::setup::Task;
use crate::value::PlacementChoice;
use cell::machine::Machine;
use cell::units::SpeId;
use std::collections::HashMap;

/// What a machine is loaded with.
#[derive(PartialEq, Eq, Hash)]
struct Load {
    /// The FUNCTION, unless the tasks contain everything about it.
    experiment: Option<Experiment>,
    /// The settings, without those that the tasks or the SPEs contain.
    settings: Settings,
    spes: Vec<SpeId>,
    tasks: Vec<Task>,
}

impl Load {
    /// What a request loads the machine with; `None` if the request is invalid.
    fn of(machine: &Machine, request: &Request) -> Option<Load> {
        let Request { experiment, settings, .. } = request;
        let plan = request.plan(machine).ok()?;
        let same_work = |task: &Task| {
            let block = experiment.same_work(task.block, machine)?;
            Some(Task { block, ..task.clone() })
        };
        let same = if settings.spe_program == SpeProgram::Builtin && !plan.tasks.is_empty() {
            plan.tasks.iter().map(same_work).collect()
        } else {
            None
        };
        let spes = settings.spes_of(&plan.placement);
        let settings = Settings { cells: None, placement: PlacementChoice::Default, seed: None, ..settings.clone() };
        Some(match same {
            Some(tasks) => {
                let settings = Settings { private: false, memory: MemoryChoice::At(0), ..settings };
                Load { experiment: None, settings, spes, tasks }
            }
            None => Load { experiment: Some(experiment.clone()), settings, spes, tasks: plan.tasks },
        })
    }
}

/// For each request on a machine, the index of the first request that gives the same run.
///
/// An invalid request is like no other.
pub fn alike<'r>(machine: &Machine, requests: impl IntoIterator<Item = &'r Request>) -> Vec<usize> {
    let mut first: HashMap<Load, usize> = HashMap::new();
    let mut index = |(nth, request)| match Load::of(machine, request) {
        Some(load) => *first.entry(load).or_insert(nth),
        None => nth,
    };
    requests.into_iter().enumerate().map(&mut index).collect()
}
