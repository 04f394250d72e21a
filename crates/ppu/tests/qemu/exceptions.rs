//! Results that are excluded from the comparison with qemu, each with the reason.

use super::block::Block;
use super::floating;
use ppu::registers::XER_BITS;

/// Rows that these tests cannot execute, because their effects depend on time, on the processor's version, or on the
/// operating system.
pub fn left_out(mnemonic: &str) -> bool {
    matches!(mnemonic, "mftb" | "mftbu" | "mfpvr" | "sc")
}

/// Clears the parts of a result that the architecture leaves undefined, in 64-bit mode (`wide`) or in 32-bit mode.
pub fn defined(mnemonic: &str, wide: bool, before: &Block, after: &mut Block) {
    let rt = (after.word >> 21 & 31) as usize;
    // Other bits of the XER are not implemented, but qemu stores them.
    after.cpu.xer &= XER_BITS;
    floating::defined(mnemonic, before, after);
    let root = mnemonic.trim_end_matches('.').trim_end_matches('o');
    match root {
        // The left half of a word result is undefined, so a condition that depends on the whole register is undefined
        // too.
        "mulhw" | "mulhwu" | "divw" | "divwu" => {
            after.cpu.gpr[rt] &= 0xffff_ffff;
            if wide && mnemonic.ends_with('.') {
                after.cpu.cr &= 0x1fff_ffff;
            }
        }
        _ => {}
    }
    if matches!(root, "divw" | "divwu" | "divd" | "divdu") && quotient_is_undefined(root, before) {
        after.cpu.gpr[rt] = 0;
        if mnemonic.ends_with('.') {
            after.cpu.cr &= 0x1fff_ffff;
        }
    }
}

/// Whether the quotient is undefined: division by zero, or division of the most negative number by -1.
fn quotient_is_undefined(root: &str, before: &Block) -> bool {
    let register = |shift: u32| before.cpu.gpr[(before.word >> shift & 31) as usize];
    let (a, b) = (register(16), register(11));
    match root {
        "divw" => (a as i32).checked_div(b as i32).is_none(),
        "divwu" => b as u32 == 0,
        "divd" => (a as i64).checked_div(b as i64).is_none(),
        _ => b == 0,
    }
}
