//! The instructions that compute one register from others, one line for each.

use super::integer::{self, not};
use super::lanes::{each_halfword, each_word, halfwords_of_both, words_of_both, words_of_three};
use super::lanes::{bytes_of_both, mask_of};
use super::{double, memory, shift, single};
use crate::float::Fpscr;
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use crate::table::Opcode;

/// What `i` puts into RT.
#[inline(always)]
pub fn compute(i: &Instruction, registers: &Registers, fpscr: &mut Fpscr) -> Quadword {
    let (a, b, c) = (|| registers.get(i.ra), || registers.get(i.rb), || registers.get(i.rc));
    let t = || registers.get(i.rt);
    let (word, halfword, byte) = (i.immediate as u32, i.immediate as u16, i.immediate as u8);
    let words = || Quadword::splat(word);
    let halfwords = || Quadword::from_halfwords([halfword; 8]);
    let bytes = || Quadword::from_bytes([byte; 16]);
    let count = || b().preferred();
    let address_d = || a().preferred().wrapping_add(word);
    let address_x = || a().preferred().wrapping_add(count());
    let bits = |f: fn(u128, u128) -> u128, x: Quadword, y: Quadword| Quadword::from_bits(f(x.bits(), y.bits()));
    use Opcode::*;
    match i.opcode {
        Cbd => memory::insertion_controls(address_d(), 1),
        Cbx => memory::insertion_controls(address_x(), 1),
    }
}
