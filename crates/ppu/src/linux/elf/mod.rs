//! Reader of PPE executables and shared libraries.  The reader determines the load addresses of an ELF file's bytes,
//! and the start address.
//!
//! The reader accepts 32-bit big-endian PowerPC files with fixed addresses (`ET_EXEC`) or position-independent code
//! (`ET_DYN`).  The reader checks every number in a file before use.  The dynamic linker, which is itself a simulated
//! program, performs relocations.
//!
//! Sources: System V ABI, chapters 4 and 5; its PowerPC supplement.

mod kind;
pub mod symbols;

use super::hardware::{Access, PAGE_BYTES};
use super::layout::{MAPPINGS_END, MOVABLE_PROGRAM_BYTES_MAX, USER_END, USER_START, vdso};

const HEADER_BYTES: usize = 52;
const PROGRAM_HEADER_BYTES: usize = 32;
/// `p_type`
const LOAD: u32 = 1;
const INTERPRETER: u32 = 3;
const PROGRAM_HEADERS: u32 = 6;
const GNU_STACK: u32 = 0x6474_e551;
/// `p_flags`
const EXECUTE: u32 = 1;
const WRITE: u32 = 2;
const READ: u32 = 4;

/// A program, as described by its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executable {
    /// Whether the program is position-independent.  The addresses of a position-independent program are offsets.
    pub movable: bool,
    /// Address of the first instruction.
    pub entry: u32,
    /// Loadable segments in order of address.
    pub segments: Vec<Segment>,
    /// Address of the program headers after loading, or 0 if they are not loaded.
    pub headers_at: u32,
    /// Number of program headers.
    pub headers: u16,
    /// Path of the program's dynamic linker.
    pub interpreter: Option<String>,
    /// Whether the stack of the program must be executable, as for some old programs.
    pub executable_stack: bool,
}

/// A segment: consecutive bytes of a program in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Address of the segment's first byte.
    pub address: u32,
    /// Offset of the segment's first byte in the file.
    pub offset: u32,
    /// Bytes from the file.
    pub bytes: Vec<u8>,
    /// Size in memory.  The memory after the bytes from the file is filled with zeros.
    pub size: u32,
    /// Permissions.
    pub access: Access,
}

impl Executable {
    /// Reads a file.
    ///
    /// # Errors
    /// The error text names the actual kind of the file and a remedy, or describes the damage in the file.
    pub fn parse(file: &[u8]) -> Result<Executable, String> {
        kind::check(file)?;
        let header = part(file, 0, HEADER_BYTES).ok_or_else(|| damaged("the file ends within its header"))?;
        let records = program_headers(file, header)?;
        let mut segments = Vec::new();
        for (n, record) in records.iter().enumerate().filter(|(_, record)| word(record, 0) == LOAD) {
            segments.extend(segment(file, record).map_err(|why| damaged(&format!("segment {n} {why}")))?);
        }
        let program = Executable {
            movable: half(header, 16) == kind::ANYWHERE,
            entry: word(header, 24),
            headers_at: headers_at(header, &records),
            headers: half(header, 44),
            interpreter: interpreter(file, &records)?,
            executable_stack: executable_stack(&records),
            segments,
        };
        program.check()?;
        Ok(program)
    }

    /// The program's first address, rounded down to a page, and its end address.
    pub fn extent(&self) -> (u32, u32) {
        let first = self.segments.first().map_or(0, |segment| segment.address & !(PAGE_BYTES - 1));
        (first, self.segments.last().map_or(first, |segment| segment.address + segment.size))
    }

    /// Whether a segment fits at its address without overlapping the kernel's own mappings.
    fn fits(&self, segment: &Segment) -> bool {
        let end = segment.address + segment.size;
        if self.movable {
            return end <= MOVABLE_PROGRAM_BYTES_MAX;
        }
        let meets_vdso = segment.address < vdso::AT + PAGE_BYTES && end > vdso::AT;
        segment.address >= USER_START && end <= MAPPINGS_END && !meets_vdso
    }

