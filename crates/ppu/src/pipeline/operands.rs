//! The registers that an instruction reads and writes, derived from the operand letters of its row.

use crate::class::Class;
use crate::instruction::Instruction;
use crate::table::{ROWS, Row};

/// A set of registers and units that instructions wait for, with one bit for each.
pub type Set = u128;

/// The bit number of general register 0.
pub const GPR: u32 = 0;
/// The bit number of floating-point register 0.
pub const FPR: u32 = 32;
/// The bit number of vector register 0.
pub const VR: u32 = 64;
/// The bit number of condition field 0.
pub const CR: u32 = 96;
/// The bit number of the link register.
pub const LR: u32 = 104;
/// The bit number of the count register.
pub const CTR: u32 = 105;
/// The bit number of the fixed-point exception register.
pub const XER: u32 = 106;
/// The bit number of VRSAVE.
pub const VRSAVE: u32 = 107;
/// The bit number of the floating-point unit.
pub const FPU: u32 = 108;
/// The bit number of the load and store unit.
pub const LSU: u32 = 109;
/// The number of bits that a set uses.
pub const BITS: usize = 110;

/// All registers.
pub const REGISTERS: Set = (1 << FPU) - 1;
/// All general registers.
pub const GENERAL: Set = (1 << FPR) - 1;
/// All condition fields.
const FIELDS: Set = 0xff << CR;

/// The registers that an instruction reads and writes.
///
/// The sets omit the summary overflow bit, although comparisons and recording instructions copy it. The sets also omit
/// the FPSCR and the VSCR, because instructions that move these registers wait for all earlier results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Operands {
    /// Registers that are read.
    pub sources: Set,
    /// Source registers that are needed early: the registers of an address, and the target of a branch.
    pub early: Set,
    /// Registers that receive the result.
    pub targets: Set,
    /// The general register that receives the address in an update form.
    pub update: Set,
}

/// The set that contains register `number`, where `first` is the bit number of register 0.
fn bit(first: u32, number: u8) -> Set {
    1 << (first + u32::from(number & 31))
}

/// The set that contains the condition field of a condition bit.
fn field(condition_bit: u8) -> Set {
    1 << (CR + u32::from(condition_bit >> 2 & 7))
}

/// The set of condition fields selected by a mask, which has four bits per field.
fn fields(mask: u32) -> Set {
    let holds = |n: &u32| mask >> (28 - 4 * n) & 1 != 0;
    (0..8).filter(holds).map(|n| 1 << (CR + n)).sum()
}

/// The set of `count` consecutive general registers, starting with `first`. Register 0 follows register 31.
fn registers(first: u8, count: u8) -> Set {
    (0..count).map(|n| bit(GPR, first.wrapping_add(n))).fold(0, |set, register| set | register)
}

/// The number of registers that a load or store multiple or string instruction moves, or an estimate if the XER
/// determines the number.
pub fn moved(i: &Instruction) -> u8 {
    match ROWS[usize::from(i.row)].mnemonic {
        "lmw" | "stmw" => 32 - i.rt,
        "lswi" | "stswi" if i.rb == 0 => 8,
        "lswi" | "stswi" => i.rb.div_ceil(4),
        "lswx" | "stswx" => 4,
        _ => 0,
    }
}

/// Whether instructions of a class access storage at an address in general registers.
fn is_access(class: Class) -> bool {
    use Class::{Algebraic, FloatLoad, FloatStore, Load, Multiple, Store, Sync, VectorLoad, VectorStore};
    matches!(
        class,
        Algebraic | FloatLoad | FloatStore | Load | Multiple | Store | Sync | VectorLoad | VectorStore | Class::Cache
    )
}

/// The registers that an instruction reads and writes.
pub fn operands(i: &Instruction) -> Operands {
    let row = &ROWS[usize::from(i.row)];
    let mut set = Operands::default();
    row.operands.bytes().enumerate().for_each(|(at, letter)| by_letter(&mut set, i, row, letter, at == 0));
    by_name(&mut set, i, row);
    set.sources |= set.early;
    set
}

