//! The instructions that compute one register from others, without floating point: one line for each.

use super::integer::{self, not};
use super::lanes::{bytes_of_both, each_halfword, each_word, halfwords_of_both, words_of_both, words_of_three};
use super::{memory, shift};
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use crate::table::Opcode::*;

/// What `i` puts into RT, if it is such an instruction.
#[inline(always)]
pub fn compute(i: &Instruction, registers: &Registers) -> Option<Quadword> {
    let (a, b, c) = (|| registers.get(i.ra), || registers.get(i.rb), || registers.get(i.rc));
    let t = || registers.get(i.rt);
    let immediate = i.immediate as u32;
    let words = || Quadword::splat(immediate);
    let halfwords = || Quadword::from_halfwords([immediate as u16; 8]);
    let bytes = || Quadword::from_bytes([immediate as u8; 16]);
    let count = || b().preferred();
    let address_d = || a().preferred().wrapping_add(immediate);
    let address_x = || a().preferred().wrapping_add(count());
    Some(match i.opcode {
        Cbd => memory::insertion_controls(address_d(), 1),
        Cbx => memory::insertion_controls(address_x(), 1),
        Chd => memory::insertion_controls(address_d(), 2),
        Chx => memory::insertion_controls(address_x(), 2),
        Cwd => memory::insertion_controls(address_d(), 4),
        Cwx => memory::insertion_controls(address_x(), 4),
        Cdd => memory::insertion_controls(address_d(), 8),
        Cdx => memory::insertion_controls(address_x(), 8),

        Il | Ila => words(),
        Ilh => halfwords(),
        Ilhu => Quadword::splat(immediate << 16),
        Iohl => words_of_both(t(), words(), |t, low| t | low),
        Fsmbi => integer::mask_bytes(immediate),
        Mfspr => Quadword::default(),

        Ah => halfwords_of_both(a(), b(), u16::wrapping_add),
        Ahi => halfwords_of_both(a(), halfwords(), u16::wrapping_add),
        A => words_of_both(a(), b(), u32::wrapping_add),
        Ai => words_of_both(a(), words(), u32::wrapping_add),
        Sfh => halfwords_of_both(b(), a(), u16::wrapping_sub),
        Sfhi => halfwords_of_both(halfwords(), a(), u16::wrapping_sub),
        Sf => words_of_both(b(), a(), u32::wrapping_sub),
        Sfi => words_of_both(words(), a(), u32::wrapping_sub),
        Addx => integer::add_extended(a(), b(), t()),
        Cg => integer::carry(a(), b()),
        Cgx => integer::carry_extended(a(), b(), t()),
        Sfx => integer::add_extended(not(a()), b(), t()),
        Bg => integer::borrow(a(), b()),
        Bgx => integer::carry_extended(not(a()), b(), t()),

        Mpy => words_of_both(a(), b(), integer::low_product),
        Mpyu => words_of_both(a(), b(), integer::low_product_unsigned),
        Mpyi => words_of_both(a(), words(), integer::low_product),
        Mpyui => words_of_both(a(), words(), integer::low_product_unsigned),
        Mpya => words_of_three(a(), b(), c(), |a, b, c| integer::low_product(a, b).wrapping_add(c)),
        Mpyh => words_of_both(a(), b(), integer::cross_product),
        Mpys => words_of_both(a(), b(), |a, b| (integer::low_product(a, b) as i32 >> 16) as u32),
        Mpyhh => words_of_both(a(), b(), integer::high_product),
        Mpyhha => words_of_three(a(), b(), t(), |a, b, t| integer::high_product(a, b).wrapping_add(t)),
        Mpyhhu => words_of_both(a(), b(), integer::high_product_unsigned),
        Mpyhhau => words_of_three(a(), b(), t(), |a, b, t| integer::high_product_unsigned(a, b).wrapping_add(t)),

        Clz => each_word(a(), u32::leading_zeros),
        Cntb => integer::count_ones(a()),
        Fsmb => integer::mask_bytes(a().preferred()),
        Fsmh => integer::mask_halfwords(a().preferred()),
        Fsm => integer::mask_words(a().preferred()),
        Gbb => integer::gather(a().bytes().map(u32::from)),
        Gbh => integer::gather(a().halfwords().map(u32::from)),
        Gb => integer::gather(a().words()),
        Avgb => integer::average_bytes(a(), b()),
        Absdb => bytes_of_both(a(), b(), u8::abs_diff),
        Sumb => integer::sum_bytes(a(), b()),
        Xsbh => each_halfword(a(), |halfword| i16::from(halfword as i8) as u16),
        Xshw => each_word(a(), |word| i32::from(word as i16) as u32),
        Xswd => integer::extend_words(a()),

        And => words_of_both(a(), b(), |a, b| a & b),
        Andc => words_of_both(a(), b(), |a, b| a & !b),
        Andbi => words_of_both(a(), bytes(), |a, b| a & b),
        Andhi => words_of_both(a(), halfwords(), |a, b| a & b),
        Andi => words_of_both(a(), words(), |a, b| a & b),
        Or => words_of_both(a(), b(), |a, b| a | b),
        Orc => words_of_both(a(), b(), |a, b| a | !b),
        Orbi => words_of_both(a(), bytes(), |a, b| a | b),
        Orhi => words_of_both(a(), halfwords(), |a, b| a | b),
        Ori => words_of_both(a(), words(), |a, b| a | b),
        Orx => integer::or_across(a()),
        Xor => words_of_both(a(), b(), |a, b| a ^ b),
        Xorbi => words_of_both(a(), bytes(), |a, b| a ^ b),
        Xorhi => words_of_both(a(), halfwords(), |a, b| a ^ b),
        Xori => words_of_both(a(), words(), |a, b| a ^ b),
        Nand => words_of_both(a(), b(), |a, b| !(a & b)),
        Nor => words_of_both(a(), b(), |a, b| !(a | b)),
        Eqv => words_of_both(a(), b(), |a, b| !(a ^ b)),
        Selb => words_of_three(a(), b(), c(), |a, b, c| a & !c | b & c),
        Shufb => shift::shuffle(a(), b(), c()),

        Shlh => shift::left_halfwords(a(), b()),
        Shlhi => shift::left_halfwords(a(), halfwords()),
        Shl => shift::left_words(a(), b()),
        Shli => shift::left_words(a(), words()),
        Shlqbi => shift::left_bits(a(), count()),
        Shlqbii => shift::left_bits(a(), immediate),
        Shlqby => shift::left_bytes(a(), count()),
        Shlqbyi => shift::left_bytes(a(), immediate),
        Shlqbybi => shift::left_bytes(a(), count() >> 3),
        Roth => shift::rotate_halfwords(a(), b()),
        Rothi => shift::rotate_halfwords(a(), halfwords()),
        Rot => shift::rotate_words(a(), b()),
        Roti => shift::rotate_words(a(), words()),
        Rotqby => shift::rotate_bytes(a(), count()),
        Rotqbyi => shift::rotate_bytes(a(), immediate),
        Rotqbybi => shift::rotate_bytes(a(), count() >> 3),
        Rotqbi => shift::rotate_bits(a(), count()),
        Rotqbii => shift::rotate_bits(a(), immediate),
        Rothm => shift::right_halfwords(a(), b()),
        Rothmi => shift::right_halfwords(a(), halfwords()),
        Rotm => shift::right_words(a(), b()),
        Rotmi => shift::right_words(a(), words()),
        Rotqmby => shift::right_bytes(a(), count()),
        Rotqmbyi => shift::right_bytes(a(), immediate),
        Rotqmbybi => shift::right_bytes(a(), count() >> 3),
        Rotqmbi => shift::right_bits(a(), count()),
        Rotqmbii => shift::right_bits(a(), immediate),
        Rotmah => shift::right_halfwords_algebraic(a(), b()),
        Rotmahi => shift::right_halfwords_algebraic(a(), halfwords()),
        Rotma => shift::right_words_algebraic(a(), b()),
        Rotmai => shift::right_words_algebraic(a(), words()),

        Ceqb => bytes_of_both(a(), b(), |a, b| mask8(a == b)),
        Ceqbi => bytes_of_both(a(), bytes(), |a, b| mask8(a == b)),
        Ceqh => halfwords_of_both(a(), b(), |a, b| mask16(a == b)),
        Ceqhi => halfwords_of_both(a(), halfwords(), |a, b| mask16(a == b)),
        Ceq => words_of_both(a(), b(), |a, b| mask32(a == b)),
        Ceqi => words_of_both(a(), words(), |a, b| mask32(a == b)),
        Cgtb => bytes_of_both(a(), b(), |a, b| mask8(a as i8 > b as i8)),
        Cgtbi => bytes_of_both(a(), bytes(), |a, b| mask8(a as i8 > b as i8)),
        Cgth => halfwords_of_both(a(), b(), |a, b| mask16(a as i16 > b as i16)),
        Cgthi => halfwords_of_both(a(), halfwords(), |a, b| mask16(a as i16 > b as i16)),
        Cgt => words_of_both(a(), b(), |a, b| mask32(a as i32 > b as i32)),
        Cgti => words_of_both(a(), words(), |a, b| mask32(a as i32 > b as i32)),
        Clgtb => bytes_of_both(a(), b(), |a, b| mask8(a > b)),
        Clgtbi => bytes_of_both(a(), bytes(), |a, b| mask8(a > b)),
        Clgth => halfwords_of_both(a(), b(), |a, b| mask16(a > b)),
        Clgthi => halfwords_of_both(a(), halfwords(), |a, b| mask16(a > b)),
        Clgt => words_of_both(a(), b(), |a, b| mask32(a > b)),
        Clgti => words_of_both(a(), words(), |a, b| mask32(a > b)),

        _ => return None,
    })
}

fn mask8(condition: bool) -> u8 {
    u8::from(condition).wrapping_neg()
}

fn mask16(condition: bool) -> u16 {
    u16::from(condition).wrapping_neg()
}

fn mask32(condition: bool) -> u32 {
    u32::from(condition).wrapping_neg()
}
