//! Instructions as text.

/// The instruction `word` at `pc` as text; `.long` with the word if it is none.
pub fn disassemble(word: u32, pc: u32) -> String {
    let _ = pc;
    format!(".long 0x{word:x}")
}
