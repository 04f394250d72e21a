//! The buffers of a traffic pattern.
//!
//! Every SPE uses its buffers cyclically. For transfers with main memory, an SPE has eight buffers of 16 KB, as in
//! jimenez2007 4.2.1, and two areas of the same size in memory: one for `get` and one for `put` commands. For transfers
//! between local stores, an SPE has four areas: the destination of its `get` commands, the source of its `put`
//! commands, the source of other SPEs' `get` commands, and the destination of other SPEs' `put` commands.
//!
//! ```text
//!   local store   0x04000  DMA lists     main memory  0x100000  for each SPE an area that it gets
//!                 0x08000  areas                                and one that it puts
//! ```

use crate::addresses::{AFTER_LIST_LSA, LISTS_BYTES};
use crate::choices::TransferOp;
use crate::control_block::Buffers;
use crate::parameters::Parameter;
use crate::refusal::Refusal;
use crate::setup::Setup;
use cell::machine::Machine;
use cell::units::{LINE_BYTES, SpeId};

/// Number of buffers for transfers with memory (jimenez2007 4.2.1).
const MEMORY_BUFFERS: u32 = 8;
/// Number of buffers at each end for transfers between local stores (jimenez2007 4.2.3).
const LOCAL_BUFFERS: u32 = 2;
const AREAS: u32 = 4;
/// Maximum number of SPEs in a machine; main memory has room for the areas of all these SPEs.
const SPES_MAX: u64 = 16;
/// Size of a list element in bytes.
const ELEMENT_BYTES: u32 = 8;

/// Sizes of areas and of the DMA commands between them.
pub struct Layout {
    area_bytes: u32,
    /// Local-store bytes of one DMA command; each list element starts on its own quadword.
    own_bytes: u32,
    /// Main-storage bytes of one DMA command.
    command_bytes: u32,
    list_elements: Option<u32>,
    op: TransferOp,
    page_bytes: u32,
}

impl Layout {
    /// A layout of whole 16 KB buffers, with fewer buffers if the local store is small.
    pub fn new(
        machine: &Machine,
        size_bytes: u32,
        list_elements: Option<u32>,
        op: TransferOp,
        with_memory: bool,
    ) -> Layout {
        let buffer = machine.mfc.max_transfer_bytes;
        let room = machine.mfc.local_store_bytes.saturating_sub(AFTER_LIST_LSA) / buffer;
        let buffers = if with_memory { MEMORY_BUFFERS.min(room) } else { LOCAL_BUFFERS.min(room / AREAS) };
        let own_bytes = list_elements.map_or(size_bytes, |n| size_bytes.next_multiple_of(16).saturating_mul(n));
        let command_bytes = (u64::from(size_bytes) * u64::from(list_elements.unwrap_or(1))) as u32;
        let page_bytes = machine.translation.function_page_bytes;
        Layout { area_bytes: buffers * buffer, own_bytes, command_bytes, list_elements, op, page_bytes }
    }

    /// Checks that a DMA, its list and the memory areas of all SPEs fit.
    pub fn check(&self, setup: &Setup) -> Result<(), Refusal> {
        let (own, area) = (self.own_bytes, self.area_bytes);
        if own > area {
            return Err(Refusal::new(format!(
                "a DMA of {own} bytes does not fit the buffers of {area} bytes, give a smaller {{size}} or {{list_elements}}"
            )));
        }
        if let Some(elements) = self.list_elements
            && self.lists_that_fit(elements) == 0
        {
            let most = LISTS_BYTES / ELEMENT_BYTES / self.op.transfers() as u32;
            let reason = format!("there is room for lists of {most} elements");
            return Err(Refusal::of(Parameter::ListElements, reason).given(elements));
        }
        let (needed, room) = (2 * SPES_MAX * u64::from(area), setup.data_bytes());
        if needed > room {
            let memory = setup.memory_name();
            return Err(Refusal::new(format!(
                "the pattern's buffers of {needed} bytes do not fit {memory}: {room} bytes are free"
            )));
        }
        Ok(())
    }

    /// Buffers of an SPE that transfers with main memory; the data of all SPEs begin at `data_ea`.
    pub fn with_memory(&self, spe: SpeId, data_ea: u64) -> Buffers {
        let bytes = u64::from(self.area_bytes);
        let gets = data_ea + u64::from(spe.0) * 2 * bytes;
        let steps = self.steps();
        // A `put` sends the data that a `get` fetched half a cycle of buffers earlier.
        Buffers { lsa: (self.area(0), self.area(0)), ea: (gets, gets + bytes), put_lag: steps.places / 2, ..steps }
    }

    /// Buffers of an SPE that transfers with the local store whose window begins at `window`.
    pub fn between_local_stores(&self, window: u64) -> Buffers {
        let theirs = |nth| window + u64::from(self.area(nth));
        let lines = [self.own_bytes, self.command_bytes].iter().all(|bytes| bytes.is_multiple_of(LINE_BYTES as u32));
        let one_page = self.page_bytes.is_multiple_of(self.area_bytes) && self.area(0).is_multiple_of(self.area_bytes);
        let alike = lines && one_page && self.list_elements.is_none();
        Buffers { lsa: (self.area(0), self.area(1)), ea: (theirs(2), theirs(3)), alike, ..self.steps() }
    }

    fn area(&self, nth: u32) -> u32 {
        AFTER_LIST_LSA + nth * self.area_bytes
    }

    fn steps(&self) -> Buffers {
        let of_buffers = self.area_bytes / self.own_bytes.max(self.command_bytes).max(1);
        let places = self.list_elements.map_or(of_buffers, |n| of_buffers.min(self.lists_that_fit(n)));
        Buffers { places, lsa_step: self.own_bytes, ea_step: self.command_bytes, ..Buffers::default() }
    }

    fn lists_that_fit(&self, elements: u32) -> u32 {
        LISTS_BYTES / (ELEMENT_BYTES * elements * self.op.transfers() as u32)
    }
}
