//! A pattern of communication as data: phases of messages between threads, or with main memory.

use super::function::Function;
use super::params::Params;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{SpeId, ThreadId};
use serde::Serialize;

/// Where a message comes from or goes to: a thread's local store, as the pattern has it, or an SPE's, once the
/// threads are placed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End<Who> {
    /// A local store.
    LocalStore(Who),
    /// Main memory.
    Memory,
}

/// One message of a phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transfer<Who> {
    /// Whence.
    pub source: End<Who>,
    /// Whither.
    pub destination: End<Who>,
    /// How long.
    pub bytes: u32,
    /// How often it is sent, one after the other.
    pub repetitions: u32,
}

impl Transfer<ThreadId> {
    /// A message sent once; `None` is main memory.
    pub fn new(source: Option<u8>, destination: Option<u8>, bytes: u32) -> Transfer<ThreadId> {
        let end = |thread: Option<u8>| thread.map_or(End::Memory, |thread| End::LocalStore(ThreadId(thread)));
        Transfer { source: end(source), destination: end(destination), bytes, repetitions: 1 }
    }
}

impl<Who: Copy> Transfer<Who> {
    /// Who issues its DMAs: the source puts it, unless it comes from memory; then the destination gets it.
    /// Nobody, if both ends are memory.
    pub fn issuer(&self) -> Option<Who> {
        match (self.source, self.destination) {
            (End::LocalStore(who), _) | (End::Memory, End::LocalStore(who)) => Some(who),
            (End::Memory, End::Memory) => None,
        }
    }

    /// Its bytes, over all repetitions.
    pub fn total_bytes(&self) -> u64 {
        u64::from(self.bytes) * u64::from(self.repetitions)
    }

    fn ends(&self) -> [End<Who>; 2] {
        [self.source, self.destination]
    }
}

/// Who sends what to whom, and when: no phase begins before the one before it has ended, for anybody.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// What it is called in results.
    pub name: String,
    /// Threads that take part, those without a message among them: they wait with the others.
    pub threads: u32,
    /// Messages of each phase, in the order in which each thread issues its own.
    pub phases: Vec<Vec<Transfer<ThreadId>>>,
}

/// The most often that one message can be sent.
const REPETITIONS_MAX: u32 = 1_000_000;

impl Pattern {
    fn transfers(&self) -> impl Iterator<Item = &Transfer<ThreadId>> {
        self.phases.iter().flatten()
    }

    /// Bytes of one iteration that a thread's DMAs move.
    pub fn bytes_issued(&self, thread: ThreadId) -> u64 {
        self.transfers().filter(|transfer| transfer.issuer() == Some(thread)).map(Transfer::total_bytes).sum()
    }

    /// Bytes of the longest message.
    pub fn longest_bytes(&self) -> u32 {
        self.transfers().map(|transfer| transfer.bytes).max().unwrap_or(0)
    }

    /// Whether a message comes from main memory or goes there.
    pub fn uses_memory(&self) -> bool {
        self.transfers().any(|transfer| transfer.ends().contains(&End::Memory))
    }

    /// The same messages between SPEs; of each phase in the order of who issues them.
    ///
    /// What an exchange does follows from this and the SPEs that take part: threads that change names and
    /// places together are one and the same run.
    pub fn on(&self, placement: &Placement) -> Vec<Vec<Transfer<SpeId>>> {
        let end = |end: End<ThreadId>| match end {
            End::LocalStore(thread) => End::LocalStore(placement.spe(thread)),
            End::Memory => End::Memory,
        };
        let placed = |phase: &Vec<Transfer<ThreadId>>| {
            let placed = phase.iter().map(|transfer| Transfer {
                source: end(transfer.source),
                destination: end(transfer.destination),
                bytes: transfer.bytes,
                repetitions: transfer.repetitions,
            });
            let mut placed: Vec<Transfer<SpeId>> = placed.collect();
            placed.sort_by_key(Transfer::issuer);
            placed
        };
        self.phases.iter().map(placed).collect()
    }

    fn check(&self, machine: &Machine) -> Result<(), String> {
        if self.transfers().next().is_none() {
            return Err(format!("pattern {}: no transfers, give at least one", self.name));
        }
        self.transfers().try_for_each(|transfer| self.check_transfer(transfer, machine))
    }

    fn check_transfer(&self, transfer: &Transfer<ThreadId>, machine: &Machine) -> Result<(), String> {
        let (name, bytes, threads) = (&self.name, transfer.bytes, self.threads);
        for end in transfer.ends() {
            match end {
                End::LocalStore(ThreadId(thread)) if u32::from(thread) >= threads => {
                    return Err(format!("pattern {name}: thread {thread} of {threads}; give 0 to {}", threads - 1));
                }
                _ => (),
            }
        }
        if transfer.source == transfer.destination {
            return Err(format!("pattern {name}: a message to where it comes from; give two different ends"));
        }
        if !(matches!(bytes, 1 | 2 | 4 | 8) || bytes > 0 && bytes % 16 == 0) {
            return Err(format!("pattern {name}: {bytes} bytes; a DMA moves 1, 2, 4, 8 or a multiple of 16"));
        }
        if transfer.repetitions == 0 || transfer.repetitions > REPETITIONS_MAX {
            let given = transfer.repetitions;
            return Err(format!("pattern {name}: {given} repetitions; give 1 to {REPETITIONS_MAX}"));
        }
        let most = machine.mfc.local_store_bytes;
        if bytes > most {
            return Err(format!("pattern {name}: {bytes} bytes do not fit a local store of {most}; give fewer"));
        }
        Ok(())
    }
}

impl Params {
    /// Checks that an exchange, and nothing else, has a pattern, and one that can be.
    pub(super) fn check_pattern(&self, machine: &Machine) -> Result<(), String> {
        let name = self.function.name();
        match (&self.pattern, self.function) {
            (Some(pattern), Function::Exchange) if pattern.threads != self.spes => {
                Err(format!("-n {}: pattern {} has {} threads, leave -n out", self.spes, pattern.name, pattern.threads))
            }
            (Some(pattern), Function::Exchange) => pattern.check(machine),
            (None, Function::Exchange) => {
                Err(format!("{name}: which messages? Give --pattern, such as --pattern ring, or a file"))
            }
            (Some(pattern), _) => {
                Err(format!("--pattern {} with {name}: only an exchange has a pattern, leave it out", pattern.name))
            }
            (None, _) => Ok(()),
        }
    }

    /// Bytes that one iteration of one thread moves; none where no data move.
    pub fn bytes_of_thread(&self, thread: ThreadId) -> Option<u64> {
        match &self.pattern {
            Some(pattern) => Some(pattern.bytes_issued(thread)),
            None => self.iteration_bytes(),
        }
    }
}

/// As the recipe of a result has it: threads by number, memory by name.
impl Serialize for Transfer<ThreadId> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let end = |end: End<ThreadId>| match end {
            End::LocalStore(thread) => serde_json::json!(thread.0),
            End::Memory => serde_json::json!("memory"),
        };
        serde_json::json!({
            "source": end(self.source),
            "destination": end(self.destination),
            "bytes": self.bytes,
            "repetitions": self.repetitions,
        })
        .serialize(serializer)
    }
}

impl Serialize for Pattern {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Pattern { name, threads, phases } = self;
        serde_json::json!({"name": name, "threads": threads, "phases": phases}).serialize(serializer)
    }
}
