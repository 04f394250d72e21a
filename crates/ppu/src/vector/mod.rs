//! VMX: pure functions on 128-bit registers.
//!
//! Element 0 is the leftmost: the most significant bits.  Functions that may saturate also tell
//! whether an element did; comparisons give masks.  Nothing here knows registers or storage.
//!
//! Sources: PowerPC Microprocessor Family: AltiVec Technology Programming Environments Manual; PowerPC User
//! Instruction Set Architecture 2.03, chapter 5; for unaligned loads and stores (`lvlx` and the like) the Cell
//! Broadband Engine Programming Handbook, appendix A.

pub mod compare;
pub mod estimate;
pub mod float;
pub mod fused;
pub mod integer;
pub mod logic;
pub mod multiply;
pub mod pack;
pub mod permute;
pub mod round;

use spu::Quadword;

/// The bit of the VSCR for saturation; sticky.
pub const SAT: u32 = 1;
/// The bit of the VSCR for the non-Java mode, in which denormalised numbers count as zeros.
pub const NJ: u32 = 1 << 16;

/// Field 6 of the condition register for the mask of a comparison: all elements, none, or some.
#[inline]
pub fn condition(mask: Quadword) -> u32 {
    match mask.bits() {
        u128::MAX => 0b1000,
        0 => 0b0010,
        _ => 0,
    }
}
