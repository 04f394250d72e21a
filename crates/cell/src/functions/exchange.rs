//! Exchange: a [`Pattern`] at work.
//!
//! Every SPE has a *script*, which the PPE writes into main memory and the SPE fetches before it begins: its
//! messages, one after the other, and a barrier before each phase.
//!
//! ```text
//!   local store   0x04000  script                    main memory  0x020000  scripts, 16 KB apart
//!                 0x08000  what is sent                           0x100000  for each SPE what it gets
//!                 behind   a place for each message                         and what it puts
//!                          of a phase that comes
//! ```
//! A message of more than one DMA is several of them.  Before the next phase a thread waits for all its own
//! messages, and then in the barrier for the others; so every phase starts alike, the first one too, and an
//! iteration lasts from the end of a thread's last messages to the same moment of the next.  Scripts belong to SPEs, not to threads, and so does everything else here.
//!
//! The barrier is the plainest that there is: each SPE sends its bit to the signal register of the first, which
//! collects them by OR and, when it has all, signals every other one.

use super::control_block::ControlBlock;
use super::layout::{AFTER_LIST_LSA, DATA_OFFSET, LIST_LSA, LISTS_BYTES, WORD_LSA};
use super::params::Params;
use super::pattern::{End, Transfer};
use super::transfers::wait;
use crate::coroutine::Spu;
use crate::ea::{local_store_ea, register, register_ea};
use crate::machine::Machine;
use crate::placement::Placement;
use crate::store::LocalStore;
use crate::units::{LINE_BYTES, SpeId};
use std::collections::BTreeMap;

/// Tag group of the signals.
const SIGNAL_TAG: u32 = 2;
const SCRIPTS_EA: u64 = 0x2_0000;
const SEND_LSA: u32 = AFTER_LIST_LSA;
/// Who sends this bit is the first: it waits for all others, and releases them.
const FIRST: u32 = 1;
const HEADER_WORDS: u64 = 3;
const STEP_WORDS: u64 = 3;

/// All that one SPE does in an iteration, as doublewords.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// Whose.
    pub spe: SpeId,
    /// What it says.
    pub words: Vec<u64>,
}

impl Script {
    /// Where it lies in main memory.
    pub fn ea(spe: SpeId) -> u64 {
        SCRIPTS_EA + u64::from(spe.0) * u64::from(LISTS_BYTES)
    }

    /// Its bytes, a whole number of quadwords.
    pub fn bytes(&self) -> u32 {
        (8 * self.words.len() as u32).next_multiple_of(16)
    }
}

/// What an SPE does next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Send(Message),
    Barrier,
}

/// One message as its issuer sees it.
#[derive(Clone, Copy, Debug)]
struct Message {
    put: bool,
    lsa: u32,
    ea: u64,
    bytes: u32,
    repetitions: u32,
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

    fn decode(words: impl Fn(u64) -> u64) -> Step {
        let (high, low) = (|word: u64| (word >> 32) as u32, |word: u64| word as u32);
        let (way, size) = (words(1), words(2));
        if high(size) == 0 {
            return Step::Barrier;
        }
        let (put, lsa) = (high(way) == 1, low(way));
        Step::Send(Message { put, lsa, ea: words(0), bytes: high(size), repetitions: low(size) })
    }
}

/// The scripts of all SPEs that take part, in the order of their numbers.
///
/// # Errors
/// One line: what does not fit, and what would.
pub fn scripts(machine: &Machine, params: &Params, placement: &Placement) -> Result<Vec<Script>, String> {
    let Some(pattern) = &params.pattern else { return Ok(Vec::new()) };
    let mut spes: Vec<SpeId> = placement.threads().take(params.spes as usize).map(|(_, spe)| spe).collect();
    spes.sort();
    let phases = pattern.on(placement);
    let places = Places::new(machine, params, &phases)?;
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
        let mut words = vec![
            two(bit(nth), awaited),
            two(partners.len() as u32, count),
            two(places.send_bytes, machine.mfc.max_transfer_bytes),
        ];
        words.extend(partners.iter().map(signal_ea));
        words.extend(steps);
        let script = Script { spe, words };
        if script.bytes() > LISTS_BYTES {
            let most = u64::from(LISTS_BYTES / 8) / STEP_WORDS;
            return Err(format!(
                "pattern {}: {count} messages and barriers of one thread do not fit its local store; give fewer than {most}",
                pattern.name
            ));
        }
        Ok(script)
    };
    steps.into_iter().enumerate().map(script).collect()
}

/// Where messages lie.
struct Places {
    send_bytes: u32,
    memory_ea: u64,
    memory_bytes: u64,
}

/// How far the places of one phase have been given away, SPE by SPE.
#[derive(Default)]
struct Taken {
    local_store: BTreeMap<SpeId, u32>,
    gets: BTreeMap<SpeId, u64>,
    puts: BTreeMap<SpeId, u64>,
}

