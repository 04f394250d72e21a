//! A machine that is loaded with the programs of a measurement and ready to run.

use crate::control_block::Role;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::setup::{MEASURED_TAG, Task, Ticks};
use crate::start::starter;
use cell::error::RunError;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use std::cell::RefCell;
use std::rc::Rc;

/// The reason why a measurement has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasureError {
    /// The parameters contradict each other or do not fit the machine.
    Refused(Refusal),
    /// The run failed.
    Run(RunError),
}

impl std::fmt::Display for MeasureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MeasureError::Refused(refusal) => refusal.fmt(f),
            MeasureError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MeasureError {}

impl From<Refusal> for MeasureError {
    fn from(refusal: Refusal) -> MeasureError {
        MeasureError::Refused(refusal)
    }
}

impl From<RunError> for MeasureError {
    fn from(error: RunError) -> MeasureError {
        MeasureError::Run(error)
    }
}

/// The machine, and the ticks that the PPE's programs will write; placement and tasks come from a
/// [`Plan`](crate::request::Plan).
///
/// # Errors
/// The same as [`Request::check`].
pub fn prepared<'p>(
    machine: &Machine,
    request: &Request,
    placement: &Placement,
    tasks: Vec<Task>,
) -> Result<(System<'p>, Ticks), Refusal> {
    let Request { experiment, settings, .. } = request;
    let setup = request.setup(machine, placement);
    let mut system = System::new(machine, placement.clone());
    if settings.fast_forward {
        system.enable_fast_forward();
    }
    if settings.settle {
        system.enable_settling();
    }
    if settings.histogram || experiment.offered_load(machine).is_some() {
        system.record_latencies(MEASURED_TAG);
    }
    let holders = tasks.iter().filter(|task| task.block.role == Role::Holder).count();
    system.count_measured_part(settings.spes as usize - holders);
    let start = starter(machine, settings.spe_program)?;
    for thread in setup.threads() {
        let (start, spe) = (Rc::clone(&start), placement.spe(thread));
        system.load(thread, Box::new(move |argument| start(spe, argument)));
    }
    let threads = settings.spes.max(experiment.ppe_threads());
    let ticks = Rc::new(RefCell::new(vec![None; threads as usize]));
    for program in experiment.ppe_programs(tasks, &setup, &ticks)? {
        system.load_ppe(program);
    }
    Ok((system, ticks))
}
