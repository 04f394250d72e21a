//! Where the bytes of a measurement lie.
//!
//! ```text
//!   local store   0x00000  program          main memory  0x010000  control blocks, two lines each
//!                 0x03d00  lock line                     0x100000  shared buffer or variable, or
//!                 0x03e00  control block                           private ones a stride apart
//!                 0x03f00  words to send
//!                 0x04000  DMA lists (list functions and patterns)
//!                 0x04000 or 0x08000  buffers
//! ```
//!
//! In a pattern every SPE walks through buffers, over and over.  With main memory as target they are
//! eight of 16 KB, as in jimenez2007 4.2.1, and as much memory of its own for gets and for puts.
//! Between local stores there are four areas: what gets fetch into, what puts take from, and what
//! others get and put.

use super::accesses;
use super::function::Function;
use super::params::{Level, Params, PlacementChoice, TransferOp};
use super::script::{self, Script};
use super::traffic::{Part, part};
use cell::ea::local_store_ea;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{LINE_BYTES, SpeId, ThreadId};

/// Local-store address of the line that atomic operations work on.
pub const LOCK_LINE_LSA: u32 = 0x3d00;
/// Local-store address of the control block.
pub const CONTROL_LSA: u32 = 0x3e00;
/// Local-store address of the word for mailboxes and signals: it ends as the registers' addresses do.
pub const WORD_LSA: u32 = 0x3f0c;
/// Local-store address of the DMA list, or of the script of an exchange.
pub const LIST_LSA: u32 = 0x4000;
/// The first local-store address behind all these.
pub const FIRST_FREE_LSA: u32 = 0x4000;
/// The first one behind the lists.
pub const AFTER_LIST_LSA: u32 = 0x8000;

/// Bytes of the DMA lists.
pub const LISTS_BYTES: u32 = AFTER_LIST_LSA - LIST_LSA;

const CONTROL_EA: u64 = 0x1_0000;
/// Where data begin in the memory of the first chip, of another one or of both.
pub const DATA_OFFSET: u64 = 0x10_0000;

/// Buffers that an SPE fills from memory, or empties into it, one after the other (jimenez2007 4.2.1).
const MEMORY_BUFFERS: u32 = 8;
/// Buffers at each end between local stores (jimenez2007 4.2.3).
const LOCAL_BUFFERS: u32 = 2;
const AREAS: u32 = 4;

/// Where one thread's DMAs go, and where they come from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Buffers {
    /// Places that are used in turn; 1: the same bytes every time.
    pub places: u32,
    /// Distance of two places in the local store.
    pub lsa_step: u32,
    /// Distance of two places in main storage.
    pub ea_step: u32,
    /// First local-store address that gets write, and that puts read.
    pub lsa: (u32, u32),
    /// First effective address that gets read, and that puts write.
    pub ea: (u64, u64),
    /// How many places puts are behind gets.
    pub put_lag: u32,
}

/// Addresses and placement of one measurement.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Which SPE each thread runs on.
    pub placement: Placement,
    /// Local-store address of an SPE's buffer.
    buffer_lsa: u32,
    /// Bytes of one buffer area of a pattern.
    area_bytes: u32,
    /// Distance between the starts of private buffers or variables, in bytes.
    pub distance_bytes: u64,
    /// SPU cycles that the loop's own code takes per iteration.
    pub iteration_cycles: u64,
    /// SPU cycles that the atomic library's code takes per attempt.
    pub atomic_cycles: u64,
    /// Processor cycles of the PPE's code around one exchange.
    pub exchange_cycles: u64,
    data_ea: u64,
    private: bool,
    /// Where an SPU loads and stores by itself.
    local: Option<Buffers>,
    /// What each thread of the PPE loads and stores.
    pub ppe_parts: Vec<accesses::Part>,
    /// What each SPE of an exchange does.
    pub scripts: Vec<Script>,
}

