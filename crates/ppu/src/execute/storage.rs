//! Loads and stores of general registers.
//!
//! Addresses need not be aligned. Under Linux, the kernel emulates the unaligned accesses that the PPE does not
//! support.

use super::address::{Address, D, DUpdate, X, XUpdate, sum};
use super::{Done, access};
use crate::instruction::Instruction;
use crate::memory::{Memory, Stop};
use crate::registers::Cpu;

/// Load instructions: the name of each form, the number of bytes, and the register's value computed from these bytes.
macro_rules! loads {
    ($($doc:literal $($name:ident $form:ident),+: $n:literal |$bytes:ident| $value:expr;)*) => {$($(
        #[doc = $doc]
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
            let ea = $form::ea::<M>(i, cpu);
            access::load(i, cpu, memory, ea, |i, cpu, ea, $bytes: [u8; $n]| {
                cpu.set_doubleword(i.rt, $value);
                $form::update(i, cpu, ea);
            })
        }
    )+)*};
}

loads! {
    "Load Byte and Zero."
    lbz D, lbzu DUpdate, lbzx X, lbzux XUpdate: 1 |bytes| u64::from(u8::from_be_bytes(bytes));
    "Load Halfword and Zero."
    lhz D, lhzu DUpdate, lhzx X, lhzux XUpdate: 2 |bytes| u64::from(u16::from_be_bytes(bytes));
    "Load Halfword Algebraic."
    lha D, lhau DUpdate, lhax X, lhaux XUpdate: 2 |bytes| i64::from(i16::from_be_bytes(bytes)) as u64;
    "Load Word and Zero."
    lwz D, lwzu DUpdate, lwzx X, lwzux XUpdate: 4 |bytes| u64::from(u32::from_be_bytes(bytes));
    "Load Word Algebraic."
    lwa D, lwax X, lwaux XUpdate: 4 |bytes| i64::from(i32::from_be_bytes(bytes)) as u64;
    "Load Doubleword."
    ld D, ldu DUpdate, ldx X, ldux XUpdate: 8 |bytes| u64::from_be_bytes(bytes);
    "Load Halfword Byte-Reverse."
    lhbrx X: 2 |bytes| u64::from(u16::from_le_bytes(bytes));
    "Load Word Byte-Reverse."
    lwbrx X: 4 |bytes| u64::from(u32::from_le_bytes(bytes));
    "Load Doubleword Byte-Reverse."
    ldbrx X: 8 |bytes| u64::from_le_bytes(bytes);
}

/// Store instructions: the name of each form, and the bytes to store, computed from the register's value.
macro_rules! stores {
    ($($doc:literal $($name:ident $form:ident),+: |$value:ident| $bytes:expr;)*) => {$($(
        #[doc = $doc]
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
            let ea = $form::ea::<M>(i, cpu);
            let bytes = |i: &Instruction, cpu: &Cpu| {
                let $value = cpu.doubleword(i.rt);
                $bytes
            };
            access::store(i, cpu, memory, ea, bytes, $form::update)
        }
    )+)*};
}

stores! {
    "Store Byte."
    stb D, stbu DUpdate, stbx X, stbux XUpdate: |value| [value as u8];
    "Store Halfword."
    sth D, sthu DUpdate, sthx X, sthux XUpdate: |value| (value as u16).to_be_bytes();
    "Store Word."
    stw D, stwu DUpdate, stwx X, stwux XUpdate: |value| (value as u32).to_be_bytes();
    "Store Doubleword."
    std D, stdu DUpdate, stdx X, stdux XUpdate: |value| value.to_be_bytes();
    "Store Halfword Byte-Reverse."
    sthbrx X: |value| (value as u16).to_le_bytes();
    "Store Word Byte-Reverse."
    stwbrx X: |value| (value as u32).to_le_bytes();
    "Store Doubleword Byte-Reverse."
    stdbrx X: |value| value.to_le_bytes();
}

/// Load Multiple Word: loads the registers from RT to register 31.
pub fn lmw<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = D::ea::<M>(i, cpu);
    let mut words = [0; 32];
    for (index, word) in (i.rt..32).zip(&mut words).enumerate() {
        *word.1 = u32::from_be_bytes(memory.load(sum::<M>(ea, 4 * index as u64))?);
    }
    (i.rt..32).zip(words).for_each(|(register, word)| cpu.set_word(register, word));
    Ok(())
}

