//! SPU executables: the contents of an ELF file and their addresses in a local store.
//!
//! The reader accepts 32-bit big-endian executables for the SPU, as the SPU linker writes them. The reader uses the
//! loadable segments, the entry point, and the symbols, which give the addresses of a program's variables. Loading a
//! program ignores the rest of the file (sections, notes, debugging information); [`section`] and [`functions`] read it
//! for explanations. Since a file may be damaged, every number read from it is checked before use.
//!
//! Sources: System V ABI, chapters 4 and 5; SPU Application Binary Interface 1.9.

use std::collections::BTreeMap;
use std::ops::Range;

const MAGIC: &[u8] = b"\x7fELF";
/// `EI_CLASS` of a 32-bit file, and `EI_DATA` of a big-endian file.
const CLASS_32: u8 = 1;
const BIG_ENDIAN: u8 = 2;
/// `e_type` of an executable, and `e_machine` of the SPU.
const EXECUTABLE: u16 = 2;
const SPU: u16 = 23;
const HEADER_BYTES: usize = 52;
/// `p_type` of a segment to be loaded.
const LOAD: u32 = 1;
const PROGRAM_HEADER_BYTES: usize = 32;
/// `sh_type` of the symbol table, and the sizes of a section header and a symbol.
const SYMBOL_TABLE: u32 = 2;
const SECTION_HEADER_BYTES: usize = 40;
const SYMBOL_BYTES: usize = 16;
/// `STT_NOTYPE` and `STT_FUNC`, and `SHN_LORESERVE`: a number above it is no section.
const NO_TYPE: u8 = 0;
const FUNCTION: u8 = 2;
const FIRST_RESERVED_SECTION: u16 = 0xff00;
/// The size of the largest local store.
pub const LOCAL_STORE_BYTES_MAX: u64 = 1 << 20;

/// The kind of start-up code, which determines the required contents of the initial registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartUp {
    /// The registers hold the three arguments of `main(speid, argp, envp)`.
    Numbers,
    /// The registers describe an argument vector in main memory (`-mstdmain`): `main(argc, argv)`.
    Vector,
}

/// The contents of an executable file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// The address of the first instruction.
    pub entry: u32,
    /// The address and contents of each segment, including the zeros of uninitialised data (bss).
    pub segments: Vec<(u32, Vec<u8>)>,
    /// The address of each symbol, by name. The map is empty if the file has no symbol table.
    pub symbols: BTreeMap<String, u32>,
    /// The kind of arguments that the program expects.
    pub start_up: StartUp,
}

impl Image {
    /// Parses a file.
    ///
    /// # Errors
    /// The message says why the file is not an SPU executable, or where it is damaged.
    pub fn parse(file: &[u8]) -> Result<Image, String> {
        let header = Header::parse(file)?;
        let mut segments = Vec::new();
        for n in 0..header.segments {
            let at = header.segments_at + n * header.segment_bytes;
            let record = part(file, at, PROGRAM_HEADER_BYTES).ok_or_else(|| cut_off("program headers"))?;
            if word(record, 0) == LOAD {
                let loaded = segment(file, record).map_err(|why| format!("segment {n} {why}"))?;
                segments.extend(loaded.map(|segment| (n, segment)));
            }
        }
        no_overlap(&segments)?;
        let segments: Vec<_> = segments.into_iter().map(|(_, segment)| segment).collect();
        let holds = |(address, bytes): &(u32, Vec<u8>)| {
            header.entry.checked_sub(*address).is_some_and(|offset| (offset as usize) < bytes.len())
        };
        if header.entry % 4 != 0 || !segments.iter().any(holds) {
            return Err(format!("the entry point {:#x} is not in what is loaded", header.entry));
        }
        let start_up = start_up(header.entry, &segments);
        Ok(Image { entry: header.entry, segments, symbols: symbols(file, &header), start_up })
    }

    /// Checks that the program fits into a local store.
    ///
    /// # Errors
    /// The program is too large.
    pub fn check(&self, local_store_bytes: u32) -> Result<(), String> {
        let ends = self.segments.iter().map(|(address, bytes)| *address as usize + bytes.len());
        match ends.max() {
            Some(end) if end > local_store_bytes as usize => {
                Err(format!("too large: it ends at {end:#x}, and the local store at {local_store_bytes:#x}"))
            }
            _ => Ok(()),
        }
    }
}

