//! The source lines of code, from an executable's debugging information.
//!
//! Only the line number tables are read (DWARF 2 to 5, `.debug_line`). Lines serve only as explanations for users, so
//! unreadable information is left out without an error.

use crate::elf::section;
use gimli::{AttributeValue, BigEndian, Dwarf, EndianSlice, LineRow, Unit};
use std::collections::BTreeMap;

type Bytes<'f> = EndianSlice<'f, BigEndian>;

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// The file, as an index for [`Lines::file`].
    pub file: usize,
    /// The number of the line; the first line is 1.
    pub number: u32,
}

/// The source line of each instruction.
#[derive(Clone, Default, Debug)]
pub struct Lines {
    files: Vec<String>,
    /// The line that applies from each address on; `None` if there is no line from this address on.
    starts: BTreeMap<u32, Option<Line>>,
}

impl Lines {
    /// Reads the lines of an executable; there are none if it has no debugging information.
    pub fn read(file: &[u8]) -> Lines {
        let mut lines = Lines::default();
        let contents = |id: gimli::SectionId| -> Result<Bytes<'_>, gimli::Error> {
            Ok(EndianSlice::new(section(file, id.name()).unwrap_or_default(), BigEndian))
        };
        // An error leaves the lines that were read before.
        _ = Dwarf::load(contents).and_then(|dwarf| lines.add(&dwarf));
        lines
    }

    /// The line of the instruction at an address.
    pub fn at(&self, address: u32) -> Option<Line> {
        self.starts.range(..=address).next_back().and_then(|(_, line)| *line)
    }

    /// The path of a file, as the compiler recorded it.
    pub fn file(&self, number: usize) -> &str {
        &self.files[number]
    }

    fn add(&mut self, dwarf: &Dwarf<Bytes<'_>>) -> Result<(), gimli::Error> {
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            let Some(program) = unit.line_program.clone() else { continue };
            let mut rows = program.rows();
            // The files of this unit that have been named so far, by their numbers in the unit.
            let mut known = BTreeMap::new();
            while let Some((header, row)) = rows.next_row()? {
                let Ok(address) = u32::try_from(row.address()) else { continue };
                if row.end_sequence() {
                    self.starts.entry(address).or_insert(None);
                    continue;
                }
                let file = *known.entry(row.file_index()).or_insert_with(|| {
                    let path = path(dwarf, &unit, header, row)?;
                    Some(self.files.iter().position(|known| *known == path).unwrap_or_else(|| {
                        self.files.push(path);
                        self.files.len() - 1
                    }))
                });
                let number = row.line().and_then(|line| u32::try_from(line.get()).ok());
                let line = file.zip(number).map(|(file, number)| Line { file, number });
                self.starts.insert(address, line);
            }
        }
        Ok(())
    }
}

/// The path of a row's file: the compiler's directory, the file's directory and its name, as far as they are relative.
fn path<'f>(
    dwarf: &Dwarf<Bytes<'f>>,
    unit: &Unit<Bytes<'f>>,
    header: &gimli::LineProgramHeader<Bytes<'f>>,
    row: &LineRow,
) -> Option<String> {
    let text = |value: AttributeValue<Bytes<'f>>| {
        dwarf.attr_string(unit, value).ok().map(|text| text.to_string_lossy().into_owned())
    };
    let entry = row.file(header)?;
    let mut path = unit.comp_dir.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
    // Before DWARF 5, directory 0 is the compiler's own.
    let directory = if header.version() < 5 && entry.directory_index() == 0 { None } else { entry.directory(header) };
    for part in [directory.and_then(text), text(entry.path_name())].into_iter().flatten() {
        path = if part.starts_with('/') || path.is_empty() { part } else { format!("{path}/{part}") };
    }
    (!path.is_empty()).then_some(path)
}
