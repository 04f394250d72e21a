//! What each instruction does to registers and local store.
//!
//! Here is what moves the program on: loads, stores, branches, halts; what needs the world outside the
//! processor (channels, interrupts, stops) is handed up as an [`Effect`].  All that only computes a
//! register is in `compute` and `floating`.  When things happen is the pipeline's matter.
//!
//! Left out: special-purpose registers.  The SPU defines none, so they read as zero and are written to
//! no effect.
//!
//! Source: SPU Instruction Set Architecture 1.2.

mod compute;
mod floating;
mod integer;
mod lanes;
mod memory;
mod shift;

use cell::store::LocalStore;

use crate::float::Fpscr;
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use crate::table::Opcode;

/// What is left to do after an instruction, other than to go on with the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: go on.
    Next,
    /// The program goes on at `target`.
    Branch {
        /// Address of the next instruction.
        target: u32,
        /// Whether interrupts are enabled there; as before if none.
        interrupts: Option<bool>,
    },
    /// The same, but only if an enabled event is pending (`bisled`); the link is set already.
    BranchIfEvent {
        /// Address of the next instruction if so.
        target: u32,
        /// Whether interrupts are enabled there; as before if none.
        interrupts: Option<bool>,
    },
    /// The program goes on at the address in SRR0 (`iret`).
    ReturnFromInterrupt {
        /// Whether interrupts are enabled there; as before if none.
        interrupts: Option<bool>,
    },
    /// Channel `channel` is read; its value belongs into the preferred slot of RT, zeros elsewhere.
    Read {
        /// Number of the channel.
        channel: u8,
    },
    /// The count of channel `channel` is read, into RT likewise.
    Count {
        /// Number of the channel.
        channel: u8,
    },
    /// Channel `channel` is written.
    Write {
        /// Number of the channel.
        channel: u8,
        /// The preferred slot of RT.
        value: u32,
    },
    /// `stop` or `stopd`.
    Stop {
        /// The stop-and-signal type.
        code: u32,
    },
    /// A conditional halt whose condition holds.
    Halt,
}

/// The type that `stopd` signals.
const STOPD_CODE: u32 = 0x3fff;

/// Executes `i`, which lies at `pc`.
#[inline(always)]
pub fn execute(i: &Instruction, pc: u32, registers: &mut Registers, fpscr: &mut Fpscr, ls: &mut LocalStore) -> Effect {
    let word = |register: u8| registers.get(register).preferred();
    let immediate = i.immediate as u32;
    // Addresses of instructions are words, and wrap with the local store.
    let address = |address: u32| address & (ls.size_bytes() as u32 - 1) & !3;
    let to = |target: u32| Effect::Branch { target: address(target), interrupts: None };
    let through_ra = || Effect::Branch { target: address(word(i.ra)), interrupts: i.interrupts() };
    let link = Quadword::scalar(address(pc.wrapping_add(4)));
    let relative = pc.wrapping_add(immediate);
    let when = |condition: bool, effect: Effect| if condition { effect } else { Effect::Next };
    match i.opcode {
        Opcode::Lqd => load(registers, i.rt, ls, word(i.ra).wrapping_add(immediate)),
        Opcode::Lqx => load(registers, i.rt, ls, word(i.ra).wrapping_add(word(i.rb))),
        Opcode::Lqa => load(registers, i.rt, ls, immediate),
        Opcode::Lqr => load(registers, i.rt, ls, relative),
        Opcode::Stqd => store(registers, i.rt, ls, word(i.ra).wrapping_add(immediate)),
        Opcode::Stqx => store(registers, i.rt, ls, word(i.ra).wrapping_add(word(i.rb))),
        Opcode::Stqa => store(registers, i.rt, ls, immediate),
        Opcode::Stqr => store(registers, i.rt, ls, relative),

        Opcode::Br => to(relative),
        Opcode::Bra => to(immediate),
        Opcode::Brsl => linked(to(relative), registers, i.rt, link),
        Opcode::Brasl => linked(to(immediate), registers, i.rt, link),
        Opcode::Brnz => when(word(i.rt) != 0, to(relative)),
        Opcode::Brz => when(word(i.rt) == 0, to(relative)),
        Opcode::Brhnz => when(word(i.rt) as u16 != 0, to(relative)),
        Opcode::Brhz => when(word(i.rt) as u16 == 0, to(relative)),
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
        Opcode::Fscrwr => {
            *fpscr = Fpscr::write(registers.get(i.ra).bits());
            Effect::Next
        }
        Opcode::Nop | Opcode::Lnop | Opcode::Sync | Opcode::Dsync | Opcode::Mtspr => Effect::Next,
        Opcode::Hbr | Opcode::Hbra | Opcode::Hbrr => Effect::Next,
        _ => {
            if let Some(value) = compute::compute(i, registers).or_else(|| floating::compute(i, registers, fpscr)) {
                registers.set(i.rt, value);
            }
            Effect::Next
        }
    }
}

#[inline(always)]
fn load(registers: &mut Registers, rt: u8, ls: &LocalStore, address: u32) -> Effect {
    registers.set(rt, memory::load(ls, address));
    Effect::Next
}

#[inline(always)]
fn store(registers: &Registers, rt: u8, ls: &mut LocalStore, address: u32) -> Effect {
    memory::store(ls, address, registers.get(rt));
    Effect::Next
}

/// A branch whose target is known, so that RT may be the register that it came from.
#[inline(always)]
fn linked(effect: Effect, registers: &mut Registers, rt: u8, link: Quadword) -> Effect {
    registers.set(rt, link);
    effect
}
