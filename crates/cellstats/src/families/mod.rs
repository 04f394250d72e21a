//! The families of FUNCTIONs: one folder each, and its line in the list below.
//!
//! The list is all that there is to register.  An [`Experiment`] is one of a family's FUNCTIONs with its
//! parameters; whatever is asked of it, its family answers.  A FUNCTION's number, which a control block carries,
//! is its place in the list of all (`programs/cellstats/control_block.h` has the same).

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
use crate::refusal::Refusal;
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
        Some(Refusal { given: value.clone(), ..refusal })
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
            Refusal::new(format!("unknown function {function:?}; known are {}", known.join(", ")))
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
}
