//! The tables of a trace.

use crate::door::Position;
use crate::units::{BusCycle, RampIndex, SpeId, SpuCycles};
use serde::Serialize;

/// Version of the JSON form of traces.
pub const TRACE_SCHEMA_VERSION: u32 = 1;

/// All activity in a window.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Trace {
    /// [`TRACE_SCHEMA_VERSION`].
    pub schema: u32,
    /// Name of the machine.
    pub machine: String,
    /// Hash of the machine's values.
    pub machine_hash: String,
    /// Bus cycles per second.
    pub bus_hz: u64,
    /// The bus cycle of the trigger.
    pub triggered_at: BusCycle,
    /// First bus cycle of the window.
    pub from: BusCycle,
    /// The first bus cycle after the window. The window is shorter than requested if the run ended earlier.
    pub to: BusCycle,
    /// Number of beats in a line.
    pub beats: u64,
    /// Bus cycles that a beat takes from one ramp to the next.
    pub hop_bus_cycles: u64,
    /// SPU cycles per bus cycle.
    pub spu_cycles_per_bus_cycle: u64,
    /// Number of chips. The rings and channels of chip 0 have the lowest numbers, followed by those of chip 1.
    pub chips: u32,
    /// Number of memory channels of all chips.
    pub memory_channels: u32,
    /// Names of the elements, by ramp.
    pub elements: Vec<String>,
    /// Directions of the rings.
    pub rings: Vec<&'static str>,
    /// SPEs whose programs ran in the window.
    pub programs: Vec<ProgramRow>,
    /// Commands that were in an MFC or an atomic unit, in the order in which they entered it.
    pub commands: Vec<CommandRow>,
    /// Bus requests that were in flight, in the order in which they were issued.
    pub requests: Vec<RequestRow>,
    /// Channel operations for which an SPU waited.
    pub stalls: Vec<StallRow>,
    /// System calls of the PPEs' programs, except joins of threads.
    pub calls: Vec<CallRow>,
    /// Accesses of the memory's channels.
    pub accesses: Vec<AccessRow>,
    /// Lengths of the memory channels' queues: first the lengths at the start of the window, then each change.
    pub memory_queues: Vec<MemoryQueueRow>,
    /// Periods in which the line at the head of an on-ramp's queue waits for a ring, each with the reason.
    pub waits: Vec<WaitRow>,
    /// The positions of each SPE's program of instructions. They are not part of the JSON form, because names and text
    /// of instructions come from the owner of the programs.
    #[serde(skip)]
    pub positions: Vec<(SpeId, Vec<Position>)>,
    /// The bus cycle from which on there are no positions, because there are [`super::POSITIONS_MAX`].
    #[serde(skip)]
    pub positions_to: Option<BusCycle>,
}

impl Trace {
    /// The trace as one line of JSON.
    pub fn to_json(&self) -> String {
        // Serialising numbers and names cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// One run of a program on an SPE.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProgramRow {
    /// The physical SPE.
    pub spe: u8,
    /// The program's thread.
    pub thread: u8,
    /// The bus cycle in which the program started.
    pub started_at: BusCycle,
    /// The bus cycle in which the program ended.
    pub stopped_at: Option<BusCycle>,
}

/// One command of an MFC.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CommandRow {
    /// The row's number in this trace.
    pub id: u32,
    /// The physical SPE.
    pub spe: u8,
    /// The queue (`spu` or `proxy`), or `atomic` for a command that enters no queue.
    pub queue: &'static str,
    /// Mnemonic.
    pub name: String,
    /// Local-store address.
    pub lsa: u32,
    /// Effective address.
    pub ea: u64,
    /// Bytes to transfer; for a list command, the size of the list itself.
    pub size_bytes: u32,
    /// Tag group.
    pub tag: u32,
    /// SPU cycles from the SPU's first channel write for the command until the command was enqueued.
    pub issue_spu_cycles: Option<SpuCycles>,
    /// The bus cycle in which the command entered its queue or the atomic unit.
    pub enqueued_at: BusCycle,
    /// For a list command, the bus cycle in which the MFC fetches the first element.
    pub list_fetch_at: Option<BusCycle>,
    /// The bus cycle of the command's first bus request.
    pub first_request_at: Option<BusCycle>,
    /// The bus cycle in which the command left its queue, or its status reached the channel.
    pub done_at: Option<BusCycle>,
    /// SPU cycles from the command's end until the SPU read that the tag group was complete.
    pub status_spu_cycles: Option<SpuCycles>,
}

