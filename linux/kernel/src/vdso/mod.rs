//! The vDSO: the kernel's shared object in every process. The vDSO contains the code to which signal handlers return,
//! and unwind tables for this code.
//!
//! MODEL: a real vDSO also has functions that read clocks without a system call. This vDSO has no such functions, so
//! programs make the system call.
//!
//! Sources: System V ABI, chapters 4 and 5; Linux Standard Base, `.eh_frame_hdr`.

mod unwind;

use super::hardware::{Access, Hardware, PAGE_BYTES};
use super::layout::vdso::{AT, CODE, RETURN, RT_RETURN, WIDE_RETURN};
use super::memory::space::Space;
use super::signals::frame::{REGISTERS_AT, RT_REGISTERS_AT};
use super::signals::wide_frame::{self, CALLER_BYTES};
use super::width::Width;

/// Offsets of the vDSO's parts.
const PROGRAM_HEADERS: u32 = 52;
const DYNAMIC: u32 = 0x100;
const HASH: u32 = 0x180;
const SYMBOLS: u32 = 0x1a0;
const NAMES: u32 = 0x1c0;
const UNWIND_TABLE: u32 = 0x200;
const UNWIND: u32 = 0x240;

const WIDE_PROGRAM_HEADERS: u32 = 64;

const NAME: &[u8] = b"\0linux-vdso32.so.1\0";
const WIDE_NAME: &[u8] = b"\0linux-vdso64.so.1\0";
const NOP: u32 = 0x6000_0000;
const SC: u32 = 0x4400_0002;
/// `addi r1, r1, n`
const DROP_FRAME: u32 = 0x3821_0000;
/// `li r0, n`
const LOAD_NUMBER: u32 = 0x3800_0000;

/// Maps the vDSO.
pub fn map(space: &mut Space, hardware: &mut dyn Hardware) {
    let image = match hardware.width() {
        Width::Narrow => image(),
        Width::Wide => wide_image(),
    };
    let access = Access { read: true, write: false, execute: true };
    space.map_bytes(hardware, &(AT..AT + PAGE_BYTES), access, &image);
}

/// Contents of the vDSO.
fn image() -> Vec<u8> {
    let mut image = Image(vec![0; PAGE_BYTES as usize]);
    image.put(0, b"\x7fELF\x01\x02\x01");
    // ELF header of a PowerPC shared object, version 1.
    image.put_halves(16, &[3, 20]);
    image.put_words(20, &[1, 0, PROGRAM_HEADERS, 0, 0]);
    image.put_halves(40, &[52, 32, 3, 0, 0, 0]);
    let load = [1, 0, 0, 0, PAGE_BYTES, PAGE_BYTES, 5, PAGE_BYTES];
    let dynamic = [2, DYNAMIC, DYNAMIC, DYNAMIC, 0x40, 0x40, 4, 4];
    let unwind = [0x6474_e550, UNWIND_TABLE, UNWIND_TABLE, UNWIND_TABLE, 0x1c, 0x1c, 4, 4];
    image.put_words(PROGRAM_HEADERS, &[load, dynamic, unwind].concat());
    // DT_SONAME, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT.
    let entries = [14, 1, 4, HASH, 5, NAMES, 6, SYMBOLS, 10, NAME.len() as u32, 11, 16, 0, 0];
    image.put_words(DYNAMIC, &entries);
    // The symbol hash table has one bucket and contains only the undefined symbol.
    image.put_words(HASH, &[1, 1, 0, 0]);
    image.put(NAMES, NAME);
    image.put_words(CODE + RETURN - 4, &[NOP, LOAD_NUMBER | 119, SC]);
    image.put_words(CODE + RT_RETURN - 4, &[NOP, LOAD_NUMBER | 172, SC]);
    let returns = [(CODE + RETURN, REGISTERS_AT), (CODE + RT_RETURN, RT_REGISTERS_AT)];
    let (table, frames) = unwind::tables(Width::Narrow, UNWIND_TABLE, UNWIND, &returns);
    image.put(UNWIND_TABLE, &table);
    image.put(UNWIND, &frames);
    image.0
}

