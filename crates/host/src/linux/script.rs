//! The script of each thread in an exchange: the messages that the thread copies, and their positions in buffers.

use super::walk::STEP_BYTES;
use crate::error::{Error, usage};
use crate::request::{Message, Pattern};

/// Source or destination of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// The buffer of messages that the thread sends.
    Own,
    /// The buffer for messages from memory.
    Landing,
    /// The inbox of the thread with this number, at this offset.
    Inbox(usize, u64),
    /// The thread's own region of memory.
    Memory,
}

/// A message, as seen by the thread that copies the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Source.
    pub from: Endpoint,
    /// Destination.
    pub to: Endpoint,
    pub bytes: u64,
    /// Number of times that the message is copied.
    pub repetitions: u64,
}

/// A thread's part of one phase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Phase {
    /// The messages that the thread copies.
    pub steps: Vec<Step>,
    /// The messages in the thread's inbox after the phase, as pairs of offset and size.
    pub delivered: Vec<(u64, u64)>,
}

/// A thread's part of an exchange.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The thread's part of each phase.
    pub phases: Vec<Phase>,
    /// Number of bytes that the thread copies.
    pub issued_bytes: u64,
    /// Size of the thread's inbox.
    pub inbox_bytes: u64,
    /// Size of the longest message that the thread copies.
    pub own_bytes: u64,
}

/// Largest message.
const MESSAGE_BYTES_MAX: u64 = 1 << 30;
/// Maximum number of repetitions of a message.
const REPETITIONS_MAX: u64 = 1_000_000;
/// Maximum total size of all inboxes.
const INBOXES_BYTES_MAX: u64 = 1 << 34;

impl Script {
    /// Makes the scripts of all threads of a pattern.
    pub fn of(pattern: &Pattern, threads: usize) -> Result<Vec<Script>, Error> {
        let (name, wanted, phases) = pattern;
        if *wanted != threads {
            return usage(format!("pattern {name} has {wanted} threads, and there are {threads} CPUs; give {wanted}"));
        }
        if phases.iter().all(Vec::is_empty) {
            return usage(format!("pattern {name}: no messages, give at least one"));
        }
        let mut scripts = vec![Script::default(); threads];
        for messages in phases {
            scripts.iter_mut().for_each(|script| script.phases.push(Phase::default()));
            for message in messages {
                check(name, message, threads)?;
                add(&mut scripts, *message);
            }
        }
        let inboxes = scripts.iter().map(|script| script.inbox_bytes).sum::<u64>();
        if inboxes > INBOXES_BYTES_MAX {
            return usage(format!(
                "pattern {name}: its messages take {inboxes} bytes; {INBOXES_BYTES_MAX} are the most"
            ));
        }
        Ok(scripts)
    }

    /// Size of the longest message from or to memory; 0 without such messages.
    pub fn longest_memory_bytes(&self) -> u64 {
        let steps = self.phases.iter().flat_map(|phase| &phase.steps);
        let memory = steps.filter(|step| [step.from, step.to].contains(&Endpoint::Memory));
        memory.map(|step| step.bytes).max().unwrap_or(0)
    }
}

fn check(name: &str, (source, destination, bytes, repetitions): &Message, threads: usize) -> Result<(), Error> {
    if let Some(end) = [source, destination].into_iter().flatten().find(|end| **end >= threads) {
        return usage(format!("pattern {name}: no thread {end}, there are 0 to {}", threads - 1));
    }
    if source.is_none() && destination.is_none() {
        return usage(format!("pattern {name}: no thread copies a message from memory to memory"));
    }
    for (what, value, most) in [("bytes", bytes, MESSAGE_BYTES_MAX), ("repetitions", repetitions, REPETITIONS_MAX)] {
        if !(1..=most).contains(value) {
            return usage(format!("pattern {name}: {value} {what}; give 1 to {most}"));
        }
    }
    Ok(())
}

/// Adds a message to the scripts. The source thread copies the message; if the message comes from memory, the
/// destination thread copies it.
fn add(scripts: &mut [Script], (source, destination, bytes, repetitions): Message) {
    let to = match (source, destination) {
        (_, None) => Endpoint::Memory,
        (None, Some(_)) => Endpoint::Landing,
        (Some(_), Some(receiver)) => {
            let receiver_script = &mut scripts[receiver];
            let offset = receiver_script.inbox_bytes;
            receiver_script.inbox_bytes += bytes.next_multiple_of(STEP_BYTES as u64);
            if let Some(phase) = receiver_script.phases.last_mut() {
                phase.delivered.push((offset, bytes));
            }
            Endpoint::Inbox(receiver, offset)
        }
    };
    let from = if source.is_some() { Endpoint::Own } else { Endpoint::Memory };
    if let Some(issuer) = source.or(destination) {
        let script = &mut scripts[issuer];
        script.issued_bytes = script.issued_bytes.saturating_add(bytes * repetitions);
        script.own_bytes = script.own_bytes.max(bytes);
        if let Some(phase) = script.phases.last_mut() {
            phase.steps.push(Step { from, to, bytes, repetitions });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(phases: Vec<Vec<Message>>, threads: usize) -> String {
        match Script::of(&("p".to_string(), 2, phases), threads) {
            Err(Error::Usage(line)) => line,
            other => panic!("not refused: {other:?}"),
        }
    }

    #[test]
    fn places_in_an_inbox_never_overlap() {
        let phases =
            vec![vec![(Some(0), Some(1), 1000, 1), (Some(0), Some(1), 1, 9)], vec![(Some(1), Some(1), 600, 1)]];
        let scripts = Script::of(&("p".to_string(), 2, phases), 2).unwrap();
        let delivered: Vec<_> = scripts[1].phases.iter().map(|phase| phase.delivered.clone()).collect();
        assert_eq!(delivered, [vec![(0, 1000), (1024, 1)], vec![(1536, 600)]]);
        assert_eq!((scripts[1].inbox_bytes, scripts[0].issued_bytes), (2560, 1009));
    }

    #[test]
    fn what_cannot_be_is_said_in_one_line() {
        assert!(refusal(vec![], 2).contains("no messages"));
        assert!(refusal(vec![vec![(Some(0), Some(1), 1, 1)]], 3).contains("has 2 threads, and there are 3 CPUs"));
        assert!(refusal(vec![vec![(Some(0), Some(2), 1, 1)]], 2).contains("no thread 2"));
        assert!(refusal(vec![vec![(None, None, 1, 1)]], 2).contains("memory to memory"));
        assert!(refusal(vec![vec![(Some(0), None, 0, 1)]], 2).contains("0 bytes"));
        assert!(refusal(vec![vec![(Some(0), None, 1, 0)]], 2).contains("0 repetitions"));
    }
}