impl Layout {
    /// Lays a measurement out.
    ///
    /// # Errors
    /// One line: what does not fit, and what would.
    pub fn new(machine: &Machine, params: &Params) -> Result<Layout, String> {
        params.check(machine)?;
        let placement = place(machine, params)?;
        let lists = params.function.is_list() || params.function.is_pattern();
        let buffer_lsa = if lists { AFTER_LIST_LSA } else { FIRST_FREE_LSA };
        let distance_bytes = distance(params);
        let holder_is_spe = params.spe_to_spe && params.function.is_dma();
        let memory_ea = params.memory.region(machine).0 + DATA_OFFSET;
        let data_ea = if holder_is_spe { local_store_ea(placement.spe(ThreadId(0)), buffer_lsa) } else { memory_ea };
        let layout = Layout {
            scripts: script::scripts(machine, params, &placement)?,
            placement,
            buffer_lsa,
            area_bytes: area_bytes(machine, params, buffer_lsa),
            distance_bytes,
            iteration_cycles: match params.level {
                Some(Level::Ls) => accesses::element_cycles(machine, params),
                _ => machine.software.iteration_spu_cycles,
            },
            ppe_parts: accesses::parts(machine, params)?,
            local: if params.level == Some(Level::Ls) { Some(accesses::local_buffers(machine, params)?) } else { None },
            atomic_cycles: machine.software.atomic_call_spu_cycles,
            exchange_cycles: machine.software.ppe_exchange_spu_cycles,
            data_ea,
            private: params.private,
        };
        if params.function.is_pattern() {
            layout.check_areas(params)?;
        } else if params.function.is_dma() {
            layout.check_local_store(machine, params)?;
        }
        layout.check_memory(machine, params)?;
        Ok(layout)
    }

    /// Effective address of a thread's control block.
    ///
    /// Here and below places in memory belong to SPEs, not to threads: two placements with the same
    /// traffic between the same SPEs then are one and the same run.
    pub fn control_ea(&self, thread: ThreadId) -> u64 {
        CONTROL_EA + u64::from(self.placement.spe(thread).0) * 2 * LINE_BYTES
    }

    /// Effective address of what a thread reads or writes.
    pub fn data_ea(&self, thread: ThreadId) -> u64 {
        self.data_ea + if self.private { u64::from(thread.0) * self.distance_bytes } else { 0 }
    }

    /// The script of a thread, in an exchange.
    pub fn script(&self, thread: ThreadId) -> Option<&Script> {
        let spe = self.placement.spe(thread);
        self.scripts.iter().find(|script| script.spe == spe)
    }

    /// Where a thread's DMAs go.
    pub fn buffers(&self, params: &Params, thread: ThreadId) -> Buffers {
        if let Some(local) = self.local {
            return local;
        }
        if !params.function.is_pattern() {
            let (lsa, ea) = (self.buffer_lsa, self.data_ea(thread));
            return Buffers { places: 1, lsa: (lsa, lsa), ea: (ea, ea), ..Buffers::default() };
        }
        let area = |nth: u32| self.buffer_lsa + nth * self.area_bytes;
        let (own, places) = (own_bytes(params), self.places(params));
        let steps = Buffers { places, lsa_step: own, ea_step: params.command_bytes() as u32, ..Buffers::default() };
        let base = match part(params, thread) {
            Part::WithMemory => {
                let (memory, bytes) = (self.data_ea, u64::from(self.area_bytes));
                let get = memory + u64::from(self.placement.spe(thread).0) * 2 * bytes;
                // What is put was got half the buffers ago.
                return Buffers { lsa: (area(0), area(0)), ea: (get, get + bytes), put_lag: places / 2, ..steps };
            }
            Part::With(partner) => local_store_ea(self.placement.spe(partner), 0),
            // A partner's window is added for every DMA.
            Part::WithAny | Part::Passive => 0,
        };
        Buffers { lsa: (area(0), area(1)), ea: (base + u64::from(area(2)), base + u64::from(area(3))), ..steps }
    }

    /// The SPEs from which a thread of uniform traffic chooses, in the order of their numbers.
    pub fn others(&self, params: &Params, thread: ThreadId) -> Vec<SpeId> {
        let mut spes: Vec<SpeId> = self.placement.threads().take(params.spes as usize).map(|(_, spe)| spe).collect();
        spes.retain(|spe| *spe != self.placement.spe(thread));
        spes.sort();
        spes
    }

    fn places(&self, params: &Params) -> u32 {
        let of_buffers = self.area_bytes / own_bytes(params).max(params.command_bytes() as u32).max(1);
        if params.uses_lists() { of_buffers.min(lists_that_fit(params)) } else { of_buffers }
    }

