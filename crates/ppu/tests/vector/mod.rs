//! Tests VMX instructions that qemu lacks or computes inexactly: accesses to parts of unaligned quadwords, estimates,
//! and moves of the VSCR.

use crate::common::Flat;
use ppu::float::single::widen;
use ppu::vector::float::Mode;
use ppu::vector::{NJ, SAT, estimate};
use ppu::{Code, Costs, Cpu, Exit, Stop};
use spu::Quadword;

const CODE: u32 = 0x1000;
const DATA: u32 = 0x2000;

/// Executes one instruction.
fn execute(cpu: &mut Cpu, memory: &mut Flat, word: u32) -> Exit {
    memory.put_code(CODE, &[word]);
    cpu.pc = CODE.into();
    cpu.run(memory, &mut Code::new(Costs::one_each()), 1).1
}

/// An indexed instruction on vector register 2. The base register is 0, and the address is in register 3.
fn indexed(extended: u32) -> u32 {
    31 << 26 | 2 << 21 | 3 << 11 | extended << 1
}

/// Creates storage that contains the bytes 0, 1, 2, … starting at `DATA`, and a CPU whose v2 contains the bytes 0xa0,
/// 0xa1, 0xa2, …
fn counting() -> (Flat, Cpu) {
    let mut memory = Flat::new(CODE, 0x2000);
    for (k, byte) in memory.bytes.iter_mut().skip((DATA - CODE) as usize).enumerate() {
        *byte = k as u8;
    }
    let mut cpu = Cpu::default();
    cpu.vr[2] = Quadword::from_bits(0xa0a1_a2a3_a4a5_a6a7_a8a9_aaab_acad_aeaf);
    (memory, cpu)
}

#[test]
fn parts_of_unaligned_quadwords_are_loaded() {
    let (mut memory, mut cpu) = counting();
    for ea in DATA..DATA + 32 {
        cpu.gpr[3] = ea.into();
        let load = |cpu: &mut Cpu, memory: &mut Flat, extended| {
            assert_eq!(execute(cpu, memory, indexed(extended)), Exit::Budget);
            cpu.vr[2].bytes()
        };
        let offset = (ea & 15) as usize;
        let quadword: Vec<u8> = (0..16).map(|k| (ea & !15) as u8 + k).collect();
        let mut left = [0; 16];
        left[..16 - offset].copy_from_slice(&quadword[offset..]);
        let mut right = [0; 16];
        right[16 - offset..].copy_from_slice(&quadword[..offset]);
        for (left_form, right_form) in [(519, 551), (775, 807)] {
            assert_eq!(load(&mut cpu, &mut memory, left_form), left, "{ea:#x}");
            assert_eq!(load(&mut cpu, &mut memory, right_form), right, "{ea:#x}");
        }
    }
}

#[test]
fn parts_of_unaligned_quadwords_are_stored() {
    for ea in DATA..DATA + 32 {
        let offset = (ea & 15) as usize;
        let at = (ea - CODE) as usize;
        for (left_form, right_form) in [(647, 679), (903, 935)] {
            let (mut memory, mut cpu) = counting();
            let register = cpu.vr[2].bytes();
            let mut expected = memory.bytes.clone();
            expected[at..at + 16 - offset].copy_from_slice(&register[..16 - offset]);
            cpu.gpr[3] = ea.into();
            execute(&mut cpu, &mut memory, indexed(left_form));
            assert_eq!(memory.bytes[4..], expected[4..], "{ea:#x}");
            expected[at - offset..at].copy_from_slice(&register[16 - offset..]);
            execute(&mut cpu, &mut memory, indexed(right_form));
            assert_eq!(memory.bytes[4..], expected[4..], "{ea:#x}");
        }
    }
}

#[test]
fn no_byte_is_stored_to_the_right_of_nothing() {
    let (mut memory, mut cpu) = counting();
    // The address is aligned, so stvrx stores nothing, and the missing page causes no fault.
    cpu.gpr[3] = 0x8000_0000;
    assert_eq!(execute(&mut cpu, &mut memory, indexed(679)), Exit::Budget);
    let fault = Exit::Stop(Stop::Fault { ea: 0x8000_0000, store: true });
    assert_eq!(execute(&mut cpu, &mut memory, indexed(647)), fault);
}

