//! The scripts of an exchange: the messages of each SPE by phase, with their addresses.
//!
//! The PPE writes an SPE's script into main memory, and the SPE fetches the script before it begins. A script lists the
//! SPE's messages in order, with a barrier before each phase.
//!
//! ```text
//!   local store   0x04000  script                    main memory  0x020000  scripts, 16 KB apart
//!                 0x08000  data to send                           0x100000  for each SPE the data that it gets
//!                 after    a buffer for each message                        and the data that it puts
//!                          received in a phase
//! ```
//! Scripts and buffers belong to an SPE, not to a thread.

use crate::addresses::{AFTER_LIST_LSA, DATA_OFFSET, LIST_LSA, LISTS_BYTES};
use crate::pattern::{End, Pattern, Transfer};
use crate::refusal::{Refusal, verbatim};
use crate::setup::Setup;
use cell::ea::{local_store_ea, register, register_ea};
use cell::store::LocalStore;
use cell::units::{LINE_BYTES, SpeId};
use std::collections::BTreeMap;

/// Local-store address of the data to send.
pub const SEND_LSA: u32 = AFTER_LIST_LSA;
/// Barrier bit of the first SPE, which waits for all other SPEs and then releases them.
pub const FIRST: u32 = 1;
const SCRIPTS_EA: u64 = 0x2_0000;
const HEADER_WORDS: u64 = 3;
const STEP_WORDS: u64 = 3;

/// The scripts of sixteen SPEs fit below the data.
const _: () = assert!(SCRIPTS_EA + 16 * LISTS_BYTES as u64 <= DATA_OFFSET);

/// The script of one SPE for one iteration, as doublewords.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The SPE that runs the script.
    pub spe: SpeId,
    /// Header, partners and steps.
    pub words: Vec<u64>,
}

impl Script {
    /// Address of the script in main memory.
    pub fn ea(spe: SpeId) -> u64 {
        SCRIPTS_EA + u64::from(spe.0) * u64::from(LISTS_BYTES)
    }

    /// Size of the script in bytes, a whole number of quadwords.
    pub fn bytes(&self) -> u32 {
        (8 * self.words.len() as u32).next_multiple_of(16)
    }
}

/// One step of a script.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Issues a message's DMAs.
    Send(Message),
    /// Waits for the SPE's own messages to end, and for all other SPEs to reach the barrier.
    Barrier,
}

/// One message as its issuer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Whether the issuer moves the message with `put` commands; otherwise with `get` commands.
    pub put: bool,
    /// Local-store address at the issuer.
    pub lsa: u32,
    /// Effective address of the message at its other end.
    pub ea: u64,
    /// Size of the message in bytes.
    pub bytes: u32,
    /// Number of times that the message is sent.
    pub repetitions: u32,
}

fn two(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl Step {
    fn encode(self) -> [u64; STEP_WORDS as usize] {
        match self {
            Step::Send(m) => [m.ea, two(m.put.into(), m.lsa), two(m.bytes, m.repetitions)],
            Step::Barrier => [0; STEP_WORDS as usize],
        }
    }

    fn decode([ea, way, size]: [u64; STEP_WORDS as usize]) -> Step {
        let (high, low) = (|word: u64| (word >> 32) as u32, |word: u64| word as u32);
        if high(size) == 0 {
            return Step::Barrier;
        }
        Step::Send(Message { put: high(way) == 1, lsa: low(way), ea, bytes: high(size), repetitions: low(size) })
    }
}

/// The header of a script.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// The bit that this SPE sends in a barrier.
    pub bit: u32,
    /// The bits that this SPE waits for in a barrier.
    pub awaited: u32,
    /// Number of SPEs that this SPE signals; the addresses of their signal registers follow the header.
    pub partners: u32,
    /// Number of steps in an iteration; the steps follow the addresses.
    pub steps: u32,
    /// Size in bytes of the longest message that any SPE sends.
    pub send_bytes: u32,
    /// Size of the longest DMA in bytes.
    pub dma_bytes: u32,
}

impl Header {
    fn encode(&self) -> [u64; HEADER_WORDS as usize] {
        [two(self.bit, self.awaited), two(self.partners, self.steps), two(self.send_bytes, self.dma_bytes)]
    }

