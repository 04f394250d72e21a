//! The families of FUNCTIONs: each has a folder, and a line in the list below.
//!
//! A family needs no other registration. An [`Experiment`] is a FUNCTION of a family with its parameters; it
//! dereferences to that family's [`Workload`]. A control block carries the FUNCTION's number, which is the FUNCTION's
//! index in the list of all FUNCTIONs. The numbers in `programs/cellstats/control_block.h` must be the same.

mod access;
mod atomic;
mod dma;
mod exchange;
mod sync;
mod threads;
mod traffic;

use crate::control_block::ControlBlock;
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::{Refusal, verbatim};
use cell::coroutine::Spu;
use std::ops::Deref;

/// A row of the list of families: everything about a family that does not depend on a FUNCTION's parameters.
struct Row {
    functions: &'static [&'static str],
    title: &'static str,
    heading: &'static str,
    help: &'static [(&'static str, &'static str)],
    parameters: &'static [Parameter],
    lacks: fn(usize, Parameter, Computer) -> Option<&'static str>,
    read: fn(usize, &Parameters) -> Result<Experiment, Refusal>,
}

macro_rules! families {
    ($($family:ident in $module:ident,)*) => {
        /// One of a family's FUNCTIONs, with its parameters.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // Each variant is documented at its family.
        pub enum Experiment {
            $($family($module::$family),)*
        }

        impl Deref for Experiment {
            type Target = dyn Workload;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Experiment::$family(own) => own,)*
                }
            }
        }

        static FAMILIES: &[Row] = &[$(Row {
            functions: $module::$family::FUNCTIONS,
            title: $module::$family::TITLE,
            heading: $module::$family::HEADING,
            help: $module::$family::HELP,
            parameters: $module::$family::PARAMETERS,
            lacks: $module::$family::lacks,
            read: |nth, given| $module::$family::read(nth, given).map(Experiment::$family),
        },)*];

        /// Prepares an SPE's measurement before the SPE reports that it is ready.
        pub async fn prepare(spu: &Spu, block: &ControlBlock) {
            let (family, _) = family(block.function);
            $(if family.functions == $module::$family::FUNCTIONS {
                $module::$family::prepare(spu, block).await;
            })*
        }

        /// What an SPE does after its measured loop.
        pub async fn finish(spu: &Spu, block: &ControlBlock) {
            let (family, _) = family(block.function);
            $(if family.functions == $module::$family::FUNCTIONS {
                $module::$family::finish(spu, block).await;
            })*
        }

        /// An SPE's loop, with its DMA commands in tag group `tag`.
        pub async fn run(spu: &Spu, block: &ControlBlock, iterations: u64, tag: u32) {
            let (family, nth) = family(block.function);
            $(if family.functions == $module::$family::FUNCTIONS {
                $module::$family::run(spu, block, nth, iterations, tag).await;
            })*
        }
    };
}

families! {
    Threads in threads,
    Sync in sync,
    Dma in dma,
    Atomic in atomic,
    Traffic in traffic,
    Exchange in exchange,
    Access in access,
}

/// Names of all FUNCTIONs, by number.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.functions).copied()
}

/// The help for all FUNCTIONs, family by family: a heading, which may be empty, and rows of names and descriptions.
pub fn help() -> Vec<(&'static str, &'static [(&'static str, &'static str)])> {
    FAMILIES.iter().map(|family| (family.heading, family.help)).collect()
}

/// The family of a FUNCTION, and the FUNCTION's index within that family, for any number that a control block may hold.
fn family(number: u32) -> (&'static Row, usize) {
    let mut nth = number as usize;
    for family in FAMILIES {
        if nth < family.functions.len() {
            return (family, nth);
        }
        nth -= family.functions.len();
    }
    (&FAMILIES[0], 0)
}

/// The titles of all families, each with the names of its FUNCTIONs and their descriptions.
pub fn titles() -> impl Iterator<Item = (&'static str, Vec<(&'static str, &'static str)>)> {
    // One row of the help text may describe several FUNCTIONs.
    FAMILIES.iter().map(|family| {
        let rows = family.help.iter().flat_map(|(names, text)| names.split(", ").map(move |name| (name, *text)));
        (family.title, rows.collect())
    })
}

