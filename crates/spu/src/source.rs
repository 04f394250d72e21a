//! An executable as an explanation of instructions: the function and the source line of each.

use crate::elf::{Image, functions};
use crate::lines::{Line, Lines};
use std::collections::BTreeMap;

const ELF_FOR_SPU: [u8; 6] = *b"\x7fELF\x01\x02";

/// What an executable says about its instructions.
#[derive(Debug)]
pub struct Source {
    image: Image,
    functions: BTreeMap<u32, String>,
    lines: Lines,
}

impl Source {
    /// Reads an executable; `None` if the file is not an SPU executable.
    pub fn read(file: &[u8]) -> Option<Source> {
        let image = Image::parse(file).ok()?;
        Some(Source { image, functions: functions(file), lines: Lines::read(file) })
    }

    /// The SPU executables that are embedded in another file, as in an executable for the PPE.
    pub fn embedded(file: &[u8]) -> Vec<Source> {
        let starts = (0..file.len()).step_by(4).filter(|start| file[*start..].starts_with(&ELF_FOR_SPU));
        starts.filter_map(|start| Source::read(&file[start..])).collect()
    }

    /// Whether the executable has this instruction word at this address.
    pub fn has(&self, address: u32, word: u32) -> bool {
        let bytes = self.image.segments.iter().find_map(|(start, bytes)| {
            let at = address.checked_sub(*start)? as usize;
            bytes.get(at..at.checked_add(4)?)
        });
        bytes == Some(&word.to_be_bytes())
    }

    /// The function of an instruction, and the instruction's distance from its beginning in bytes.
    pub fn function(&self, address: u32) -> Option<(&str, u32)> {
        let (start, name) = self.functions.range(..=address).next_back()?;
        Some((name, address - start))
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
