//! Decoding of instruction words.
//!
//! Rows of the instruction table are found by the primary opcode and bits 26 to 30, which distinguish most rows of an
//! opcode. Each of the 2048 combinations of the opcode and these bits has a bucket, which lists candidate rows in table
//! order.

use crate::instruction::Instruction;
use crate::table::{COUNT, ILLEGAL, ROWS};
use crate::transition::Transition;

const BUCKETS: usize = 64 * 32;

/// Decodes the instruction `word` at `pc`. The row of the result is [`ILLEGAL`] if the word is not an instruction.
pub fn decode(word: u32, pc: u32) -> Instruction {
    let row = row(word);
    let field = |shift: u32| (word >> shift & 0x1f) as u8;
    Instruction {
        row,
        transition: Transition::UNKNOWN,
        history: 0,
        rt: field(21),
        ra: field(16),
        rb: field(11),
        rc: field(6),
        immediate: immediate(word, pc, ROWS[usize::from(row)].operands),
        pc,
    }
}

/// The row of the instruction table that matches `word`.
pub fn row(word: u32) -> u16 {
    let bucket = bucket(word);
    let candidates =
        &CANDIDATES.rows[usize::from(CANDIDATES.starts[bucket])..usize::from(CANDIDATES.starts[bucket + 1])];
    let fits = |row: &&u16| ROWS[usize::from(**row)].encoding.includes(word);
    candidates.iter().find(fits).copied().unwrap_or(ILLEGAL)
}

/// The non-register operand, or 0 if the instruction has none: see [`Instruction::immediate`].
fn immediate(word: u32, pc: u32, operands: &str) -> u32 {
    let of = |letter: u8| match letter {
        b'd' | b'i' => Some(signed(word, 0, 16)),
        b'e' => Some(signed(word, 0, 16) & !3),
        b'u' => Some(word & 0xffff),
        b'g' => Some(word << 16),
        b'n' => Some(word_mask(word >> 6 & 31, word >> 1 & 31)),
        b'H' => Some(word >> 11 & 31 | (word & 2) << 4 | mask_bit(word) << 8),
        b'M' => Some(mask_bit(word) << 8),
        b'l' => Some(pc.wrapping_add(signed(word, 2, 24) << 2)),
        b'r' => Some(pc.wrapping_add(signed(word, 2, 14) << 2)),
        b'L' => Some(signed(word, 2, 24) << 2),
        b'R' => Some(signed(word, 2, 14) << 2),
        b'F' => Some(field_mask(word >> 12 & 0xff)),
        b'p' => Some(word >> 16 & 31 | word >> 6 & 0x3e0),
        b'W' => Some(field_mask(word >> 17 & 0xff)),
        b'U' => Some(word >> 12 & 0xf),
        b'j' => Some(signed(word, 16, 5)),
        b'Q' => Some(word >> 6 & 0xf),
        _ => None,
    };
    operands.bytes().find_map(of).unwrap_or(0)
}

/// Extracts a signed field of `bits` bits, which ends `shift` bits from the right end of the word.
fn signed(word: u32, shift: u32, bits: u32) -> u32 {
    ((word << (32 - shift - bits)) as i32 >> (32 - bits)) as u32
}

/// The number of the first or last bit in the mask of a doubleword rotate. The number has six bits, of which the
/// instruction stores the most significant bit last.
fn mask_bit(word: u32) -> u32 {
    word >> 6 & 0x1f | word & 0x20
}

/// A word mask with ones from bit `begin` to bit `end`, which wraps around if `end` is less than `begin`.
pub fn word_mask(begin: u32, end: u32) -> u32 {
    let (from, to) = (u32::MAX >> begin, u32::MAX << (31 - end));
    if begin <= end { from & to } else { from | to }
}

/// A mask in which each of the eight `bits` is repeated four times.
fn field_mask(bits: u32) -> u32 {
    (0..8).filter(|field| bits >> field & 1 != 0).map(|field| 0xf << (4 * field)).sum()
}

const fn bucket(word: u32) -> usize {
    (word >> 26 << 5 | word >> 1 & 0x1f) as usize
}

/// The candidate rows of each bucket. Bucket `n` consists of `rows[starts[n]..starts[n + 1]]`.
struct Candidates {
    starts: [u16; BUCKETS + 1],
    rows: [u16; LISTED],
}

/// The total number of rows in all buckets.
const LISTED: usize = {
    let (mut row, mut listed) = (FIRST, 0);
    while row < COUNT {
        let mut low = 0;
        while low < 32 {
            listed += may_be(row, low) as usize;
            low += 1;
        }
        row += 1;
    }
    listed
};

/// The first row that describes an instruction. Earlier rows are not instructions.
const FIRST: usize = ILLEGAL as usize + 1;

static CANDIDATES: Candidates = {
    let mut starts = [0; BUCKETS + 1];
    let mut rows = [0; LISTED];
    let (mut bucket, mut end) = (0, 0);
    while bucket < BUCKETS {
        starts[bucket] = end as u16;
        let mut row = FIRST;
        while row < COUNT {
            let primary = ROWS[row].encoding.bits as usize >> 26;
            if primary == bucket >> 5 && may_be(row, bucket as u32 & 31) {
                rows[end] = row as u16;
                end += 1;
            }
            row += 1;
        }
        bucket += 1;
    }
    starts[BUCKETS] = end as u16;
    Candidates { starts, rows }
};

/// Whether an instruction word with `low` in bits 26 to 30 may match this row.
const fn may_be(row: usize, low: u32) -> bool {
    let encoding = ROWS[row].encoding;
    (low << 1 ^ encoding.bits) & encoding.mask & 0x3e == 0
}
