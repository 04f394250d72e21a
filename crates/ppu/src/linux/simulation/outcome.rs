//! What a run leaves behind.

use super::ppe_profile::{FunctionTime, by_function};
use crate::linux::kernel::End;
use crate::linux::names;
use crate::linux::processor::Process;
use crate::linux::spufs::state::Report;
use crate::linux::wait::Nanos;
use cell::machine::Machine;
use cell::record::Record;
use cell::trace::Trace;

/// What a run leaves behind.
#[derive(Debug)]
pub struct Outcome {
    /// The program's exit status, as a shell shows it: 128 and the signal if one has ended it.  None if the run ended
    /// with the window that was traced.
    pub status: Option<u8>,
    /// For people: what has ended the program, if it was not itself.
    pub line: Option<String>,
    /// The machine's record.
    pub record: Record,
    /// The simulated time.
    pub time_ns: Nanos,
    /// What the PPE has done.
    pub ppe: Ppe,
    /// What each context of an SPE has done, and its profile if one was asked for, in the order of their creation.
    pub contexts: Vec<Report>,
    /// What happened in the window, if that has begun.
    pub trace: Option<Trace>,
}

/// What the PPE has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ppe {
    /// Instructions executed.
    pub instructions: u64,
    /// Processor cycles that all threads together have spent on them.
    pub cycles: u64,
    /// Times that each system call was made, by its name.
    pub system_calls: Vec<(String, u64)>,
    /// The time in each function, the longest first, if a profile was asked for.
    pub profile: Option<Vec<FunctionTime>>,
}

impl Outcome {
    /// What is left of a process and of the machine that it ran on.
    pub fn gather(process: &Process, record: Record, trace: Option<Trace>, machine: &Machine) -> Outcome {
        let kernel = &process.kernel;
        let time_ns = (u128::from(record.bus_cycles) * 1_000_000_000 / u128::from(machine.bus_hz())) as Nanos;
        let contexts = kernel.spufs.borrow_mut().reports(&record.counters, time_ns);
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
        }
    }
}

/// The name of a system call.
fn name(number: u32) -> String {
    names::name(number).map_or_else(|| number.to_string(), str::to_string)
}
