//! VMX: pure functions on 128-bit registers.
//!
//! Element 0 is the leftmost element, with the most significant bits. Functions that may saturate also return whether
//! any element saturated. Comparisons return masks. This module does not use the register file or storage.
//!
//! Sources: PowerPC Microprocessor Family: AltiVec Technology Programming Environments Manual; PowerPC User
//! Instruction Set Architecture 2.03, chapter 5; Cell Broadband Engine Programming Handbook, appendix A, for unaligned
//! loads and stores (`lvlx` and related instructions).

pub(crate) mod compare;
pub mod estimate;
pub mod float;
pub(crate) mod fused;
pub(crate) mod integer;
pub(crate) mod logic;
pub(crate) mod multiply;
pub(crate) mod pack;
pub(crate) mod permute;
pub(crate) mod round;

use spu::Quadword;

/// The VSCR's sticky bit for saturation.
pub const SAT: u32 = 1;
/// The VSCR's bit for non-Java mode, in which denormalised numbers count as zeros.
pub const NJ: u32 = 1 << 16;

/// The value of condition field 6 for a comparison's mask: all elements, none, or some.
#[inline]
pub fn condition(mask: Quadword) -> u32 {
    match mask.bits() {
        u128::MAX => 0b1000,
        0 => 0b0010,
        _ => 0,
    }
}
