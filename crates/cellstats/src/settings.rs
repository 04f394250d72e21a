//! The settings that every FUNCTION has: the number of SPEs, the number of iterations, the placement of threads and
//! data, and the PPE's method of access to the SPEs.

use crate::chips::{Cells, MemoryChoice, groups_of_spes, usable_spes};
use crate::choices::{PpePath, SpeProgram, choice, meaning};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::value::PlacementChoice;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::SpeId;

/// Maximum number of measured iterations.
const ITERATIONS_MAX: u64 = 1_000_000_000;

/// The settings of one measurement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// Number of SPEs that take part.
    pub spes: u32,
    /// Whether each SPE has its own buffer or variable.
    pub private: bool,
    /// Number of iterations of the measured loop.
    pub iterations: u64,
    /// The PPE's method of access to the SPEs.
    pub ppe: PpePath,
    /// What the SPEs run.
    pub spe_program: SpeProgram,
    /// Whether to keep the latency of every single DMA.
    pub histogram: bool,
    /// The chips whose SPEs are used; `None` means all SPEs, in the machine's own order.
    pub cells: Option<Cells>,
    /// The memory that holds buffers and variables.
    pub memory: MemoryChoice,
    /// Placement of the threads.
    pub placement: PlacementChoice,
    /// Seed of a random placement, and of the targets of uniform traffic.
    pub seed: Option<u64>,
    /// Whether to skip the rest of a loop whose pace has settled.
    pub settle: bool,
    /// Whether to skip repeating periods of the measured loop.
    pub fast_forward: bool,
}

impl Settings {
    /// Reads the settings. A FUNCTION has its own default numbers: `default_spes` on the chosen chips, and
    /// `default_iterations` of what the SPEs run.
    ///
    /// # Errors
    /// A word that a parameter does not accept.
    pub fn read(
        given: &Parameters,
        default_spes: impl FnOnce(Option<Cells>) -> u32,
        default_iterations: impl FnOnce(SpeProgram) -> u64,
    ) -> Result<Settings, Refusal> {
        let ppe = given.ppe.as_deref().map(|word| {
            let none = || {
                let reason = "the ways from the PPE to an SPE are library and mmio";
                Refusal::of(Parameter::Ppe, reason).given(format!("{word:?}"))
            };
            meaning(&PpePath::ALL, word).ok_or_else(none)
        });
        let spe_program = given.spe_program.as_deref();
        let spe_program = spe_program.map(|word| choice(&SpeProgram::ALL, word, Parameter::SpeProgram));
        let (ppe, spe_program) = (ppe.transpose()?, spe_program.transpose()?.unwrap_or(SpeProgram::Builtin));
        let cells = given.cells.as_deref().map(Cells::from_name).transpose()?;
        Ok(Settings {
            spes: given.spes.unwrap_or_else(|| default_spes(cells)),
            private: given.private,
            iterations: given.iterations.unwrap_or_else(|| default_iterations(spe_program)),
            ppe: ppe.unwrap_or(PpePath::Library),
            spe_program,
            histogram: given.histogram,
            cells,
            memory: given.memory.as_deref().map(MemoryChoice::from_name).transpose()?.unwrap_or(MemoryChoice::At(0)),
            placement: given.placement.clone(),
            seed: given.seed,
            settle: given.settle,
            fast_forward: given.fast_forward.unwrap_or(true),
        })
    }

    /// The parameter that sets the number of SPEs; with private buffers, the command line has a separate flag.
    pub fn spes_parameter(&self) -> Parameter {
        if self.private { Parameter::PrivateSpes } else { Parameter::Spes }
    }

    /// A refusal of the given number of SPEs.
    pub fn spes_refused(&self, reason: impl Into<String>) -> Refusal {
        Refusal::of(self.spes_parameter(), reason).given(self.spes)
    }

    /// Checks that the machine has the chips that were chosen.
    ///
    /// # Errors
    /// A chip that the machine lacks.
    pub fn check_chips(&self, machine: &Machine) -> Result<(), Refusal> {
        if let Some(cells) = self.cells {
            cells.check(machine)?;
            if matches!(self.placement, PlacementChoice::Explicit(_)) {
                let reason = "the list of SPEs says which Cells they are on, leave {cells} out";
                return Err(Refusal::of(Parameter::Cells, reason).given(cells.name()));
            }
        }
        self.memory.check(machine)
    }

    /// Checks the number of iterations.
    ///
    /// # Errors
    /// No iterations, or too many.
    pub fn check_iterations(&self) -> Result<(), Refusal> {
        if self.iterations == 0 || self.iterations > ITERATIONS_MAX {
            let refusal = Refusal::of(Parameter::Iterations, "give 1 to 1000m iterations");
            return Err(refusal.given(self.iterations));
        }
        Ok(())
    }

    /// Checks that there are enough SPEs for the threads.
    ///
    /// # Errors
    /// Too few SPEs; the refusal says how many there are.
    pub fn check_enough_spes(&self, machine: &Machine) -> Result<(), Refusal> {
        let (n, most) = (self.spes, usable_spes(machine, self.cells).len() as u32);
        let where_ = match self.cells {
            Some(Cells::Only(chip)) if machine.bif.chips > 1 => format!(" on Cell {chip}"),
            _ => String::new(),
        };
        let name = &machine.name;
        match most {
            0 => {
                let reason = format!("{name} has no SPEs{where_} to use, leave {{cells}} out");
                Err(Refusal::of(Parameter::Cells, reason))
            }
            _ if n == 0 || n > most => {
                Err(self.spes_refused(format!("{name} has {most} SPEs{where_} to use, give 1 to {most}")))
            }
            _ => Ok(()),
        }
    }

    /// The SPE of each thread.
    ///
    /// # Errors
    /// SPEs that the machine lacks, or fewer SPEs than threads.
    pub fn place(&self, machine: &Machine) -> Result<Placement, Refusal> {
        let placement = match &self.placement {
            PlacementChoice::Default => Placement::of(usable_spes(machine, self.cells)),
            PlacementChoice::Random => {
                Placement::random(groups_of_spes(machine, self.cells), self.seed.unwrap_or_default())
            }
            PlacementChoice::Explicit(spes) => Placement::new(spes, machine)?,
        };
        if placement.len() < self.spes as usize {
            return Err(Refusal::new(format!(
                "{{placement}} names {} SPEs for {} threads; name at least as many as {{any_spes}} says",
                placement.len(),
                self.spes
            )));
        }
        Ok(placement)
    }

    /// Physical SPEs of the threads that take part.
    pub fn spes_of(&self, placement: &Placement) -> Vec<SpeId> {
        placement.threads().take(self.spes as usize).map(|(_, spe)| spe).collect()
    }
}
