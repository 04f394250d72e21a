//! Does floating-point arithmetic compute every bit and flag correctly, in all modes, with exceptions enabled or not?
//!
//! The reference implementation (`oracle`) computes with fractions, rounds by definition, and follows the text of Book
//! I, 4.4 and 4.6. Operands that are NaNs, infinities or zeros are tested against qemu (`tests/qemu/`), which supports
//! neither FR nor enabled exceptions.

mod oracle;

use oracle::{Expected, Number, expected};
use ppu::float::{Fpscr, Operation, Precision};
use proptest::prelude::*;

/// Number of test cases for each operation and seed.
const CASES: usize = 10;

/// A simple random number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// A finite number other than zero: near one, near the ends of the range, or denormalised. The fraction has few or
    /// many significant bits.
    fn double(&mut self) -> u64 {
        let fraction = match self.below(6) {
            0 => 0,
            1 => self.below(4),
            2 => (1 << 52) - 1 - self.below(4),
            3 => self.bits() >> 12 & !((1 << 29) - 1),
            4 => 1 << 51 | self.below(2),
            _ => self.bits() >> 12,
        };
        let exponent = match self.below(8) {
            0 => self.below(60),
            1 => 2046 - self.below(60),
            2 => self.below(2047),
            3 => 1023 - 127 + self.below(30),
            4 => 1023 + 127 - self.below(30),
            _ => 1023 - 30 + self.below(60),
        };
        self.bits() & 1 << 63 | (exponent << 52 | fraction).max(1)
    }

    /// A random single, as register bits.
    fn single(&mut self) -> u64 {
        let fraction = match self.below(4) {
            0 => 0,
            1 => self.below(4),
            2 => (1 << 23) - 1 - self.below(4),
            _ => self.bits() >> 41,
        };
        let exponent = match self.below(4) {
            0 => self.below(30),
            1 => 254 - self.below(30),
            _ => 127 - 15 + self.below(30),
        };
        let single = (self.bits() as u32 & 1 << 31) | (exponent << 23 | fraction).max(1) as u32;
        f64::from(f32::from_bits(single)).to_bits()
    }
}

fn operations(precision: Precision) -> [Operation; 9] {
    [
        Operation::Add(precision),
        Operation::Subtract(precision),
        Operation::Multiply(precision),
        Operation::Divide(precision),
        Operation::SquareRoot(precision),
        Operation::MultiplyAdd(precision),
        Operation::MultiplySubtract(precision),
        Operation::NegativeMultiplyAdd(precision),
        Operation::NegativeMultiplySubtract(precision),
    ]
}

/// Compares the result and the FPSCR of an operation with those of the oracle, once with and once without the host's
/// arithmetic.
fn agree(operation: Operation, operands: [u64; 3], control: u32) {
    let Expected { result, fpscr } = expected(operation, operands, control);
    for is_plain in [false, true] {
        let mut ours = Fpscr::new(control);
        let computed = match is_plain {
            false => ours.compute(operation, operands),
            true => ours.compute_exactly(operation, operands),
        };
        let what = format!("{operation:?} {operands:016x?} with FPSCR {control:08x}, without the host: {is_plain}");
        assert_eq!(computed, Some(result), "{what}: {:016x?} is not {result:016x}", computed);
        assert_eq!(ours.read(), fpscr, "{what}: {:08x} is not {fpscr:08x}", ours.read());
    }
}

/// FPSCR bits: a rounding mode, possibly an exception that is already set, and possibly enabled exceptions.
fn control(random: &mut Random) -> u32 {
    let mode = random.below(4) as u32;
    let set = if random.below(2) == 0 { 0 } else { 0x8200_0000 };
    let enabled = if random.below(2) == 0 { 0 } else { random.bits() as u32 & 0x78 };
    mode | set | enabled
}

/// Seeds of the generator. Shrinking a seed would be pointless.
fn seeds() -> impl Strategy<Value = u64> {
    any::<u64>().no_shrink()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arithmetic(seed in seeds()) {
        let mut random = Random(seed);
        for precision in [Precision::Double, Precision::Single] {
            for operation in operations(precision) {
                for _ in 0..CASES {
                    let mut number = || match precision {
                        Precision::Double => random.double(),
                        Precision::Single => random.single(),
                    };
                    let (a, mut b, c) = (number(), number(), number());
                    if matches!(operation, Operation::SquareRoot(_)) {
                        b &= !(1 << 63);
                    }
                    agree(operation, [a, b, c], control(&mut random));
                }
            }
        }
    }

    #[test]
    fn sums_that_nearly_vanish(seed in seeds()) {
        let mut random = Random(seed);
        for operation in operations(Precision::Double) {
            if matches!(operation, Operation::SquareRoot(_)) {
                continue;
            }
            for _ in 0..CASES {
                let (a, c) = (random.double(), random.double());
                let product = (f64::from_bits(a) * f64::from_bits(c)).to_bits();
                let near = if random.below(2) == 0 { product } else { a };
                let near = near.wrapping_add(random.below(5)).wrapping_sub(2) ^ random.below(2) << 63;
                let usable = Number::of(near).is_some_and(|number| !number.is_zero());
                agree(operation, [a, if usable { near } else { a }, c], control(&mut random));
            }
        }
    }

    #[test]
    fn conversions(seed in seeds()) {
        let mut random = Random(seed);
        for _ in 0..CASES {
            let b = random.double();
            agree(Operation::RoundToSingle, [0, b, 0], control(&mut random));
            let bits = random.bits();
            let integer = (bits as i64 >> random.below(64)) as u64;
            if integer != 0 {
                agree(Operation::FromDoubleword, [0, integer, 0], control(&mut random));
            }
        }
    }
}
