//! Function names, for messages.

use super::{HEADER_BYTES, LOAD, half, part, program_headers, word};

/// Values of `sh_type`: the complete symbol table, and the symbol table for dynamic linking.
const ALL: u32 = 2;
const DYNAMIC: u32 = 11;
const SECTION_HEADER_BYTES: usize = 40;
const SYMBOL_BYTES: usize = 16;
/// Symbol type of functions.
const FUNCTION: u8 = 2;

/// Name of the function at a file offset, and the offset within this function.
pub fn function_at(file: &[u8], offset: u64) -> Option<(String, u32)> {
    let address = address_of(file, u32::try_from(offset).ok()?)?;
    [ALL, DYNAMIC].into_iter().find_map(|kind| look_up(file, kind, address))
}

/// The address to which the byte at a file offset is loaded.
fn address_of(file: &[u8], offset: u32) -> Option<u32> {
    let header = part(file, 0, HEADER_BYTES)?;
    let records = program_headers(file, header).ok()?;
    records.iter().filter(|record| word(record, 0) == LOAD).find_map(|record| {
        let into = offset.checked_sub(word(record, 4)).filter(|into| *into < word(record, 16))?;
        word(record, 8).checked_add(into)
    })
}

fn look_up(file: &[u8], kind: u32, address: u32) -> Option<(String, u32)> {
    let table = sections(file).find(|section| word(section, 4) == kind)?;
    let names = contents(file, sections(file).nth(word(table, 24) as usize)?)?;
    let functions = contents(file, table)?.chunks_exact(SYMBOL_BYTES).filter(|symbol| {
        let holds = address.checked_sub(word(symbol, 4)).is_some_and(|offset| offset < word(symbol, 8).max(1));
        holds && symbol.get(12).is_some_and(|info| info & 0xf == FUNCTION) && half(symbol, 14) != 0
    });
    let symbol = functions.max_by_key(|symbol| word(symbol, 4))?;
    let name = names.get(word(symbol, 0) as usize..)?.split(|byte| *byte == 0).next()?;
    Some((String::from_utf8_lossy(name).into_owned(), address - word(symbol, 4)))
}

fn sections(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let header = part(file, 0, HEADER_BYTES).unwrap_or_default();
    let (at, bytes, count) = (word(header, 32) as usize, usize::from(half(header, 46)), usize::from(half(header, 48)));
    let table = if bytes == SECTION_HEADER_BYTES { part(file, at, count * bytes) } else { None };
    table.unwrap_or_default().chunks_exact(SECTION_HEADER_BYTES)
}

fn contents<'f>(file: &'f [u8], section: &[u8]) -> Option<&'f [u8]> {
    part(file, word(section, 16) as usize, word(section, 20) as usize)
}
