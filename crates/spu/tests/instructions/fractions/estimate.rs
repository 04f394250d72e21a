//! Estimates. The tests of `fi` compare every bit of the result. The tests of `frest` and `frsqest` check only the
//! accuracy of an estimate after interpolation, because the architecture does not specify the tables.

use num_traits::Signed;
use proptest::prelude::*;
use spu::{Opcode, Quadword};

use super::exact::{integer, two_to};
use super::run;
use super::single::{pack, value};

fn one(opcode: Opcode, a: u32, b: u32) -> u32 {
    run(opcode, 0, [a, b, 0].map(Quadword::splat), Quadword::default()).0.words()[2]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn interpolation_is_base_less_step_times_the_rest_of_the_fraction(a in any::<u32>(), b in any::<u32>()) {
        // The exponent of this estimate is such that the result is always in range.
        let b = b & 0x7fff_ffff | 0x0080_0000 | b & 0x8000_0000;
        let (base, step) = (b >> 10 & 0x1fff, b & 0x3ff);
        let rest = integer(a & 0x7_ffff) * two_to(-19);
        let fraction = integer(1) + integer(base) * two_to(-13) - integer(step) * two_to(-13) * rest;
        let size = fraction * two_to((b >> 23 & 0xff) as i32 - 127);
        let expected = pack(&if b >> 31 == 0 { size } else { -size }).0;
        prop_assert_eq!(one(Opcode::Fi, a, b), expected, "fi {:08x} {:08x}", a, b);
    }

    #[test]
    fn reciprocals_are_good_to_eleven_bits(sign in any::<bool>(), exponent in 2..=250u32, fraction in 0..1u32 << 23) {
        let a = u32::from(sign) << 31 | exponent << 23 | fraction;
        let reciprocal = value(one(Opcode::Fi, a, one(Opcode::Frest, a, 0)));
        prop_assert!((reciprocal * value(a) - integer(1)).abs() < two_to(-11), "{:08x}", a);
        let root = value(one(Opcode::Fi, a, one(Opcode::Frsqest, a, 0)));
        prop_assert!(root.is_positive());
        prop_assert!((&root * &root * value(a).abs() - integer(1)).abs() < two_to(-10), "{:08x}", a);
    }
}

#[test]
fn the_reciprocal_of_zero_is_the_greatest_number_and_divides_by_zero() {
    for zero in [0, 1, 0x007f_ffff] {
        let words = Quadword::from_words([0x3f80_0000, 0x3f80_0000, zero, 0x3f80_0000]);
        for opcode in [Opcode::Frest, Opcode::Frsqest] {
            let (result, status) = run(opcode, 0, [words; 3], Quadword::default());
            assert_eq!(status.words()[3] >> 8 & 15, 0b0010, "{opcode:?} {zero:08x}");
            assert!(result.words()[2] > 0x7f80_0000, "{:08x}", result.words()[2]);
        }
    }
}
