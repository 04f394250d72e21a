//! Explanations of a program's failure, derived from the state of its stack.
//!
//! The program is at the beginning of the local store, and the stack grows downwards from the end. A stack overflow
//! overwrites data and code. The processor then usually executes an address that was saved on the stack; as an
//! instruction, such an address is a `stop`. A word is reported as overwritten only if it differs from the executable.
//!
//! Source: SPU Application Binary Interface 1.9: register 1 is the stack pointer, and its second word is the number of
//! bytes left; GCC, `-fstack-check`, which halts if too few bytes are left.

use crate::decode::decode;
use crate::elf::Image;
use crate::instruction::Instruction;
use crate::registers::Registers;
use crate::table::Opcode;
use cell::last_gets::LastGet;
use cell::store::LocalStore;

/// The register that holds the stack pointer.
const POINTER: u8 = 1;

/// Explains why a program failed at `address`, if its stack or its overwritten code is the reason. `halts`: it failed
/// because the condition of a halt instruction held. `get`: the last DMA into the line of `address`, if it is known.
pub fn reason(
    image: &Image,
    registers: &Registers,
    ls: &LocalStore,
    address: u32,
    halts: bool,
    get: Option<&LastGet>,
) -> Option<String> {
    let check = || halts.then(|| full(registers, ls, address)).flatten();
    overwritten(image, registers, ls, address, get).or_else(check)
}

/// Explains why the word at `address` differs from the executable. Returns `None` if the word is unchanged.
fn overwritten(
    image: &Image,
    registers: &Registers,
    ls: &LocalStore,
    address: u32,
    get: Option<&LastGet>,
) -> Option<String> {
    if word_of(image, address)? == ls.read_u32(address.into()) {
        return None;
    }
    if is_over(image, registers, ls) || was_over(image, ls, address) {
        return Some("the stack has run over its end and over the program's code; use less of it".to_string());
    }
    let by = get.map_or(String::new(), |get| format!("; {get}"));
    Some(format!("the program's code was overwritten here{by}"))
}

/// Whether the stack pointer is outside the stack's address range.
fn is_over(image: &Image, registers: &Registers, ls: &LocalStore) -> bool {
    let [pointer, left, ..] = registers.get(POINTER).words();
    let in_program = image.segments.iter().any(|segment| holds(segment, pointer));
    in_program || u64::from(pointer) >= ls.size_bytes() || (left as i32) < 0
}

/// Whether an overflowing stack has overwritten the code around `address`. Every function saves its caller's stack
/// pointer, which is a higher address than the function's own stack pointer. The saved quadword also contains the
/// number of bytes left, which is negative after an overflow.
fn was_over(image: &Image, ls: &LocalStore, address: u32) -> bool {
    let around = image.segments.iter().rev().find(|segment| holds(segment, address));
    let quadwords = around.into_iter().flat_map(|(start, bytes)| (start & !15..).step_by(16).zip(bytes.chunks(16)));
    quadwords.into_iter().any(|(at, _)| {
        let [pointer, left] = [0, 4].map(|word| ls.read_u32(u64::from(at) + word));
        let is_saved = pointer % 16 == 0 && pointer > at && u64::from(pointer) < ls.size_bytes();
        is_saved && (left as i32) < 0 && word_of(image, at) != Some(pointer)
    })
}

/// Explains a halt by `-fstack-check`; returns `None` for any other halt.
fn full(registers: &Registers, ls: &LocalStore, address: u32) -> Option<String> {
    let halt = instruction(ls, address).filter(|halt| halt.opcode == Opcode::Heqi && halt.immediate == 0)?;
    let (second, left_at) = (|i: &Instruction| i.opcode == Opcode::Rotqbyi && i.immediate == 4, POINTER);
    let (at, last) = writer(ls, address, halt.ra)?;
    let before = writer(ls, at, last.ra).map(|(_, instruction)| instruction);
    // GCC emits one of two sequences: compare the old pointer, then extract the second word of the result; or extract
    // the second word of the new pointer, then compare that word.
    let compared = |i: &Instruction| matches!(i.opcode, Opcode::Cgt | Opcode::Cgti);
    let old = second(&last) && before.is_some_and(|before| compared(&before) && before.ra == left_at);
    let new = compared(&last) && last.immediate == -1 && before.is_some_and(|before| second(&before));
    let left = registers.get(POINTER).words()[1];
    (old || new).then(|| format!("{left} bytes are left of the stack, and -fstack-check needs more; use less of it"))
}

/// The last instruction before `address` that writes `register`, and the address of that instruction.
fn writer(ls: &LocalStore, address: u32, register: u8) -> Option<(u32, Instruction)> {
    /// The maximum distance, in words, from the instruction at `address` back to the writing instruction in compiled
    /// code.
    const WORDS_BACK: u32 = 24;
    let before = (1..=WORDS_BACK).map_while(|n| address.checked_sub(4 * n));
    before.filter_map(|at| Some((at, instruction(ls, at)?))).find(|(_, before)| before.writes() == Some(register))
}

fn instruction(ls: &LocalStore, address: u32) -> Option<Instruction> {
    decode(ls.read_u32(address.into()))
}

fn holds((start, bytes): &(u32, Vec<u8>), address: u32) -> bool {
    address.checked_sub(*start).is_some_and(|offset| (offset as usize) < bytes.len())
}

/// The word at `address` in the executable, if a segment of the executable contains that address.
fn word_of(image: &Image, address: u32) -> Option<u32> {
    let byte = |address: u32| {
        let (start, bytes) = image.segments.iter().rev().find(|segment| holds(segment, address))?;
        bytes.get((address - start) as usize).copied()
    };
    let bytes = [byte(address)?, byte(address + 1)?, byte(address + 2)?, byte(address + 3)?];
    Some(u32::from_be_bytes(bytes))
}
