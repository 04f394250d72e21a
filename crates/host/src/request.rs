//! The request for a measurement, in JSON, which is checked before anything runs.

pub use crate::choices::{Background, Chase, Level, Node, Op, Pages, Path, SignalMode, Target};

use crate::error::{Error, usage};
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt;

/// The FUNCTIONs that can be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The variants have the names of the FUNCTIONs.
pub enum Function {
    Mkthread,
    Mailbox,
    Signal,
    DmaGet,
    DmaPut,
    DmaListGet,
    DmaListPut,
    FetchAdd,
    FetchSub,
    FetchInc,
    FetchDec,
    FetchSet,
    HotSpot,
    Complement,
    Pairwise,
    Uniform,
    Couples,
    Cycle,
    Neighbour,
    Tornado,
    Permutation,
    Exchange,
    Load,
    Store,
    Copy,
}

impl Function {
    /// The FUNCTION with this name.
    pub fn from_name(name: &str) -> Option<Function> {
        serde_json::from_value(serde_json::Value::from(name)).ok()
    }
}

/// A message of a pattern: source and destination (`None` stands for memory), bytes, repetitions.
pub type Message = (Option<usize>, Option<usize>, u64, u64);

/// A pattern in the form that the Python package writes: name, number of threads, and the messages of each phase.
pub type Pattern = (String, usize, Vec<Vec<Message>>);

/// One measurement, in the form that [`crate::measure`] accepts.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The FUNCTION to measure.
    pub function: Function,
    /// The CPU of each thread, numbered as by the operating system.
    pub cpus: Vec<usize>,
    /// Whether each thread has a separate memory region, buffer window or variable.
    #[serde(default)]
    pub private: bool,
    /// Whether threads copy to or from thread 0's buffer instead of memory.
    #[serde(default)]
    pub core_to_core: bool,
    /// Size of a copy, of a list element or of an access.
    #[serde(default)]
    pub size_bytes: u64,
    /// Number of elements in a list, or `None` if there are no lists.
    #[serde(default)]
    pub list_elements: Option<u64>,
    /// Distance between private variables, or between list elements.
    #[serde(default)]
    pub stride_bytes: Option<u64>,
    /// Number of copies between two waits for their completion; 0 means one wait at the end.
    #[serde(default)]
    pub batch: u64,
    /// The path of mailboxes and signals.
    #[serde(default = "memory_path")]
    pub path: Path,
    /// How signals are sent.
    #[serde(default)]
    pub signal_mode: SignalMode,
    /// Direction of the copies in a traffic pattern.
    #[serde(default)]
    pub op: Option<Op>,
    /// The target of hot-spot traffic.
    #[serde(default)]
    pub target: Option<Target>,
    /// The memory level that the working set is meant to fit.
    #[serde(default)]
    pub level: Option<Level>,
    /// Working set of each thread that walks over memory.
    #[serde(default)]
    pub level_bytes: u64,
    /// Whether stores are non-temporal and leave nothing in the caches.
    #[serde(default)]
    pub non_temporal: bool,
    /// Number of elements that a copy reads for each element that it writes; it stores one of them.
    #[serde(default = "one")]
    pub reads_per_write: u64,
    /// The order of a chase: each load's address is the value of the previous load. `None` for independent loads.
    #[serde(default)]
    pub chase: Option<Chase>,
    /// What the threads other than thread 0 do during a chase; for `None`, they chase, too.
    #[serde(default)]
    pub background: Option<Background>,
    /// Working set of each background thread.
    #[serde(default)]
    pub background_bytes: u64,
    /// Bandwidth to which all background threads together limit themselves; for `None`, there is no limit.
    #[serde(default)]
    pub rate_gb_s: Option<f64>,
    /// The pages of working sets.
    #[serde(default)]
    pub pages: Pages,
    /// The pattern of an exchange.
    #[serde(default)]
    pub pattern: Option<Pattern>,
    /// The NUMA node of buffers and variables.
    #[serde(default)]
    pub memory_node: Node,
    /// Seed for the partners of uniform traffic and for the order of a list's elements.
    #[serde(default)]
    pub seed: u64,
    /// Number of iterations in a sample. For `None`, the number is calibrated to the clock.
    #[serde(default)]
    pub iterations: Option<u64>,
    /// Time of an iteration in an earlier measurement of the same, from which calibration begins.
    #[serde(default)]
    pub iteration_ns: Option<f64>,
    /// Number of samples, unless the budget runs out earlier.
    #[serde(default = "hundred")]
    pub samples: u64,
    /// Minimum duration of the warm-up.
    #[serde(default)]
    pub warm_up_ns: u64,
    /// Time after which sampling must end.
    #[serde(default)]
    pub budget_ns: Option<u64>,
}

fn memory_path() -> Path {
    Path::Memory
}

fn one() -> u64 {
    1
}

fn hundred() -> u64 {
    100
}

/// Maximum number of samples; at this maximum, the samples take 8 MB per thread.
const SAMPLES_MAX: u64 = 1_000_000;
/// Largest working set: 64 TB.
const LEVEL_BYTES_MAX: u64 = 1 << 46;
/// Maximum number of iterations of a sample.
const ITERATIONS_MAX: u64 = 1_000_000_000_000;

