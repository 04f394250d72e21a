//! A request for one measurement, with everything that determines the result.

use crate::chips::{MemoryChoice, usable_spes};
use crate::families::Experiment;
use crate::json;
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Setup, Task};
use crate::value::PlacementChoice;
use cell::machine::Machine;
use cell::placement::Placement;

/// One measurement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    /// The FUNCTION with its parameters.
    pub experiment: Experiment,
    /// The settings that every measurement has.
    pub settings: Settings,
    /// The parameters that were given, for the recipe.
    pub given: Parameters,
}

/// The tasks of the SPEs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The SPE of each thread.
    pub placement: Placement,
    /// The task of each SPE thread; empty if the PPE creates threads or measures by itself.
    pub tasks: Vec<Task>,
}

impl Request {
    /// A request for a FUNCTION on a machine, with defaults for parameters that are not given.
    ///
    /// # Errors
    /// A parameter is invalid by itself; [`Request::check`] finds all other errors.
    pub fn new(function: &str, given: &Parameters, machine: &Machine) -> Result<Request, Refusal> {
        let experiment = Experiment::new(function, given)?;
        let listed = match &given.placement {
            PlacementChoice::Explicit(spes) => Some(spes.len() as u32),
            _ => None,
        };
        let spes = |cells| experiment.default_spes(usable_spes(machine, cells).len() as u32, listed);
        let settings = Settings::read(given, spes, |spe_program| experiment.default_iterations(spe_program))?;
        Ok(Request { experiment, settings, given: given.clone() })
    }

    /// Reads a request in JSON: an object that maps parameter names, including `function`, to values, such as
    /// `{"function": "dmaget", "spes": 6, "size": 1024, "placement": [0, 2, 4, 6, 1, 3]}`.
    ///
    /// # Errors
    /// The errors of [`Request::new`], or text that is not a request.
    pub fn parse(text: &str, machine: &Machine) -> Result<Request, Refusal> {
        let (function, given) = json::parse(text)?;
        Request::new(&function, &given, machine)
    }

    /// Checks whether a machine could run this request, without running it.
    ///
    /// # Errors
    /// The machine cannot run the request; the refusal gives the reason and a correction.
    pub fn check(&self, machine: &Machine) -> Result<(), Refusal> {
        self.plan(machine).map(drop)
    }

    /// Checks the request and lays out the tasks.
    ///
    /// # Errors
    /// The same as [`Request::check`].
    pub fn plan(&self, machine: &Machine) -> Result<Plan, Refusal> {
        self.check_seed()?;
        self.plan_for_any_seed(machine)
    }

    /// The plan for one of many placements; unlike [`Request::plan`], accepts a seed that has no effect.
    ///
    /// # Errors
    /// The same as [`Request::check`], except for the seed.
    pub fn plan_for_any_seed(&self, machine: &Machine) -> Result<Plan, Refusal> {
        self.settings.check_chips(machine)?;
        self.check_memory()?;
        if self.experiment.ppe_threads() == 0 {
            self.settings.check_enough_spes(machine)?;
        }
        self.experiment.check(&self.settings, machine)?;
        self.settings.check_iterations()?;
        let placement = self.settings.place(machine)?;
        let tasks = self.experiment.tasks(&self.setup(machine, &placement))?;
        Ok(Plan { placement, tasks })
    }

    /// The setup that the FUNCTION's family lays out, with the threads placed.
    pub fn setup<'a>(&'a self, machine: &'a Machine, placement: &'a Placement) -> Setup<'a> {
        let warm_up = self.experiment.warm_up(self.settings.iterations);
        Setup { machine, settings: &self.settings, placement, function: self.experiment.number(), warm_up }
    }

    fn check_memory(&self) -> Result<(), Refusal> {
        let memory = self.settings.memory;
        if memory == MemoryChoice::At(0) || self.experiment.uses_memory() {
            return Ok(());
        }
        let spe_to_spe = self.experiment.columns(&self.settings).spe_to_spe;
        let with = if spe_to_spe { "{spe_to_spe}" } else { self.experiment.name() };
        let refusal = Refusal::of(Parameter::Memory, "no buffer is in main memory, leave {memory} out");
        Err(refusal.given(memory.name()).with(with))
    }

    /// Refuses a seed that has no effect: only random placements, uniform traffic and offered load use a seed.
    fn check_seed(&self) -> Result<(), Refusal> {
        let Settings { seed, placement, .. } = &self.settings;
        match seed {
            Some(seed) if *placement != PlacementChoice::Random && !self.experiment.uses_seed() => {
                Err(Refusal::new(format!(
                    "{{seed}} {seed} is for random placements or traffic, and for rates; give {{placement}} random, {{function}} uniform or {{rate}}"
                )))
            }
            _ => Ok(()),
        }
    }
}
