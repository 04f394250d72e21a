//! What is to be measured: JSON in, checked before anything runs.

use crate::error::{Error, usage};
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt;

/// What can be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // They are named as the FUNCTIONs are.
pub enum Function {
    Mkthread,
    Mailbox,
}

/// How a mailbox or signal reaches the other thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// Through the kernel, by a word in memory and `futex(2)`.
    Futex,
    /// Through the kernel, by `eventfd(2)`.
    Eventfd,
    /// Through the kernel, by `pipe(2)`.
    Pipe,
    /// Through memory only: the other thread looks all the time.
    Memory,
}

/// On which NUMA node memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "Option<NodeWord>")]
pub enum Node {
    /// On that of the CPU which touches it first.
    #[default]
    FirstTouch,
    /// On this one.
    Number(u32),
    /// Page by page on all nodes in turn.
    Interleave,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NodeWord {
    Number(u32),
    Name(String),
}

impl TryFrom<Option<NodeWord>> for Node {
    type Error = String;

    fn try_from(word: Option<NodeWord>) -> Result<Node, String> {
        match word {
            None => Ok(Node::FirstTouch),
            Some(NodeWord::Number(node)) => Ok(Node::Number(node)),
            Some(NodeWord::Name(name)) if name == "interleave" => Ok(Node::Interleave),
            Some(NodeWord::Name(name)) => Err(format!("memory_node {name:?}: give a number or interleave")),
        }
    }
}

impl Node {
    /// In words; `owner` is the thread that touches it first.
    pub fn words(self, owner: &str) -> String {
        match self {
            Node::FirstTouch => format!("memory node of {owner}"),
            Node::Number(node) => format!("memory node {node}"),
            Node::Interleave => "pages on all memory nodes in turn".to_string(),
        }
    }
}

/// One measurement, as [`crate::measure`] takes it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What is measured.
    pub function: Function,
    /// The CPU of each thread, as the operating system numbers them.
    pub cpus: Vec<usize>,
    /// How mailboxes and signals go.
    #[serde(default = "memory_path")]
    pub path: Path,
    /// Where buffers and variables lie.
    #[serde(default)]
    pub memory_node: Node,
    /// Iterations of a sample; none are as many as the clock needs.
    #[serde(default)]
    pub iterations: Option<u64>,
    /// Samples, unless the budget ends before.
    #[serde(default = "hundred")]
    pub samples: u64,
    /// Length of the warm-up at least.
    #[serde(default)]
    pub warm_up_ns: u64,
    /// When sampling has to be over.
    #[serde(default)]
    pub budget_ns: Option<u64>,
}

fn memory_path() -> Path {
    Path::Memory
}

fn hundred() -> u64 {
    100
}

/// The most samples that are kept: 8 MB for each thread.
const SAMPLES_MAX: u64 = 1_000_000;
/// The most iterations of a sample.
const ITERATIONS_MAX: u64 = 1_000_000_000_000;

impl Request {
    /// Reads one.
    pub fn parse(json: &str) -> Result<Request, Error> {
        serde_json::from_str(json).or_else(|error| usage(format!("no measurement of this computer: {error}")))
    }

    /// What cannot be, given the CPUs that the process may use.
    pub fn check(&self, allowed: &[usize]) -> Result<(), Error> {
        if self.cpus.is_empty() {
            return usage("no CPUs: give at least one");
        }
        if let Some(cpu) = self.cpus.iter().find(|cpu| !allowed.contains(cpu)) {
            return usage(format!("CPU {cpu} is not for this process; it may use {}", Ranges(allowed)));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.cpus.iter().find(|cpu| !seen.insert(**cpu)) {
            return usage(format!("CPU {twice} is there twice; each thread needs a CPU of its own"));
        }
        let ranges = [("samples", Some(self.samples), SAMPLES_MAX), ("iterations", self.iterations, ITERATIONS_MAX)];
        for (what, value, most) in ranges {
            if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                return usage(format!("{what} {value} is out of range; give 1 to {most}"));
            }
        }
        self.check_threads()
    }

    fn check_threads(&self) -> Result<(), Error> {
        let threads = self.cpus.len();
        if self.function == Function::Mailbox && !threads.is_multiple_of(2) {
            return usage(format!("{threads} threads: partners come in pairs, give an even number"));
        }
        Ok(())
    }
}

/// Ascending numbers, runs of them as ranges.
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
            (r#"{"function": "mailbox", "cpus": [0, 7]}"#, "CPU 7 is not for this process; it may use 0-3,8"),
            (r#"{"function": "mailbox", "cpus": [1, 1]}"#, "CPU 1 is there twice"),
            (r#"{"function": "mailbox", "cpus": [0, 1, 2]}"#, "even number"),
            (r#"{"function": "mailbox", "cpus": [0, 1], "samples": 0}"#, "samples 0 is out of range"),
            (r#"{"function": "mailbox", "cpus": [0, 1], "iterations": 0}"#, "iterations 0"),
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
