//! Conversion of singles between storage and registers, for `lfs`, `stfs` and related instructions. These instructions
//! neither round nor raise exceptions.

use spu::float::round::{DOUBLE, SINGLE};

/// The number of fraction bits in a double minus the number in a single.
const FRACTION_SHIFT: u32 = DOUBLE.fraction_bits - SINGLE.fraction_bits;
/// The difference between the exponent biases of double and single, shifted to the position of a double's exponent.
const REBIAS: u64 = ((DOUBLE.bias() - SINGLE.bias()) as u64) << DOUBLE.fraction_bits;
/// The exponent of the smallest normalised single, in the encoding of a double.
const LEAST_NORMAL_EXPONENT: u32 = (DOUBLE.bias() - SINGLE.bias() + 1) as u32;
const LEAST_NORMAL: u32 = 1 << SINGLE.fraction_bits;
const INFINITY: u32 = SINGLE.infinity() as u32;
const SIGN: u32 = 1 << 31;

/// Converts a single from storage to the register's value. A NaN keeps its payload, and a signalling NaN stays
/// signalling.
#[inline]
pub fn widen(single: u32) -> u64 {
    let sign = u64::from(single & SIGN) << 32;
    let magnitude = single & !SIGN;
    let shifted = u64::from(magnitude) << FRACTION_SHIFT;
    match magnitude {
        0 => sign,
        LEAST_NORMAL..INFINITY => sign | (shifted + REBIAS),
        INFINITY.. => sign | DOUBLE.infinity() | shifted,
        _ => sign | f64::from(f32::from_bits(magnitude)).to_bits(),
    }
}

/// Converts a register's value to the single that a store writes.
///
/// MODEL: if no single represents the number, the store copies bits 0, 1 and 5 to 34 of the register. A number below
/// the smallest single is stored as zero. The architecture leaves both cases undefined. Consoles print the same for
/// integers that `fctid` returns (ps3autotests, ppu_float_conversion).
#[inline]
pub fn narrow(register: u64) -> u32 {
    let exponent = (register >> DOUBLE.fraction_bits) as u32 & 0x7ff;
    let sign = (register >> 32) as u32 & SIGN;
    if exponent >= LEAST_NORMAL_EXPONENT || register << 1 == 0 {
        return sign | ((register >> 32) as u32 & (1 << 30)) | ((register >> FRACTION_SHIFT) as u32 & 0x3fff_ffff);
    }
    let fraction = register & ((1 << DOUBLE.fraction_bits) - 1) | 1 << DOUBLE.fraction_bits;
    let places = FRACTION_SHIFT + LEAST_NORMAL_EXPONENT - exponent;
    sign | fraction.checked_shr(places).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singles_come_back_as_they_were() {
        let edges = [0, 1, 2, LEAST_NORMAL - 1, LEAST_NORMAL, INFINITY - 1, INFINITY, INFINITY + 1, 0x7fc0_0000];
        let some = (0..200_000u32).map(|k| k.wrapping_mul(0x9e37_79b1));
        for single in edges.into_iter().chain(some) {
            for single in [single, single | SIGN] {
                assert_eq!(narrow(widen(single)), single, "{single:08x}");
                let value = f32::from_bits(single);
                assert!(value.is_nan() || f64::from_bits(widen(single)) == f64::from(value), "{single:08x}");
            }
        }
    }

    #[test]
    fn nans_keep_sign_payload_and_quietness() {
        assert_eq!(widen(0xff80_0001), 0xfff0_0000_2000_0000);
        assert_eq!(widen(0x7fc0_0001), 0x7ff8_0000_2000_0000);
    }
}