/// Store Multiple Word.
pub fn stmw<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = D::ea::<M>(i, cpu);
    for (index, register) in (i.rt..32).enumerate() {
        memory.store(sum::<M>(ea, 4 * index as u64), cpu.word(register).to_be_bytes())?;
    }
    Ok(())
}

/// Load String Word Immediate. The RB field is the number of bytes; 0 means 32.
pub fn lswi<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let bytes = if i.rb == 0 { 32 } else { u32::from(i.rb) };
    load_string(i.rt, sum::<M>(cpu.base(i.ra), 0), bytes, cpu, memory)
}

/// Load String Word Indexed. The XER holds the number of bytes.
pub fn lswx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    load_string(i.rt, X::ea::<M>(i, cpu), cpu.xer & 0x7f, cpu, memory)
}

/// Loads bytes into the right halves of consecutive registers, starting with `first`. Register 0 follows register 31.
fn load_string<M: Memory>(first: u8, ea: u64, bytes: u32, cpu: &mut Cpu, memory: &mut M) -> Done {
    let mut string = [0; 128];
    for (at, byte) in (0..bytes).zip(&mut string) {
        [*byte] = memory.load(sum::<M>(ea, at.into()))?;
    }
    let words = string.chunks_exact(4).take(bytes.div_ceil(4) as usize);
    for (index, word) in words.enumerate() {
        let word = word.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        cpu.set_word(first.wrapping_add(index as u8) & 31, word);
    }
    Ok(())
}

/// Store String Word Immediate. The RB field is the number of bytes; 0 means 32.
pub fn stswi<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let bytes = if i.rb == 0 { 32 } else { u32::from(i.rb) };
    store_string(i.rt, sum::<M>(cpu.base(i.ra), 0), bytes, cpu, memory)
}

/// Store String Word Indexed. The XER holds the number of bytes.
pub fn stswx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    store_string(i.rt, X::ea::<M>(i, cpu), cpu.xer & 0x7f, cpu, memory)
}

/// Stores bytes from the right halves of consecutive registers, starting with `first`. Register 0 follows register 31.
fn store_string<M: Memory>(first: u8, ea: u64, bytes: u32, cpu: &Cpu, memory: &mut M) -> Done {
    for at in 0..bytes {
        let word = cpu.word(first.wrapping_add(at as u8 / 4) & 31);
        memory.store(sum::<M>(ea, at.into()), [word.to_be_bytes()[at as usize % 4]])?;
    }
    Ok(())
}

/// The address of an access with reservation. The address must be aligned.
fn aligned<M: Memory>(i: &Instruction, cpu: &Cpu, bytes: u64) -> Result<u64, Stop> {
    let ea = X::ea::<M>(i, cpu);
    if ea.is_multiple_of(bytes) { Ok(ea) } else { Err(Stop::Alignment { ea: ea as u32 }) }
}

/// Load Word And Reserve Indexed.
pub fn lwarx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let word = memory.reserve(aligned::<M>(i, cpu, 4)?)?;
    cpu.set_word(i.rt, u32::from_be_bytes(word));
    Ok(())
}

/// Load Doubleword And Reserve Indexed.
pub fn ldarx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let doubleword = memory.reserve(aligned::<M>(i, cpu, 8)?)?;
    cpu.set_doubleword(i.rt, u64::from_be_bytes(doubleword));
    Ok(())
}

/// Records in condition field 0 whether a conditional store succeeded.
fn conditional(cpu: &mut Cpu, stored: bool) -> Done {
    cpu.set_cr_field(0, u32::from(stored) << 1 | cpu.xer >> 31);
    Ok(())
}

/// Store Word Conditional Indexed.
pub fn stwcx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let stored = memory.store_conditional(aligned::<M>(i, cpu, 4)?, cpu.word(i.rt).to_be_bytes())?;
    conditional(cpu, stored)
}

/// Store Doubleword Conditional Indexed.
pub fn stdcx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let stored = memory.store_conditional(aligned::<M>(i, cpu, 8)?, cpu.doubleword(i.rt).to_be_bytes())?;
    conditional(cpu, stored)
}
