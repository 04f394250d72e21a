//! Unwind tables for the return code of signal handlers. The tables contain the location of every saved register in
//! the signal frame.
//!
//! Sources: DWARF Debugging Information Format 3, call frame information; Linux Standard Base, `.eh_frame`; System V
//! ABI, PowerPC supplement, register numbers.

use crate::signals::{context, wide_frame};
use crate::width::Width;

/// DWARF numbers of registers.
const STACK_POINTER: u8 = 1;
const FIRST_FLOATING: u8 = 32;
const LINK: u8 = 65;
/// DWARF register number for the next instruction's address.
const INSTRUCTION: u8 = 67;
const CONDITION: u8 = 70;
const FIRST_VECTOR: u8 = 77;

/// DWARF pointer encodings: signed words, relative to the pointer's own address or to the start of the table.
const FROM_HERE: u8 = 0x1b;
const FROM_TABLE: u8 = 0x3b;
const UNSIGNED_WORD: u8 = 0x03;

/// DWARF opcodes of call frame information.
const CFA_EXPRESSION: u8 = 0x0f;
const EXPRESSION: u8 = 0x10;
const ADD_TO_STACK_POINTER: u8 = 0x71;
const DEREFERENCE: u8 = 0x06;

/// Code size of a return sequence, including the preceding instruction, which unwinders also inspect.
const CODE_BYTES: u32 = 12;

/// Returns the function table and the frame descriptions of return sequences. Each sequence has its offset, and the
/// offset of the saved registers from the stack pointer.
pub fn tables(width: Width, table_at: u32, frames_at: u32, returns: &[(u32, u32)]) -> (Vec<u8>, Vec<u8>) {
    let mut frames = common();
    let mut table = vec![1, FROM_HERE, UNSIGNED_WORD, FROM_TABLE];
    table.extend(frames_at.wrapping_sub(table_at + 4).to_be_bytes());
    table.extend((returns.len() as u32).to_be_bytes());
    for (code, registers) in returns.iter().copied() {
        let (first, at) = (code - 4, frames_at + frames.len() as u32);
        frames.extend(function(width, (at, frames.len() as u32), first, registers));
        table.extend([first, at].iter().flat_map(|address| address.wrapping_sub(table_at).to_be_bytes()));
    }
    frames.extend([0; 4]);
    (table, frames)
}

/// The common information entry, which marks signal frames.
fn common() -> Vec<u8> {
    // Version, augmentation, alignment of code (4) and data (-4), register of the return address.
    let mut body = vec![0, 0, 0, 0, 1, b'z', b'R', b'S', 0, 4, 0x7c, INSTRUCTION, 1, FROM_HERE];
    body.resize(body.len().next_multiple_of(4), 0);
    sized(body)
}

/// The frame description of one return sequence. The saved registers are at offset `registers` from the stack pointer.
fn function(width: Width, (at, into_frames): (u32, u32), first: u32, registers: u32) -> Vec<u8> {
    let mut body = (into_frames + 4).to_be_bytes().to_vec();
    body.extend(first.wrapping_sub(at + 8).to_be_bytes());
    body.extend(CODE_BYTES.to_be_bytes());
    body.push(0);
    let mut pointer = above_stack_pointer(registers + width.bytes() * u32::from(STACK_POINTER));
    pointer.push(DEREFERENCE);
    body.extend([CFA_EXPRESSION, pointer.len() as u8]);
    body.extend(pointer);
    for (register, offset) in saved(width) {
        let address = above_stack_pointer(registers + offset);
        body.extend([EXPRESSION, register, address.len() as u8]);
        body.extend(address);
    }
    body.resize(body.len().next_multiple_of(4), 0);
    sized(body)
}

/// DWARF registers and their offsets in a machine context.
fn saved(width: Width) -> impl Iterator<Item = (u8, u32)> {
    // Frames begin at multiples of 16 bytes.
    let vectors = context::vectors_at(wide_frame::REGISTERS_AT, width);
    let general = (0..32).map(move |n| (n, width.bytes() * u32::from(n)));
    let others = [(INSTRUCTION, context::NIP), (LINK, context::LINK), (CONDITION, context::CCR)];
    let others = others.into_iter().map(move |(register, n)| (register, width.bytes() * n as u32));
    let floating = (0..32).map(move |n| (FIRST_FLOATING + n, context::floating_at(width) + 8 * u32::from(n)));
    let vectors = (0..32).map(move |n| (FIRST_VECTOR + n, vectors + 16 * u32::from(n)));
    general.chain(others).chain(floating).chain(vectors)
}

/// An expression: the stack pointer plus an offset.
fn above_stack_pointer(offset: u32) -> Vec<u8> {
    let mut bytes = vec![ADD_TO_STACK_POINTER];
    let mut rest = offset;
    // Signed LEB128 stores seven bits in each byte. Bit 6 of the last byte is the sign, and is 0 for an offset.
    while rest >= 0x40 {
        bytes.push(rest as u8 & 0x7f | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// Prefixes a record with its length.
fn sized(body: Vec<u8>) -> Vec<u8> {
    [(body.len() as u32).to_be_bytes().to_vec(), body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_signed_and_of_seven_bits_a_byte() {
        assert_eq!(above_stack_pointer(63), [0x71, 63]);
        assert_eq!(above_stack_pointer(64), [0x71, 0xc0, 0]);
        assert_eq!(above_stack_pointer(400), [0x71, 0x90, 3]);
    }

    #[test]
    fn records_are_whole_words_and_end_with_none() {
        let (_, frames) = tables(Width::Narrow, 0x200, 0x240, &[(0xe40, 96), (0xe50, 400)]);
        let mut at = 0;
        let mut records = 0;
        loop {
            let length = u32::from_be_bytes([frames[at], frames[at + 1], frames[at + 2], frames[at + 3]]);
            if length == 0 {
                break;
            }
            assert_eq!(length % 4, 0);
            at += 4 + length as usize;
            records += 1;
        }
        assert_eq!((records, at + 4), (3, frames.len()));
    }
}
