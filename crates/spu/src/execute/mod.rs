//! The effect of each instruction on registers and local store.
//!
//! Most instructions affect only registers and local store. Each of these instructions has a [`Computation`] in
//! `compute` or `floating`, which is stored with the decoded instruction. Branches and similar instructions are in
//! `control`. Effects on anything else (channels, interrupts, stops) are returned to the caller as an [`Effect`].
//!
//! Timing is not modelled here but in `pipeline`. The SPU defines no special-purpose registers, so an
//! instruction that reads such a register returns zero, and a write has no effect.
//!
//! Source: SPU Instruction Set Architecture 1.2.

mod compute;
mod control;
mod effect;
mod floating;
mod integer;
pub mod lanes;
mod memory;
mod operands;
mod shift;

use cell::store::LocalStore;

use crate::float::Fpscr;
use crate::instruction::Instruction;
use crate::registers::Registers;
use crate::table::Opcode;
pub use control::{control, hinted};
pub use effect::Effect;
pub use operands::{Computation, State};

/// Executes instruction `i` at address `pc`.
pub fn execute(i: &Instruction, pc: u32, registers: &mut Registers, fpscr: &mut Fpscr, ls: &mut LocalStore) -> Effect {
    let mut state = State { registers, fpscr, ls };
    let i = i.at(pc);
    match computation(i.opcode) {
        Some(compute) => {
            compute(&i, &mut state);
            Effect::Next
        }
        None => control(&i, pc, &mut state),
    }
}

/// The function that computes an instruction, if the instruction never changes the control flow; `None` for all other
/// instructions.
pub fn computation(opcode: Opcode) -> Option<Computation> {
    compute::computation(opcode).or_else(|| floating::computation(opcode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::registers::Quadword;

    /// Executes the instruction `word` at `pc` with the given value in register 3. Returns the effect and the value of
    /// register RT, which is register 3 or 4.
    fn effect(word: u32, pc: u32, register_3: u32) -> (Effect, Quadword) {
        let mut registers = Registers::default();
        registers.set(3, Quadword::splat(register_3));
        let mut ls = LocalStore::new(1 << 18, 1 << 18);
        let i = decode(word).expect("an instruction");
        let effect = execute(&i, pc, &mut registers, &mut Fpscr::default(), &mut ls);
        (effect, registers.get(if i.rt == 3 { 3 } else { 4 }))
    }

    fn to(target: u32) -> Effect {
        Effect::Branch { target, interrupts: None }
    }

    #[test]
    fn a_branch_and_link_may_use_one_register_for_both() {
        let bisl_3_3 = 0x3520_0183;
        assert_eq!(effect(bisl_3_3, 0x3_fffc, 0xffff_ffff), (to(0x3_fffc), Quadword::scalar(0)));
    }

    #[test]
    fn targets_wrap_and_are_words() {
        let (br_back, bi_3) = (0x327f_ff80, 0x3500_0180);
        assert_eq!(effect(br_back, 0, 0).0, to(0x3_fffc));
        assert_eq!(effect(bi_3, 0, 0x0004_0007).0, to(4));
    }

    #[test]
    fn halfword_conditions_are_the_right_half_of_the_preferred_word() {
        let (brhz, bihnz) = (0x2200_0103, 0x2560_0183);
        assert_eq!(effect(brhz, 0, 0xffff_0000).0, to(8));
        assert_eq!(effect(brhz, 0, 0x0000_0001).0, Effect::Next);
        assert_eq!(effect(bihnz, 0, 0xffff_0000).0, Effect::Next);
        assert_eq!(effect(bihnz, 0, 0x0000_0104).0, to(0x104));
    }

    #[test]
    fn only_a_branch_that_is_taken_touches_interrupts() {
        let bize = 0x2504_0183;
        assert_eq!(effect(bize, 0, 0).0, Effect::Branch { target: 0, interrupts: Some(true) });
        assert_eq!(effect(bize, 0, 1).0, Effect::Next);
        let iretd = 0x3548_0000;
        assert_eq!(effect(iretd, 0, 0).0, Effect::ReturnFromInterrupt { interrupts: Some(false) });
    }

    #[test]
    fn an_event_branch_sets_its_link_whether_it_is_taken_or_not() {
        let bisled = 0x3560_0184;
        let branch = Effect::BranchIfEvent { target: 0x80, interrupts: None };
        assert_eq!(effect(bisled, 0x100, 0x80), (branch, Quadword::scalar(0x104)));
    }

    #[test]
    fn halts_compare_signed_or_unsigned() {
        let (hgti, hlgti, heqi) = (0x4fff_c180, 0x5fff_c180, 0x7fff_c180);
        assert_eq!(effect(hgti, 0, 0).0, Effect::Halt);
        assert_eq!(effect(hgti, 0, u32::MAX).0, Effect::Next);
        assert_eq!(effect(hlgti, 0, u32::MAX).0, Effect::Next);
        assert_eq!(effect(heqi, 0, u32::MAX).0, Effect::Halt);
    }

    #[test]
    fn what_the_outside_has_to_do() {
        assert_eq!(effect(0x01a0_0e84, 0, 0).0, Effect::Read { channel: 29 });
        assert_eq!(effect(0x01e0_0e84, 0, 0).0, Effect::Count { channel: 29 });
        assert_eq!(effect(0x21a0_0e03, 0, 77).0, Effect::Write { channel: 28, value: 77 });
        assert_eq!(effect(0x0000_2110, 0, 0).0, Effect::Stop { code: 0x2110 });
        assert_eq!(effect(0x2800_0000, 0, 0).0, Effect::Stop { code: 0x3fff });
    }
}
