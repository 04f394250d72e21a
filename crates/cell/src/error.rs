//! How a run can fail.

use crate::fault::{Fault, Operation};
use crate::units::{BusCycle, SpeId};
use std::fmt;

/// The reason why a run ended before its programs had ended; displayed as one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A program broke a rule of the machine.
    Rule {
        /// The program's SPE; `None` for the PPE.
        spe: Option<SpeId>,
        /// Time of the fault, in bus cycles since the start.
        bus_cycle: BusCycle,
        /// The program's position in its source text, if it is known.
        place: Option<String>,
        /// The command or channel operation that broke the rule.
        command: Operation,
        /// The broken rule, and how to satisfy it.
        rule: Fault,
    },
    /// All programs are blocked, and no pending event can resume any of them.
    Deadlock {
        /// Time of the deadlock, in bus cycles since the start.
        bus_cycle: BusCycle,
        /// For each waiting unit, one line of text about what the unit waits for.
        waiting: Vec<String>,
    },
    /// The run exceeded the time limit set by the caller.
    Limit {
        /// The limit in bus cycles.
        limit_bus_cycles: BusCycle,
        /// For each unit, one line of text about what the unit was doing.
        waiting: Vec<String>,
    },
    /// The time window of a trace contains more events than the trace can record.
    TraceFull {
        /// Maximum total number of rows in all tables of a trace.
        rows_max: usize,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Rule { spe, bus_cycle, place, command, rule } => {
                match spe {
                    Some(spe) => write!(f, "SPE {}", spe.0)?,
                    None => write!(f, "PPE")?,
                }
                write!(f, ", bus cycle {bus_cycle}")?;
                if let Some(place) = place {
                    write!(f, ", at {place}")?;
                }
                write!(f, ", {command}: {rule}")
            }
            RunError::Deadlock { bus_cycle, waiting } => {
                write!(f, "deadlock at bus cycle {bus_cycle}: {}", waiting.join("; "))
            }
            RunError::Limit { limit_bus_cycles, waiting } => write!(
                f,
                "not finished after {limit_bus_cycles} bus cycles: {}; raise the limit if that is meant to take longer",
                waiting.join("; ")
            ),
            RunError::TraceFull { rows_max } => {
                write!(f, "more than {rows_max} events in the window of the trace; give a shorter one")
            }
            RunError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for RunError {}