/// The next place, and the one after it.
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
    fn new(machine: &Machine, params: &Params, phases: &[Vec<Transfer<SpeId>>]) -> Result<Places, String> {
        let sent = phases.iter().flatten().filter(|transfer| transfer.source != End::Memory);
        let send_bytes = sent.map(|transfer| transfer.bytes).max().unwrap_or(0).next_multiple_of(LINE_BYTES as u32);
        let (base, region) = params.memory.region(machine);
        let mut places = Places { send_bytes, memory_ea: base + DATA_OFFSET, memory_bytes: 0 };
        let taken: Vec<Taken> = phases.iter().map(|phase| places.taken(phase)).collect();
        let received = taken.iter().flat_map(|taken| taken.local_store.values()).max().copied().unwrap_or(0);
        let free = machine.mfc.local_store_bytes.saturating_sub(SEND_LSA);
        if u64::from(send_bytes) + u64::from(received) > u64::from(free) {
            return Err(format!(
                "{send_bytes} bytes to send and {received} that come in one phase do not fit a local store: \
                 {free} bytes are free, give smaller messages or more phases"
            ));
        }
        let moved = taken.iter().flat_map(|taken| taken.gets.values().chain(taken.puts.values()));
        let stride = u64::from(machine.mfc.max_transfer_bytes);
        places.memory_bytes = moved.max().copied().unwrap_or(0).next_multiple_of(stride);
        let (needed, free) =
            (2 * places.memory_bytes * u64::from(machine.spe_count()), region.saturating_sub(DATA_OFFSET));
        if needed > free {
            return Err(format!(
                "{needed} bytes for messages do not fit {}: {free} bytes are free, give smaller messages",
                params.memory.of_machine(machine)
            ));
        }
        Ok(places)
    }

    fn taken(&self, phase: &[Transfer<SpeId>]) -> Taken {
        let mut taken = Taken::default();
        self.place(phase, &mut taken);
        taken
    }

    /// Messages of a phase with who issues them.
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

/// Fetches the script, and fills what will be sent: no two words of any two SPEs are the same.
pub async fn prepare(spu: &Spu, block: &ControlBlock, tag: u32) {
    spu.mfc_get(LIST_LSA, block.ea, block.size_bytes, tag).await;
    wait(spu, tag).await;
    let ls = &mut *spu.ls();
    let (bit, _) = halves(ls, 0);
    let (send_bytes, _) = halves(ls, 2);
    let sent: Vec<u8> = (0..send_bytes / 4).flat_map(|word| (bit << 16 | word).to_be_bytes()).collect();
    ls.write(u64::from(SEND_LSA), &sent);
    ls.write_u32(u64::from(WORD_LSA), bit);
}

/// `n` iterations.
pub async fn exchange(spu: &Spu, block: &ControlBlock, n: u64, tag: u32) {
    let (partners, steps) = halves(&spu.ls(), 1);
    let (_, dma_bytes) = halves(&spu.ls(), 2);
    let first_step = HEADER_WORDS + u64::from(partners);
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        for nth in 0..u64::from(steps) {
            let step = Step::decode(|i| word(&spu.ls(), first_step + STEP_WORDS * nth + i));
            match step {
                Step::Send(message) => {
                    for _ in 0..message.repetitions {
                        send(spu, block, message, dma_bytes, tag).await;
                    }
                }
                Step::Barrier => {
                    wait(spu, tag).await;
                    barrier(spu, partners).await;
                }
            }
        }
        wait(spu, tag).await;
    }
}

async fn send(spu: &Spu, block: &ControlBlock, message: Message, dma_bytes: u32, tag: u32) {
    let mut done = 0;
    while done < message.bytes {
        let (lsa, ea) = (message.lsa + done, message.ea + u64::from(done));
        let size = dma_bytes.min(message.bytes - done);
        if message.put {
            spu.mfc_put(lsa, ea, size, tag).await;
        } else {
            spu.mfc_get(lsa, ea, size, tag).await;
        }
        spu.compute(block.iteration_cycles).await;
        done += size;
    }
}

/// Goes on when everybody has come.
async fn barrier(spu: &Spu, partners: u32) {
    let (bit, awaited) = halves(&spu.ls(), 0);
    if bit != FIRST {
        signal(spu, 0).await;
    }
    let mut heard = 0;
    while heard != awaited {
        heard |= spu.spu_read_signal1().await;
    }
    if bit == FIRST {
        for nth in 0..partners {
            signal(spu, nth).await;
        }
    }
}

async fn signal(spu: &Spu, partner: u32) {
    let ea = word(&spu.ls(), HEADER_WORDS + u64::from(partner));
    spu.mfc_sndsig(WORD_LSA, ea, SIGNAL_TAG).await;
}

/// A doubleword of the script.
fn word(ls: &LocalStore, nth: u64) -> u64 {
    ls.read_u64(u64::from(LIST_LSA) + 8 * nth)
}

fn halves(ls: &LocalStore, nth: u64) -> (u32, u32) {
    let word = word(ls, nth);
    ((word >> 32) as u32, word as u32)
}
