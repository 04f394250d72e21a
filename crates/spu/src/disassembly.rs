//! Instructions as text. The output is the same as that of `spu-elf-objdump` without symbols, with blanks instead of
//! tabs.
//!
//! Two peculiarities of `spu-elf-objdump` are kept: the type of a `stop` is omitted, and a value above 16 is repeated
//! in hexadecimal in a trailing remark.

use std::fmt::Write;

use crate::class::Format;
use crate::decode::decode;
use crate::instruction::Instruction;

const ADDRESS_MASK: i64 = 0x3_ffff;

/// Disassembles the instruction `word` at `address`. A word that is not an instruction becomes a `.long` directive.
pub fn disassemble(word: u32, address: u32) -> String {
    let Some(instruction) = decode(word) else { return format!(".long 0x{word:x}") };
    let mut text = instruction.opcode.mnemonic().to_string();
    let features = instruction.features();
    if features.prefetch_or_channel {
        text.push(if instruction.opcode.format() == Format::Lbti { 'p' } else { 'c' });
    }
    if features.disable_interrupts {
        text.push('d');
    }
    if features.enable_interrupts {
        text.push('e');
    }
    let operands = instruction.opcode.definition().operands;
    if !operands.is_empty() {
        text.push(' ');
    }
    let mut remark = 0;
    for letter in operands.chars() {
        remark = remark.max(operand(&mut text, letter, &instruction, i64::from(address)));
    }
    if remark > 16 {
        let _ = write!(text, " # {remark:x}");
    }
    text
}

/// Appends the operand that is denoted by an operand letter of the instruction table. Returns the operand's value if a
/// remark may repeat it in hexadecimal.
fn operand(text: &mut String, letter: char, instruction: &Instruction, address: i64) -> i64 {
    let immediate = i64::from(instruction.immediate);
    let (written, remark) = match letter {
        't' => (format!("${}", instruction.rt), 0),
        'a' => (format!("${}", instruction.ra), 0),
        'b' => (format!("${}", instruction.rb), 0),
        'c' => (format!("${}", instruction.rc), 0),
        's' => (format!("$sp{}", instruction.ra), 0),
        'h' => (format!("$ch{}", instruction.ra), 0),
        'i' | 'u' | 'd' => (immediate.to_string(), immediate),
        'f' | 'g' => (immediate.to_string(), 0),
        'o' => (format!("0x{:x}", (address + 4 * i64::from(instruction.branch_offset_words)) as u32), 0),
        'r' | 'x' if immediate == 0 => ("0".to_string(), 0),
        'r' => {
            let target = (address + immediate) & ADDRESS_MASK;
            (format!("0x{target:x}"), target)
        }
        'x' => (format!("0x{immediate:x}"), 0),
        punctuation => (punctuation.to_string(), 0),
    };
    text.push_str(&written);
    remark
}
