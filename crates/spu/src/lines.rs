//! The source lines of code, from an executable's debugging information (DWARF 2 to 5).
//!
//! Code of an inlined function has a line of that function. If the line is outside of the user's own files, as with the
//! functions of `spu_mfcio.h`, the line of the call is used instead. A user's own files are those below the directory in
//! which the compiler ran, and below the directory of the compiled file.
//!
//! Lines serve only as explanations for users, so unreadable information is left out without an error.

use crate::elf::section;
use gimli::{AttributeValue, BigEndian, Dwarf, EndianSlice, LineProgramHeader, Unit};
use gimli::{DW_AT_call_file, DW_AT_call_line, DW_TAG_inlined_subroutine};
use std::collections::BTreeMap;
use std::ops::Range;

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
    /// The path of each file, and whether it is the user's own.
    files: Vec<(String, bool)>,
    /// The line that applies from each address on; `None` if there is no line from this address on.
    starts: BTreeMap<u32, Option<Line>>,
    /// The code of inlined functions with the lines of their calls. Calls within a function come after its own call.
    calls: Vec<(Range<u64>, Line)>,
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
        let own = |line: &Line| self.files[line.file].1;
        let line = (*self.starts.range(..=address).next_back()?.1)?;
        let mut calls =
            self.calls.iter().rev().filter(|(code, _)| code.contains(&address.into())).map(|(_, line)| *line);
        Some(if own(&line) { line } else { calls.find(own).unwrap_or(line) })
    }

    /// The path of a file, as the compiler recorded it.
    pub fn file(&self, number: usize) -> &str {
        &self.files[number].0
    }

    fn add(&mut self, dwarf: &Dwarf<Bytes<'_>>) -> Result<(), gimli::Error> {
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            let Some(program) = unit.line_program.clone() else { continue };
            let mut names = Names { dwarf, unit: &unit, header: program.header().clone(), known: BTreeMap::new() };
            let mut rows = program.rows();
            while let Some((_, row)) = rows.next_row()? {
                let Ok(address) = u32::try_from(row.address()) else { continue };
                if row.end_sequence() {
                    self.starts.entry(address).or_insert(None);
                } else {
                    let line = self.line(row.file_index(), row.line().map(u64::from), &mut names);
                    self.starts.insert(address, line);
                }
            }
            self.add_calls(&mut names)?;
        }
        Ok(())
    }

    fn add_calls(&mut self, names: &mut Names<'_, '_>) -> Result<(), gimli::Error> {
        let mut entries = names.unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            if entry.tag() != DW_TAG_inlined_subroutine {
                continue;
            }
            let Some(AttributeValue::FileIndex(file)) = entry.attr_value(DW_AT_call_file) else { continue };
            let number = entry.attr_value(DW_AT_call_line).and_then(|value| value.udata_value());
            let Some(line) = self.line(file, number, names) else { continue };
            let mut ranges = names.dwarf.die_ranges(names.unit, entry)?;
            while let Some(range) = ranges.next()? {
                self.calls.push((range.begin..range.end, line));
            }
        }
        Ok(())
    }

    /// A line of a file with this number in its unit.
    fn line(&mut self, file: u64, number: Option<u64>, names: &mut Names<'_, '_>) -> Option<Line> {
        let number = u32::try_from(number?).ok()?;
        let known = names.known.get(&file).copied();
        let file = known.unwrap_or_else(|| {
            let path = names.path(file)?;
            let place = self.files.iter().position(|(known, _)| *known == path).unwrap_or_else(|| {
                let own = names.is_own(&path);
                self.files.push((path, own));
                self.files.len() - 1
            });
            names.known.insert(file, Some(place));
            Some(place)
        });
        file.map(|file| Line { file, number })
    }
}

/// The names of the files of a unit.
struct Names<'n, 'f> {
    dwarf: &'n Dwarf<Bytes<'f>>,
    unit: &'n Unit<Bytes<'f>>,
    header: LineProgramHeader<Bytes<'f>>,
    /// The files that have been named so far, by their numbers in the unit.
    known: BTreeMap<u64, Option<usize>>,
}

impl<'f> Names<'_, 'f> {
    /// The path of a file: the compiler's directory, the file's directory and its name, as far as they are relative.
    fn path(&self, file: u64) -> Option<String> {
        let text = |value: AttributeValue<Bytes<'f>>| self.dwarf.attr_string(self.unit, value).ok().map(text);
        let entry = self.header.file(file)?;
        // Before DWARF 5, directory 0 is the compiler's own.
        let is_own = self.header.version() < 5 && entry.directory_index() == 0;
        let directory = if is_own { None } else { entry.directory(&self.header).and_then(text) };
        let name = text(entry.path_name())?;
        Some(join(&join(&self.compiler(), &directory.unwrap_or_default()), &name))
    }

    /// Whether a file is the user's own.
    fn is_own(&self, path: &str) -> bool {
        let compiled = join(&self.compiler(), &self.unit.name.map(text).unwrap_or_default());
        let beside = compiled.rsplit_once('/').map_or("", |(directory, _)| directory);
        let below = |directory: &str| path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
        below(&self.compiler()) || below(beside)
    }

    /// The directory in which the compiler ran.
    fn compiler(&self) -> String {
        self.unit.comp_dir.map(text).unwrap_or_default()
    }
}

fn text(bytes: Bytes<'_>) -> String {
    bytes.to_string_lossy().into_owned()
}

fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() {
        path.to_string()
    } else if path.is_empty() {
        directory.to_string()
    } else {
        format!("{directory}/{path}")
    }
}
