//! Bit masks that stand for sets of small numbers.

/// Returns the numbers of the bits that are set in a mask, in ascending order.
#[inline(always)]
pub fn bits(mask: impl Into<u64>) -> impl Iterator<Item = u8> {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as u8);
        mask &= mask.wrapping_sub(1);
        bit
    })
}