    /// Reads the header from a local store.
    pub fn decode(ls: &LocalStore) -> Header {
        let halves = |nth| (word(ls, nth) >> 32, word(ls, nth) & u64::from(u32::MAX));
        let ((bit, awaited), (partners, steps), (send_bytes, dma_bytes)) = (halves(0), halves(1), halves(2));
        let [bit, awaited, partners, steps, send_bytes, dma_bytes] =
            [bit, awaited, partners, steps, send_bytes, dma_bytes].map(|half| half as u32);
        Header { bit, awaited, partners, steps, send_bytes, dma_bytes }
    }

    /// Address of a partner's signal register.
    pub fn partner_ea(ls: &LocalStore, nth: u32) -> u64 {
        word(ls, HEADER_WORDS + u64::from(nth))
    }

    /// The step of a script with this number.
    pub fn step(&self, ls: &LocalStore, nth: u32) -> Step {
        let first = HEADER_WORDS + u64::from(self.partners) + STEP_WORDS * u64::from(nth);
        Step::decode([0, 1, 2].map(|i| word(ls, first + i)))
    }
}

/// A doubleword of the script.
fn word(ls: &LocalStore, nth: u64) -> u64 {
    ls.read_u64(u64::from(LIST_LSA) + 8 * nth)
}

/// The scripts of all SPEs that take part, in the order of their numbers.
///
/// # Errors
/// The scripts or buffers do not fit; the refusal names a valid choice.
pub fn scripts(pattern: &Pattern, setup: &Setup) -> Result<Vec<Script>, Refusal> {
    let mut spes = setup.settings.spes_of(setup.placement);
    spes.sort();
    let phases = pattern.on(setup.placement);
    let places = Places::new(setup, &phases)?;
    let mut steps: BTreeMap<SpeId, Vec<u64>> = spes.iter().map(|spe| (*spe, Vec::new())).collect();
    for phase in &phases {
        steps.values_mut().for_each(|steps| steps.extend(Step::Barrier.encode()));
        for (spe, message) in places.messages(phase) {
            steps.entry(spe).or_default().extend(Step::Send(message).encode());
        }
    }
    let signal_ea = |spe: &SpeId| register_ea(*spe, register::SPU_SIG_NOTIFY_1);
    let bit = |nth: usize| FIRST << nth;
    let script = |(nth, (spe, steps)): (usize, (SpeId, Vec<u64>))| {
        let partners = if nth == 0 { &spes[1..] } else { &spes[..1] };
        let awaited = if nth == 0 { (1..spes.len()).map(bit).sum() } else { FIRST };
        let count = (steps.len() as u64 / STEP_WORDS) as u32;
        let header = Header {
            bit: bit(nth),
            awaited,
            partners: partners.len() as u32,
            steps: count,
            send_bytes: places.send_bytes,
            dma_bytes: setup.machine.mfc.max_transfer_bytes,
        };
        let mut words = header.encode().to_vec();
        words.extend(partners.iter().map(signal_ea));
        words.extend(steps);
        let script = Script { spe, words };
        if script.bytes() > LISTS_BYTES {
            let most = u64::from(LISTS_BYTES / 8) / STEP_WORDS;
            return Err(Refusal::new(format!(
                "pattern {}: {count} messages and barriers of one thread do not fit its local store; give fewer than {most}",
                verbatim(&pattern.name)
            )));
        }
        Ok(script)
    };
    steps.into_iter().enumerate().map(script).collect()
}

/// Buffers of messages.
struct Places {
    send_bytes: u32,
    memory_ea: u64,
    memory_bytes: u64,
}

/// Bytes that one phase's buffers already occupy, by SPE.
#[derive(Default)]
struct Taken {
    local_store: BTreeMap<SpeId, u32>,
    gets: BTreeMap<SpeId, u64>,
    puts: BTreeMap<SpeId, u64>,
}

