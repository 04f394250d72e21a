//! Main memory: its controllers and its bytes.

use super::board::Board;
use crate::mic::Mic;
use crate::store::Store;

/// Bytes of a page of main memory. A page is allocated on its first write.
const PAGE_BYTES: u64 = 1 << 16;

/// The main memory of all chips.
pub(crate) struct Memory {
    /// Memory controllers, by chip.
    pub mics: Vec<Mic>,
    pub store: Store,
}

impl Memory {
    /// A memory of zeros, with idle controllers.
    pub fn new(board: &Board) -> Memory {
        let machine = &board.machine;
        Memory {
            mics: (0..board.chips()).map(|_| Mic::new(machine)).collect(),
            store: Store::new(machine.chip.main_memory_bytes, PAGE_BYTES),
        }
    }

    /// The memory controller of an address.
    pub fn mic_of(&mut self, address: u64, board: &Board) -> &mut Mic {
        &mut self.mics[usize::from(board.machine.home_of(address))]
    }

    /// The memory channel of an address, numbered across all chips.
    pub fn channel_of(&self, address: u64, board: &Board) -> u8 {
        let chip = board.machine.home_of(address);
        chip * board.machine.mic.channels as u8 + self.mics[usize::from(chip)].channel_of(address) as u8
    }
}
