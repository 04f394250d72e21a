//! The families of FUNCTIONs: one folder each, and its line in the list below.
//!
//! The list is all that there is to register.  An [`Experiment`] is one of a family's FUNCTIONs with its
//! parameters; whatever is asked of it, its family answers.  A FUNCTION's number, which a control block carries,
//! is its index in the list of all (`programs/cellstats/control_block.h` has the same).

mod access;
mod atomic;
mod dma;
mod exchange;
mod sync;
mod threads;
mod traffic;

use crate::choices::SpeProgram;
use crate::control_block::ControlBlock;
use crate::family::{Computer, Family};
use crate::parameter::Parameter;
use crate::parameters::Parameters;
use crate::refusal::{Refusal, verbatim};
use crate::settings::Settings;
use crate::setup::{Columns, Description, Setup, Task, Ticks};
use cell::coroutine::Spu;
use cell::door::PpeProgram;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::trace::Trigger;
use cell::units::ThreadId;

families! {
    Threads: threads::Threads,
    Sync: sync::Sync,
    Dma: dma::Dma,
    Atomic: atomic::Atomic,
    Traffic: traffic::Traffic,
    Exchange: exchange::Exchange,
    Access: access::Access,
}

/// The number of the FUNCTION with this name.
fn number_of(function: &str) -> Option<u32> {
    functions().position(|name| name == function).map(|number| number as u32)
}

/// Why a FUNCTION cannot have one of these parameters, each with its value to show; nothing if it has all.
pub fn refusal(function: &str, given: &[(Parameter, Option<String>)], computer: Computer) -> Option<Refusal> {
    let number = number_of(function)?;
    given.iter().find_map(|(parameter, value)| {
        let refusal = Refusal::of(*parameter, lacks(number, *parameter, computer)?).with(function);
        Some(match value {
            Some(value) => refusal.given(value),
            None => refusal,
        })
    })
}

impl Experiment {
    /// A FUNCTION with its parameters, defaults filled in.
    ///
    /// # Errors
    /// An unknown FUNCTION, a parameter that it has not, or a value that cannot be.
    pub fn new(function: &str, given: &Parameters) -> Result<Experiment, Refusal> {
        let number = number_of(function).ok_or_else(|| {
            let known: Vec<&str> = functions().collect();
            let unknown = verbatim(&format!("{function:?}"));
            Refusal::new(format!("unknown function {unknown}; known are {}", known.join(", ")))
        })?;
        match refusal(function, &given.particular(), Computer::Cell) {
            Some(refusal) => Err(refusal),
            None => read(number, given),
        }
    }

    /// The FUNCTIONs that are one DMA each.
    pub fn dma_functions() -> &'static [&'static str] {
        dma::Dma::FUNCTIONS
    }

    /// The name of its FUNCTION.
    pub fn name(&self) -> &'static str {
        functions().nth(self.number() as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_name_and_by_number() {
        for (number, name) in functions().enumerate() {
            let pattern = (name == "exchange").then(crate::pattern::tests::ring);
            let given = Parameters { pattern, ..Parameters::default() };
            let experiment = Experiment::new(name, &given).expect(name);
            assert_eq!((experiment.number(), experiment.name()), (number as u32, name));
        }
        assert!(Experiment::new("sing", &Parameters::default()).unwrap_err().to_string().contains("\"sing\""));
    }

    #[test]
    fn the_programs_in_c_number_functions_alike() {
        let header = include_str!("../../../../programs/cellstats/control_block.h");
        let (_, behind) = header.split_once("enum function {").unwrap();
        let (names, _) = behind.split_once('}').unwrap();
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_lowercase()).collect();
        let in_c = functions().filter(|name| {
            let given = Parameters { spe_program: Some("c".to_string()), ..Parameters::default() };
            refusal(name, &given.particular(), Computer::Cell).is_none()
        });
        assert_eq!(in_c.collect::<Vec<_>>(), names);
        assert!(functions().take(names.len()).eq(names.iter().map(String::as_str)), "and they are the first");
    }

    /// What a recipe says of a FUNCTION and its parameters.
    fn recipe(function: &str, given: &Parameters) -> Parameters {
        let mut recipe = Parameters { private: given.private, ..Parameters::default() };
        Experiment::new(function, given).expect(function).recipe(&mut recipe);
        recipe
    }

    #[test]
    fn a_recipe_makes_the_same_experiment_again() {
        let text = |text: &str| Some(text.to_string());
        let plain = Parameters::default();
        let dma = Parameters { size: Some(64), batch: Some(3), ..plain.clone() };
        let cases = [
            ("mkthread", plain.clone()),
            ("signal", Parameters { spe_to_spe: true, ..plain.clone() }),
            ("dmaget", Parameters { spe_to_spe: true, ..dma.clone() }),
            ("dmaput", Parameters { private: true, stride: Some(48), ..dma.clone() }),
            ("dmalistput", Parameters { list_elements: Some(5), ..dma.clone() }),
            ("fetchdec", Parameters { private: true, stride: Some(4), ..plain.clone() }),
            ("hotspot", Parameters { target: text("2"), op: text("copy"), list_elements: Some(2), ..dma.clone() }),
            ("hotspot", plain.clone()),
            ("uniform", Parameters { seed: Some(7), op: text("put"), ..plain.clone() }),
            ("cycle", plain.clone()),
            ("exchange", Parameters { pattern: Some(crate::pattern::tests::ring()), ..plain.clone() }),
            ("store", Parameters { level: text("l1l2"), size: Some(8), threads: Some(2), ..plain.clone() }),
            ("copy", Parameters { level: text("ls"), ..plain.clone() }),
            ("load", plain.clone()),
        ];
        for (function, given) in cases {
            let again = Experiment::new(function, &recipe(function, &given)).expect(function);
            assert_eq!(again, Experiment::new(function, &given).expect(function), "{function}");
            assert_eq!(recipe(function, &recipe(function, &given)), recipe(function, &given), "{function}");
        }
    }
}
