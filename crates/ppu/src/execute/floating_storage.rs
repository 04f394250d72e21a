//! Loads and stores of floating-point registers.

use super::address::{Address, D, DUpdate, X, XUpdate};
use super::floating::{register, set};
use super::{Done, access};
use crate::float::single::{narrow, widen};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Load instructions: the name of each form, the bytes loaded, and the register's value computed from these bytes.
macro_rules! loads {
    ($($doc:literal $($name:ident $form:ident),+: |$bytes:ident| $value:expr;)*) => {$($(
        #[doc = $doc]
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
            let ea = $form::ea::<M>(i, cpu);
            access::load(i, cpu, memory, ea, |i, cpu, ea, $bytes| {
                set(cpu, i.rt, $value);
                $form::update(i, cpu, ea);
            })
        }
    )+)*};
}

loads! {
    "Load Floating-Point Single."
    lfs D, lfsu DUpdate, lfsx X, lfsux XUpdate: |bytes| widen(u32::from_be_bytes(bytes));
    "Load Floating-Point Double."
    lfd D, lfdu DUpdate, lfdx X, lfdux XUpdate: |bytes| u64::from_be_bytes(bytes);
}

/// Store instructions: the name of each form, and the bytes to store, computed from the register's value.
macro_rules! stores {
    ($($doc:literal $($name:ident $form:ident),+: |$value:ident| $stored:expr;)*) => {$($(
        #[doc = $doc]
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
            let ea = $form::ea::<M>(i, cpu);
            let bytes = |i: &Instruction, cpu: &Cpu| {
                let $value = register(cpu, i.rt);
                $stored.to_be_bytes()
            };
            access::store(i, cpu, memory, ea, bytes, $form::update)
        }
    )+)*};
}

stores! {
    "Store Floating-Point Single."
    stfs D, stfsu DUpdate, stfsx X, stfsux XUpdate: |value| narrow(value);
    "Store Floating-Point Double."
    stfd D, stfdu DUpdate, stfdx X, stfdux XUpdate: |value| value;
    "Store Floating-Point as Integer Word."
    stfiwx X: |value| (value as u32);
}
