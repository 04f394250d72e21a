//! Comparisons, and traps on comparisons.

use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Comparisons. Each row of the macro selects the two values to compare from the registers and the immediate.
macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident |$i:ident, $cpu:ident| $first:expr, $second:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory>($i: &Instruction, $cpu: &mut Cpu, _: &mut M) -> Done {
            $cpu.compare($i.rt >> 2, $first.cmp(&$second));
            Ok(())
        }
    )*};
}

comparisons! {
    /// Compare Immediate, of words.
    cmpwi |i, cpu| (cpu.word(i.ra) as i32), (i.immediate as i32);
    /// Compare Logical Immediate, of words.
    cmplwi |i, cpu| cpu.word(i.ra), i.immediate;
    /// Compare Immediate, of doublewords.
    cmpdi |i, cpu| (cpu.doubleword(i.ra) as i64), i64::from(i.immediate as i32);
    /// Compare Logical Immediate, of doublewords.
    cmpldi |i, cpu| cpu.doubleword(i.ra), u64::from(i.immediate);
    /// Compare, of words.
    cmpw |i, cpu| (cpu.word(i.ra) as i32), (cpu.word(i.rb) as i32);
    /// Compare Logical, of words.
    cmplw |i, cpu| cpu.word(i.ra), cpu.word(i.rb);
    /// Compare, of doublewords.
    cmpd |i, cpu| (cpu.doubleword(i.ra) as i64), (cpu.doubleword(i.rb) as i64);
    /// Compare Logical, of doublewords.
    cmpld |i, cpu| cpu.doubleword(i.ra), cpu.doubleword(i.rb);
}

/// Ends the turn if one of the conditions in `wanted` is true. The conditions are signed less, signed greater, equal,
/// unsigned less and unsigned greater.
#[inline(always)]
fn trap(wanted: u8, first: i64, second: i64) -> Done {
    let logical = (first as u64, second as u64);
    let holds = wanted & 16 != 0 && first < second
        || wanted & 8 != 0 && first > second
        || wanted & 4 != 0 && first == second
        || wanted & 2 != 0 && logical.0 < logical.1
        || wanted & 1 != 0 && logical.0 > logical.1;
    if holds { Err(End::Trap) } else { Ok(()) }
}

/// Trap Word. Sign extension of words preserves the result of signed and of unsigned comparisons.
pub fn tw<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    trap(i.rt, i64::from(cpu.word(i.ra) as i32), i64::from(cpu.word(i.rb) as i32))
}

/// Trap Word Immediate.
pub fn twi<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    trap(i.rt, i64::from(cpu.word(i.ra) as i32), i64::from(i.immediate as i32))
}

/// Trap Doubleword.
pub fn td<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    trap(i.rt, cpu.doubleword(i.ra) as i64, cpu.doubleword(i.rb) as i64)
}

/// Trap Doubleword Immediate.
pub fn tdi<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    trap(i.rt, cpu.doubleword(i.ra) as i64, i64::from(i.immediate as i32))
}
