//! The headers of ELF files of 32 and 64 bits.
//!
//! All addresses of a program are in the first 4 GB. Larger numbers in a file are damage.

use super::bytes::{damaged, half, number, part};
use crate::width::Width;

/// The numbers of the file header that are needed.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Width of the program.
    pub width: Width,
    /// `e_type`
    pub kind: u16,
    /// `e_entry`
    pub entry: u64,
    /// `e_flags`
    pub flags: u32,
    /// Offset of the program headers.
    pub programs_at: u64,
    /// Size of a program header.
    pub program_bytes: u16,
    /// Number of program headers.
    pub programs: u16,
    /// Offset of the section headers.
    pub sections_at: u64,
    /// Size of a section header.
    pub section_bytes: u16,
    /// Number of section headers.
    pub sections: u16,
}

#[derive(Clone, Copy, Debug)]
pub struct ProgramHeader {
    /// `p_type`
    pub kind: u32,
    /// `p_flags`
    pub flags: u32,
    /// `p_offset`
    pub offset: u64,
    /// `p_vaddr`
    pub address: u64,
    /// `p_filesz`
    pub in_file: u64,
    /// `p_memsz`
    pub size: u64,
}

/// A section header.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// `sh_type`
    pub kind: u32,
    /// `sh_flags`
    pub flags: u64,
    /// `sh_addr`
    pub address: u64,
    /// `sh_offset`
    pub offset: u64,
    /// `sh_size`
    pub size: u64,
    /// `sh_link`
    pub link: u32,
}

/// The fields of a record, in the order of the file.
struct Fields<'f> {
    rest: &'f [u8],
    width: Width,
}

impl Fields<'_> {
    /// The next field, which has `bytes` bytes. It is 0 past the end.
    fn take(&mut self, bytes: usize) -> u64 {
        let (field, rest) = self.rest.split_at_checked(bytes).unwrap_or_default();
        self.rest = rest;
        number(field)
    }

    fn half(&mut self) -> u16 {
        self.take(2) as u16
    }

    fn word(&mut self) -> u32 {
        self.take(4) as u32
    }

    /// A field of the file's width.
    fn long(&mut self) -> u64 {
        self.take(self.width.bytes() as usize)
    }
}

impl Header {
    /// Size of the file header.
    fn bytes(width: Width) -> usize {
        width.pick(52, 64)
    }

    /// Reads the file header of a file of this width.
    pub fn read(file: &[u8], width: Width) -> Option<Header> {
        let header = part(file, 0, Header::bytes(width) as u64)?;
        let mut fields = Fields { rest: &header[24..], width };
        let (entry, programs_at, sections_at, flags) = (fields.long(), fields.long(), fields.long(), fields.word());
        fields.half();
        let (program_bytes, programs, section_bytes, sections) =
            (fields.half(), fields.half(), fields.half(), fields.half());
        let kind = half(header, 16);
        Some(Header {
            width,
            kind,
            entry,
            flags,
            programs_at,
            program_bytes,
            programs,
            sections_at,
            section_bytes,
            sections,
        })
    }

    /// The program headers.
    ///
    /// # Errors
    /// There are none, or they are damaged.
    pub fn programs(&self, file: &[u8]) -> Result<Vec<ProgramHeader>, String> {
        if self.programs == 0 {
            return Err(damaged("it has no program headers"));
        }
        let bytes = self.width.pick(32, 56);
        if self.program_bytes != bytes {
            return Err(damaged(&format!("program headers of {} bytes", self.program_bytes)));
        }
        let table = part(file, self.programs_at, u64::from(self.programs) * u64::from(bytes));
        let table = table.ok_or_else(|| damaged("the file ends within its program headers"))?;
        Ok(table.chunks_exact(bytes.into()).map(|record| ProgramHeader::read(record, self.width)).collect())
    }

    /// The section headers, or none if they are damaged.
    pub fn sections(&self, file: &[u8]) -> Vec<Section> {
        let bytes = self.width.pick(40, 64);
        let table = match self.section_bytes == bytes {
            true => part(file, self.sections_at, u64::from(self.sections) * u64::from(bytes)),
            false => None,
        };
        let records = table.unwrap_or_default().chunks_exact(bytes.into());
        records.map(|record| Section::read(record, self.width)).collect()
    }
}

impl ProgramHeader {
    fn read(record: &[u8], width: Width) -> ProgramHeader {
        let mut fields = Fields { rest: record, width };
        let kind = fields.word();
        // In 64-bit files, the flags are the second field, and in 32-bit files the seventh.
        let early = if width == Width::Wide { fields.word() } else { 0 };
        let (offset, address, _physical, in_file, size) =
            (fields.long(), fields.long(), fields.long(), fields.long(), fields.long());
        let flags = if width == Width::Wide { early } else { fields.word() };
        ProgramHeader { kind, flags, offset, address, in_file, size }
    }
}

impl Section {
    fn read(record: &[u8], width: Width) -> Section {
        let mut fields = Fields { rest: record, width };
        let (_name, kind, flags) = (fields.word(), fields.word(), fields.long());
        let (address, offset, size, link) = (fields.long(), fields.long(), fields.long(), fields.word());
        Section { kind, flags, address, offset, size, link }
    }
}
