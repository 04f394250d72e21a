//! Arithmetic on four words at once. If a result is not `None`, the scalar function must compute the same words and set
//! no flag.

use super::operands;
use proptest::prelude::*;
use spu::float::four::{self, Words};
use spu::float::{SingleFlags, single};

/// The words, computed one by one; `None` if any word sets a flag.
fn one_by_one(f: impl Fn(usize, &mut SingleFlags) -> u32) -> Option<Words> {
    let mut flags = SingleFlags::NONE;
    let words = std::array::from_fn(|k| f(k, &mut flags));
    (flags == SingleFlags::NONE).then_some(words)
}

/// Four words: either any numbers, or only numbers of moderate magnitude.
fn words() -> impl Strategy<Value = Words> {
    let moderate = prop_oneof![4 => 0x3800_0000u32..0x4800_0000, 2 => 0xb800_0000u32..0xc800_0000, 1 => Just(0)];
    prop_oneof![1 => prop::array::uniform4(operands::single()), 2 => prop::array::uniform4(moderate)]
}

/// The negated words of `a`, changed only in the last digits.
fn opposite(a: Words, changes: [u8; 4]) -> Words {
    std::array::from_fn(|k| (a[k] ^ 1 << 31).wrapping_add(u32::from(changes[k]) >> 5))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn sums(a in words(), b in words(), changes: [u8; 4], close: bool) {
        let b = if close { opposite(a, changes) } else { b };
        let expected = one_by_one(|k, flags| single::add(a[k], b[k], flags));
        prop_assert_eq!(four::add_any(a, b), expected);
        prop_assert!(four::add(a, b).is_none_or(|words| Some(words) == expected));
    }

    #[test]
    fn products(a in words(), b in words()) {
        prop_assert_eq!(four::multiply(a, b), one_by_one(|k, flags| single::multiply(a[k], b[k], flags)));
    }

    #[test]
    fn products_and_sums(a in words(), b in words(), c in words(), changes: [u8; 4], close: bool) {
        let product = std::array::from_fn(|k| single::multiply(a[k], b[k], &mut { SingleFlags::NONE }));
        let c = if close { opposite(product, changes) } else { c };
        let expected = one_by_one(|k, flags| single::multiply_add(a[k], b[k], c[k], flags));
        prop_assert_eq!(four::multiply_add_any(a, b, c), expected);
        prop_assert!(four::multiply_add(a, b, c).is_none_or(|words| Some(words) == expected));
    }
}

#[test]
fn sums_of_many_digits_take_the_short_way() {
    let (a, b) = ([0x3f80_0001; 4], [0x3a55_5555; 4]);
    assert!(four::add(a, b).is_some() && four::multiply_add(a, b, a).is_some());
}
