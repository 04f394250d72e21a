//! Do instructions give what PlayStation 3 consoles printed?
//!
//! The results are those of the public suites ps3autotests (https://github.com/AlexAltea/ps3autotests) and myps3tests
//! (https://github.com/elad335/myps3tests). `workshop/console_instructions.py` runs and compares the whole suites.
//! `digests.txt` contains a digest of the console's results for each instruction of several suites; the script writes
//! this file. Here are results that the architecture leaves open, or that were wrong before.

mod digests;
mod operands;
mod run;

use ppu::vector::NJ;
use run::run;
use spu::Quadword;

#[test]
fn the_left_half_of_a_high_product_of_words_is_its_sign() {
    // ppu_integer_arithmetic: mulhw r3,r4,r5
    let mulhw = |a, b| run(0x7c64_2896, |cpu| (cpu.gpr[4], cpu.gpr[5]) = (a, b)).gpr[3];
    assert_eq!(mulhw(1, u64::MAX), u64::MAX);
    assert_eq!(mulhw(2, 0x1000_0000_0000_0000), 0);
    // The whole register determines the condition: mulhw. r3,r4,r5
    let recorded = run(0x7c64_2897, |cpu| (cpu.gpr[4], cpu.gpr[5]) = (1, u64::MAX));
    assert_eq!(recorded.cr, 0x8000_0000);
}

#[test]
fn the_left_half_of_mffs() {
    // ppu_fpu: mffs f3
    assert_eq!(run(0xfc60_048e, |_| ()).fpr[3], 0xfff8_0000_0000_0000);
}

/// Pairs of an operand and its estimate, as consoles print them (ppu_fpu, ppu_float_arithmetic).
const RECIPROCALS: [(u32, u32); 11] = [
    (0x3f80_0000, 0x3f7f_0000),
    (0x3fc0_0000, 0x3f2a_0000),
    (0x3fcc_cccd, 0x3f20_0000),
    (0xbfb3_3333, 0xbf36_8000),
    (0x4000_0000, 0x3eff_0000),
    (0x4080_0000, 0x3e7f_0000),
    (0xcb18_9680, 0xb3d7_0000),
    (0xc69c_4100, 0xb851_8000),
    (0x0080_0000, 0x7e7f_0000),
    (0x7f7f_ffff, 0x0020_0000),
    (0xff80_0000, 0x8000_0000),
];
const RECIPROCAL_ROOTS: [(u64, u64); 9] = [
    (0x3ff0_0000_0000_0000, 0x3fef_1000_0000_0000),
    (0x3ff8_0000_0000_0000, 0x3fe9_8000_0000_0000),
    (0x3ff6_6666_6666_6666, 0x3fea_8000_0000_0000),
    (0x4000_0000_0000_0000, 0x3fe6_0000_0000_0000),
    (0x4010_0000_0000_0000, 0x3fdf_1000_0000_0000),
    (0x4173_12d0_0000_0000, 0x3f2d_8000_0000_0000),
    (0x40d3_8826_6666_6666, 0x3f7d_8000_0000_0000),
    (0x0010_0000_0000_0000, 0x5fdf_1000_0000_0000),
    (0x7fef_ffff_ffff_ffff, 0x1ff0_8000_0000_0000),
];

#[test]
fn estimates() {
    for (operand, estimate) in RECIPROCALS {
        // fres f3,f4
        let after = run(0xec60_2030, |cpu| cpu.fpr[4] = f64::from(f32::from_bits(operand)).to_bits());
        assert_eq!(f64::from_bits(after.fpr[3]), f64::from(f32::from_bits(estimate)), "1 / {operand:08x}");
        // Even a denormalised estimate sets no exception.
        assert_eq!(after.fpscr.read() & !(0x1f << 12), 0, "1 / {operand:08x}");
    }
    for (operand, estimate) in RECIPROCAL_ROOTS {
        // frsqrte f3,f4
        let after = run(0xfc60_2034, |cpu| cpu.fpr[4] = operand);
        assert_eq!(after.fpr[3], estimate, "1 / sqrt {operand:016x}: {:016x}", after.fpr[3]);
    }
}

#[test]
fn estimates_have_the_accuracy_of_the_architecture() {
    // Both ends of each interval of the tables, also of denormalised numbers.
    for n in 0..128u64 {
        for bits in [n << 45, (n << 45) + (1 << 45) - 1].map(|fraction| 1023 << 52 | fraction) {
            for (scale, root) in [(1.0, 1.0), (2.0, 2f64.sqrt()), (0.25, 0.5)] {
                let x = f64::from_bits(bits) * scale;
                let reciprocal = f64::from_bits(run(0xec60_2030, |cpu| cpu.fpr[4] = x.to_bits()).fpr[3]);
                assert!((reciprocal * x - 1.0).abs() <= 1.0 / 256.0, "1 / {x}: {reciprocal}");
                let estimate = f64::from_bits(run(0xfc60_2034, |cpu| cpu.fpr[4] = x.to_bits()).fpr[3]);
                let exact = f64::from_bits(bits).sqrt() * root;
                assert!((estimate * exact - 1.0).abs() <= 1.0 / 32.0, "1 / sqrt {x}: {estimate}");
            }
        }
    }
    // The smallest denormalised number is 2^-1074.
    assert_eq!(f64::from_bits(run(0xfc60_2034, |cpu| cpu.fpr[4] = 1).fpr[3]), 0.970703125 * 2f64.powi(537));
}

#[test]
fn the_first_nan_of_a_vector_multiply_add_in_the_order_a_b_c_is_the_result() {
    // myps3tests, AltiVec NaN precedence: vmaddfp v3,v4,v6,v5, whose operands are A, C and B.
    let operands = [0x7fc0_0001, 0x7fc0_0002, 0]
        .map(|word: u32| Quadword::from_bits(u128::from(word) * (u128::MAX / u128::from(u32::MAX))));
    for [a, c, b] in digests::triples(3) {
        let after = run(0x1064_29ae, |cpu| {
            (cpu.vr[4], cpu.vr[6], cpu.vr[5], cpu.vscr) = (operands[a], operands[c], operands[b], NJ);
        });
        let nan = [a, b, c].into_iter().find(|operand| *operand != 2).unwrap_or(2);
        assert_eq!(after.vr[3], operands[nan], "{a} {c} {b}");
    }
}
