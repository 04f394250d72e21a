//! The tables of a trace.

use crate::units::{BusCycle, RampIndex, SpuCycles};
use serde::Serialize;

/// Version of the JSON form of traces.
pub const TRACE_SCHEMA_VERSION: u32 = 1;

/// All that was going on in a window.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Trace {
    /// [`TRACE_SCHEMA_VERSION`].
    pub schema: u32,
    /// Name of the machine.
    pub machine: String,
    /// Hash of the machine's values.
    pub machine_hash: String,
    /// Bus cycles in a second.
    pub bus_hz: u64,
    /// When the trigger came.
    pub triggered_at: BusCycle,
    /// First bus cycle of the window.
    pub from: BusCycle,
    /// The first after it; earlier than asked for if the run ended.
    pub to: BusCycle,
    /// Beats of a line.
    pub beats: u64,
    /// Bus cycles that a beat takes from ramp to ramp.
    pub hop_bus_cycles: u64,
    /// SPU cycles in a bus cycle.
    pub spu_cycles_per_bus_cycle: u64,
    /// Chips; rings and channels are counted chip by chip.
    pub chips: u32,
    /// Channels of the memories of all chips.
    pub memory_channels: u32,
    /// Names of the elements, by ramp.
    pub elements: Vec<String>,
    /// Directions of the rings.
    pub rings: Vec<&'static str>,
    /// SPEs whose programs ran in the window.
    pub programs: Vec<ProgramRow>,
    /// Commands that were in an MFC or atomic unit, in the order in which they were given.
    pub commands: Vec<CommandRow>,
    /// Bus requests that were under way, in the order in which they were issued.
    pub requests: Vec<RequestRow>,
    /// Operations for which an SPU waited.
    pub stalls: Vec<StallRow>,
    /// Accesses of the memory's channels.
    pub accesses: Vec<AccessRow>,
    /// Lengths of the queues of the memory's channels: first as the window begins, then each change.
    pub memory_queues: Vec<MemoryQueueRow>,
    /// Why lines at the head of an on-ramp's queue had no ring yet.
    pub waits: Vec<WaitRow>,
}

impl Trace {
    /// The trace as JSON, one line.
    pub fn to_json(&self) -> String {
        // Plain numbers and names: serialising them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// One run of a program on an SPE.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProgramRow {
    /// The physical SPE.
    pub spe: u8,
    /// Its thread.
    pub thread: u8,
    /// When it started.
    pub started_at: BusCycle,
    /// When it stopped.
    pub stopped_at: Option<BusCycle>,
}

/// One command of an MFC.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CommandRow {
    /// Its number in this trace.
    pub id: u32,
    /// The physical SPE.
    pub spe: u8,
    /// `spu`, `proxy`, or `atomic` for what never is in a queue.
    pub queue: &'static str,
    /// Mnemonic.
    pub name: String,
    /// Local-store address.
    pub lsa: u32,
    /// Effective address.
    pub ea: u64,
    /// Bytes to transfer, or of the list.
    pub size_bytes: u32,
    /// Tag group.
    pub tag: u32,
    /// SPU cycles that it took its SPU to give it, from the first channel write on.
    pub issue_spu_cycles: Option<SpuCycles>,
    /// When it was given.
    pub enqueued_at: BusCycle,
    /// For a list: when it asks for its first element.
    pub list_fetch_at: Option<BusCycle>,
    /// When its first bus request was issued.
    pub first_request_at: Option<BusCycle>,
    /// When it left its queue, or its status reached the channel.
    pub done_at: Option<BusCycle>,
    /// SPU cycles from there until its SPU had read that its tag group is done.
    pub status_spu_cycles: Option<SpuCycles>,
}

/// One bus request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RequestRow {
    /// Its number in this trace.
    pub id: u32,
    /// The element that issued it.
    pub issuer: String,
    /// The part of it that did: `MFC`, `atomic unit`, `castout` or `PPE`; or `BIF`, for the way of its data
    /// from the interface on.
    pub unit: &'static str,
    /// What it does.
    pub kind: &'static str,
    /// What it touches: `memory`, `SPE3` or `SPE3 register`; nothing for what only orders.
    pub target: Option<String>,
    /// Bytes of use in it.
    pub bytes: u8,
    /// The command that it is part of.
    pub command: Option<u32>,
    /// The command phase; more than one round if it got Retry.
    pub rounds: Vec<Round>,
    /// On-ramp of its data.
    pub from: Option<RampIndex>,
    /// Off-ramp of its data.
    pub to: Option<RampIndex>,
    /// When memory took it into a queue; of a write, when it promised a place.
    pub queued_at: Option<BusCycle>,
    /// When its data began to cross to the other chip.
    pub crossing_at: Option<BusCycle>,
    /// When they were there.
    pub crossed_at: Option<BusCycle>,
    /// When the data are ready at the on-ramp.
    pub ready_at: Option<BusCycle>,
    /// The ring they go by.
    pub ring: Option<u8>,
    /// When they were granted it.
    pub granted_at: Option<BusCycle>,
    /// When the last beat leaves the ring.
    pub arrived_at: Option<BusCycle>,
    /// When it had done its work.
    pub done_at: Option<BusCycle>,
    /// The request whose line this is, behind the interface to the other chip.
    pub onward_of: Option<u32>,
}

/// One round of a request's command phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Round {
    /// When its unit sent the command.
    pub issued_at: BusCycle,
    /// When the address concentrator ordered it.
    pub ordered_at: Option<BusCycle>,
    /// When the combined response came back.
    pub responded_at: Option<BusCycle>,
    /// `retry`, `data`, `memory` or `done`.
    pub response: Option<&'static str>,
}

/// One wait of an SPU.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StallRow {
    /// The physical SPE.
    pub spe: u8,
    /// The channel.
    pub channel: String,
    /// When it began.
    pub from: BusCycle,
    /// When it ended.
    pub to: Option<BusCycle>,
}

/// One access of the memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AccessRow {
    /// The channel.
    pub channel: u8,
    /// A write, not a read.
    pub write: bool,
    /// When its bank and the channel began.
    pub from: BusCycle,
    /// When the channel was free for the next.
    pub to: BusCycle,
    /// When the data of a read were at the on-ramp.
    pub data_at: Option<BusCycle>,
    /// The request of a read; nobody waits for a write any more.
    pub request: Option<u32>,
}

impl AccessRow {
    /// When nothing of it is under way any more.
    pub(super) fn ends_at(&self) -> BusCycle {
        self.to.max(self.data_at.unwrap_or(0))
    }
}

/// The length of a queue of a memory channel, from a bus cycle on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MemoryQueueRow {
    /// The channel.
    pub channel: u8,
    /// The queue of writes, not that of reads.
    pub write: bool,
    /// From when on.
    pub at: BusCycle,
    /// Reads; or writes, and places promised to them.
    pub entries: u64,
}

/// A part of the time for which a line was the head of an on-ramp's queue, ready and without a ring.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitRow {
    /// The request whose line it is.
    pub request: u32,
    /// When this part began.
    pub from: BusCycle,
    /// When it ended.
    pub to: Option<BusCycle>,
    /// What the arbiter's rules say: `on-ramp`, `off-ramp`, `start gap`, `way taken`, `turn`, `older` or `arbiter`.
    pub reason: &'static str,
    /// The request whose line goes first, for `turn` and `older`.
    pub by: Option<u32>,
}
