//! Errors of programs on SPEs.

use crate::door::Op;
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::system::processors::spe::Spe;
use crate::system::time::Time;

/// The error of a run whose SPU program has broken a rule.
pub(crate) fn broken(spe: &Spe<'_>, command: Operation, rule: Fault, time: &Time) -> RunError {
    let place = spe.program.as_ref().and_then(|program| program.place());
    RunError::Rule { spe: Some(spe.id), bus_cycle: time.bus_cycles(), place, command, rule }
}

/// The operation in which a program broke a rule.
pub(crate) fn operation(op: Op) -> Operation {
    match op {
        Op::Read(channel) => Operation::Read(channel),
        Op::Write(channel, value) => Operation::Write(channel, value),
        Op::Count(channel) => Operation::Count(channel),
        Op::Compute(_) => Operation::Compute,
    }
}
