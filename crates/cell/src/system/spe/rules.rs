//! Rules that programs of SPEs break.

use super::unit::Spe;
use crate::door::Op;
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::system::time::Time;

/// The end of a run whose program has broken a rule.
pub(crate) fn broken(spe: &Spe<'_>, command: Operation, rule: Fault, time: &Time) -> RunError {
    let place = spe.program.as_ref().and_then(|program| program.place());
    RunError::Rule { spe: Some(spe.id), bus_cycle: time.bus_cycles(), place, command, rule }
}

/// What a program was doing.
pub(crate) fn operation(op: Op) -> Operation {
    match op {
        Op::Read(channel) => Operation::Read(channel),
        Op::Write(channel, value) => Operation::Write(channel, value),
        Op::Count(channel) => Operation::Count(channel),
        Op::Compute(_) => Operation::Compute,
    }
}
