//! Address translation of a hardware thread: two ERATs, and the TLB behind them.
//!
//! An ERAT holds blocks of 4 KB, whatever the page size. A block that is not in the ERAT comes from the TLB, which holds
//! whole pages. A page that is not in the TLB comes from the page table in main memory.
//!
//! MODEL: the time of misses passes at the end of the turn. Each hardware thread has ERATs of its own; on silicon, both
//! threads share them. A load or store renews the age of its block only if the block's cache line is not recorded
//! ([`super::storage`]). A page that is mapped again while it is in a buffer stays there.

use cell::machine::Machine;
use cell::translation::{Buffer, Page};
use std::cell::RefCell;
use std::rc::Rc;

/// Size of the blocks that an ERAT holds.
pub const BLOCK_BYTES: u32 = 4096;

/// The TLB, which both hardware threads of a PPE share.
pub type Tlb = Rc<RefCell<Buffer>>;

/// The translation of one hardware thread.
pub struct Translation {
    data: Erat,
    code: Erat,
    tlb: Tlb,
    erat_miss_cycles: u64,
    walk_cycles: u64,
    /// Processor cycles that misses have taken in this turn.
    pub cycles: u64,
}

struct Erat {
    blocks: Buffer,
    /// The block that was used last.
    last: u32,
}

impl Erat {
    fn new(machine: &Machine) -> Erat {
        let values = &machine.translation;
        Erat { blocks: Buffer::new(values.erat_entries, values.erat_ways), last: u32::MAX }
    }
}

/// An empty TLB.
pub fn tlb(machine: &Machine) -> Tlb {
    Rc::new(RefCell::new(Buffer::new(machine.translation.ppe_tlb_entries, machine.translation.ppe_tlb_ways)))
}

impl Translation {
    /// Empty ERATs in front of a TLB.
    pub fn new(machine: &Machine, tlb: &Tlb) -> Translation {
        Translation {
            data: Erat::new(machine),
            code: Erat::new(machine),
            tlb: Rc::clone(tlb),
            erat_miss_cycles: machine.translation.erat_miss_spu_cycles,
            walk_cycles: machine.translation.ppe_walk_spu_cycles,
            cycles: 0,
        }
    }

    /// Translates the address of a load or store. Returns the address of a block that left the ERAT.
    #[inline]
    pub fn data(&mut self, ea: u32, page_bytes: impl FnOnce() -> u32) -> Option<u32> {
        if ea / BLOCK_BYTES == self.data.last { None } else { self.look_up(ea, false, page_bytes) }
    }

    /// Translates the address of an instruction.
    #[inline]
    pub fn code(&mut self, ea: u32, page_bytes: impl FnOnce() -> u32) {
        if ea / BLOCK_BYTES != self.code.last {
            self.look_up(ea, true, page_bytes);
        }
    }

    fn look_up(&mut self, ea: u32, code: bool, page_bytes: impl FnOnce() -> u32) -> Option<u32> {
        let erat = if code { &mut self.code } else { &mut self.data };
        let block = Page::of(ea.into(), BLOCK_BYTES);
        erat.last = ea / BLOCK_BYTES;
        if erat.blocks.holds(block) {
            return None;
        }
        let replaced = erat.blocks.add(block);
        self.cycles += self.erat_miss_cycles;
        let page = Page::of(ea.into(), page_bytes());
        let mut tlb = self.tlb.borrow_mut();
        if !tlb.holds(page) {
            tlb.add(page);
            self.cycles += self.walk_cycles;
        }
        replaced.map(|block| block.start() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERAT_MISS: u64 = 7;
    const WALK: u64 = 1_000;

    /// Cycles that misses take in the last of three laps over `count` blocks of 4 KB, for data and for code.
    fn last_lap(count: u32, page_bytes: u32) -> [u64; 2] {
        let mut machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
        (machine.translation.erat_miss_spu_cycles, machine.translation.ppe_walk_spu_cycles) = (ERAT_MISS, WALK);
        [false, true].map(|code| {
            let mut translation = Translation::new(&machine, &tlb(&machine));
            for _ in 0..3 {
                translation.cycles = 0;
                for ea in (0..count).map(|nth| nth * BLOCK_BYTES) {
                    translation.look_up(ea, code, || page_bytes);
                }
            }
            translation.cycles
        })
    }

    #[test]
    fn an_erat_holds_64_blocks_and_the_next_one_misses_in_its_set() {
        assert_eq!(last_lap(64, 4096), [0; 2]);
        assert_eq!(last_lap(65, 4096), [3 * ERAT_MISS; 2]);
        assert_eq!(last_lap(65, 1 << 24), [3 * ERAT_MISS; 2], "large pages do not help");
    }

    #[test]
    fn the_tlb_holds_1024_pages_and_the_next_one_is_walked() {
        assert_eq!(last_lap(1024, 4096), [1024 * ERAT_MISS; 2]);
        assert_eq!(last_lap(1025, 4096), [1025 * ERAT_MISS + 5 * WALK; 2]);
        assert_eq!(last_lap(1025, 1 << 16), [1025 * ERAT_MISS; 2]);
    }

    #[test]
    fn the_block_used_last_is_not_looked_up_again() {
        let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
        let mut translation = Translation::new(&machine, &tlb(&machine));
        assert_eq!(translation.data(0x1000, || 4096), None);
        assert_eq!(translation.data(0x1ffc, || unreachable!()), None);
        translation.code(0x1000, || 4096);
        translation.code(0x1ffc, || unreachable!());
    }
}
