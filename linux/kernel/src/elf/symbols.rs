//! Function names, for messages.

use super::bytes::{half, number, part};
use super::records::{Header, Section};
use super::{LOAD, kind};
use crate::width::Width;

/// Values of `sh_type`: the complete symbol table, and the symbol table for dynamic linking.
const ALL: u32 = 2;
const DYNAMIC: u32 = 11;
/// `sh_flags`: the section holds code.
const CODE: u64 = 4;
/// Symbol type of functions.
const FUNCTION: u8 = 2;

/// Name of the function at a file offset, and the offset within this function.
pub fn function_at(file: &[u8], offset: u64) -> Option<(String, u32)> {
    let header = Header::read(file, kind::check(file).ok()?)?;
    let address = address_of(file, &header, offset)?;
    let sections = header.sections(file);
    [ALL, DYNAMIC].into_iter().find_map(|kind| look_up(file, &header, &sections, (kind, address)))
}

/// The address to which the byte at a file offset is loaded.
fn address_of(file: &[u8], header: &Header, offset: u64) -> Option<u64> {
    header.programs(file).ok()?.iter().filter(|record| record.kind == LOAD).find_map(|record| {
        let into = offset.checked_sub(record.offset).filter(|into| *into < record.in_file)?;
        record.address.checked_add(into)
    })
}

/// A function in a symbol table.
struct Function {
    /// Offset of the name in the table of names.
    name: usize,
    address: u64,
    size: u64,
}

fn look_up(file: &[u8], header: &Header, sections: &[Section], (kind, address): (u32, u64)) -> Option<(String, u32)> {
    let table = sections.iter().find(|section| section.kind == kind)?;
    let names = contents(file, sections.get(table.link as usize)?)?;
    let symbols = contents(file, table)?.chunks_exact(header.width.pick(16, 24));
    let functions = symbols.filter_map(|symbol| function(file, header.width, sections, symbol));
    let holds =
        |function: &Function| address.checked_sub(function.address).is_some_and(|offset| offset < function.size.max(1));
    let function = functions.filter(holds).max_by_key(|function| function.address)?;
    let name = names.get(function.name..)?.split(|byte| *byte == 0).next()?;
    Some((String::from_utf8_lossy(name).into_owned(), (address - function.address) as u32))
}

/// The function that a symbol describes, if it describes one.
fn function(file: &[u8], width: Width, sections: &[Section], symbol: &[u8]) -> Option<Function> {
    // A 32-bit symbol consists of name, value, size, kind and section; a 64-bit one of name, kind, section, value, size.
    let (kind, section, value, size) = match width {
        Width::Narrow => (symbol[12], half(symbol, 14), number(&symbol[4..8]), number(&symbol[8..12])),
        Width::Wide => (symbol[4], half(symbol, 6), number(&symbol[8..16]), number(&symbol[16..24])),
    };
    if kind & 0xf != FUNCTION || section == 0 {
        return None;
    }
    let address = match (width, sections.get(usize::from(section))) {
        // The symbol's value is the address of the function's descriptor, which begins with the address of its code.
        (Width::Wide, Some(home)) if home.flags & CODE == 0 => {
            let descriptor = contents(file, home)?.get((value.checked_sub(home.address)?) as usize..)?;
            number(descriptor.get(..8)?)
        }
        _ => value,
    };
    Some(Function { name: number(&symbol[..4]) as usize, address, size })
}

fn contents<'f>(file: &'f [u8], section: &Section) -> Option<&'f [u8]> {
    part(file, section.offset, section.size)
}