#[test]
fn saturation_is_sticky_until_it_is_cleared() {
    let (mut memory, mut cpu) = counting();
    // vaddubs 4,2,2; vadduwm 4,2,2; mfvscr 5; mtvscr 6
    let (saturating, modulo, from, to) = (0x1082_1200, 0x1082_1080, 0x10a0_0604, 0x1000_3644);
    execute(&mut cpu, &mut memory, saturating);
    assert_eq!((cpu.vscr, cpu.vr[4].bits()), (SAT, u128::MAX));
    execute(&mut cpu, &mut memory, modulo);
    execute(&mut cpu, &mut memory, from);
    assert_eq!(cpu.vr[5].bits(), SAT.into());
    cpu.vr[6] = Quadword::from_bits(u128::MAX - u128::from(SAT));
    execute(&mut cpu, &mut memory, to);
    assert_eq!(cpu.vscr, NJ);
}

/// Single-precision numbers with every exponent and some fractions.
fn numbers() -> impl Iterator<Item = f32> {
    let fractions = (0..64).map(|k| (k * 0x2_0000 + k) & 0x7f_ffff).chain([1, 0x7f_ffff]);
    let all = fractions.flat_map(|fraction| (0..255u32).map(move |exponent| f32::from_bits(exponent << 23 | fraction)));
    all.flat_map(|x| [x, -x])
}

fn one(f: fn(Quadword, Mode) -> Quadword, x: f32, mode: Mode) -> f32 {
    f32::from_bits(f(Quadword::splat(x.to_bits()), mode).words()[2])
}

/// Whether the relative error of an estimate is at most 1 / `parts`, or both numbers are denormalised or overflow.
fn is_near(estimate: f32, exact: f64, parts: f64) -> bool {
    let least = f64::from(f32::MIN_POSITIVE);
    f64::from(estimate) == exact
        || (f64::from(estimate) - exact).abs() <= exact.abs() / parts
        || (exact.abs() < least && f64::from(estimate).abs() <= least)
        || (exact.abs() > f64::from(f32::MAX) && estimate.is_infinite())
}

#[test]
fn estimates_are_as_good_as_the_architecture_wants() {
    for x in numbers() {
        let wide = f64::from(x);
        assert!(is_near(one(estimate::vrefp, x, Mode::Java), 1.0 / wide, 4096.0), "1 / {x:e}");
        let power = one(estimate::vexptefp, x, Mode::Java);
        assert!(is_near(power, wide.exp2(), 16.0), "2 ^ {x:e} is not {power:e}");
        if x < 0.0 {
            assert!(one(estimate::vlogefp, x, Mode::Java).is_nan() && one(estimate::vrsqrtefp, x, Mode::Java).is_nan());
            continue;
        }
        assert!(is_near(one(estimate::vrsqrtefp, x, Mode::Java), 1.0 / wide.sqrt(), 4096.0), "1 / sqrt({x:e})");
        let logarithm = one(estimate::vlogefp, x, Mode::Java);
        assert!((f64::from(logarithm) - wide.log2()).abs() <= 1.0 / 32.0 || x == 0.0, "log {x:e} is not {logarithm:e}");
    }
}

#[test]
fn powers_and_logarithms_that_are_whole_are_exact() {
    for exponent in -126..128 {
        let power = f32::from_bits(((127 + exponent) as u32) << 23);
        assert_eq!(one(estimate::vexptefp, exponent as f32, Mode::NonJava), power);
        assert_eq!(one(estimate::vlogefp, power, Mode::NonJava), exponent as f32);
    }
    assert_eq!(one(estimate::vexptefp, -150.5, Mode::Java), 0.0);
    assert_eq!(one(estimate::vexptefp, f32::NEG_INFINITY, Mode::Java), 0.0);
    assert_eq!(one(estimate::vlogefp, -0.0, Mode::Java), f32::NEG_INFINITY);
}

#[test]
fn denormalised_numbers_are_zeros_in_the_non_java_mode() {
    let denormal = f32::from_bits(0x8012_3456);
    for (f, zero) in
        [(estimate::vrefp as fn(Quadword, Mode) -> Quadword, f32::NEG_INFINITY), (estimate::vlogefp, f32::NEG_INFINITY)]
    {
        assert_eq!(one(f, denormal, Mode::NonJava), zero);
    }
    // The number 1 / 2^127 is denormalised.
    let great = f32::from_bits(254 << 23);
    assert_eq!(one(estimate::vrefp, great, Mode::NonJava), 0.0);
    assert!(one(estimate::vrefp, great, Mode::Java) > 0.0);
    assert_eq!(widen(one(estimate::vrefp, -great, Mode::NonJava).to_bits()), 1 << 63);
}
