//! An executable as an explanation of instructions: the function and the source line of each.

use crate::elf::{Image, functions};
use crate::lines::{Line, Lines};
use crate::registers::Registers;
use crate::stack;
use cell::last_gets::LastGet;
use cell::store::LocalStore;
use std::cmp::Reverse;
use std::collections::BTreeMap;

const ELF_FOR_SPU: [u8; 6] = *b"\x7fELF\x01\x02";

/// The code of an executable, and the functions that it consists of.
#[derive(PartialEq, Debug)]
pub struct Code {
    image: Image,
    functions: BTreeMap<u32, String>,
}

impl Code {
    /// Reads an executable; `None` if the file is not an SPU executable.
    pub fn read(file: &[u8]) -> Option<Code> {
        Some(Code { image: Image::parse(file).ok()?, functions: functions(file) })
    }

    /// The SPU executables that are embedded in another file, as in an executable for the PPE.
    pub fn embedded(file: &[u8]) -> Vec<Code> {
        starts(file).filter_map(|start| Code::read(&file[start..])).collect()
    }

    /// Whether the executable has this instruction word at this address.
    pub fn has(&self, address: u32, word: u32) -> bool {
        self.word(address) == Some(&word.to_be_bytes())
    }

    /// The bytes of the word at an address, if the executable has one there.
    fn word(&self, address: u32) -> Option<&[u8]> {
        self.image.segments.iter().find_map(|(start, bytes)| {
            let at = address.checked_sub(*start)? as usize;
            bytes.get(at..at.checked_add(4)?)
        })
    }

    /// The function of an instruction, and the instruction's distance from its beginning in bytes. `None` outside the
    /// executable: the C library executes instructions on the stack, and a program may load code by DMA.
    pub fn function(&self, address: u32) -> Option<(&str, u32)> {
        self.word(address)?;
        let (start, name) = self.functions.range(..=address).next_back()?;
        Some((name, address - start))
    }

    /// Why a program failed at `address`, if its stack or its overwritten code is the reason. `halts`: it failed because
    /// the condition of a halt instruction held. `get`: the last DMA into the line of `address`, if it is known.
    pub fn failure(
        &self,
        registers: &Registers,
        ls: &LocalStore,
        address: u32,
        halts: bool,
        get: Option<&LastGet>,
    ) -> Option<String> {
        stack::reason(&self.image, registers, ls, address, halts, get)
    }

    /// How many thousandths of the executable's words are in a local store at their addresses. Zeros do not count,
    /// because every unused local store has them.
    fn per_mille_in(&self, local_store: &LocalStore) -> u64 {
        let (mut equal, mut all) = (0, 0);
        for (start, bytes) in &self.image.segments {
            let there = local_store.size_bytes().saturating_sub((*start).into()).min(bytes.len() as u64) as usize;
            let loaded = local_store.bytes((*start).into(), there);
            let words = bytes.chunks_exact(4).enumerate().filter(|(_, word)| **word != [0; 4]);
            for (n, word) in words {
                all += 1;
                equal += u64::from(loaded.get(4 * n..4 * n + 4) == Some(word));
            }
        }
        1000 * equal / all.max(1)
    }
}

/// What an executable says about its instructions.
#[derive(Debug)]
pub struct Source {
    code: Code,
    lines: Lines,
}

impl Source {
    /// Reads an executable; `None` if the file is not an SPU executable.
    pub fn read(file: &[u8]) -> Option<Source> {
        Some(Source { code: Code::read(file)?, lines: Lines::read(file) })
    }

    /// The SPU executables that are embedded in another file, as in an executable for the PPE.
    pub fn embedded(file: &[u8]) -> Vec<Source> {
        starts(file).filter_map(|start| Source::read(&file[start..])).collect()
    }

    /// The code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The source line of an instruction.
    pub fn line(&self, address: u32) -> Option<Line> {
        self.lines.at(address)
    }

    /// The path of a source file, as the compiler recorded it.
    pub fn file(&self, number: usize) -> &str {
        self.lines.file(number)
    }
}

/// Thousandths of an executable's words that must be in a local store if the executable was loaded.
const LOADED_PER_MILLE: u64 = 500;

/// The number of the executable that was loaded into a local store.
///
/// One instruction does not tell: executables often have equal start-up code at equal addresses, and `exit` of the C
/// library stores its `stop` with the exit status in it before it executes it. The executable most of whose words are in
/// the local store is the one that was loaded.
pub fn loaded<'c>(programs: impl Iterator<Item = &'c Code>, local_store: &LocalStore) -> Option<usize> {
    let found = programs.map(|code| code.per_mille_in(local_store)).enumerate();
    // Of equals, the first wins.
    let best = found.max_by_key(|(n, per_mille)| (*per_mille, Reverse(*n)));
    best.filter(|(_, most)| *most >= LOADED_PER_MILLE).map(|(n, _)| n)
}

/// The places in a file where an SPU executable may begin.
fn starts(file: &[u8]) -> impl Iterator<Item = usize> {
    (0..file.len()).step_by(4).filter(|start| file[*start..].starts_with(&ELF_FOR_SPU))
}
