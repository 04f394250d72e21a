//! Logic, shifts and rotates.

use super::Done;
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Writes a result into RA, and into condition field 0 if the instruction records.
#[inline(always)]
fn set<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, result: u64) -> Done {
    cpu.set_doubleword(i.ra, result);
    if RC {
        cpu.record::<M>(result);
    }
    Ok(())
}

/// Instructions that may record. Each row of the macro computes an instruction's result from RS and RB.
macro_rules! logic {
    ($($(#[$doc:meta])* $name:ident |$s:ident, $b:pat_param| $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($s, $b) = (cpu.doubleword(i.rt), cpu.doubleword(i.rb));
            set::<M, RC>(i, cpu, $result)
        }
    )*};
}

logic! {
    /// And.
    and |s, b| s & b;
    /// And with Complement.
    andc |s, b| s & !b;
    /// Or.
    or |s, b| s | b;
    /// Or with Complement.
    orc |s, b| s | !b;
    /// Exclusive Or.
    xor |s, b| s ^ b;
    /// Nand.
    nand |s, b| !(s & b);
    /// Nor.
    nor |s, b| !(s | b);
    /// Equivalent.
    eqv |s, b| !(s ^ b);
    /// Extend Sign Byte.
    extsb |s, _| i64::from(s as i8) as u64;
    /// Extend Sign Halfword.
    extsh |s, _| i64::from(s as i16) as u64;
    /// Extend Sign Word.
    extsw |s, _| i64::from(s as i32) as u64;
    /// Count Leading Zeros Word.
    cntlzw |s, _| u64::from((s as u32).leading_zeros());
    /// Count Leading Zeros Doubleword.
    cntlzd |s, _| u64::from(s.leading_zeros());
    /// Shift Left Word: a shift by 32 to 63 leaves zero.
    slw |s, b| if b & 0x20 != 0 { 0 } else { u64::from((s as u32) << (b & 31)) };
    /// Shift Right Word.
    srw |s, b| if b & 0x20 != 0 { 0 } else { u64::from(s as u32 >> (b & 31)) };
    /// Shift Left Doubleword.
    sld |s, b| if b & 0x40 != 0 { 0 } else { s << (b & 63) };
    /// Shift Right Doubleword.
    srd |s, b| if b & 0x40 != 0 { 0 } else { s >> (b & 63) };
}

/// Immediate logic. Each row of the macro states whether an instruction records, and computes the result from RS and
/// the immediate.
macro_rules! immediate_logic {
    ($($(#[$doc:meta])* $name:ident $records:literal |$s:ident, $u:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($s, $u) = (cpu.doubleword(i.rt), u64::from(i.immediate));
            set::<M, $records>(i, cpu, $result)
        }
    )*};
}

immediate_logic! {
    /// And Immediate, And Immediate Shifted.
    andi true |s, u| s & u;
    /// Or Immediate, Or Immediate Shifted.
    ori false |s, u| s | u;
    /// Exclusive Or Immediate, Exclusive Or Immediate Shifted.
    xori false |s, u| s ^ u;
}

/// No operation.
pub fn nop<M: Memory>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Ok(())
}

/// Population Count Bytes: counts the ones in each byte.
pub fn popcntb<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let counts = cpu.doubleword(i.rt).to_be_bytes().map(|byte| byte.count_ones() as u8);
    set::<M, false>(i, cpu, u64::from_be_bytes(counts))
}

/// Shifts a signed value right by 0 to 63 bits. Sets the carry if the value is negative and a one is shifted out.
#[inline(always)]
fn shift_algebraic<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, value: i64, count: u32) -> Done {
    let lost = value & !(-1_i64 << count);
    cpu.set_carry(value < 0 && lost != 0);
    set::<M, RC>(i, cpu, (value >> count) as u64)
}

/// Shift Right Algebraic Word.
pub fn sraw<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    shift_algebraic::<M, RC>(i, cpu, i64::from(cpu.word(i.rt) as i32), cpu.word(i.rb) & 63)
}

/// Shift Right Algebraic Word Immediate.
pub fn srawi<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    shift_algebraic::<M, RC>(i, cpu, i64::from(cpu.word(i.rt) as i32), u32::from(i.rb))
}

