//! Floating-point and VMX results that are excluded from the comparison with qemu, each with the reason.

use super::block::Block;
use ppu::float::Fpscr;
use ppu::float::status::{FI, FR, FX, NI, OX, UX, VXIMZ, VXSNAN, XX};
use ppu::vector::{NJ, SAT};
use spu::Quadword;

/// The five bits of a result's class in the FPSCR.
const CLASS: u32 = 0x1f << 12;
/// The first of a class's five bits, which is set for quiet NaNs and denormalised numbers.
const DENORMALISED: u32 = 1 << 16;
/// The bits of condition field 1 that are copies of FX and OX.
const COPY_OF_FX: u32 = 1 << 27;
const COPY_OF_OX: u32 = 1 << 24;

/// Clears parts of a result that are undefined in the architecture, or in which qemu differs from the architecture.
pub fn defined(mnemonic: &str, before: &Block, after: &mut Block) {
    let root = mnemonic.trim_end_matches('.');
    let rt = (after.word >> 21 & 31) as usize;
    if is_otherwise_in_qemu(root, before) {
        after.cpu.fpr[rt] = 0;
        after.cpu.fpscr = Fpscr::default();
        after.cpu.cr &= !0x0f00_0000;
    }
    if mnemonic.starts_with('f') || mnemonic.starts_with("mtfsb") {
        let target = after.cpu.fpr[rt];
        status(root, target, after);
        after.cpu.cr &= match mnemonic {
            "fres." => !(COPY_OF_FX | COPY_OF_OX),
            _ if mnemonic.ends_with('.') => !COPY_OF_FX,
            _ => !0,
        };
    }
    if mnemonic.starts_with('f') || root == "mffs" {
        register(root, &mut after.cpu.fpr[rt]);
    }
    if mnemonic.starts_with('v') {
        vector(root, before, after, rt);
    }
    // Other bits of the VSCR are not implemented, but qemu stores them.
    after.cpu.vscr &= NJ | SAT;
}

/// Whether qemu's result differs from the result that the architecture requires.
fn is_otherwise_in_qemu(root: &str, before: &Block) -> bool {
    let b = before.cpu.fpr[(before.word >> 11 & 31) as usize];
    match root {
        // qemu negates before it rounds, which changes the result in directed rounding modes.
        "fnmadd" | "fnmsub" | "fnmadds" | "fnmsubs" => before.cpu.fpscr.read() & 2 != 0,
        // qemu returns 0.5 as the reciprocal of zero.
        "fres" => b << 1 == 0,
        _ => false,
    }
}

/// Clears the FPSCR bits that are undefined or wrong in qemu after an instruction with this result.
fn status(root: &str, target: u64, after: &mut Block) {
    let fpscr = after.cpu.fpscr.read();
    // qemu never computes FR. qemu sets FX even for exceptions that were already set, but not for exceptions that
    // mtfsb1 sets.
    let mut ignored = FR | FX;
    ignored |= match root {
        // The class of an integer result is undefined.
        "fctiw" | "fctiwz" | "fctid" | "fctidz" => CLASS,
        // The architecture does not define whether an estimate is exact. In the simulator, estimates never raise the
        // inexact exception.
        "frsqrte" => FI | XX,
        // An estimate may be in the range of numbers if the exact result is not.
        "fres" => FI | XX | OX | UX | CLASS,
        // A comparison affects neither FI nor a NaN's class, but qemu clears FI and may set the class.
        "fcmpu" | "fcmpo" => FI | DENORMALISED,
        // qemu does not implement NI.
        "mtfsb1" => NI,
        _ => 0,
    };
    let is_single = root.ends_with('s') && root != "fabs" && root != "fnabs" || root == "frsp";
    if is_single && f64::from_bits(target).abs() < f64::from(f32::MIN_POSITIVE) {
        // qemu classifies a denormalised single as normal, because the same value is normal as a double.
        ignored |= CLASS;
    }
    // qemu does not raise the exception for a signalling NaN that is added to infinity times zero.
    ignored |= if fpscr & VXIMZ != 0 { VXSNAN } else { 0 };
    after.cpu.fpscr = Fpscr::new(fpscr & !ignored);
}

/// Clears the undefined bits in the target of floating-point arithmetic.
fn register(root: &str, target: &mut u64) {
    match root {
        // The left half of a word is undefined.
        "fctiw" | "fctiwz" | "mffs" => *target &= 0xffff_ffff,
        // qemu's estimates are exact; only their signs are compared. Other tests compare estimates with consoles'.
        "fres" | "frsqrte" if !f64::from_bits(*target).is_nan() => *target &= 1 << 63,
        // The result is undefined for operands that are not singles. If such an operand is a NaN, qemu truncates its
        // payload.
        _ if root.ends_with('s') && f64::from_bits(*target).is_nan() => *target &= !0x1fff_ffff,
        _ => {}
    }
}

/// Clears the undefined bits in the target of a VMX computation.
fn vector(root: &str, before: &Block, after: &mut Block, rt: usize) {
    let shift = before.cpu.vr[(before.word >> 11 & 31) as usize].bits();
    let target = after.cpu.vr[rt].bits();
    let round = |vector: u128, places: u32| {
        (0..4).fold(0, |rounded, k| {
            let element = (vector >> (32 * k)) as u32;
            rounded | u128::from(element.wrapping_add(1 << (places - 1)) >> places) << (32 * k)
        })
    };
    let target = match root {
        // The result is undefined unless all bytes contain the same shift count.
        "vsl" | "vsr" if shift & (7 * (u128::MAX / 255)) != (shift & 7) * (u128::MAX / 255) => 0,
        // Only the leading bits of estimates are compared.
        "vrefp" | "vrsqrtefp" => round(target, 8),
        "vlogefp" => round(target, 12),
        // qemu's power series is wrong for large negative numbers.
        "vexptefp" => 0,
        _ => target,
    };
    after.cpu.vr[rt] = Quadword::from_bits(target);
}