impl Request {
    /// Reads a request.
    pub fn parse(json: &str) -> Result<Request, Error> {
        serde_json::from_str(json).or_else(|error| usage(format!("no measurement of this computer: {error}")))
    }

    /// Checks the request, given the CPUs that the process may use.
    pub fn check(&self, allowed: &[usize]) -> Result<(), Error> {
        if self.cpus.is_empty() {
            return usage("no CPUs: give at least one");
        }
        if let Some(cpu) = self.cpus.iter().find(|cpu| !allowed.contains(cpu)) {
            return usage(format!("CPU {cpu} is not available to this process, which may use {}", Ranges(allowed)));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.cpus.iter().find(|cpu| !seen.insert(**cpu)) {
            return usage(format!("CPU {twice} appears twice; each thread needs a CPU of its own"));
        }
        let ranges = [("samples", Some(self.samples), SAMPLES_MAX), ("iterations", self.iterations, ITERATIONS_MAX)];
        for (what, value, most) in ranges {
            if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                return usage(format!("{what} {value} is out of range; give 1 to {most}"));
            }
        }
        if let Some(bytes) = [self.level_bytes, self.background_bytes].into_iter().find(|it| *it > LEVEL_BYTES_MAX) {
            return usage(format!("a working set of {bytes} bytes; at most {LEVEL_BYTES_MAX} are possible"));
        }
        self.check_threads()
    }

    /// Checks the number of threads. Each primitive checks the remaining fields.
    fn check_threads(&self) -> Result<(), Error> {
        use Function::*;
        let threads = self.cpus.len();
        let paired = matches!(self.function, Mailbox | Signal | Pairwise | Couples);
        if paired && !threads.is_multiple_of(2) {
            return usage(format!("{threads} threads: partners come in pairs, give an even number"));
        }
        let alone =
            matches!(self.function, Complement | Uniform | Cycle | Neighbour | Tornado | Permutation) && threads < 2;
        if alone || self.function == HotSpot && matches!(self.target, Some(Target::Thread(_))) && threads < 2 {
            return usage("1 thread: an exchange needs at least two");
        }
        match &self.target {
            Some(Target::Partners(partners)) if !(0..threads).all(|thread| partners.contains(&thread)) => {
                usage("target: name the partner of each thread, and each thread once")
            }
            Some(Target::Partners(partners)) if partners.len() != threads || self.function != Permutation => {
                usage(format!("target: partners are for a permutation of {threads} threads"))
            }
            None if self.function == Permutation => usage("target: name the partner of each thread"),
            Some(Target::Thread(thread)) if *thread >= threads => {
                usage(format!("target {thread}: there are threads 0 to {}", threads - 1))
            }
            _ => Ok(()),
        }
    }
}

/// Displays ascending numbers, with consecutive numbers as ranges.
struct Ranges<'a>(&'a [usize]);

impl fmt::Display for Ranges<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|left, right| left + 1 == *right);
        let shown = runs.map(|run| match (run[0], run[run.len() - 1]) {
            (first, last) if first == last => format!("{first}"),
            (first, last) => format!("{first}-{last}"),
        });
        f.write_str(&shown.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> String {
        let allowed = [0, 1, 2, 3, 8];
        match Request::parse(json).and_then(|request| request.check(&allowed)) {
            Err(Error::Usage(line)) => line,
            other => panic!("{json} is not refused: {other:?}"),
        }
    }

    #[test]
    fn what_cannot_be_is_said_in_one_line() {
        for (json, said) in [
            (r#"{"function": "mailbox", "cpus": []}"#, "no CPUs"),
            (
                r#"{"function": "mailbox", "cpus": [0, 7]}"#,
                "CPU 7 is not available to this process, which may use 0-3,8",
            ),
            (r#"{"function": "mailbox", "cpus": [1, 1]}"#, "CPU 1 appears twice"),
            (r#"{"function": "mailbox", "cpus": [0, 1, 2]}"#, "even number"),
            (r#"{"function": "mailbox", "cpus": [0, 1], "samples": 0}"#, "samples 0 is out of range"),
            (r#"{"function": "mailbox", "cpus": [0, 1], "iterations": 0}"#, "iterations 0"),
            (r#"{"function": "load", "cpus": [0], "level_bytes": 70368744177665}"#, "a working set of 70368744177665"),
            (r#"{"function": "cycle", "cpus": [0]}"#, "needs at least two"),
            (r#"{"function": "hotspot", "cpus": [0, 1], "target": 2}"#, "target 2: there are threads 0 to 1"),
            (r#"{"function": "hotspot", "cpus": [0, 1], "target": "mars"}"#, "mars"),
            (r#"{"function": "load", "cpus": [0], "memory_node": "here"}"#, "give a number or interleave"),
            (r#"{"function": "sing", "cpus": [0]}"#, "unknown variant `sing`"),
            (r#"{"function": "mailbox", "cpus": [0, 1], "path": "pigeon"}"#, "pigeon"),
            (r#"{"function": "mailbox", "cpus": [0, 1], "sise": 1}"#, "sise"),
            ("{", "EOF"),
        ] {
            let line = refusal(json);
            assert!(line.contains(said) && !line.contains('\n'), "{json}: {line}");
        }
    }
}
