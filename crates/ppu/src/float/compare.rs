//! Floating-point comparisons, and selection by a comparison with zero.

use super::number::{SIGN, is_nan};

/// Compares two numbers. Returns the bits for a field of the condition register and for the FPSCR. Exactly one of four
/// bits is set: less, greater, equal or unordered.
#[inline]
pub fn compare(a: u64, b: u64) -> u32 {
    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
    match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Less) => 0b1000,
        Some(std::cmp::Ordering::Greater) => 0b0100,
        Some(std::cmp::Ordering::Equal) => 0b0010,
        None => 0b0001,
    }
}

/// `fsel`: Returns C if A is greater than zero, or if A is a zero of either sign. Returns B if A is less than zero, or
/// if A is a NaN.
#[inline]
pub fn select(a: u64, b: u64, c: u64) -> u64 {
    if !is_nan(a) && (a & SIGN == 0 || a << 1 == 0) { c } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_of_either_sign_selects_c() {
        let [a, b] = [1.0f64, 2.0].map(f64::to_bits);
        assert_eq!(select(0, b, a), a);
        assert_eq!(select(SIGN, b, a), a);
        assert_eq!(select((-1e-320f64).to_bits(), b, a), b);
        assert_eq!(select(f64::NAN.to_bits(), b, a), b);
    }
}