/// Shift Right Algebraic Doubleword: a shift by 64 or more leaves only copies of the sign.
pub fn srad<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let (value, count) = (cpu.doubleword(i.rt) as i64, cpu.word(i.rb) & 127);
    if count < 64 {
        return shift_algebraic::<M, RC>(i, cpu, value, count);
    }
    cpu.set_carry(value < 0);
    set::<M, RC>(i, cpu, (value >> 63) as u64)
}

/// Shift Right Algebraic Doubleword Immediate.
pub fn sradi<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    shift_algebraic::<M, RC>(i, cpu, cpu.doubleword(i.rt) as i64, i.immediate & 63)
}

/// Returns a word rotated left, and the mask of the rotate, both in 64 bits. If the mask wraps around, the left half of
/// the result repeats the rotated word, and the mask covers the left half too.
#[inline(always)]
fn rotated_and_mask(i: &Instruction, value: u32, count: u32) -> (u64, u64) {
    let (rotated, mask) = (u64::from(value.rotate_left(count)), u64::from(i.immediate));
    let wraps = i.immediate & 0x8000_0001 == 0x8000_0001 && i.rc != 0;
    if wraps { (rotated << 32 | rotated, !0 << 32 | mask) } else { (rotated, mask) }
}

/// Rotate Left Word Immediate then And with Mask.
pub fn rlwinm<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let (rotated, mask) = rotated_and_mask(i, cpu.word(i.rt), u32::from(i.rb));
    set::<M, RC>(i, cpu, rotated & mask)
}

/// Rotate Left Word then And with Mask.
pub fn rlwnm<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let (rotated, mask) = rotated_and_mask(i, cpu.word(i.rt), cpu.word(i.rb) & 31);
    set::<M, RC>(i, cpu, rotated & mask)
}

/// Rotate Left Word Immediate then Mask Insert.
pub fn rlwimi<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let (rotated, mask) = rotated_and_mask(i, cpu.word(i.rt), u32::from(i.rb));
    set::<M, RC>(i, cpu, rotated & mask | cpu.doubleword(i.ra) & !mask)
}

/// A doubleword mask with ones from bit `begin` to bit `end`, which wraps around if `end` is less than `begin`.
#[inline(always)]
fn mask(begin: u32, end: u32) -> u64 {
    let (from, to) = (u64::MAX >> begin, u64::MAX << (63 - end));
    if begin <= end { from & to } else { from | to }
}

/// Rotates of doublewords, by the immediate or by RB. Each row of the macro computes a mask from the shift and from the
/// bit at which the mask begins or ends.
macro_rules! rotates {
    ($($(#[$doc:meta])* $name:ident |$shift:ident, $bit:ident| $mask:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($shift, $bit) = (i.immediate & 63, i.immediate >> 8);
            set::<M, RC>(i, cpu, cpu.doubleword(i.rt).rotate_left($shift) & $mask)
        }
    )*};
}

rotates! {
    /// Rotate Left Doubleword Immediate then Clear Left.
    rldicl |shift, bit| mask(bit, 63);
    /// Rotate Left Doubleword Immediate then Clear Right.
    rldicr |shift, bit| mask(0, bit);
    /// Rotate Left Doubleword Immediate then Clear.
    rldic |shift, bit| mask(bit, 63 - shift);
}

/// Rotate Left Doubleword Immediate then Mask Insert.
pub fn rldimi<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let (shift, begin) = (i.immediate & 63, i.immediate >> 8);
    let mask = mask(begin, 63 - shift);
    set::<M, RC>(i, cpu, cpu.doubleword(i.rt).rotate_left(shift) & mask | cpu.doubleword(i.ra) & !mask)
}

/// Rotate Left Doubleword then Clear Left.
pub fn rldcl<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let rotated = cpu.doubleword(i.rt).rotate_left(cpu.word(i.rb) & 63);
    set::<M, RC>(i, cpu, rotated & mask(i.immediate >> 8, 63))
}

/// Rotate Left Doubleword then Clear Right.
pub fn rldcr<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let rotated = cpu.doubleword(i.rt).rotate_left(cpu.word(i.rb) & 63);
    set::<M, RC>(i, cpu, rotated & mask(0, i.immediate >> 8))
}