/// Adds the operand that a letter denotes.
fn by_letter(set: &mut Operands, i: &Instruction, row: &Row, letter: u8, first: bool) {
    let access = is_access(row.class);
    let inserts = row.mnemonic.starts_with("rlwimi") || row.mnemonic.starts_with("rldimi");
    match letter {
        b't' => set.targets |= bit(GPR, i.rt),
        b's' => set.sources |= bit(GPR, i.rt),
        b'z' if i.ra == 0 => (),
        b'z' => set.early |= bit(GPR, i.ra),
        b'a' if access => {
            set.early |= bit(GPR, i.ra);
            // Forms that do not update RA use the letter z, except data stream instructions, whose class is `Cache`.
            if row.class != Class::Cache {
                set.update |= bit(GPR, i.ra);
            }
        }
        b'a' if first => {
            set.targets |= bit(GPR, i.ra);
            set.sources |= if inserts { bit(GPR, i.ra) } else { 0 };
        }
        b'a' => set.sources |= bit(GPR, i.ra),
        b'b' if access || row.operands.contains('z') => set.early |= bit(GPR, i.rb),
        b'b' => set.sources |= bit(GPR, i.rb),
        b'T' => set.targets |= bit(FPR, i.rt),
        b'S' => set.sources |= bit(FPR, i.rt),
        b'A' => set.sources |= bit(FPR, i.ra),
        b'B' => set.sources |= bit(FPR, i.rb),
        b'C' => set.sources |= bit(FPR, i.rc),
        b'V' if row.class == Class::VectorStore => set.sources |= bit(VR, i.rt),
        b'V' => set.targets |= bit(VR, i.rt),
        b'X' => set.sources |= bit(VR, i.ra),
        b'Y' => set.sources |= bit(VR, i.rb),
        b'Z' => set.sources |= bit(VR, i.rc),
        // Fields and bits of the floating-point status and control register.
        b'f' | b'x' if row.class == Class::FloatStatus && row.mnemonic != "mcrfs" => (),
        b'k' if row.class == Class::FloatStatus => (),
        b'f' => set.targets |= field(i.rt),
        b'k' | b'y' => set.sources |= field(i.ra),
        b'w' => set.sources |= field(i.rb),
        // The other bits of the field stay unchanged, so the field is also a source.
        b'x' => {
            set.targets |= field(i.rt);
            set.sources |= field(i.rt);
        }
        b'c' if i.rt & 16 == 0 => set.sources |= field(i.ra),
        b'F' if row.class == Class::ConditionRead => set.sources |= fields(i.immediate),
        b'F' => set.targets |= fields(i.immediate),
        _ => (),
    }
}

/// Adds the registers that are implied by the mnemonic.
fn by_name(set: &mut Operands, i: &Instruction, row: &Row) {
    let name = row.mnemonic;
    if name.ends_with('.') {
        set.targets |= match row.class.unit() {
            _ if row.operands.starts_with('V') => 1 << (CR + 6),
            crate::class::unit::ARITHMETIC => 1 << (CR + 1),
            _ => 1 << CR,
        };
    }
    let plain = name.trim_end_matches('.');
    let sum = plain.trim_end_matches('o');
    if matches!(sum, "adde" | "addme" | "addze" | "subfe" | "subfme" | "subfze") {
        set.sources |= 1 << XER;
        set.targets |= 1 << XER;
    }
    if matches!(sum, "addc" | "addic" | "subfc" | "subfic" | "sraw" | "srawi" | "srad" | "sradi")
        || row.operands.starts_with("t,a") && plain.ends_with('o')
    {
        set.targets |= 1 << XER;
    }
    match name {
        "mcrxr" => {
            set.sources |= 1 << XER;
            set.targets |= 1 << XER;
        }
        "mfxer" => set.sources |= 1 << XER,
        "mtxer" => set.targets |= 1 << XER,
        "mflr" => set.sources |= 1 << LR,
        "mtlr" => set.targets |= 1 << LR,
        "mfctr" => set.sources |= 1 << CTR,
        "mtctr" => set.targets |= 1 << CTR,
        "mfvrsave" => set.sources |= 1 << VRSAVE,
        "mtvrsave" => set.targets |= 1 << VRSAVE,
        "mfcr" => set.sources |= FIELDS,
        "blr" | "bclr" | "bclrl" => set.early |= 1 << LR,
        "bctr" | "bctrl" | "bcctr" | "bcctrl" => set.early |= 1 << CTR,
        "lmw" | "lswi" => set.targets |= registers(i.rt, moved(i)),
        "stmw" | "stswi" => set.sources |= registers(i.rt, moved(i)),
        // The XER determines the number of registers.
        "lswx" => (set.sources, set.targets) = (set.sources | 1 << XER, GENERAL),
        "stswx" => set.sources |= GENERAL | 1 << XER,
        _ => (),
    }
    if matches!(name, "bl" | "bla" | "bcl" | "bcla" | "bclrl" | "bctrl" | "bcctrl") {
        set.targets |= 1 << LR;
    }
    let counts = row.class == Class::Branch && !row.operands.contains(['l', 'L']) && !name.starts_with("bcctr");
    if counts && i.rt & 4 == 0 {
        set.sources |= 1 << CTR;
        set.targets |= 1 << CTR;
    }
}