/// Contents of the vDSO of a 64-bit process.
fn wide_image() -> Vec<u8> {
    let mut image = Image(vec![0; PAGE_BYTES as usize]);
    image.put(0, b"\x7fELF\x02\x02\x01");
    // ELF header of a 64-bit PowerPC shared object with function descriptors.
    image.put_halves(16, &[3, 21]);
    image.put_words(20, &[1, 0, 0, 0, WIDE_PROGRAM_HEADERS, 0, 0, 1]);
    image.put_halves(52, &[64, 56, 3, 0, 0, 0]);
    let header = |kind: u32, flags: u32, at: u32, bytes: u32, alignment: u32| {
        let numbers = [at, at, at, bytes, bytes, alignment].map(|number| [0, number]);
        [[kind, flags].as_slice(), numbers.as_flattened()].concat()
    };
    let load = header(1, 5, 0, PAGE_BYTES, PAGE_BYTES);
    let dynamic = header(2, 4, DYNAMIC, 0x70, 8);
    let unwind = header(0x6474_e550, 4, UNWIND_TABLE, 0x14, 4);
    image.put_words(WIDE_PROGRAM_HEADERS, &[load, dynamic, unwind].concat());
    // The same entries as in 32 bits, with symbols of 24 bytes.
    let entries = [14, 1, 4, HASH, 5, NAMES, 6, SYMBOLS, 10, WIDE_NAME.len() as u32, 11, 24, 0, 0];
    image.put_words(DYNAMIC, entries.map(|number| [0, number]).as_flattened());
    image.put_words(HASH, &[1, 1, 0, 0]);
    image.put(NAMES, WIDE_NAME);
    image.put_words(CODE + WIDE_RETURN - 4, &[NOP, DROP_FRAME | CALLER_BYTES, LOAD_NUMBER | 172, SC]);
    let returns = [(CODE + WIDE_RETURN, CALLER_BYTES + wide_frame::REGISTERS_AT)];
    let (table, frames) = unwind::tables(Width::Wide, UNWIND_TABLE, UNWIND, &returns);
    image.put(UNWIND_TABLE, &table);
    image.put(UNWIND, &frames);
    image.0
}

/// Bytes at offsets.
struct Image(Vec<u8>);

impl Image {
    fn put(&mut self, at: u32, bytes: &[u8]) {
        for (to, byte) in self.0.iter_mut().skip(at as usize).zip(bytes) {
            *to = *byte;
        }
    }

    fn put_words(&mut self, at: u32, words: &[u32]) {
        self.put(at, &words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>());
    }

    fn put_halves(&mut self, at: u32, halves: &[u16]) {
        self.put(at, &halves.iter().flat_map(|half| half.to_be_bytes()).collect::<Vec<u8>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::vdso::{RETURN_AT, RT_RETURN_AT};

    #[test]
    fn its_parts_do_not_lie_on_each_other_and_its_code_makes_the_calls() {
        let image = image();
        assert_eq!(image.len(), PAGE_BYTES as usize);
        let returns = [(CODE + RETURN, REGISTERS_AT), (CODE + RT_RETURN, RT_REGISTERS_AT)];
        let (table, frames) = unwind::tables(Width::Narrow, UNWIND_TABLE, UNWIND, &returns);
        assert!(UNWIND_TABLE + table.len() as u32 <= UNWIND && UNWIND + frames.len() as u32 <= CODE);
        let word = |ea: u32| {
            let at = (ea - AT) as usize;
            u32::from_be_bytes([image[at], image[at + 1], image[at + 2], image[at + 3]])
        };
        assert_eq!([word(RETURN_AT), word(RETURN_AT + 4)], [0x3800_0077, SC]);
        assert_eq!([word(RT_RETURN_AT), word(RT_RETURN_AT + 4)], [0x3800_00ac, SC]);
    }
}
