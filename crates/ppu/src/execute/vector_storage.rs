//! VMX loads and stores. Accesses to a whole register ignore the last four bits of the address. Accesses to an element
//! ignore the address bits that select a byte within the element. Only the instructions that access parts of unaligned
//! quadwords use all address bits.

use super::address::{Address, X};
use super::vector::{register, set};
use super::{Done, access};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;
use crate::vector::permute::{self, left_part, right_part};
use spu::Quadword;

/// Load Vector Indexed, with or without the hint that the cache line will not be used again soon.
pub fn lvx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu) & !15;
    // The host reverses the bytes of an integer in fewer instructions than those of a vector.
    access::load(i, cpu, memory, ea, |i, cpu, _, bytes| set(cpu, i.rt, Quadword::from_bits(u128::from_be_bytes(bytes))))
}

/// Store Vector Indexed, with or without the hint that the cache line will not be used again soon.
pub fn stvx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu) & !15;
    access::store(i, cpu, memory, ea, |i, cpu| register(cpu, i.rt).bits().to_be_bytes(), |_, _, _| ())
}

/// Loads and stores of one element. The element has the same position in the register as in the quadword of storage.
///
/// MODEL: a load leaves the other elements unchanged; the architecture leaves them undefined.
macro_rules! elements {
    ($($load:ident $store:ident $element:ty;)*) => {$(
        pub fn $load<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
            let (ea, shift) = element_address::<M, { size_of::<$element>() as u64 }>(i, cpu);
            let element = <$element>::from_be_bytes(memory.load(ea)?);
            let others = register(cpu, i.rt).bits() & !(u128::from(<$element>::MAX) << shift);
            set(cpu, i.rt, Quadword::from_bits(others | u128::from(element) << shift));
            Ok(())
        }

        pub fn $store<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
            let (ea, shift) = element_address::<M, { size_of::<$element>() as u64 }>(i, cpu);
            memory.store(ea, ((register(cpu, i.rt).bits() >> shift) as $element).to_be_bytes())?;
            Ok(())
        }
    )*};
}

elements! {
    lvebx stvebx u8;
    lvehx stvehx u16;
    lvewx stvewx u32;
}

/// Returns the address of an element, and the element's distance in bits from the right end of the register.
fn element_address<M: Memory, const BYTES: u64>(i: &Instruction, cpu: &Cpu) -> (u64, u32) {
    let ea = X::ea::<M>(i, cpu) & !(BYTES - 1);
    (ea, 8 * (16 - BYTES - (ea & 15)) as u32)
}

/// Load Vector for Shift Left.
pub fn lvsl<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    set(cpu, i.rt, permute::lvsl(X::ea::<M>(i, cpu) as u32));
    Ok(())
}

/// Load Vector for Shift Right.
pub fn lvsr<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    set(cpu, i.rt, permute::lvsr(X::ea::<M>(i, cpu) as u32));
    Ok(())
}

/// Load Vector Left Indexed: loads the bytes from the address to the end of its quadword.
pub fn lvlx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu);
    let quadword = Quadword::from_bytes(memory.load(ea & !15)?);
    set(cpu, i.rt, left_part(quadword, ea as u32));
    Ok(())
}

/// Load Vector Right Indexed: loads the bytes from the beginning of the address's quadword up to the address.
pub fn lvrx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu);
    let quadword = Quadword::from_bytes(memory.load(ea & !15)?);
    set(cpu, i.rt, right_part(quadword, ea as u32));
    Ok(())
}

/// Store Vector Left Indexed: stores the left end of the register into the bytes from the address to the end of its
/// quadword.
pub fn stvlx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu);
    store_bytes(memory, ea, 16 - (ea as u32 & 15), register(cpu, i.rt).bits())
}

/// Store Vector Right Indexed: stores the right end of the register into the bytes from the beginning of the address's
/// quadword up to the address.
pub fn stvrx<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu);
    let bytes = ea as u32 & 15;
    let leftmost = register(cpu, i.rt).bits().checked_shl(8 * (16 - bytes)).unwrap_or(0);
    store_bytes(memory, ea & !15, bytes, leftmost)
}

/// Stores the leftmost `bytes` bytes of `rest`. The bytes must stay within one quadword of storage.
fn store_bytes<M: Memory>(memory: &mut M, mut ea: u64, mut bytes: u32, mut rest: u128) -> Done {
    // Each iteration stores the widest aligned piece of the remaining bytes.
    while bytes != 0 {
        let piece = 1 << ea.trailing_zeros().min(bytes.ilog2());
        match piece {
            16 => memory.store(ea, rest.to_be_bytes())?,
            8 => memory.store(ea, ((rest >> 64) as u64).to_be_bytes())?,
            4 => memory.store(ea, ((rest >> 96) as u32).to_be_bytes())?,
            2 => memory.store(ea, ((rest >> 112) as u16).to_be_bytes())?,
            _ => memory.store(ea, [(rest >> 120) as u8])?,
        }
        rest = rest.checked_shl(8 * piece).unwrap_or(0);
        ea = ea.wrapping_add(piece.into());
        bytes -= piece;
    }
    Ok(())
}

/// Data stream instructions: hints without an effect.
pub fn nothing<M: Memory>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Ok(())
}
