//! Which programs the SPEs of a measurement run: the built-in ones, or the same in C.
//!
//! This crate has the built-in ones only.  Whoever can run executables of the SPU hands the others in
//! ([`super::measure_with`]), and the PPE's side does not know the difference.

use super::function::Function;
use super::params::Params;
use super::spe;
use crate::door::Program;
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

/// Starts an SPE's program with the argument that its thread is created with: the effective address of
/// its control block, 0 for a thread that has nothing to do.
pub type StartSpe = Rc<dyn Fn(u64) -> Box<dyn Program>>;

/// Starts a built-in program.
pub(super) fn builtin(params: &Params) -> StartSpe {
    let mkthread = params.function == Function::Mkthread;
    Rc::new(move |control_ea| spe::program(mkthread, control_ea))
}
