//! Rules that programs break, in words.

use super::unit::Spe;
use crate::command::Command;
use crate::door::Op;
use crate::error::RunError;
use crate::system::time::Time;

/// Why a program cannot go on.
pub(crate) type Rule = String;

/// The end of a run whose program has broken a rule.
pub(crate) fn broken(spe: &Spe<'_>, command: String, rule: Rule, time: &Time) -> RunError {
    let place = spe.program.as_ref().and_then(|program| program.place());
    RunError::Rule { spe: Some(spe.id), bus_cycle: time.bus_cycles(), place, command, rule }
}

/// An operation, for messages.
pub(crate) fn describe(op: Op) -> String {
    match op {
        Op::Read(channel) => format!("read of {channel}"),
        Op::Write(channel, value) => format!("write of {value:#x} to {channel}"),
        Op::Count(channel) => format!("count of {channel}"),
        Op::Compute(_) => "compute".to_string(),
    }
}

/// A command with its parameters, for messages.
pub(crate) fn describe_command(command: &Command) -> String {
    let Command { lsa, ea, size, tag, .. } = command;
    format!("{} lsa={lsa:#x} ea={ea:#x} size={size} tag={tag}", command.code().name())
}
