//! Builds a static executable that contains the runner and its table of blocks.

use super::block::{BYTES, Block};

/// The address of the tested instruction, and the target of its branches.
pub const SLOT: u32 = 0x6000;
pub const TAKEN: u32 = SLOT + 16;

/// The runner's variables; see `runner.S`.
const DATA: u32 = 0x4000;
const BLOCK: usize = 0x10;
const LEFT: usize = 0x20;
const FIRST: usize = 0x40;
const TOTAL: usize = 0x48;
/// The runner, and its entry points for the return from the tested instruction.
const RUNNER: u32 = 0x7000;
const SAVE: u32 = RUNNER + 0x278;
const MARK_TAKEN: u32 = RUNNER + 0x4dc;
/// The address of the first block.
const BLOCKS: u32 = 0x10_0000;

/// The address of a block.
pub fn address_of(index: usize) -> u32 {
    BLOCKS + (index * BYTES) as u32
}

/// An executable for the 32-bit or the 64-bit architecture.
pub fn executable(blocks: &[Block], is_64_bit: bool) -> Vec<u8> {
    let low = low_segment(blocks.len(), is_64_bit);
    let table: Vec<u8> = blocks.iter().flat_map(Block::bytes).collect();
    let segments = [(DATA, &low), (BLOCKS, &table)];
    let mut file = header(is_64_bit, segments.len());
    // The offset of a segment within a page must be the same in the file and in memory.
    let mut offset = 0x1000;
    for (address, bytes) in segments {
        file.extend(program_header(is_64_bit, offset, address, bytes.len()));
        offset += bytes.len().next_multiple_of(0x1000);
    }
    for (_, bytes) in segments {
        file.resize(file.len().next_multiple_of(0x1000), 0);
        file.extend(bytes);
    }
    file
}

/// The runner's variables and code, and the slot for the tested instruction.
fn low_segment(blocks: usize, is_64_bit: bool) -> Vec<u8> {
    let runner = if is_64_bit { include_str!("runner64.hex") } else { include_str!("runner32.hex") };
    let digits: Vec<u8> = runner.bytes().filter_map(|digit| char::from(digit).to_digit(16)).map(|d| d as u8).collect();
    let mut low = vec![0; (RUNNER - DATA) as usize];
    let mut put = |at: usize, word: u32| low[at..at + 4].copy_from_slice(&word.to_be_bytes());
    put(BLOCK, BLOCKS);
    put(LEFT, blocks as u32);
    put(FIRST, BLOCKS);
    put(TOTAL, (blocks * BYTES) as u32);
    let branch = |from: u32, to: u32| 0x4800_0000 | (to - from);
    put((SLOT + 4 - DATA) as usize, branch(SLOT + 4, SAVE));
    put((TAKEN - DATA) as usize, branch(TAKEN, MARK_TAKEN));
    low.extend(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]));
    low
}

/// The file's header. The flags of a 64-bit file declare that its entry point is code, not a function descriptor.
fn header(is_64_bit: bool, segments: usize) -> Vec<u8> {
    let (class, machine, own, entry_bytes) = if is_64_bit { (2, 21_u16, 64_u16, 56_u16) } else { (1, 20, 52, 32) };
    let mut header = vec![0x7f, b'E', b'L', b'F', class, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    header.extend([0, 2]);
    header.extend(machine.to_be_bytes());
    header.extend(1_u32.to_be_bytes());
    for address in [RUNNER, u32::from(own), 0] {
        header.extend(number(is_64_bit, address as usize));
    }
    header.extend(if is_64_bit { 2_u32 } else { 0 }.to_be_bytes());
    for field in [own, entry_bytes, segments as u16, 0, 0, 0] {
        header.extend(field.to_be_bytes());
    }
    header
}

/// The header of a readable, writable and executable segment.
fn program_header(is_64_bit: bool, offset: usize, address: u32, bytes: usize) -> Vec<u8> {
    let number = |value: usize| number(is_64_bit, value);
    let (kind, flags) = (1_u32.to_be_bytes(), 7_u32.to_be_bytes());
    let mut header = kind.to_vec();
    if is_64_bit {
        header.extend(flags);
    }
    for value in [offset, address as usize, address as usize, bytes, bytes] {
        header.extend(number(value));
    }
    if !is_64_bit {
        header.extend(flags);
    }
    header.extend(number(0x1000));
    header
}

/// A number encoded in the width of an address.
fn number(is_64_bit: bool, value: usize) -> Vec<u8> {
    if is_64_bit { (value as u64).to_be_bytes().to_vec() } else { (value as u32).to_be_bytes().to_vec() }
}
