//! Where the bytes of a measurement lie.
//!
//! ```text
//!   local store   0x00000  program          main memory  0x010000  control blocks, one line each
//!                 0x03d00  lock line                     0x100000  shared buffer or variable, or
//!                 0x03e00  control block                           private ones a stride apart
//!                 0x03f00  words to send
//!                 0x04000  DMA list (list functions only)
//!                 0x04000 or 0x08000  buffers
//! ```

use super::params::{Function, Params, PlacementChoice};
use crate::ea::local_store_ea;
use crate::machine::Machine;
use crate::placement::Placement;
use crate::units::{LINE_BYTES, ThreadId};

/// Local-store address of the line that atomic operations work on.
pub const LOCK_LINE_LSA: u32 = 0x3d00;
/// Local-store address of the control block.
pub const CONTROL_LSA: u32 = 0x3e00;
/// Local-store address of the word for mailboxes and signals: it ends as the registers' addresses do.
pub const WORD_LSA: u32 = 0x3f0c;
/// Local-store address of the DMA list.
pub const LIST_LSA: u32 = 0x4000;
const FIRST_FREE_LSA: u32 = 0x4000;
const AFTER_LIST_LSA: u32 = 0x8000;

const CONTROL_EA: u64 = 0x1_0000;
const DATA_EA: u64 = 0x10_0000;

/// Addresses and placement of one measurement.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Which SPE each thread runs on.
    pub placement: Placement,
    /// Local-store address of an SPE's buffer.
    pub buffer_lsa: u32,
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
}

impl Layout {
    /// Lays a measurement out.
    ///
    /// # Errors
    /// One line: what does not fit, and what would.
    pub fn new(machine: &Machine, params: &Params) -> Result<Layout, String> {
        params.check(machine)?;
        let placement = place(machine, params)?;
        let buffer_lsa = if params.function.is_list() { AFTER_LIST_LSA } else { FIRST_FREE_LSA };
        let distance_bytes = distance(params);
        let holder_is_spe = params.spe_to_spe && params.function.is_dma();
        let data_ea = if holder_is_spe { local_store_ea(placement.spe(ThreadId(0)), buffer_lsa) } else { DATA_EA };
        let layout = Layout {
            placement,
            buffer_lsa,
            distance_bytes,
            iteration_cycles: machine.software.iteration_spu_cycles,
            atomic_cycles: machine.software.atomic_call_spu_cycles,
            exchange_cycles: machine.software.ppe_exchange_spu_cycles,
            data_ea,
            private: params.private,
        };
        if params.function.is_dma() {
            layout.check_local_store(machine, params)?;
        }
        layout.check_memory(machine, params)?;
        Ok(layout)
    }

    /// Effective address of a thread's control block.
    pub fn control_ea(&self, thread: ThreadId) -> u64 {
        CONTROL_EA + u64::from(thread.0) * LINE_BYTES
    }

    /// Effective address of what a thread reads or writes.
    pub fn data_ea(&self, thread: ThreadId) -> u64 {
        self.data_ea + if self.private { u64::from(thread.0) * self.distance_bytes } else { 0 }
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
        let room = machine.chip.main_memory_bytes.saturating_sub(DATA_EA);
        let needed = self.distance_bytes.saturating_mul(u64::from(params.spes));
        if params.private && needed > room {
            return Err(format!(
                "-t: {} private buffers {} bytes apart do not fit main memory: {room} bytes are free",
                params.spes, self.distance_bytes
            ));
        }
        Ok(())
    }
}

fn place(machine: &Machine, params: &Params) -> Result<Placement, String> {
    let placement = match &params.placement {
        PlacementChoice::Default => Placement::default_of(machine),
        PlacementChoice::Random(seed) => Placement::random(machine, *seed),
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
        function if function.is_list() => u64::from(params.size_bytes()) * u64::from(params.list_elements()),
        _ => 4,
    };
    let stride = params.stride_bytes.unwrap_or(LINE_BYTES).max(1);
    bytes.div_ceil(stride).saturating_mul(stride)
}