    fn check(&self) -> Result<(), String> {
        let misplaced = |segment: &&Segment| !self.fits(segment);
        if let Some(segment) = self.segments.iter().find(misplaced) {
            let (address, size) = (segment.address, segment.size);
            return Err(damaged(&format!("{size} bytes at {address:#x}, outside the addresses of programs")));
        }
        for pair in self.segments.windows(2) {
            if pair[0].address + pair[0].size > pair[1].address {
                return Err(damaged(&format!("two segments are at {:#x}", pair[1].address)));
            }
        }
        let holds = |segment: &Segment| {
            segment.access.execute && self.entry.checked_sub(segment.address).is_some_and(|at| at < segment.size)
        };
        if self.segments.iter().any(holds) {
            return Ok(());
        }
        Err(match (self.movable, self.entry) {
            (true, 0) => "a shared library, not a program; give the program that uses it".to_string(),
            (_, entry) => damaged(&format!("the entry point {entry:#x} is not in code that is loaded")),
        })
    }
}

fn program_headers<'f>(file: &'f [u8], header: &[u8]) -> Result<Vec<&'f [u8]>, String> {
    let (at, bytes, count) = (word(header, 28) as usize, usize::from(half(header, 42)), usize::from(half(header, 44)));
    if count == 0 {
        return Err(damaged("it has no program headers"));
    }
    if bytes != PROGRAM_HEADER_BYTES {
        return Err(damaged(&format!("program headers of {bytes} bytes")));
    }
    let table = part(file, at, count * bytes).ok_or_else(|| damaged("the file ends within its program headers"))?;
    Ok(table.chunks_exact(bytes).collect())
}

/// Reads a segment.  Returns `None` for an empty segment.
fn segment(file: &[u8], record: &[u8]) -> Result<Option<Segment>, String> {
    let (offset, address) = (word(record, 4) as usize, word(record, 8));
    let (in_file, size) = (word(record, 16), word(record, 20));
    if size == 0 {
        return Ok(None);
    }
    if address.checked_add(size).is_none_or(|end| end > USER_END) {
        return Err(format!("lies at {address:#x} and has {size} bytes, outside the addresses of programs"));
    }
    if in_file > size {
        return Err(format!("has {in_file} bytes in the file, but only {size} in memory"));
    }
    let bytes = part(file, offset, in_file as usize).ok_or("is cut off: the file ends before it")?;
    let flags = word(record, 24);
    let access = Access { read: flags & READ != 0, write: flags & WRITE != 0, execute: flags & EXECUTE != 0 };
    Ok(Some(Segment { address, offset: offset as u32, bytes: bytes.to_vec(), size, access }))
}

/// Address of the program headers, from their own header entry or from the segment that contains them.
fn headers_at(header: &[u8], records: &[&[u8]]) -> u32 {
    let offset = word(header, 28);
    let own = records.iter().find(|record| word(record, 0) == PROGRAM_HEADERS).map(|record| word(record, 8));
    let within = records.iter().filter(|record| word(record, 0) == LOAD).find_map(|record| {
        let into = offset.checked_sub(word(record, 4)).filter(|into| *into < word(record, 16))?;
        word(record, 8).checked_add(into)
    });
    own.or(within).unwrap_or(0)
}

/// Whether the program's stack must be executable.  Old programs need an executable stack but do not request one.
fn executable_stack(records: &[&[u8]]) -> bool {
    let record = records.iter().find(|record| word(record, 0) == GNU_STACK);
    record.is_none_or(|record| word(record, 24) & EXECUTE != 0)
}

fn interpreter(file: &[u8], records: &[&[u8]]) -> Result<Option<String>, String> {
    let Some(record) = records.iter().find(|record| word(record, 0) == INTERPRETER) else { return Ok(None) };
    let name = part(file, word(record, 4) as usize, word(record, 16) as usize);
    let name =
        name.and_then(|name| name.split(|byte| *byte == 0).next()).and_then(|name| std::str::from_utf8(name).ok());
    match name {
        Some(name) if name.starts_with('/') && name.len() < 4096 => Ok(Some(name.to_string())),
        _ => Err(damaged("the name of its dynamic linker is invalid")),
    }
}

fn damaged(what: &str) -> String {
    format!("damaged: {what}")
}

fn part(file: &[u8], at: usize, bytes: usize) -> Option<&[u8]> {
    file.get(at..at.checked_add(bytes)?)
}

/// The big-endian halfword at an offset, or 0 past the end.
fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |half| u16::from_be_bytes(*half))
}

/// The big-endian word at an offset, or 0 past the end.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_be_bytes(*word))
}

#[cfg(test)]
mod tests;