/// Allocates the next buffer of an SPE.
fn take<T>(taken: &mut BTreeMap<SpeId, T>, spe: SpeId, bytes: u32) -> T
where
    T: Copy + Default + std::ops::AddAssign + From<u32>,
{
    let next = taken.entry(spe).or_default();
    let place = *next;
    *next += T::from(bytes.next_multiple_of(LINE_BYTES as u32));
    place
}

impl Places {
    fn new(setup: &Setup, phases: &[Vec<Transfer<SpeId>>]) -> Result<Places, Refusal> {
        let machine = setup.machine;
        let sent = phases.iter().flatten().filter(|transfer| transfer.source != End::Memory);
        let send_bytes = sent.map(|transfer| transfer.bytes).max().unwrap_or(0).next_multiple_of(LINE_BYTES as u32);
        let mut places = Places { send_bytes, memory_ea: setup.data_ea(), memory_bytes: 0 };
        let taken: Vec<Taken> = phases.iter().map(|phase| places.taken(phase)).collect();
        let received = taken.iter().flat_map(|taken| taken.local_store.values()).max().copied().unwrap_or(0);
        let free = machine.mfc.local_store_bytes.saturating_sub(SEND_LSA);
        if u64::from(send_bytes) + u64::from(received) > u64::from(free) {
            return Err(Refusal::new(format!(
                "{send_bytes} bytes to send and {received} to receive in one phase do not fit a local store: \
                 {free} bytes are free, give smaller messages or more phases"
            )));
        }
        let moved = taken.iter().flat_map(|taken| taken.gets.values().chain(taken.puts.values()));
        let stride = u64::from(machine.mfc.max_transfer_bytes);
        places.memory_bytes = moved.max().copied().unwrap_or(0).next_multiple_of(stride);
        let (needed, free) = (2 * places.memory_bytes * u64::from(machine.spe_count()), setup.data_bytes());
        if needed > free {
            let memory = setup.memory_name();
            return Err(Refusal::new(format!(
                "{needed} bytes for messages do not fit {memory}: {free} bytes are free, give smaller messages"
            )));
        }
        Ok(places)
    }

    fn taken(&self, phase: &[Transfer<SpeId>]) -> Taken {
        let mut taken = Taken::default();
        self.place(phase, &mut taken);
        taken
    }

    /// The messages of a phase, each with its issuer.
    fn messages(&self, phase: &[Transfer<SpeId>]) -> Vec<(SpeId, Message)> {
        self.place(phase, &mut Taken::default())
    }

    fn place(&self, phase: &[Transfer<SpeId>], taken: &mut Taken) -> Vec<(SpeId, Message)> {
        let receive_lsa = SEND_LSA + self.send_bytes;
        let gets_ea = |spe: SpeId| self.memory_ea + u64::from(spe.0) * 2 * self.memory_bytes;
        let placed = phase.iter().filter_map(|transfer| {
            let bytes = transfer.bytes;
            let (spe, put, lsa, ea) = match (transfer.source, transfer.destination) {
                (End::LocalStore(from), End::LocalStore(to)) => {
                    let at = receive_lsa + take(&mut taken.local_store, to, bytes);
                    (from, true, SEND_LSA, local_store_ea(to, at))
                }
                (End::LocalStore(spe), End::Memory) => {
                    let at = self.memory_bytes + take(&mut taken.puts, spe, bytes);
                    (spe, true, SEND_LSA, gets_ea(spe) + at)
                }
                (End::Memory, End::LocalStore(spe)) => {
                    let lsa = receive_lsa + take(&mut taken.local_store, spe, bytes);
                    (spe, false, lsa, gets_ea(spe) + take(&mut taken.gets, spe, bytes))
                }
                (End::Memory, End::Memory) => return None,
            };
            Some((spe, Message { put, lsa, ea, bytes, repetitions: transfer.repetitions }))
        });
        placed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_as_it_was_written() {
        let message = Message { put: true, lsa: 0x8000, ea: 0x1_2345_6789_abcd, bytes: 48, repetitions: 7 };
        let read = Step::decode(Step::Send(message).encode());
        assert_eq!(format!("{read:?}"), format!("{:?}", Step::Send(message)));
        assert!(matches!(Step::decode(Step::Barrier.encode()), Step::Barrier));
    }
}
