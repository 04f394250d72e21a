//! Which programs the SPEs of a measurement run: the built-in ones, or the same in C.
//!
//! This crate has the built-in ones only.  Whoever can run executables of the SPU hands the others in
//! ([`super::measure_with`]), and the PPE's side does not know the difference.

use super::MeasureError;
use super::function::Function;
use super::params::Params;
use super::spe;
use cell::door::Program;
use cell::units::SpeId;
use std::rc::Rc;

/// Who wrote the SPE side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpeProgram {
    /// It is part of this crate, and charges its own code as machine values of `software`.
    Builtin,
    /// An executable compiled from C, whose code takes as long as its instructions do.
    C,
}

impl SpeProgram {
    /// All of them, with their names on the command line.
    pub const ALL: [(SpeProgram, &str); 2] = [(SpeProgram::Builtin, "builtin"), (SpeProgram::C, "c")];

    /// Its name.
    pub fn name(self) -> &'static str {
        SpeProgram::ALL.iter().find(|(program, _)| *program == self).map_or("", |(_, name)| name)
    }
}

/// Starts the program of an SPE with the argument that its thread is created with: the effective address
/// of its control block, 0 for a thread that has nothing to do.
pub type StartSpe = Rc<dyn Fn(SpeId, u64) -> Box<dyn Program>>;

/// The built-in programs, if they are those that were asked for.
pub(super) fn only_builtin(params: &Params) -> Result<StartSpe, MeasureError> {
    match params.spe_program {
        SpeProgram::Builtin => Ok(builtin(params)),
        other => {
            let name = other.name();
            Err(MeasureError::Usage(format!("--spe-program {name}: these programs have to be given (measure_with)")))
        }
    }
}

/// Starts the built-in programs.
pub fn builtin(params: &Params) -> StartSpe {
    let mkthread = params.function == Function::Mkthread;
    Rc::new(move |_, control_ea| spe::program(mkthread, control_ea))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{measure, measure_with};
    use cell::machine::Machine;

    fn params(function: Function) -> Params {
        Params { spe_program: SpeProgram::C, iterations: 50, ..Params::new(function) }
    }

    #[test]
    fn programs_that_are_handed_in_do_what_the_built_in_ones_would() {
        let machine = Machine::builtin("ps3").unwrap();
        for function in [Function::Mkthread, Function::DmaGet, Function::FetchAdd] {
            let handed_in = params(function);
            let own = Params { spe_program: SpeProgram::Builtin, ..handed_in.clone() };
            let given = measure_with(&machine, &handed_in, builtin(&own), || true).unwrap();
            assert_eq!(given.per_spe, measure(&machine, &own, || true).unwrap().per_spe);
            assert_eq!((given.spe_program, &given.recipe.parameters["spe_program"]), ("c", &"c".into()));
        }
    }

    #[test]
    fn no_program_is_taken_for_another() {
        let machine = Machine::builtin("ps3").unwrap();
        let line = measure(&machine, &params(Function::DmaGet), || true).unwrap_err().to_string();
        assert_eq!(line, "--spe-program c: these programs have to be given (measure_with)");
        let hotspot = params(Function::HotSpot);
        let line = measure_with(&machine, &hotspot, builtin(&hotspot), || true).unwrap_err().to_string();
        assert_eq!(
            line,
            "--spe-program c with hotspot: there are C programs for mkthread to fetchset only, leave it out"
        );
    }
}
