//! Load and store addresses, and the control patterns with which `shufb` inserts an element.
//!
//! Addresses wrap at the size of the local store, which is a power of two. (The architecture's LSLR register holds that
//! size minus one.) Loads and stores access whole quadwords, so the last four bits of an address are dropped.

use cell::store::LocalStore;

use crate::registers::Quadword;

/// The address of the quadword that a load or store of `address` accesses.
#[inline(always)]
fn quadword_address(ls: &LocalStore, address: u32) -> u64 {
    u64::from(address & !15) & (ls.size_bytes() - 1)
}

/// Loads the quadword that contains `address`.
#[inline(always)]
pub fn load(ls: &LocalStore, address: u32) -> Quadword {
    Quadword::from_bits(ls.quadword(quadword_address(ls, address)))
}

/// Stores the quadword that contains `address`.
#[inline(always)]
pub fn store(ls: &mut LocalStore, address: u32, value: Quadword) {
    ls.set_quadword(quadword_address(ls, address), value.bits());
}

/// The control pattern with which `shufb` inserts an element of `width` bytes into a quadword, at the offset given by
/// the low bits of `address`. The element is in the preferred slot of the first operand; all other bytes come from the
/// second operand.
#[inline(always)]
pub fn insertion_controls(address: u32, width: u32) -> Quadword {
    const LEAVE: u128 = 0x1011_1213_1415_1617_1819_1a1b_1c1d_1e1f;
    // The preferred byte is byte 3, the preferred halfword is in bytes 2 and 3, and words and doublewords begin at byte
    // 0.
    let element: u128 = match width {
        1 => 0x03,
        2 => 0x0203,
        4 => 0x0001_0203,
        _ => 0x0001_0203_0405_0607,
    };
    let at = address & 15 & !(width - 1);
    let shift = 8 * (16 - width - at);
    let field = ((1 << (8 * width)) - 1) << shift;
    Quadword::from_bits(LEAVE & !field | element << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_wrap_and_drop_their_last_four_bits() {
        let mut ls = LocalStore::new(1 << 18, 1 << 18);
        store(&mut ls, 0xfffc_001f, Quadword::splat(7));
        assert_eq!(load(&ls, 0x10), Quadword::splat(7));
        assert_eq!(ls.read_u32(0x1c), 7);
        assert_eq!(load(&ls, 0xf), Quadword::splat(0));
    }

    #[test]
    fn controls_of_each_width() {
        let controls = |address, width| insertion_controls(address, width).bits();
        assert_eq!(controls(15, 1), 0x1011_1213_1415_1617_1819_1a1b_1c1d_1e03);
        assert_eq!(controls(3, 2), 0x1011_0203_1415_1617_1819_1a1b_1c1d_1e1f);
        assert_eq!(controls(0xffff_fff7, 4), 0x1011_1213_0001_0203_1819_1a1b_1c1d_1e1f);
        assert_eq!(controls(12, 8), 0x1011_1213_1415_1617_0001_0203_0405_0607);
    }
}
