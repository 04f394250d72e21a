//! The storage that an instruction is about to access, known before its execution. Debuggers need it for watchpoints.

use crate::class::Class;
use crate::instruction::Instruction;
use crate::registers::Cpu;
use crate::table::ROWS;

/// A load or a store of consecutive bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accessed {
    /// The effective address of the first byte.
    pub ea: u64,
    /// The number of bytes, which is at least 1.
    pub bytes: u32,
    /// Whether the bytes are stored. Otherwise, they are loaded.
    pub store: bool,
}

const LINE_BYTES: u64 = 128;
/// The bits of the XER that hold the number of bytes for `lswx` and `stswx`.
const XER_BYTES: u32 = 0x7f;

/// The storage that an instruction accesses with these registers, in 64-bit mode (`wide`) or in 32-bit mode. `None` if
/// the instruction accesses no storage. A hint is no access.
pub fn accessed(i: &Instruction, cpu: &Cpu, wide: bool) -> Option<Accessed> {
    let row = ROWS.get(usize::from(i.row))?;
    let is_single = row.class.accesses() || matches!(row.class, Class::Algebraic | Class::Multiple);
    let is_reserved = matches!(row.mnemonic, "lwarx" | "ldarx" | "stwcx." | "stdcx.");
    if !is_single && !is_reserved && row.mnemonic != "dcbz" {
        return None;
    }
    let base = if row.operands.contains('z') { cpu.base(i.ra) } else { cpu.doubleword(i.ra) };
    let offset = match row.operands.chars().last() {
        Some(')') => i.displacement(),
        Some('b') => cpu.doubleword(i.rb),
        _ => 0,
    };
    let ea = base.wrapping_add(offset);
    let ea = if wide { ea } else { u64::from(ea as u32) };
    let store = row.mnemonic.starts_with("st") || row.mnemonic == "dcbz";
    let (ea, bytes) = span(row.mnemonic, i, cpu, ea);
    (bytes > 0).then_some(Accessed { ea, bytes, store })
}

/// The first address and the number of bytes of an access at `ea`.
fn span(mnemonic: &str, i: &Instruction, cpu: &Cpu, ea: u64) -> (u64, u32) {
    let in_quadword = ea as u32 & 15;
    match mnemonic {
        "lmw" | "stmw" => (ea, 4 * (32 - u32::from(i.rt & 31))),
        "lswi" | "stswi" => (ea, if i.rb == 0 { 32 } else { i.rb.into() }),
        "lswx" | "stswx" => (ea, cpu.xer & XER_BYTES),
        "dcbz" => (ea & !(LINE_BYTES - 1), LINE_BYTES as u32),
        "lvebx" | "stvebx" => (ea, 1),
        "lvehx" | "stvehx" => (ea & !1, 2),
        "lvewx" | "stvewx" => (ea & !3, 4),
        "lvx" | "lvxl" | "stvx" | "stvxl" => (ea & !15, 16),
        "lvlx" | "lvlxl" | "stvlx" | "stvlxl" => (ea, 16 - in_quadword),
        "lvrx" | "lvrxl" | "stvrx" | "stvrxl" => (ea & !15, in_quadword),
        _ => (ea, element_bytes(mnemonic)),
    }
}

/// The size of the one element that an instruction loads or stores, by the letters after `l` or `st`.
fn element_bytes(mnemonic: &str) -> u32 {
    let element = mnemonic.strip_prefix("st").or_else(|| mnemonic.strip_prefix('l')).unwrap_or_default();
    match element.as_bytes() {
        [b'b', ..] => 1,
        [b'h', ..] => 2,
        [b'w', ..] | [b'f', b's' | b'i', ..] => 4,
        [b'd', ..] | [b'f', b'd', ..] => 8,
        _ => 0,
    }
}
