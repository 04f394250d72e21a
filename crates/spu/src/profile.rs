//! Profiles: the execution time of a program, divided among its instructions.
//!
//! A [`Probe`] is notified of every issue and every lost cycle. The probe `()` ignores every event and costs nothing.
//! [`Profile`] keeps counts for each instruction address. Over a whole run, every cycle is counted exactly once: either
//! as a cycle in which an instruction issued, or as a cycle lost to one cause.

use crate::class::Class;
use cell::store::LocalStore;
use serde::{Serialize, Serializer};

/// The reason why no instruction issued in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// An operand was not ready.
    Dependency,
    /// A double-precision instruction blocks both pipelines.
    Double,
    /// A branch was taken without a hint.
    Branch,
    /// A branch was mispredicted: execution did not continue at the target of the branch's hint.
    Mispredicted,
    /// A branch was held back until its hint took effect.
    Hint,
    /// The instruction had not been fetched yet.
    Fetch,
    /// `sync`, `dsync` or a stop waited for earlier results, or an interrupt refilled the pipelines.
    Drain,
    /// A channel instruction was in progress. Cycles in which a channel blocks are not counted.
    Channel,
    /// DMA occupied the local-store port.
    Port,
}

impl Cause {
    /// All causes, in the order of [`Record::stalls_spu_cycles`].
    pub const ALL: [Cause; 9] = [
        Cause::Dependency,
        Cause::Double,
        Cause::Branch,
        Cause::Mispredicted,
        Cause::Hint,
        Cause::Fetch,
        Cause::Drain,
        Cause::Channel,
        Cause::Port,
    ];

    /// The name in records and traces.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Dependency => "dependency",
            Cause::Double => "double",
            Cause::Branch => "branch",
            Cause::Mispredicted => "misled",
            Cause::Hint => "hint",
            Cause::Fetch => "fetch",
            Cause::Drain => "drain",
            Cause::Channel => "channel",
            Cause::Port => "port",
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An observer of a run.
pub trait Probe {
    /// Whether the probe must be notified of events.
    const ON: bool;

    /// The instruction at `address` issued in cycle `now`. If its operands had been ready, the instruction could have
    /// issued in cycle `from`. The register `waited_for` was the last operand to become ready.
    fn issued(&mut self, address: u32, from: u64, now: u64, waited_for: Option<u8>, issuing: Issuing);

    /// The instruction at `address` delayed the next issue from cycle `from` to cycle `until`. The delay may be before
    /// or after the instruction's own issue.
    fn lost(&mut self, address: u32, cause: Cause, from: u64, until: u64);

    /// Notifies the probe that the run has paused. The instructions issued since the last pause are still in the local
    /// store.
    fn paused(&mut self, _: &LocalStore) {}
}

/// The information that a probe receives about an issuing instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Issuing {
    /// The instruction's class.
    pub class: Class,
    /// The number of the register that the instruction writes; a number above 127 if there is none.
    pub writes: u8,
}

impl Probe for () {
    const ON: bool = false;

    fn issued(&mut self, _: u32, _: u64, _: u64, _: Option<u8>, _: Issuing) {}

    fn lost(&mut self, _: u32, _: Cause, _: u64, _: u64) {}
}

/// The counts for the instruction at one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Record {
    /// The instruction word that issued first at this address. (A program may change its code later.)
    pub word: u32,
    /// The number of issues.
    pub issues: u64,
    /// The number of times that the instruction issued in the same cycle as the previous instruction.
    pub dual_issues: u64,
    /// The SPU cycle of the first issue.
    pub first_spu_cycle: u64,
    /// The number of cycles lost at the instruction, by cause, in the order of [`Cause::ALL`].
    pub stalls_spu_cycles: [u64; Cause::ALL.len()],
    /// The class of the instruction whose result caused the longest wait for an operand.
    pub waited_for: Option<Class>,
    waited_spu_cycles: u64,
}

/// The totals of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Totals {
    /// The number of instructions issued.
    pub instructions: u64,
    /// The number of instructions that issued in the same cycle as the previous instruction.
    pub dual_issues: u64,
    /// The number of SPU cycles, including those of channel instructions but excluding those in which a channel
    /// blocked.
    pub spu_cycles: u64,
    /// The number of SPU cycles in which no instruction issued, by cause, in the order of [`Cause::ALL`].
    pub stalls_spu_cycles: [u64; Cause::ALL.len()],
}

/// Counts by address.
#[derive(Clone, Debug)]
pub struct Profile {
    records: Vec<Record>,
    /// Addresses whose instruction words have not been read yet.
    unread: Vec<u32>,
    producers: [Option<Class>; 128],
    last: Option<u64>,
}

impl Profile {
    /// An empty profile for a local store of this many bytes.
    pub fn new(local_store_bytes: u32) -> Profile {
        let records = vec![Record::default(); local_store_bytes as usize / 4];
        Profile { records, unread: Vec::new(), producers: [None; 128], last: None }
    }

    /// The records of the instructions that issued, with their addresses, in order of address.
    pub fn records(&self) -> impl Iterator<Item = (u32, &Record)> {
        let addressed = self.records.iter().enumerate().map(|(word, record)| (word as u32 * 4, record));
        addressed.filter(|(_, record)| record.issues > 0)
    }

    /// The totals.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for (_, record) in self.records() {
            totals.instructions += record.issues;
            totals.dual_issues += record.dual_issues;
            for (sum, stalls) in totals.stalls_spu_cycles.iter_mut().zip(record.stalls_spu_cycles) {
                *sum += stalls;
            }
        }
        let stalls: u64 = totals.stalls_spu_cycles.iter().sum();
        totals.spu_cycles = totals.instructions - totals.dual_issues + stalls;
        totals
    }

    /// The number of cycles from `from` to `until` in which no instruction issued. If the second instruction of a pair
    /// must wait, the first may still have issued in the cycle `from`.
    fn empty_cycles(&self, from: u64, until: u64) -> u64 {
        until.saturating_sub(from.max(self.last.map_or(0, |last| last + 1)))
    }

    fn record(&mut self, address: u32) -> &mut Record {
        &mut self.records[address as usize / 4]
    }
}

impl Probe for Profile {
    const ON: bool = true;

    fn issued(&mut self, address: u32, from: u64, now: u64, waited_for: Option<u8>, issuing: Issuing) {
        let dual = self.last == Some(now);
        let waited = self.empty_cycles(from, now);
        self.last = Some(now);
        let producer = waited_for.and_then(|register| *self.producers.get(usize::from(register))?);
        if let Some(class) = self.producers.get_mut(usize::from(issuing.writes)) {
            *class = Some(issuing.class);
        }
        if self.record(address).issues == 0 {
            self.unread.push(address);
            self.record(address).first_spu_cycle = now;
        }
        let record = self.record(address);
        record.issues += 1;
        record.dual_issues += u64::from(dual);
        record.stalls_spu_cycles[Cause::Dependency as usize] += waited;
        if waited > record.waited_spu_cycles {
            (record.waited_spu_cycles, record.waited_for) = (waited, producer);
        }
    }

    fn lost(&mut self, address: u32, cause: Cause, from: u64, until: u64) {
        let lost = self.empty_cycles(from, until);
        self.record(address).stalls_spu_cycles[cause as usize] += lost;
    }

    fn paused(&mut self, ls: &LocalStore) {
        while let Some(address) = self.unread.pop() {
            self.record(address).word = ls.read_u32(address.into());
        }
    }
}
