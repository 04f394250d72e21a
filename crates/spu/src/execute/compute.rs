//! The instructions that compute one register from others, without floating point: one line for each.

use super::integer::{self, not};
use super::lanes::{bytes_of_both, each_halfword, each_word, halfwords_of_both, words_of_both, words_of_three};
use super::operands::Operands;
use super::{memory, shift};
use crate::registers::Quadword;
use crate::table::Opcode::*;

/// Puts the result into RT, or says that it is no such instruction.
#[inline(always)]
pub fn compute(o: &mut Operands) -> bool {
    match o.i.opcode {
        Cbd => o.set(memory::insertion_controls(o.address_d(), 1)),
        Cbx => o.set(memory::insertion_controls(o.address_x(), 1)),
        Chd => o.set(memory::insertion_controls(o.address_d(), 2)),
        Chx => o.set(memory::insertion_controls(o.address_x(), 2)),
        Cwd => o.set(memory::insertion_controls(o.address_d(), 4)),
        Cwx => o.set(memory::insertion_controls(o.address_x(), 4)),
        Cdd => o.set(memory::insertion_controls(o.address_d(), 8)),
        Cdx => o.set(memory::insertion_controls(o.address_x(), 8)),

        Il | Ila => o.set(o.words()),
        Ilh => o.set(o.halfwords()),
        Ilhu => o.set(Quadword::splat(o.immediate() << 16)),
        Iohl => o.set(words_of_both(o.t(), o.words(), |t, low| t | low)),
        Fsmbi => o.set(integer::mask_bytes(o.immediate())),
        Mfspr => o.set(Quadword::default()),

        Ah => o.set(halfwords_of_both(o.a(), o.b(), u16::wrapping_add)),
        Ahi => o.set(halfwords_of_both(o.a(), o.halfwords(), u16::wrapping_add)),
        A => o.set(words_of_both(o.a(), o.b(), u32::wrapping_add)),
        Ai => o.set(words_of_both(o.a(), o.words(), u32::wrapping_add)),
        Sfh => o.set(halfwords_of_both(o.b(), o.a(), u16::wrapping_sub)),
        Sfhi => o.set(halfwords_of_both(o.halfwords(), o.a(), u16::wrapping_sub)),
        Sf => o.set(words_of_both(o.b(), o.a(), u32::wrapping_sub)),
        Sfi => o.set(words_of_both(o.words(), o.a(), u32::wrapping_sub)),
        Addx => o.set(integer::add_extended(o.a(), o.b(), o.t())),
        Cg => o.set(integer::carry(o.a(), o.b())),
        Cgx => o.set(integer::carry_extended(o.a(), o.b(), o.t())),
        Sfx => o.set(integer::add_extended(not(o.a()), o.b(), o.t())),
        Bg => o.set(integer::borrow(o.a(), o.b())),
        Bgx => o.set(integer::carry_extended(not(o.a()), o.b(), o.t())),

        Mpy => o.set(words_of_both(o.a(), o.b(), integer::low_product)),
        Mpyu => o.set(words_of_both(o.a(), o.b(), integer::low_product_unsigned)),
        Mpyi => o.set(words_of_both(o.a(), o.words(), integer::low_product)),
        Mpyui => o.set(words_of_both(o.a(), o.words(), integer::low_product_unsigned)),
        Mpya => o.set(words_of_three(o.a(), o.b(), o.c(), |a, b, c| integer::low_product(a, b).wrapping_add(c))),
        Mpyh => o.set(words_of_both(o.a(), o.b(), integer::cross_product)),
        Mpys => o.set(words_of_both(o.a(), o.b(), |a, b| (integer::low_product(a, b) as i32 >> 16) as u32)),
        Mpyhh => o.set(words_of_both(o.a(), o.b(), integer::high_product)),
        Mpyhha => o.set(words_of_three(o.a(), o.b(), o.t(), |a, b, t| integer::high_product(a, b).wrapping_add(t))),
        Mpyhhu => o.set(words_of_both(o.a(), o.b(), integer::high_product_unsigned)),
        Mpyhhau => {
            o.set(words_of_three(o.a(), o.b(), o.t(), |a, b, t| integer::high_product_unsigned(a, b).wrapping_add(t)))
        }

        Clz => o.set(each_word(o.a(), u32::leading_zeros)),
        Cntb => o.set(integer::count_ones(o.a())),
        Fsmb => o.set(integer::mask_bytes(o.a().preferred())),
        Fsmh => o.set(integer::mask_halfwords(o.a().preferred())),
        Fsm => o.set(integer::mask_words(o.a().preferred())),
        Gbb => o.set(integer::gather(o.a().bytes().map(u32::from))),
        Gbh => o.set(integer::gather(o.a().halfwords().map(u32::from))),
        Gb => o.set(integer::gather(o.a().words())),
        Avgb => o.set(integer::average_bytes(o.a(), o.b())),
        Absdb => o.set(bytes_of_both(o.a(), o.b(), u8::abs_diff)),
        Sumb => o.set(integer::sum_bytes(o.a(), o.b())),
        Xsbh => o.set(each_halfword(o.a(), |halfword| i16::from(halfword as i8) as u16)),
        Xshw => o.set(each_word(o.a(), |word| i32::from(word as i16) as u32)),
        Xswd => o.set(integer::extend_words(o.a())),

        And => o.set(words_of_both(o.a(), o.b(), |a, b| a & b)),
        Andc => o.set(words_of_both(o.a(), o.b(), |a, b| a & !b)),
        Andbi => o.set(words_of_both(o.a(), o.bytes(), |a, b| a & b)),
        Andhi => o.set(words_of_both(o.a(), o.halfwords(), |a, b| a & b)),
        Andi => o.set(words_of_both(o.a(), o.words(), |a, b| a & b)),
        Or => o.set(words_of_both(o.a(), o.b(), |a, b| a | b)),
        Orc => o.set(words_of_both(o.a(), o.b(), |a, b| a | !b)),
        Orbi => o.set(words_of_both(o.a(), o.bytes(), |a, b| a | b)),
        Orhi => o.set(words_of_both(o.a(), o.halfwords(), |a, b| a | b)),
        Ori => o.set(words_of_both(o.a(), o.words(), |a, b| a | b)),
        Orx => o.set(integer::or_across(o.a())),
        Xor => o.set(words_of_both(o.a(), o.b(), |a, b| a ^ b)),
        Xorbi => o.set(words_of_both(o.a(), o.bytes(), |a, b| a ^ b)),
        Xorhi => o.set(words_of_both(o.a(), o.halfwords(), |a, b| a ^ b)),
        Xori => o.set(words_of_both(o.a(), o.words(), |a, b| a ^ b)),
        Nand => o.set(words_of_both(o.a(), o.b(), |a, b| !(a & b))),
        Nor => o.set(words_of_both(o.a(), o.b(), |a, b| !(a | b))),
        Eqv => o.set(words_of_both(o.a(), o.b(), |a, b| !(a ^ b))),
        Selb => o.set(words_of_three(o.a(), o.b(), o.c(), |a, b, c| a & !c | b & c)),
        Shufb => o.set(shift::shuffle(o.a(), o.b(), o.c())),

        Shlh => o.set(shift::left_halfwords(o.a(), o.b())),
        Shlhi => o.set(shift::left_halfwords(o.a(), o.halfwords())),
        Shl => o.set(shift::left_words(o.a(), o.b())),
        Shli => o.set(shift::left_words(o.a(), o.words())),
        Shlqbi => o.set(shift::left_bits(o.a(), o.count())),
        Shlqbii => o.set(shift::left_bits(o.a(), o.immediate())),
        Shlqby => o.set(shift::left_bytes(o.a(), o.count())),
        Shlqbyi => o.set(shift::left_bytes(o.a(), o.immediate())),
        Shlqbybi => o.set(shift::left_bytes(o.a(), o.count() >> 3)),
        Roth => o.set(shift::rotate_halfwords(o.a(), o.b())),
        Rothi => o.set(shift::rotate_halfwords(o.a(), o.halfwords())),
        Rot => o.set(shift::rotate_words(o.a(), o.b())),
        Roti => o.set(shift::rotate_words(o.a(), o.words())),
        Rotqby => o.set(shift::rotate_bytes(o.a(), o.count())),
        Rotqbyi => o.set(shift::rotate_bytes(o.a(), o.immediate())),
        Rotqbybi => o.set(shift::rotate_bytes(o.a(), o.count() >> 3)),
        Rotqbi => o.set(shift::rotate_bits(o.a(), o.count())),
        Rotqbii => o.set(shift::rotate_bits(o.a(), o.immediate())),
        Rothm => o.set(shift::right_halfwords(o.a(), o.b())),
        Rothmi => o.set(shift::right_halfwords(o.a(), o.halfwords())),
        Rotm => o.set(shift::right_words(o.a(), o.b())),
        Rotmi => o.set(shift::right_words(o.a(), o.words())),
        Rotqmby => o.set(shift::right_bytes(o.a(), o.count())),
        Rotqmbyi => o.set(shift::right_bytes(o.a(), o.immediate())),
        Rotqmbybi => o.set(shift::right_bytes(o.a(), o.count() >> 3)),
        Rotqmbi => o.set(shift::right_bits(o.a(), o.count())),
        Rotqmbii => o.set(shift::right_bits(o.a(), o.immediate())),
        Rotmah => o.set(shift::right_halfwords_algebraic(o.a(), o.b())),
        Rotmahi => o.set(shift::right_halfwords_algebraic(o.a(), o.halfwords())),
        Rotma => o.set(shift::right_words_algebraic(o.a(), o.b())),
        Rotmai => o.set(shift::right_words_algebraic(o.a(), o.words())),

        Ceqb => o.set(bytes_of_both(o.a(), o.b(), |a, b| mask8(a == b))),
        Ceqbi => o.set(bytes_of_both(o.a(), o.bytes(), |a, b| mask8(a == b))),
        Ceqh => o.set(halfwords_of_both(o.a(), o.b(), |a, b| mask16(a == b))),
        Ceqhi => o.set(halfwords_of_both(o.a(), o.halfwords(), |a, b| mask16(a == b))),
        Ceq => o.set(words_of_both(o.a(), o.b(), |a, b| mask32(a == b))),
        Ceqi => o.set(words_of_both(o.a(), o.words(), |a, b| mask32(a == b))),
        Cgtb => o.set(bytes_of_both(o.a(), o.b(), |a, b| mask8(a as i8 > b as i8))),
        Cgtbi => o.set(bytes_of_both(o.a(), o.bytes(), |a, b| mask8(a as i8 > b as i8))),
        Cgth => o.set(halfwords_of_both(o.a(), o.b(), |a, b| mask16(a as i16 > b as i16))),
        Cgthi => o.set(halfwords_of_both(o.a(), o.halfwords(), |a, b| mask16(a as i16 > b as i16))),
        Cgt => o.set(words_of_both(o.a(), o.b(), |a, b| mask32(a as i32 > b as i32))),
        Cgti => o.set(words_of_both(o.a(), o.words(), |a, b| mask32(a as i32 > b as i32))),
        Clgtb => o.set(bytes_of_both(o.a(), o.b(), |a, b| mask8(a > b))),
        Clgtbi => o.set(bytes_of_both(o.a(), o.bytes(), |a, b| mask8(a > b))),
        Clgth => o.set(halfwords_of_both(o.a(), o.b(), |a, b| mask16(a > b))),
        Clgthi => o.set(halfwords_of_both(o.a(), o.halfwords(), |a, b| mask16(a > b))),
        Clgt => o.set(words_of_both(o.a(), o.b(), |a, b| mask32(a > b))),
        Clgti => o.set(words_of_both(o.a(), o.words(), |a, b| mask32(a > b))),

        _ => return false,
    }
    true
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