    fn check_areas(&self, params: &Params) -> Result<(), String> {
        let own = own_bytes(params);
        if own > self.area_bytes {
            return Err(format!(
                "a DMA of {own} bytes does not fit the buffers of {} bytes, give a smaller -b or -l",
                self.area_bytes
            ));
        }
        if params.uses_lists() && lists_that_fit(params) == 0 {
            let most = LISTS_BYTES / 8 / directions(params);
            return Err(format!("-l {}: there is room for lists of {most} elements", params.list_elements()));
        }
        Ok(())
    }

    fn check_local_store(&self, machine: &Machine, params: &Params) -> Result<(), String> {
        let room = u64::from(machine.mfc.local_store_bytes.saturating_sub(self.buffer_lsa));
        // A list puts every element on a quadword of its own.
        let own = u64::from(params.size_bytes().next_multiple_of(16)) * u64::from(params.list_elements());
        let copies = if params.private { u64::from(params.spes) } else { 1 };
        let held = if params.spe_to_spe { (copies - 1) * self.distance_bytes + own } else { own };
        let needed = own.max(held);
        if needed > room {
            let whose = if held > own { "SPE 0's local store" } else { "a local store" };
            return Err(format!(
                "buffers of {needed} bytes do not fit {whose}: {room} bytes are free, give a smaller -b, -l, -t or -N"
            ));
        }
        Ok(())
    }

    fn check_memory(&self, machine: &Machine, params: &Params) -> Result<(), String> {
        let room = params.memory.region(machine).1.saturating_sub(DATA_OFFSET);
        let memory = params.memory.of_machine(machine);
        let needed = self.distance_bytes.saturating_mul(u64::from(params.spes));
        // Room for gets and for puts, for every SPE that the chip may have.
        let patterns = if params.function.is_pattern() { 2 * 16 * u64::from(self.area_bytes) } else { 0 };
        if patterns > room {
            return Err(format!(
                "the pattern's buffers of {patterns} bytes do not fit {memory}: {room} bytes are free"
            ));
        }
        if params.private && needed > room {
            return Err(format!(
                "-t: {} private buffers {} bytes apart do not fit {memory}: {room} bytes are free",
                params.spes, self.distance_bytes
            ));
        }
        Ok(())
    }
}

fn place(machine: &Machine, params: &Params) -> Result<Placement, String> {
    let placement = match &params.placement {
        PlacementChoice::Default => Placement::of(params.usable_spes(machine)),
        PlacementChoice::Random(seed) => Placement::random(params.groups_of_spes(machine), *seed),
        PlacementChoice::Explicit(spes) => Placement::new(spes, machine)?,
    };
    if placement.len() < params.spes as usize {
        return Err(format!(
            "--placement names {} SPEs for {} threads; name at least as many as -n or -N says",
            placement.len(),
            params.spes
        ));
    }
    Ok(placement)
}

/// The smallest multiple of the stride that holds a buffer, so that private buffers never overlap.
fn distance(params: &Params) -> u64 {
    let bytes = match params.function {
        Function::DmaGet | Function::DmaPut => u64::from(params.size_bytes()),
        function if function.is_list() => params.command_bytes(),
        _ => 4,
    };
    let stride = params.stride_bytes.unwrap_or(LINE_BYTES).max(1);
    bytes.div_ceil(stride).saturating_mul(stride)
}

/// Local-store bytes of one DMA command: a list puts every element on a quadword of its own.
fn own_bytes(params: &Params) -> u32 {
    let size = params.size_bytes();
    if params.uses_lists() { size.next_multiple_of(16).saturating_mul(params.list_elements()) } else { size }
}

fn directions(params: &Params) -> u32 {
    params.op.map_or(1, TransferOp::transfers) as u32
}

fn lists_that_fit(params: &Params) -> u32 {
    LISTS_BYTES / (8 * params.list_elements() * directions(params))
}

/// Bytes of one area of a pattern: whole buffers of 16 KB, fewer where the local store is small.
fn area_bytes(machine: &Machine, params: &Params, from: u32) -> u32 {
    let buffer = machine.mfc.max_transfer_bytes;
    let room = machine.mfc.local_store_bytes.saturating_sub(from) / buffer;
    let with_memory = part(params, ThreadId(0)) == Part::WithMemory;
    let buffers = if with_memory { MEMORY_BUFFERS.min(room) } else { LOCAL_BUFFERS.min(room / AREAS) };
    buffers * buffer
}
