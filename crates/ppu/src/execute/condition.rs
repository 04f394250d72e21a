//! Logic on condition bits, and moves of condition fields.

use super::Done;
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::{Cpu, XER_CA, XER_OV, XER_SO};

/// Logic on condition bits. Each row of the macro computes an instruction's result from the condition bits BA and BB.
macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($a, $b) = (cpu.cr_bit(i.ra), cpu.cr_bit(i.rb));
            cpu.set_cr_bit(i.rt, $result);
            Ok(())
        }
    )*};
}

bits! {
    /// Condition Register And.
    crand |a, b| a & b;
    /// Condition Register And with Complement.
    crandc |a, b| a & !b;
    /// Condition Register Equivalent.
    creqv |a, b| a == b;
    /// Condition Register Nand.
    crnand |a, b| !(a & b);
    /// Condition Register Nor.
    crnor |a, b| !(a | b);
    /// Condition Register Or.
    cror |a, b| a | b;
    /// Condition Register Or with Complement.
    crorc |a, b| a | !b;
    /// Condition Register Exclusive Or.
    crxor |a, b| a ^ b;
}

/// Move Condition Register Field.
pub fn mcrf<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.set_cr_field(i.rt >> 2, cpu.cr_field(i.ra >> 2));
    Ok(())
}

/// Move to Condition Register from XER: copies three bits and clears them in the XER.
pub fn mcrxr<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.set_cr_field(i.rt >> 2, cpu.xer >> 28);
    cpu.xer &= !(XER_SO | XER_OV | XER_CA);
    Ok(())
}

/// Move From One Condition Register Field. All other fields of the result are 0.
pub fn mfocrf<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.set_word(i.rt, cpu.cr & i.immediate);
    Ok(())
}

/// Move From Condition Register.
pub fn mfcr<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.set_word(i.rt, cpu.cr);
    Ok(())
}

/// Move to Condition Register Fields. The immediate selects the fields to write.
pub fn mtcrf<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.cr = cpu.cr & !i.immediate | cpu.word(i.rt) & i.immediate;
    Ok(())
}
