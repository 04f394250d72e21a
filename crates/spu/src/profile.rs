//! Where the time of a program went, instruction by instruction.
//!
//! A [`Probe`] is told of every issue and of every cycle lost; `()` is the probe that does not listen
//! and costs nothing.  [`Profile`] keeps counts by address.  Of a run from its start to its end the
//! cycles are accounted for exactly: each is one in which something issued, or lost to one cause.

use crate::class::Class;
use cell::store::LocalStore;
use serde::Serialize;

/// Why nothing issued in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// An operand was not ready.
    Dependency,
    /// Double precision keeps both pipes for itself.
    Double,
    /// A taken branch without a hint.
    Branch,
    /// A mispredicted branch: it did not go where its hint said.
    #[serde(rename = "misled")]
    Mispredicted,
    /// A branch waited for its hint.
    Hint,
    /// Instructions had not been fetched yet.
    Fetch,
    /// `sync`, `dsync` and stops wait for everything before them; an interrupt refills the pipelines.
    Drain,
    /// A channel instruction, as long as it does not block.
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
}

/// A listener to a run.
pub trait Probe {
    /// Whether it listens at all.
    const ON: bool;

    /// The instruction at `address` issued at `now`; it could have issued at `from`, had this register been ready.
    fn issued(&mut self, address: u32, from: u64, now: u64, waited_for: Option<u8>, issuing: Issuing);

    /// The instruction at `address`, before or behind its issue, kept back what could have issued at
    /// `from` until `until`.
    fn lost(&mut self, address: u32, cause: Cause, from: u64, until: u64);

    /// The program pauses; the instructions issued until now are still in the local store.
    fn stands(&mut self, _: &LocalStore) {}
}

/// What a probe learns of the instruction that issues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Issuing {
    /// Its class.
    pub class: Class,
    /// The register it writes; above 127 if none.
    pub writes: u8,
}

impl Probe for () {
    const ON: bool = false;

    fn issued(&mut self, _: u32, _: u64, _: u64, _: Option<u8>, _: Issuing) {}

    fn lost(&mut self, _: u32, _: Cause, _: u64, _: u64) {}
}

/// What is known of the instruction at one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Record {
    /// Its word: the first one that issued here, since programs may change their code.
    pub word: u32,
    /// Number of issues.
    pub issues: u64,
    /// Number of issues in the cycle of the instruction before it.
    pub dual_issues: u64,
    /// SPU cycle of its first issue.
    pub first_spu_cycle: u64,
    /// Cycles lost to it, by [`Cause::ALL`].
    pub stalls_spu_cycles: [u64; Cause::ALL.len()],
    /// The class of the instruction whose result it waited for longest.
    pub waited_for: Option<Class>,
    waited_spu_cycles: u64,
}

/// The sums over a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Totals {
    /// Instructions issued.
    pub instructions: u64,
    /// Those that issued in the cycle of the one before.
    pub dual_issues: u64,
    /// Cycles, including those of channel instructions but not those in which a channel blocked.
    pub spu_cycles: u64,
    /// Cycles in which nothing issued, by [`Cause::ALL`].
    pub stalls_spu_cycles: [u64; Cause::ALL.len()],
}

/// Counts by address.
#[derive(Clone, Debug)]
pub struct Profile {
    records: Vec<Record>,
    /// Addresses whose words are yet to be noted.
    unread: Vec<u32>,
    producers: [Option<Class>; 128],
    last: Option<u64>,
}

impl Profile {
    /// No counts yet, for a local store of this many bytes.
    pub fn new(local_store_bytes: u32) -> Profile {
        let records = vec![Record::default(); local_store_bytes as usize / 4];
        Profile { records, unread: Vec::new(), producers: [None; 128], last: None }
    }

    /// The instructions that issued, with their addresses, in order of address.
    pub fn records(&self) -> impl Iterator<Item = (u32, &Record)> {
        let addressed = self.records.iter().enumerate().map(|(word, record)| (word as u32 * 4, record));
        addressed.filter(|(_, record)| record.issues > 0)
    }

    /// The sums.
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

    /// Cycles from `from` up to `until` in which nothing issued.  `from` itself may be one in which the first
    /// of a pair issued, whose second has to wait.
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

    fn stands(&mut self, ls: &LocalStore) {
        while let Some(address) = self.unread.pop() {
            self.record(address).word = ls.read_u32(address.into());
        }
    }
}
