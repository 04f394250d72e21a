//! How a run can fail.

use crate::fault::{Fault, Operation};
use crate::units::{BusCycle, SpeId};
use std::fmt;

/// Why a run ended before its programs did; displays as one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A program broke a rule of the machine.
    Rule {
        /// The SPE of the program; `None` for the PPE.
        spe: Option<SpeId>,
        /// When, in bus cycles since the start.
        bus_cycle: BusCycle,
        /// Where in its text the program stands, if that is known.
        place: Option<String>,
        /// The command or channel operation.
        command: Operation,
        /// The rule, and what would keep it.
        rule: Fault,
    },
    /// Everybody waits and nothing will ever happen again.
    Deadlock {
        /// When, in bus cycles since the start.
        bus_cycle: BusCycle,
        /// Who waits for what.
        waiting: Vec<String>,
    },
    /// The run passed the limit that its caller set.
    Limit {
        /// The limit in bus cycles.
        limit_bus_cycles: BusCycle,
        /// Who was doing what.
        waiting: Vec<String>,
    },
    /// More happened in the window of a trace than a trace may hold.
    TraceFull {
        /// What it may hold: rows of all tables.
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
