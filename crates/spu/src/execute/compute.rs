//! The instructions that affect only registers and local store, except for floating point. The table has one line for
//! each instruction.

use super::integer::{self, not};
use super::lanes::{bytes_of_both, each_halfword, each_word, halfwords_of_both, words_of_both, words_of_three};
use super::operands::{Computation, Operands, computations};
use super::{memory, shift};
use crate::registers::Quadword;
use crate::table::Opcode;

/// The function that computes an instruction; `None` if the instruction is not in this table.
pub fn computation(opcode: Opcode) -> Option<Computation> {
    computations! { opcode;
        Lqd => |o| load(o, o.address_d()),
        Lqx => |o| load(o, o.address_x()),
        Lqa => |o| load(o, o.immediate()),
        Lqr => |o| load(o, o.immediate()),
        Stqd => |o| store(o, o.address_d()),
        Stqx => |o| store(o, o.address_x()),
        Stqa => |o| store(o, o.immediate()),
        Stqr => |o| store(o, o.immediate()),
        Cbd => |o| o.set(memory::insertion_controls(o.address_d(), 1)),
        Cbx => |o| o.set(memory::insertion_controls(o.address_x(), 1)),
        Chd => |o| o.set(memory::insertion_controls(o.address_d(), 2)),
        Chx => |o| o.set(memory::insertion_controls(o.address_x(), 2)),
        Cwd => |o| o.set(memory::insertion_controls(o.address_d(), 4)),
        Cwx => |o| o.set(memory::insertion_controls(o.address_x(), 4)),
        Cdd => |o| o.set(memory::insertion_controls(o.address_d(), 8)),
        Cdx => |o| o.set(memory::insertion_controls(o.address_x(), 8)),

        Il | Ila => |o| o.set(o.words()),
        Ilh => |o| o.set(o.halfwords()),
        Ilhu => |o| o.set(Quadword::splat(o.immediate() << 16)),
        Iohl => |o| o.set(words_of_both(o.t(), o.words(), |t, low| t | low)),
        Fsmbi => |o| o.set(integer::mask_bytes(o.immediate())),
        Mfspr => |o| o.set(Quadword::default()),
        Nop | Lnop | Mtspr => |_| {},

        Ah => |o| o.set(halfwords_of_both(o.a(), o.b(), u16::wrapping_add)),
        Ahi => |o| o.set(halfwords_of_both(o.a(), o.halfwords(), u16::wrapping_add)),
        A => |o| o.set(words_of_both(o.a(), o.b(), u32::wrapping_add)),
        Ai => |o| o.set(words_of_both(o.a(), o.words(), u32::wrapping_add)),
        Sfh => |o| o.set(halfwords_of_both(o.b(), o.a(), u16::wrapping_sub)),
        Sfhi => |o| o.set(halfwords_of_both(o.halfwords(), o.a(), u16::wrapping_sub)),
        Sf => |o| o.set(words_of_both(o.b(), o.a(), u32::wrapping_sub)),
        Sfi => |o| o.set(words_of_both(o.words(), o.a(), u32::wrapping_sub)),
        Addx => |o| o.set(integer::add_extended(o.a(), o.b(), o.t())),
        Cg => |o| o.set(integer::carry(o.a(), o.b())),
        Cgx => |o| o.set(integer::carry_extended(o.a(), o.b(), o.t())),
        Sfx => |o| o.set(integer::add_extended(not(o.a()), o.b(), o.t())),
        Bg => |o| o.set(integer::borrow(o.a(), o.b())),
        Bgx => |o| o.set(integer::carry_extended(not(o.a()), o.b(), o.t())),

        Mpy => |o| o.set(words_of_both(o.a(), o.b(), integer::low_product)),
        Mpyu => |o| o.set(words_of_both(o.a(), o.b(), integer::low_product_unsigned)),
        Mpyi => |o| o.set(words_of_both(o.a(), o.words(), integer::low_product)),
        Mpyui => |o| o.set(words_of_both(o.a(), o.words(), integer::low_product_unsigned)),
        Mpya => |o| o.set(words_of_three(o.a(), o.b(), o.c(), |a, b, c| integer::low_product(a, b).wrapping_add(c))),
        Mpyh => |o| o.set(words_of_both(o.a(), o.b(), integer::cross_product)),
        Mpys => |o| o.set(words_of_both(o.a(), o.b(), |a, b| (integer::low_product(a, b) as i32 >> 16) as u32)),
        Mpyhh => |o| o.set(words_of_both(o.a(), o.b(), integer::high_product)),
        Mpyhha => |o| o.set(words_of_three(o.a(), o.b(), o.t(), |a, b, t| integer::high_product(a, b).wrapping_add(t))),
        Mpyhhu => |o| o.set(words_of_both(o.a(), o.b(), integer::high_product_unsigned)),
        Mpyhhau => |o| {
            o.set(words_of_three(o.a(), o.b(), o.t(), |a, b, t| integer::high_product_unsigned(a, b).wrapping_add(t)))
        },

        Clz => |o| o.set(each_word(o.a(), u32::leading_zeros)),
        Cntb => |o| o.set(integer::count_ones(o.a())),
        Fsmb => |o| o.set(integer::mask_bytes(o.a().preferred())),
        Fsmh => |o| o.set(integer::mask_halfwords(o.a().preferred())),
        Fsm => |o| o.set(integer::mask_words(o.a().preferred())),
        Gbb => |o| o.set(integer::gather(o.a().bytes().map(u32::from))),
        Gbh => |o| o.set(integer::gather(o.a().halfwords().map(u32::from))),
        Gb => |o| o.set(integer::gather(o.a().words())),
        Avgb => |o| o.set(integer::average_bytes(o.a(), o.b())),
        Absdb => |o| o.set(bytes_of_both(o.a(), o.b(), u8::abs_diff)),
        Sumb => |o| o.set(integer::sum_bytes(o.a(), o.b())),
        Xsbh => |o| o.set(each_halfword(o.a(), |halfword| i16::from(halfword as i8) as u16)),
        Xshw => |o| o.set(each_word(o.a(), |word| i32::from(word as i16) as u32)),
        Xswd => |o| o.set(integer::extend_words(o.a())),

        And => |o| o.set(words_of_both(o.a(), o.b(), |a, b| a & b)),
        Andc => |o| o.set(words_of_both(o.a(), o.b(), |a, b| a & !b)),
        Andbi => |o| o.set(words_of_both(o.a(), o.bytes(), |a, b| a & b)),
        Andhi => |o| o.set(words_of_both(o.a(), o.halfwords(), |a, b| a & b)),
        Andi => |o| o.set(words_of_both(o.a(), o.words(), |a, b| a & b)),
        Or => |o| o.set(words_of_both(o.a(), o.b(), |a, b| a | b)),
        Orc => |o| o.set(words_of_both(o.a(), o.b(), |a, b| a | !b)),
        Orbi => |o| o.set(words_of_both(o.a(), o.bytes(), |a, b| a | b)),
        Orhi => |o| o.set(words_of_both(o.a(), o.halfwords(), |a, b| a | b)),
        Ori => |o| o.set(words_of_both(o.a(), o.words(), |a, b| a | b)),
        Orx => |o| o.set(integer::or_across(o.a())),
        Xor => |o| o.set(words_of_both(o.a(), o.b(), |a, b| a ^ b)),
        Xorbi => |o| o.set(words_of_both(o.a(), o.bytes(), |a, b| a ^ b)),
        Xorhi => |o| o.set(words_of_both(o.a(), o.halfwords(), |a, b| a ^ b)),
        Xori => |o| o.set(words_of_both(o.a(), o.words(), |a, b| a ^ b)),
        Nand => |o| o.set(words_of_both(o.a(), o.b(), |a, b| !(a & b))),
        Nor => |o| o.set(words_of_both(o.a(), o.b(), |a, b| !(a | b))),
        Eqv => |o| o.set(words_of_both(o.a(), o.b(), |a, b| !(a ^ b))),
        Selb => |o| o.set(words_of_three(o.a(), o.b(), o.c(), |a, b, c| a & !c | b & c)),
        Shufb => |o| o.set(shift::shuffle(o.a(), o.b(), o.c())),

        Shlh => |o| o.set(shift::left_halfwords(o.a(), o.b())),
        Shlhi => |o| o.set(shift::left_halfwords(o.a(), o.halfwords())),
        Shl => |o| o.set(shift::left_words(o.a(), o.b())),
        Shli => |o| o.set(shift::left_words(o.a(), o.words())),
        Shlqbi => |o| o.set(shift::left_bits(o.a(), o.count())),
        Shlqbii => |o| o.set(shift::left_bits(o.a(), o.immediate())),
        Shlqby => |o| o.set(shift::left_bytes(o.a(), o.count())),
        Shlqbyi => |o| o.set(shift::left_bytes(o.a(), o.immediate())),
        Shlqbybi => |o| o.set(shift::left_bytes(o.a(), o.count() >> 3)),
        Roth => |o| o.set(shift::rotate_halfwords(o.a(), o.b())),
        Rothi => |o| o.set(shift::rotate_halfwords(o.a(), o.halfwords())),
        Rot => |o| o.set(shift::rotate_words(o.a(), o.b())),
        Roti => |o| o.set(shift::rotate_words(o.a(), o.words())),
        Rotqby => |o| o.set(shift::rotate_bytes(o.a(), o.count())),
        Rotqbyi => |o| o.set(shift::rotate_bytes(o.a(), o.immediate())),
        Rotqbybi => |o| o.set(shift::rotate_bytes(o.a(), o.count() >> 3)),
        Rotqbi => |o| o.set(shift::rotate_bits(o.a(), o.count())),
        Rotqbii => |o| o.set(shift::rotate_bits(o.a(), o.immediate())),
        Rothm => |o| o.set(shift::right_halfwords(o.a(), o.b())),
        Rothmi => |o| o.set(shift::right_halfwords(o.a(), o.halfwords())),
        Rotm => |o| o.set(shift::right_words(o.a(), o.b())),
        Rotmi => |o| o.set(shift::right_words(o.a(), o.words())),
        Rotqmby => |o| o.set(shift::right_bytes(o.a(), o.count())),
        Rotqmbyi => |o| o.set(shift::right_bytes(o.a(), o.immediate())),
        Rotqmbybi => |o| o.set(shift::right_bytes(o.a(), o.count() >> 3)),
        Rotqmbi => |o| o.set(shift::right_bits(o.a(), o.count())),
        Rotqmbii => |o| o.set(shift::right_bits(o.a(), o.immediate())),
        Rotmah => |o| o.set(shift::right_halfwords_algebraic(o.a(), o.b())),
        Rotmahi => |o| o.set(shift::right_halfwords_algebraic(o.a(), o.halfwords())),
        Rotma => |o| o.set(shift::right_words_algebraic(o.a(), o.b())),
        Rotmai => |o| o.set(shift::right_words_algebraic(o.a(), o.words())),

        Ceqb => |o| o.set(bytes_of_both(o.a(), o.b(), |a, b| mask8(a == b))),
        Ceqbi => |o| o.set(bytes_of_both(o.a(), o.bytes(), |a, b| mask8(a == b))),
        Ceqh => |o| o.set(halfwords_of_both(o.a(), o.b(), |a, b| mask16(a == b))),
        Ceqhi => |o| o.set(halfwords_of_both(o.a(), o.halfwords(), |a, b| mask16(a == b))),
        Ceq => |o| o.set(words_of_both(o.a(), o.b(), |a, b| mask32(a == b))),
        Ceqi => |o| o.set(words_of_both(o.a(), o.words(), |a, b| mask32(a == b))),
        Cgtb => |o| o.set(bytes_of_both(o.a(), o.b(), |a, b| mask8(a as i8 > b as i8))),
        Cgtbi => |o| o.set(bytes_of_both(o.a(), o.bytes(), |a, b| mask8(a as i8 > b as i8))),
        Cgth => |o| o.set(halfwords_of_both(o.a(), o.b(), |a, b| mask16(a as i16 > b as i16))),
        Cgthi => |o| o.set(halfwords_of_both(o.a(), o.halfwords(), |a, b| mask16(a as i16 > b as i16))),
        Cgt => |o| o.set(words_of_both(o.a(), o.b(), |a, b| mask32(a as i32 > b as i32))),
        Cgti => |o| o.set(words_of_both(o.a(), o.words(), |a, b| mask32(a as i32 > b as i32))),
        Clgtb => |o| o.set(bytes_of_both(o.a(), o.b(), |a, b| mask8(a > b))),
        Clgtbi => |o| o.set(bytes_of_both(o.a(), o.bytes(), |a, b| mask8(a > b))),
        Clgth => |o| o.set(halfwords_of_both(o.a(), o.b(), |a, b| mask16(a > b))),
        Clgthi => |o| o.set(halfwords_of_both(o.a(), o.halfwords(), |a, b| mask16(a > b))),
        Clgt => |o| o.set(words_of_both(o.a(), o.b(), |a, b| mask32(a > b))),
        Clgti => |o| o.set(words_of_both(o.a(), o.words(), |a, b| mask32(a > b))),

    }
}

#[inline(always)]
fn load(o: &mut Operands, address: u32) {
    o.set(memory::load(o.state.ls, address));
}

#[inline(always)]
fn store(o: &mut Operands, address: u32) {
    let value = o.t();
    memory::store(o.state.ls, address, value);
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