/// The required fields of the file header.
struct Header {
    entry: u32,
    segments_at: usize,
    segment_bytes: usize,
    segments: usize,
    sections_at: usize,
    section_bytes: usize,
    sections: usize,
    /// The number of the section that contains the sections' names.
    section_names: usize,
}

impl Header {
    fn parse(file: &[u8]) -> Result<Header, String> {
        if !file.starts_with(MAGIC) {
            return Err("not an ELF file; give an SPU executable, as spu-elf-gcc makes them".to_string());
        }
        let header = part(file, 0, HEADER_BYTES).ok_or_else(|| cut_off("file header"))?;
        let (machine, kind) = (half(header, 18), half(header, 16));
        if header[4] != CLASS_32 || header[5] != BIG_ENDIAN || machine != SPU {
            let hint = if header[5] == BIG_ENDIAN && matches!(machine, 20 | 21) { " (it is for the PPE)" } else { "" };
            return Err(format!("an ELF file, but not for the SPU{hint}; give what spu-elf-gcc makes"));
        }
        if kind != EXECUTABLE {
            return Err("an SPU file, but not an executable; link it first".to_string());
        }
        let header = Header {
            entry: word(header, 24),
            segments_at: word(header, 28) as usize,
            segment_bytes: usize::from(half(header, 42)),
            segments: usize::from(half(header, 44)),
            sections_at: word(header, 32) as usize,
            section_bytes: usize::from(half(header, 46)),
            sections: usize::from(half(header, 48)),
            section_names: usize::from(half(header, 50)),
        };
        if header.segments > 0 && header.segment_bytes < PROGRAM_HEADER_BYTES {
            return Err(format!("damaged: program headers of {} bytes", header.segment_bytes));
        }
        Ok(header)
    }
}

/// The bytes of one segment, if it has any.
fn segment(file: &[u8], record: &[u8]) -> Result<Option<(u32, Vec<u8>)>, String> {
    let (offset, address) = (word(record, 4), word(record, 8));
    let (in_file, in_memory) = (word(record, 16), word(record, 20));
    if in_memory == 0 {
        return Ok(None);
    }
    let end = u64::from(address) + u64::from(in_memory);
    if end > LOCAL_STORE_BYTES_MAX {
        return Err(format!("ends at {end:#x}, outside the local store"));
    }
    if in_file > in_memory {
        return Err(format!("is damaged: {in_file} bytes for {in_memory}"));
    }
    let bytes = part(file, offset as usize, in_file as usize).ok_or("is cut off: the file ends before it")?;
    let mut bytes = bytes.to_vec();
    bytes.resize(in_memory as usize, 0);
    Ok(Some((address, bytes)))
}

/// Checks that no two segments overlap. Each segment is paired with its number.
///
/// Code overlays use overlapping segments and are therefore rejected: the file is not in main memory, so an overlay
/// could not be loaded later.
fn no_overlap(segments: &[(usize, (u32, Vec<u8>))]) -> Result<(), String> {
    let range =
        |(n, (address, bytes)): &(usize, (u32, Vec<u8>))| (*address as usize, *address as usize + bytes.len(), *n);
    let mut ranges: Vec<_> = segments.iter().map(range).collect();
    ranges.sort_by_key(|(start, ..)| *start);
    // The ranges are sorted by start address, so if any two ranges overlap, then two adjacent ranges also overlap.
    match ranges.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        Some(&[(one, one_end, n), (other, other_end, m)]) => Err(format!(
            "segments {n} ({one:#x} to {one_end:#x}) and {m} ({other:#x} to {other_end:#x}) overlap; link it without overlays"
        )),
        _ => Ok(()),
    }
}

/// The kind of start-up code. With `-mstdmain`, one of the first instructions writes $4, the address of the arguments,
/// to MFC_LSA.
fn start_up(entry: u32, segments: &[(u32, Vec<u8>)]) -> StartUp {
    const WRITE_MFC_LSA_FROM_4: u32 = 0x21a0_0804;
    let code = segments.iter().find_map(|(address, bytes)| bytes.get(entry.checked_sub(*address)? as usize..));
    let mut first = code.unwrap_or_default().chunks_exact(4).take(4).map(|code| word(code, 0));
    if first.any(|code| code == WRITE_MFC_LSA_FROM_4) { StartUp::Vector } else { StartUp::Numbers }
}

