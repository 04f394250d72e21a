//! Outcome of a run.

use super::ppe_profile::{FunctionTime, by_function};
use crate::kernel::End;
use crate::names;
use crate::processor::Process;
use crate::spufs::state::Report;
use crate::wait::Nanos;
use cell::door::Supervisor;
use cell::record::Record;
use cell::trace::Trace;
use spu::positions::Positions;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// Why a program cannot be run, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub(super) String);

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Refusal {}

/// Outcome of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Exit status of the program, as a shell reports it. If a signal killed the program, the status is 128 plus the
    /// signal number. `None` if the run ended with the traced window or could not continue.
    pub status: Option<u8>,
    /// Human-readable reason why the process ended, or why the run could not continue. `None` if the program called
    /// `exit`, or if the run ended with the traced window.
    pub line: Option<String>,
    /// The machine's record.
    pub record: Record,
    /// Simulated time.
    pub time_ns: Nanos,
    /// Totals of the PPE.
    pub ppe: Ppe,
    /// Totals and requested profile of each SPE context, in order of creation.
    pub contexts: Vec<Report>,
    /// The trace of the window, or `None` if the window did not begin.
    pub trace: Option<Trace>,
    /// The positions of the SPEs' programs in the trace. Functions and source lines come from the SPE executables that
    /// the program's file contains.
    pub positions: Option<Positions>,
}

/// Totals of the PPE.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ppe {
    /// Instructions executed.
    pub instructions: u64,
    /// Processor cycles that all threads spent executing instructions.
    pub cycles: u64,
    /// Number of calls of each system call, by name.
    pub system_calls: Vec<(String, u64)>,
    /// Time in each function, longest first, if a profile was requested.
    pub profile: Option<Vec<FunctionTime>>,
}

impl Outcome {
    /// The reason why the run could not continue, if that is how it ended.
    pub fn failure(&self) -> Option<&str> {
        self.line.as_deref().filter(|_| self.status.is_none())
    }

    /// Collects the outcome from a process and its machine.
    pub fn gather(process: &Process, record: Record, trace: Option<Trace>, machine: &mut dyn Supervisor) -> Outcome {
        let kernel = &process.kernel;
        let time_ns = (u128::from(record.bus_cycles) * 1_000_000_000 / u128::from(machine.machine().bus_hz())) as Nanos;
        let contexts = kernel.spufs.borrow_mut().reports(&record.counters, time_ns, machine);
        Outcome {
            status: kernel.end.as_ref().map(End::status),
            line: kernel.end.as_ref().and_then(End::line),
            time_ns,
            ppe: Ppe {
                instructions: process.instructions(),
                cycles: kernel.used_cycles,
                profile: kernel.samples.as_ref().map(|samples| by_function(kernel, samples)),
                system_calls: kernel.calls_made.iter().map(|(number, count)| (name(*number), *count)).collect(),
            },
            record,
            contexts,
            trace,
            positions: None,
        }
    }
}

/// Name of a system call.
fn name(number: u32) -> String {
    names::name(number).map_or_else(|| number.to_string(), str::to_string)
}
