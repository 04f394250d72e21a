//! Reader of PPE executables and shared libraries. The reader determines the load addresses of an ELF file's bytes,
//! and the start address.
//!
//! The reader accepts big-endian PowerPC files of 32 and 64 bits with fixed addresses (`ET_EXEC`) or position-independent code
//! (`ET_DYN`). The reader checks every number in a file before use. The dynamic linker, which is itself a simulated
//! program, performs relocations.
//!
//! Sources: System V ABI, chapters 4 and 5; its PowerPC supplement; 64-bit PowerPC ELF ABI, version 1.

mod bytes;
mod kind;
mod records;
pub mod symbols;

use super::width::Width;
use bytes::{damaged, number, part};
use records::{Header, ProgramHeader};

use super::hardware::{Access, PAGE_BYTES};
use super::layout::{Layout, MOVABLE_PROGRAM_BYTES_MAX, USER_END, USER_START, vdso};

/// `p_type`
const LOAD: u32 = 1;
const INTERPRETER: u32 = 3;
const PROGRAM_HEADERS: u32 = 6;
const GNU_STACK: u32 = 0x6474_e551;
/// `e_flags` of ABI version 2, which has no function descriptors.
const ELF_V2: u32 = 2;
/// `p_flags`
const EXECUTE: u32 = 1;
const WRITE: u32 = 2;
const READ: u32 = 4;

/// Bytes at the start of a file that tell its width.
pub const START_BYTES: u64 = 20;

/// Width of the program that begins with these bytes. Files that are no programs are narrow.
pub fn width_of(start: &[u8]) -> Width {
    kind::check(start).unwrap_or_default()
}

/// A program, as described by its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executable {
    /// Width of the program.
    pub width: Width,
    /// Whether the program is position-independent. The addresses of a position-independent program are offsets.
    pub movable: bool,
    /// Address of the first instruction.
    pub entry: u32,
    /// Address in the TOC pointer (r2) at the first instruction, or 0 in a 32-bit program.
    pub toc: u32,
    /// Address of the entry point. In a 64-bit program, this is the descriptor that names `entry` and `toc`.
    pub entry_point: u32,
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
    /// Size in memory. The memory after the bytes from the file is filled with zeros.
    pub size: u32,
    pub access: Access,
}

impl Executable {
    /// Reads a file.
    ///
    /// # Errors
    /// The error text names the actual kind of the file and a remedy, or describes the damage in the file.
    pub fn parse(file: &[u8]) -> Result<Executable, String> {
        let width = kind::check(file)?;
        let header = Header::read(file, width).ok_or_else(|| damaged("the file ends within its header"))?;
        if width == Width::Wide && header.flags & 3 == ELF_V2 {
            return Err("for ABI version 2 of 64-bit PowerPC; compile it with -mabi=elfv1".to_string());
        }
        let records = header.programs(file)?;
        let mut segments = Vec::new();
        for (n, record) in records.iter().enumerate().filter(|(_, record)| record.kind == LOAD) {
            segments.extend(segment(file, record).map_err(|why| damaged(&format!("segment {n} {why}")))?);
        }
        let entry_point = short(header.entry);
        let [entry, toc] = match width {
            Width::Narrow => [entry_point, 0],
            Width::Wide => descriptor(&segments, entry_point),
        };
        let program = Executable {
            width,
            movable: header.kind == kind::ANYWHERE,
            entry,
            toc,
            entry_point,
            headers_at: headers_at(&header, &records),
            headers: header.programs,
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
        segment.address >= USER_START && end <= Layout::High.mappings_end() && !meets_vdso
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

/// The address of the code and the TOC pointer in a function descriptor. Both are 0 if no segment holds it.
fn descriptor(segments: &[Segment], at: u32) -> [u32; 2] {
    // A shared library has no entry point.
    if at == 0 {
        return [0; 2];
    }
    let bytes = segments.iter().find_map(|segment| {
        let into = at.checked_sub(segment.address)?;
        part(&segment.bytes, into.into(), 16)
    });
    let (code, toc) = bytes.unwrap_or(&[0; 16]).split_at(8);
    [short(number(code)), short(number(toc))]
}

/// An address. Numbers that are too large become one that no program has.
fn short(address: u64) -> u32 {
    u32::try_from(address).unwrap_or(u32::MAX)
}

/// Reads a segment. Returns `None` for an empty segment.
fn segment(file: &[u8], record: &ProgramHeader) -> Result<Option<Segment>, String> {
    let ProgramHeader { offset, address, in_file, size, flags, .. } = *record;
    if size == 0 {
        return Ok(None);
    }
    if address.checked_add(size).is_none_or(|end| end > USER_END.into()) {
        return Err(format!("lies at {address:#x} and has {size} bytes, outside the addresses of programs"));
    }
    if in_file > size {
        return Err(format!("has {in_file} bytes in the file, but only {size} in memory"));
    }
    let bytes = part(file, offset, in_file).ok_or("is cut off: the file ends before it")?;
    let access = Access { read: flags & READ != 0, write: flags & WRITE != 0, execute: flags & EXECUTE != 0 };
    let (address, size) = (address as u32, size as u32);
    Ok(Some(Segment { address, offset: offset as u32, bytes: bytes.to_vec(), size, access }))
}

/// Address of the program headers, from their own header entry or from the segment that contains them.
fn headers_at(header: &Header, records: &[ProgramHeader]) -> u32 {
    let own = records.iter().find(|record| record.kind == PROGRAM_HEADERS).map(|record| record.address);
    let within = records.iter().filter(|record| record.kind == LOAD).find_map(|record| {
        let into = header.programs_at.checked_sub(record.offset).filter(|into| *into < record.in_file)?;
        record.address.checked_add(into)
    });
    own.or(within).and_then(|address| u32::try_from(address).ok()).unwrap_or(0)
}

/// Whether the program's stack must be executable. Old programs need an executable stack but do not request one.
fn executable_stack(records: &[ProgramHeader]) -> bool {
    let record = records.iter().find(|record| record.kind == GNU_STACK);
    record.is_none_or(|record| record.flags & EXECUTE != 0)
}

fn interpreter(file: &[u8], records: &[ProgramHeader]) -> Result<Option<String>, String> {
    let Some(record) = records.iter().find(|record| record.kind == INTERPRETER) else { return Ok(None) };
    let name = part(file, record.offset, record.in_file);
    let name =
        name.and_then(|name| name.split(|byte| *byte == 0).next()).and_then(|name| std::str::from_utf8(name).ok());
    match name {
        Some(name) if name.starts_with('/') && name.len() < 4096 => Ok(Some(name.to_string())),
        _ => Err(damaged("the name of its dynamic linker is invalid")),
    }
}

#[cfg(test)]
mod tests;
