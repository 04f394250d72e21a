//! The instructions that change the control flow, or that interact with units outside the processor.

use super::effect::Effect;
use super::operands::State;
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use crate::table::Opcode;

/// The stop-and-signal type of `stopd`.
const STOPD_CODE: u32 = 0x3fff;

/// Executes an instruction at `pc` that has no [`Computation`](super::Computation).
#[inline]
pub fn control(i: &Instruction, pc: u32, state: &mut State) -> Effect {
    let State { registers, ls, .. } = state;
    let word = |register: u8| registers.get(register).preferred();
    let immediate = i.immediate as u32;
    // Instruction addresses are aligned to words and wrap at the end of the local store.
    let address = |address: u32| address & (ls.size_bytes() as u32 - 1) & !3;
    let to = |target: u32| Effect::Branch { target: address(target), interrupts: None };
    let through_ra = || Effect::Branch { target: address(word(i.ra)), interrupts: i.interrupts() };
    let link = Quadword::scalar(address(pc.wrapping_add(4)));
    let when = |condition: bool, effect: Effect| if condition { effect } else { Effect::Next };
    match i.opcode {
        Opcode::Br | Opcode::Bra => to(immediate),
        Opcode::Brsl | Opcode::Brasl => linked(to(immediate), registers, i.rt, link),
        Opcode::Brnz => when(word(i.rt) != 0, to(immediate)),
        Opcode::Brz => when(word(i.rt) == 0, to(immediate)),
        Opcode::Brhnz => when(word(i.rt) as u16 != 0, to(immediate)),
        Opcode::Brhz => when(word(i.rt) as u16 == 0, to(immediate)),
        Opcode::Bi => through_ra(),
        Opcode::Bisl => linked(through_ra(), registers, i.rt, link),
        Opcode::Bisled => {
            let effect = Effect::BranchIfEvent { target: address(word(i.ra)), interrupts: i.interrupts() };
            linked(effect, registers, i.rt, link)
        }
        Opcode::Binz => when(word(i.rt) != 0, through_ra()),
        Opcode::Biz => when(word(i.rt) == 0, through_ra()),
        Opcode::Bihnz => when(word(i.rt) as u16 != 0, through_ra()),
        Opcode::Bihz => when(word(i.rt) as u16 == 0, through_ra()),
        Opcode::Iret => Effect::ReturnFromInterrupt { interrupts: i.interrupts() },

        Opcode::Heq => when(word(i.ra) == word(i.rb), Effect::Halt),
        Opcode::Heqi => when(word(i.ra) == immediate, Effect::Halt),
        Opcode::Hgt => when(word(i.ra) as i32 > word(i.rb) as i32, Effect::Halt),
        Opcode::Hgti => when(word(i.ra) as i32 > i.immediate, Effect::Halt),
        Opcode::Hlgt => when(word(i.ra) > word(i.rb), Effect::Halt),
        Opcode::Hlgti => when(word(i.ra) > immediate, Effect::Halt),

        Opcode::Rdch => Effect::Read { channel: i.ra },
        Opcode::Rchcnt => Effect::Count { channel: i.ra },
        Opcode::Wrch => Effect::Write { channel: i.ra, value: word(i.rt) },
        Opcode::Stop => Effect::Stop { code: immediate },
        Opcode::Stopd => Effect::Stop { code: STOPD_CODE },
        // Hints and synchronisation.
        _ => Effect::Next,
    }
}

/// The addresses of a hinted branch and of its target; `None` if the hint instruction only frees the local-store port
/// for a fetch.
pub fn hinted(i: &Instruction, pc: u32, registers: &Registers, local_store_bytes: u32) -> Option<(u32, u32)> {
    let target = match i.opcode {
        Opcode::Hbr => registers.get(i.ra).preferred(),
        _ => i.immediate as u32,
    };
    let address = |address: u32| address & (local_store_bytes - 1) & !3;
    (!i.features().prefetch_or_channel).then(|| (address(i.hinted_branch(pc)), address(target)))
}

/// Writes the return address of a branch to register `rt`. The branch's target has already been read, so the register
/// that held the target may be overwritten.
#[inline(always)]
fn linked(effect: Effect, registers: &mut Registers, rt: u8, link: Quadword) -> Effect {
    registers.set(rt, link);
    effect
}
