//! A communication pattern as data: phases of messages between threads, or with main memory.

use crate::refusal::{Refusal, verbatim};
use crate::sizes;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{SpeId, ThreadId};
use serde::{Deserialize, Serialize};

/// Source or destination of a message. `Who` is a thread before placement, and an SPE after placement.
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
    /// Source of the message.
    pub source: End<Who>,
    /// Destination of the message.
    pub destination: End<Who>,
    /// Size of the message in bytes.
    pub bytes: u32,
    /// Number of times that the message is sent.
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
    /// The issuer of the DMAs. The source SPE puts a message from its local store. The destination SPE fetches a
    /// message from main memory. Returns `None` if source and destination are both main memory.
    pub fn issuer(&self) -> Option<Who> {
        match (self.source, self.destination) {
            (End::LocalStore(who), _) | (End::Memory, End::LocalStore(who)) => Some(who),
            (End::Memory, End::Memory) => None,
        }
    }

    /// Total number of bytes in all repetitions.
    pub fn total_bytes(&self) -> u64 {
        u64::from(self.bytes) * u64::from(self.repetitions)
    }

    fn ends(&self) -> [End<Who>; 2] {
        [self.source, self.destination]
    }
}

/// Messages in phases. A phase begins once the previous phase has ended for all threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The name in results.
    pub name: String,
    /// Number of threads that take part. Threads without messages count too, because they wait at the barriers.
    pub threads: u32,
    /// Messages of each phase. A thread issues its messages in the listed order.
    pub phases: Vec<Vec<Transfer<ThreadId>>>,
}

/// Maximum number of repetitions of a message.
const REPETITIONS_MAX: u32 = 1_000_000;

impl Pattern {
    fn transfers(&self) -> impl Iterator<Item = &Transfer<ThreadId>> {
        self.phases.iter().flatten()
    }

    /// Bytes that a thread's DMAs move in one iteration.
    pub fn bytes_issued(&self, thread: ThreadId) -> u64 {
        self.transfers().filter(|transfer| transfer.issuer() == Some(thread)).map(Transfer::total_bytes).sum()
    }

    /// Size of the longest message in bytes.
    pub fn longest_bytes(&self) -> u32 {
        self.transfers().map(|transfer| transfer.bytes).max().unwrap_or(0)
    }

    /// Whether main memory is the source or destination of any message.
    pub fn uses_memory(&self) -> bool {
        self.transfers().any(|transfer| transfer.ends().contains(&End::Memory))
    }

    /// The messages between SPEs, sorted by issuer within each phase.
    ///
    /// These messages and the SPEs that take part determine the run. Renumbering the threads does not change the run if
    /// every message stays between the same SPEs.
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

    /// Checks that a machine can exchange the messages.
    ///
    /// # Errors
    /// A message is invalid; the refusal names the message and the reason.
    pub fn check(&self, machine: &Machine) -> Result<(), Refusal> {
        let refused = |why: String| Refusal::new(format!("pattern {}: {why}", verbatim(&self.name)));
        if self.transfers().next().is_none() {
            return Err(refused("no transfers, give at least one".to_string()));
        }
        self.check_threads()?;
        self.transfers().try_for_each(|transfer| check_transfer(transfer, machine)).map_err(refused)
    }

    /// Checks that every thread named in a message exists in the pattern.
    ///
    /// # Errors
    /// A thread that does not exist.
    pub fn check_threads(&self) -> Result<(), Refusal> {
        let threads = self.threads;
        let missing = |end: End<ThreadId>| match end {
            End::LocalStore(ThreadId(thread)) if u32::from(thread) >= threads => Some(thread),
            _ => None,
        };
        let Some(thread) = self.transfers().flat_map(Transfer::ends).find_map(missing) else { return Ok(()) };
        let name = verbatim(&self.name);
        let reason = format!("pattern {name}: thread {thread} of {threads}; give 0 to {}", threads.saturating_sub(1));
        Err(Refusal::new(reason))
    }
}

fn check_transfer(transfer: &Transfer<ThreadId>, machine: &Machine) -> Result<(), String> {
    let bytes = transfer.bytes;
    if transfer.source == transfer.destination {
        return Err("a message to where it comes from; give two different ends".to_string());
    }
    if !sizes::is_of_a_dma(bytes) {
        return Err(format!("{bytes} bytes; a DMA moves 1, 2, 4, 8 or a multiple of 16"));
    }
    if transfer.repetitions == 0 || transfer.repetitions > REPETITIONS_MAX {
        let given = transfer.repetitions;
        return Err(format!("{given} repetitions; give 1 to {REPETITIONS_MAX}"));
    }
    let most = machine.mfc.local_store_bytes;
    if bytes > most {
        return Err(format!("{bytes} bytes do not fit a local store of {most}; give fewer"));
    }
    Ok(())
}

/// Serializes a message as recipes show it: threads by number, and memory by name.
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

impl<'de> Deserialize<'de> for Transfer<ThreadId> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Message {
            source: Who,
            destination: Who,
            bytes: u32,
            #[serde(default = "once")]
            repetitions: u32,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Who {
            Thread(u8),
            Memory(Memory),
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Memory {
            Memory,
        }
        fn once() -> u32 {
            1
        }
        let end = |who| match who {
            Who::Thread(thread) => End::LocalStore(ThreadId(thread)),
            Who::Memory(Memory::Memory) => End::Memory,
        };
        let Message { source, destination, bytes, repetitions } = Message::deserialize(deserializer)?;
        Ok(Transfer { source: end(source), destination: end(destination), bytes, repetitions })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two threads that send each other a cache line.
    pub fn ring() -> Pattern {
        let phase = vec![Transfer::new(Some(0), Some(1), 128), Transfer::new(Some(1), Some(0), 128)];
        Pattern { name: "ring".to_string(), threads: 2, phases: vec![phase] }
    }

    #[test]
    fn a_pattern_is_read_as_a_recipe_shows_it() {
        let mut pattern = ring();
        pattern.phases[0].push(Transfer { repetitions: 3, ..Transfer::new(None, Some(1), 16) });
        let written = serde_json::to_string(&pattern).unwrap();
        assert_eq!(serde_json::from_str::<Pattern>(&written).unwrap(), pattern);
        let once = r#"{"name": "x", "threads": 2, "phases": [[{"source": "memory", "destination": 1, "bytes": 16}]]}"#;
        assert_eq!(serde_json::from_str::<Pattern>(once).unwrap().phases[0][0], Transfer::new(None, Some(1), 16));
        assert!(serde_json::from_str::<Pattern>(&once.replace("memory", "mars")).is_err());
    }
}