/// The named symbols. Unreadable symbols are skipped, because symbols serve only as names for users.
fn symbols(file: &[u8], header: &Header) -> BTreeMap<String, u32> {
    entries(file, header).filter(|entry| half(entry.record, 14) != 0).map(|entry| (entry.name, entry.address)).collect()
}

/// The names of functions and other labels of code, by address. The map is empty if the file has none.
pub fn functions(file: &[u8]) -> BTreeMap<u32, String> {
    let Ok(header) = Header::parse(file) else { return BTreeMap::new() };
    let is_code = |entry: &Entry<'_>| {
        let (kind, section) = (entry.record[12] & 0xf, half(entry.record, 14));
        matches!(kind, NO_TYPE | FUNCTION) && (1..FIRST_RESERVED_SECTION).contains(&section)
    };
    let mut found: Vec<_> = entries(file, &header).filter(is_code).collect();
    // The last of several names of an address remains. It is a function's, if there is one.
    found.sort_by_key(|entry| entry.record[12] & 0xf);
    found.into_iter().map(|entry| (entry.address, entry.name)).collect()
}

/// The code of each function or other label of code, by name. A label without a size ends at the next one, or at the end
/// of its segment.
pub fn code_ranges(file: &[u8], image: &Image) -> BTreeMap<String, Range<u32>> {
    let Ok(header) = Header::parse(file) else { return BTreeMap::new() };
    let sizes: BTreeMap<u32, u32> = entries(file, &header)
        .filter(|entry| entry.record[12] & 0xf == FUNCTION && word(entry.record, 8) > 0)
        .map(|entry| (entry.address, word(entry.record, 8)))
        .collect();
    let functions = functions(file);
    let range = |(start, name): (&u32, &String)| {
        let holds = |(at, bytes): &&(u32, Vec<u8>)| (*at..*at + bytes.len() as u32).contains(start);
        let (at, bytes) = image.segments.iter().find(holds)?;
        let next = functions.range(start + 1..).next().map(|(next, _)| *next);
        let end = sizes.get(start).map_or(next, |size| start.checked_add(*size)).unwrap_or(u32::MAX);
        Some((name.clone(), *start..end.min(at + bytes.len() as u32)))
    };
    functions.iter().filter_map(range).collect()
}

/// The contents of the section with this name, if the file has it.
pub fn section<'f>(file: &'f [u8], name: &str) -> Option<&'f [u8]> {
    let header = Header::parse(file).ok()?;
    let names = contents(file, section_header(file, &header, header.section_names)?)?;
    let mut sections = (0..header.sections).filter_map(|n| section_header(file, &header, n));
    let found = sections.find(|record| text(names, word(record, 0)) == Some(name.as_bytes()))?;
    contents(file, found)
}

/// A symbol with a name.
struct Entry<'f> {
    name: String,
    address: u32,
    record: &'f [u8],
}

fn entries<'f>(file: &'f [u8], header: &Header) -> impl Iterator<Item = Entry<'f>> {
    let mut sections = (0..header.sections).filter_map(|n| section_header(file, header, n));
    let table = sections.find(|record| word(record, 4) == SYMBOL_TABLE);
    let names = table.and_then(|table| section_header(file, header, word(table, 24) as usize));
    let names = names.and_then(|record| contents(file, record)).unwrap_or_default();
    let records = table.and_then(|table| contents(file, table)).unwrap_or_default().chunks_exact(SYMBOL_BYTES);
    records.filter_map(|record| {
        let name = text(names, word(record, 0)).filter(|name| !name.is_empty())?;
        Some(Entry { name: String::from_utf8_lossy(name).into_owned(), address: word(record, 4), record })
    })
}

fn section_header<'f>(file: &'f [u8], header: &Header, n: usize) -> Option<&'f [u8]> {
    let at = header.section_bytes.checked_mul(n)?.checked_add(header.sections_at)?;
    part(file, at, SECTION_HEADER_BYTES)
}

fn contents<'f>(file: &'f [u8], section_header: &[u8]) -> Option<&'f [u8]> {
    part(file, word(section_header, 16) as usize, word(section_header, 20) as usize)
}

/// The text at an offset of a table of texts that end with a zero.
fn text(table: &[u8], at: u32) -> Option<&[u8]> {
    table.get(at as usize..)?.split(|byte| *byte == 0).next()
}

fn cut_off(what: &str) -> String {
    format!("damaged: the file ends within its {what}")
}

fn part(file: &[u8], at: usize, bytes: usize) -> Option<&[u8]> {
    file.get(at..at.checked_add(bytes)?)
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
