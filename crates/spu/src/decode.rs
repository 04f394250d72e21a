//! Decodes instruction words.
//!
//! The leftmost 11 bits of a word determine the instruction. An opcode with fewer than 11 bits corresponds to several
//! of the 2048 values of these bits.

use crate::class::Format;
use crate::instruction::Instruction;
use crate::table::{DEFINITIONS, Opcode};

static OPCODES: [Option<Opcode>; 2048] = opcodes();

/// The instruction that `word` encodes, if there is one.
pub fn decode(word: u32) -> Option<Instruction> {
    let opcode = OPCODES[(word >> 21) as usize]?;
    let format = opcode.format();
    let rrr = format == Format::Rrr;
    Some(Instruction {
        opcode,
        rt: if rrr { register(word, 21) } else { register(word, 0) },
        ra: register(word, 7),
        rb: register(word, 14),
        rc: if rrr { register(word, 0) } else { 0 },
        branch_offset_words: branch_offset_words(word, format),
        immediate: immediate(word, opcode),
    })
}

const fn opcodes() -> [Option<Opcode>; 2048] {
    let mut opcodes = [None; 2048];
    let mut row = 0;
    while row < DEFINITIONS.len() {
        let definition = &DEFINITIONS[row];
        let mut rest = 0;
        while rest < 1 << (11 - definition.format.opcode_bits()) {
            opcodes[definition.bits as usize + rest] = Some(definition.opcode);
            rest += 1;
        }
        row += 1;
    }
    opcodes
}

impl Format {
    const fn opcode_bits(self) -> u32 {
        match self {
            Format::Rrr => 4,
            Format::Ri18 | Format::Lbt => 7,
            Format::Ri10 => 8,
            Format::Ri16 => 9,
            Format::Ri8 => 10,
            Format::Rr | Format::Ri7 | Format::Lbti | Format::Stop => 11,
        }
    }
}

fn register(word: u32, shift: u32) -> u8 {
    (word >> shift & 0x7f) as u8
}

/// The signed value of a bit field that is `bits` wide and begins `shift` bits from the right end of the word.
fn signed(word: u32, shift: u32, bits: u32) -> i32 {
    (word << (32 - shift - bits)) as i32 >> (32 - bits)
}

fn unsigned(word: u32, shift: u32, bits: u32) -> i32 {
    (word >> shift & ((1 << bits) - 1)) as i32
}

fn branch_offset_words(word: u32, format: Format) -> i16 {
    let high = match format {
        Format::Lbt => signed(word, 23, 2),
        Format::Lbti => signed(word, 14, 2),
        _ => return 0,
    };
    (high << 7 | unsigned(word, 0, 7)) as i16
}

fn immediate(word: u32, opcode: Opcode) -> i32 {
    let definition = opcode.definition();
    // The immediate is interpreted according to the last operand that is not in parentheses.
    let kind = definition.operands.trim_end_matches("(a)").bytes().last();
    match (definition.format, kind) {
        (Format::Stop, _) => unsigned(word, 0, 14),
        (Format::Ri7, _) => signed(word, 14, 7),
        (Format::Ri8, Some(b'f')) => 173 - unsigned(word, 14, 8),
        (Format::Ri8, _) => 155 - unsigned(word, 14, 8),
        (Format::Ri10, Some(b'd')) => signed(word, 14, 10) * 16,
        (Format::Ri10, _) => signed(word, 14, 10),
        (Format::Ri16 | Format::Lbt, Some(b'r')) => signed(word, 7, 16) * 4,
        (Format::Ri16 | Format::Lbt, Some(b'x')) => unsigned(word, 7, 16) * 4,
        (Format::Ri16, Some(b'i')) => signed(word, 7, 16),
        (Format::Ri16, _) => unsigned(word, 7, 16),
        (Format::Ri18, _) => unsigned(word, 7, 18),
        _ => 0,
    }
}