/// One bus request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RequestRow {
    /// The row's number in this trace.
    pub id: u32,
    /// The element that issued the request.
    pub issuer: String,
    /// The unit that issued the request (`MFC`, `atomic unit`, `castout` or `PPE`), or `BIF` for the second part of a
    /// path between chips, which begins at the interface.
    pub unit: &'static str,
    /// The kind of the request's command.
    pub kind: &'static str,
    /// The target, such as `memory`, `SPE3` or `SPE3 register`, or `None` for a request that only orders other
    /// requests.
    pub target: Option<String>,
    /// Useful bytes of the line.
    pub bytes: u8,
    /// The command to which the request belongs.
    pub command: Option<u32>,
    /// The rounds of the command phase; a Retry leads to another round.
    pub rounds: Vec<Round>,
    /// The on-ramp of the data.
    pub from: Option<RampIndex>,
    /// The off-ramp of the data.
    pub to: Option<RampIndex>,
    /// The bus cycle in which the request entered a memory queue or, for a write, reserved an entry in one.
    pub queued_at: Option<BusCycle>,
    /// The bus cycle in which the data began to cross to the other chip.
    pub crossing_at: Option<BusCycle>,
    /// The bus cycle in which the data finished crossing.
    pub crossed_at: Option<BusCycle>,
    /// The bus cycle in which the data are ready at the on-ramp.
    pub ready_at: Option<BusCycle>,
    /// The ring of the data.
    pub ring: Option<u8>,
    /// The bus cycle of the grant.
    pub granted_at: Option<BusCycle>,
    /// The bus cycle in which the last beat leaves the ring.
    pub arrived_at: Option<BusCycle>,
    /// The bus cycle in which the request was complete.
    pub done_at: Option<BusCycle>,
    /// The original request, if this row continues its transfer on the other chip.
    pub onward_of: Option<u32>,
}

/// One round of a request's command phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Round {
    /// The bus cycle in which the unit sent the command.
    pub issued_at: BusCycle,
    /// The bus cycle in which the address concentrator ordered the command.
    pub ordered_at: Option<BusCycle>,
    /// The bus cycle of the combined response.
    pub responded_at: Option<BusCycle>,
    /// The combined response, which is `retry`, `data`, `memory` or `done`.
    pub response: Option<&'static str>,
}

/// One wait of an SPU.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StallRow {
    /// The physical SPE.
    pub spe: u8,
    /// The channel.
    pub channel: String,
    /// The bus cycle in which the wait began.
    pub from: BusCycle,
    /// The bus cycle in which the wait ended.
    pub to: Option<BusCycle>,
}

/// One system call of a PPE's program. The operating system works for the whole call, except while it waits for
/// one of its loads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CallRow {
    /// The PPE, by its name in `elements`.
    pub ppe: String,
    /// The hardware thread.
    pub thread: u8,
    /// The name of the call, see [`crate::door::Syscall::name`].
    pub name: &'static str,
    /// The bus cycle in which the call began.
    pub from: BusCycle,
    /// The bus cycle in which the call returned.
    pub to: Option<BusCycle>,
}

/// One access of a memory channel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AccessRow {
    /// The channel.
    pub channel: u8,
    /// Whether the access is a write.
    pub write: bool,
    /// The bus cycle in which the bank and the channel began the access.
    pub from: BusCycle,
    /// The bus cycle in which the channel was free for the next access.
    pub to: BusCycle,
    /// For a read, the bus cycle in which the data reached the on-ramp.
    pub data_at: Option<BusCycle>,
    /// The request of a read, or `None` for a write, because no unit waits for the access of a write.
    pub request: Option<u32>,
}

impl AccessRow {
    /// The bus cycle in which the access has ended and its data have reached the on-ramp.
    pub(super) fn ends_at(&self) -> BusCycle {
        self.to.max(self.data_at.unwrap_or(0))
    }
}

/// The length of a memory channel's queue, starting at a given bus cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MemoryQueueRow {
    /// The channel.
    pub channel: u8,
    /// Whether this is the write queue.
    pub write: bool,
    /// The first bus cycle in which the queue has this length.
    pub at: BusCycle,
    /// Number of entries that are in use, including entries reserved for writes.
    pub entries: u64,
}

/// A period in which a ready line at the head of an on-ramp's queue waits for a ring for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitRow {
    /// The request to which the line belongs.
    pub request: u32,
    /// The bus cycle in which this period began.
    pub from: BusCycle,
    /// The bus cycle in which this period ended.
    pub to: Option<BusCycle>,
    /// The reason for the wait under the arbiter's rules, which is `on-ramp`, `off-ramp`, `start gap`, `way taken`,
    /// `turn`, `older` or `arbiter`.
    pub reason: &'static str,
    /// For `turn` and `older`, the request whose line goes first.
    pub by: Option<u32>,
}
