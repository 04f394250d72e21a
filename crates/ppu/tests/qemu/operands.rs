//! Random operands for the letters of the instruction table.

use super::elf::TAKEN;
use super::random::Random;
use super::words::BRANCH;
use ppu::table::Row;

/// An instruction word, and the operands that form its address.
pub struct Fields {
    pub word: u32,
    pub ra: usize,
    pub rb: usize,
    pub displacement: i64,
}

/// Whether the instruction loads, stores, or acts on a cache line.
pub fn uses_storage(row: &Row) -> bool {
    row.operands.contains('z') || row.operands.contains("(a)") || row.mnemonic.ends_with("ux")
}

/// Whether RB is part of the address.
pub fn is_indexed(row: &Row) -> bool {
    row.operands.contains('b')
}

/// Whether RA receives the address.
fn updates(row: &Row) -> bool {
    uses_storage(row) && row.operands.contains('a')
}

/// An instruction word of `row` with random operands.
pub fn fields(row: &Row, random: &mut Random) -> Fields {
    loop {
        let mut word = row.encoding.bits;
        for letter in row.operands.bytes() {
            word |= operand(letter, random) & !row.encoding.mask;
        }
        if is_valid(row, word) {
            let register = |shift: u32| (word >> shift & 31) as usize;
            let displacement = match row.operands {
                o if o.contains('d') => i64::from(word as i16),
                o if o.contains('e') => i64::from((word & !3) as i16),
                _ => 0,
            };
            return Fields { word, ra: register(16), rb: register(11), displacement };
        }
    }
}

/// The bits of a random operand.
fn operand(letter: u8, random: &mut Random) -> u32 {
    let bits = random.bits() as u32;
    let field = |last: u32, width: u32| (bits & ((1 << width) - 1)) << (31 - last);
    match letter {
        b't' | b's' | b'T' | b'S' | b'V' | b'x' | b'o' | b'O' => field(10, 5),
        b'a' | b'z' | b'A' | b'X' | b'y' | b'c' | b'j' | b'J' => field(15, 5),
        b'b' | b'B' | b'Y' | b'w' | b'h' | b'N' => field(20, 5),
        b'C' | b'Z' | b'm' => field(25, 5),
        b'n' => field(30, 5),
        b'd' | b'i' | b'u' | b'g' => field(31, 16),
        b'e' => field(29, 14),
        b'H' => field(20, 5) | bits >> 8 & 2,
        b'M' => field(26, 6),
        b'f' => field(8, 3),
        b'k' => field(13, 3),
        b'F' => field(19, 8),
        b'p' => field(20, 10),
        b'W' => field(14, 8),
        b'U' => field(19, 4),
        b'Q' => field(25, 4),
        b'q' => field(10, 2),
        b'l' | b'r' => BRANCH,
        b'L' | b'R' => TAKEN,
        _ => 0,
    }
}

/// Whether the architecture permits these operands (it forbids some combinations of registers), and whether a block can
/// contain their address.
fn is_valid(row: &Row, word: u32) -> bool {
    let field = |last: u32| word >> (31 - last) & 31;
    let (rt, ra, rb) = (field(10), field(15), field(20));
    // Whether a string load of `words` words overwrites a given register.
    let fills = |words: u32| move |register: u32| register.wrapping_sub(rt) & 31 < words;
    let without_base = uses_storage(row) && !is_indexed(row) && ra == 0;
    match row.mnemonic {
        _ if without_base => false,
        "lmw" => ra < rt,
        "lswi" => !fills(if rb == 0 { 8 } else { rb.div_ceil(4) })(ra),
        "lswx" => !fills(LSWX_WORDS)(ra) && !fills(LSWX_WORDS)(rb),
        "mfocrf" | "mtocrf" => (word >> 12 & 0xff).is_power_of_two(),
        "dst" | "dstt" | "dstst" | "dststt" => ra != 0,
        // The instruction must not also decrement the count register.
        "bcctr" | "bcctrl" => rt & 4 != 0,
        _ if updates(row) => ra != 0 && (ra != rt || !row.operands.starts_with('t')),
        _ => true,
    }
}

/// Maximum number of registers that `lswx` writes in these tests.
pub const LSWX_WORDS: u32 = 4;