/// The parameters that a FUNCTION has on a simulated machine, including those that every FUNCTION has.
pub fn parameters_of(function: &str) -> impl Iterator<Item = Parameter> {
    let number = number_of(function);
    let has = move |parameter: &Parameter| {
        let given = |number| lacks(number, *parameter, Computer::Cell).is_none();
        parameter.row().why_not.is_none() || number.is_some_and(given)
    };
    Parameter::of_cell().filter(has)
}

/// The reason why a FUNCTION lacks a parameter, or `None` if the FUNCTION has the parameter.
fn lacks(number: u32, parameter: Parameter, computer: Computer) -> Option<&'static str> {
    let (family, nth) = family(number);
    let why = (family.lacks)(nth, parameter, computer);
    why.or_else(|| (!family.parameters.contains(&parameter)).then(|| parameter.why_not()))
}

/// The number of the FUNCTION with this name.
fn number_of(function: &str) -> Option<u32> {
    functions().position(|name| name == function).map(|number| number as u32)
}

/// Refuses the first of the given parameters that a FUNCTION lacks. Returns `None` if the FUNCTION has all parameters.
/// Each parameter comes with the value that the refusal shows.
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
    /// A FUNCTION with its parameters, including defaults.
    ///
    /// # Errors
    /// An unknown FUNCTION, a parameter that the FUNCTION lacks, or an invalid value.
    pub fn new(function: &str, given: &Parameters) -> Result<Experiment, Refusal> {
        let number = number_of(function).ok_or_else(|| {
            let known: Vec<&str> = functions().collect();
            let unknown = verbatim(&format!("{function:?}"));
            Refusal::new(format!("unknown function {unknown}; known are {}", known.join(", ")))
        })?;
        match refusal(function, &given.particular(), Computer::Cell) {
            Some(refusal) => Err(refusal),
            None => {
                let (family, nth) = family(number);
                (family.read)(nth, given)
            }
        }
    }

    /// The FUNCTIONs whose iteration is a single DMA.
    pub fn dma_functions() -> &'static [&'static str] {
        dma::Dma::FUNCTIONS
    }

    /// The FUNCTION's number in the list of all FUNCTIONs.
    pub fn number(&self) -> u32 {
        number_of(self.name()).unwrap_or_default()
    }
}

impl Parameters {
    /// The given parameters that some FUNCTIONs lack, each with the value that messages show.
    pub fn particular(&self) -> Vec<(Parameter, Option<String>)> {
        let particular = self.asked().filter_map(|(parameter, value)| match parameter {
            // Every FUNCTION on a simulated Cell accepts `ppe`.
            Parameter::Ppe => None,
            Parameter::Batch => (value != "1").then_some((parameter, None)),
            Parameter::SpeProgram => (value == "c").then_some((parameter, Some(value))),
            Parameter::Pattern => Some((parameter, Some(value))),
            _ => parameter.row().why_not.map(|_| (parameter, None)),
        });
        particular.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;
    use crate::run::result::recipe;
    use cell::machine::Machine;
    use serde_json::{Map, Value};

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

    #[test]
    fn a_recipe_makes_the_same_experiment_again() {
        let machine = Machine::builtin("eval-board").unwrap();
        let recipe =
            |request: &Request| recipe(&machine, request, &request.plan(&machine).unwrap().placement).parameters;
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
            let request = Request::new(function, &given, &machine).expect(function);
            let named = |(column, value): (String, Value)| {
                let of_column = Parameter::ALL.iter().find(|(parameter, ..)| parameter.column() == column);
                (of_column.unwrap().1.to_string(), value)
            };
            let mut again: Map<String, Value> = recipe(&request).into_iter().map(named).collect();
            again.insert("function".to_string(), function.into());
            // The request omits placements and seeds without effect, because they would be refused.
            let by_ppe = request.settings.spes == 0;
            again.retain(|name, value| !(name == "placement" && by_ppe || name == "seed" && *value == 0));
            let again = Request::parse(&Value::from(again).to_string(), &machine).expect(function);
            assert_eq!(again.experiment, request.experiment, "{function}");
            assert_eq!(recipe(&again), recipe(&request), "{function}");
        }
    }
}
