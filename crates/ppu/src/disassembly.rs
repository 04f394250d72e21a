//! Instructions as text, in the assembler's syntax.
//!
//! The output uses few simplified mnemonics. Branches show their conditions as numbers, for example `bc 12,2,0x1000`.

use crate::decode::decode;
use crate::instruction::Instruction;
use crate::table::{ILLEGAL, ROWS};
use std::fmt::Write;

/// The instruction `word` at `pc` as text, or `.long` and the word if the word is not an instruction.
pub fn disassemble(word: u32, pc: u32) -> String {
    let i = decode(word, pc);
    if i.row == ILLEGAL {
        return format!(".long 0x{word:x}");
    }
    let row = &ROWS[usize::from(i.row)];
    let mut text = row.mnemonic.to_string();
    if !row.operands.is_empty() {
        text.push(' ');
    }
    for letter in row.operands.chars() {
        operand(&mut text, letter, &i, word);
    }
    text
}

/// Appends the operand that a letter in the instruction table denotes.
fn operand(text: &mut String, letter: char, i: &Instruction, word: u32) {
    let signed = i.immediate as i32;
    // Writing to a string cannot fail.
    let _ = match letter {
        't' | 's' => write!(text, "r{}", i.rt),
        'z' if i.ra == 0 => write!(text, "0"),
        'a' | 'z' => write!(text, "r{}", i.ra),
        'b' => write!(text, "r{}", i.rb),
        'T' | 'S' => write!(text, "f{}", i.rt),
        'A' => write!(text, "f{}", i.ra),
        'B' => write!(text, "f{}", i.rb),
        'C' => write!(text, "f{}", i.rc),
        'V' => write!(text, "v{}", i.rt),
        'X' => write!(text, "v{}", i.ra),
        'Y' => write!(text, "v{}", i.rb),
        'Z' => write!(text, "v{}", i.rc),
        'd' | 'e' | 'i' | 'j' => write!(text, "{signed}"),
        'u' | 'Q' | 'U' => write!(text, "{}", i.immediate),
        'g' => write!(text, "{}", word & 0xffff),
        'h' | 'N' | 'w' => write!(text, "{}", i.rb),
        'm' => write!(text, "{}", i.rc),
        'n' => write!(text, "{}", word >> 1 & 31),
        'H' => write!(text, "{}", i.immediate & 63),
        'M' => write!(text, "{}", i.immediate >> 8),
        'f' => write!(text, "cr{}", i.rt >> 2),
        'k' => write!(text, "cr{}", i.ra >> 2),
        'x' | 'o' | 'O' => write!(text, "{}", i.rt),
        'y' | 'c' | 'J' => write!(text, "{}", i.ra),
        'q' => write!(text, "{}", i.rt & 3),
        'l' | 'r' | 'L' | 'R' => write!(text, "0x{:x}", i.immediate),
        'F' => write!(text, "{}", word >> 12 & 0xff),
        'W' => write!(text, "{}", word >> 17 & 0xff),
        'p' => write!(text, "{}", i.immediate),
        punctuation => write!(text, "{punctuation}"),
    };
}
