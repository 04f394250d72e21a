//! A decoded instruction: its operands, and the registers that it reads and writes.
//!
//! Names follow the architecture: RT is the target (or the source of a store), and RA, RB and RC are the sources. The
//! module `execute` implements the effects of instructions. The module `pipeline` determines the cycles in which
//! instructions issue.

use crate::class::{Class, Format};
use crate::table::Opcode;

/// A decoded instruction with its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The instruction's entry in the table.
    pub opcode: Opcode,
    /// Register RT.
    pub rt: u8,
    /// Register RA. In channel and special-register instructions: the number of the channel or special register.
    pub ra: u8,
    /// Register RB. In indirect branches, `hbr` and `sync`: the feature bits, see [`Instruction::features`].
    pub rb: u8,
    /// Register RC, in instructions with four registers.
    pub rc: u8,
    /// For a branch hint, the distance in words to the hinted branch; 0 for all other instructions.
    pub branch_offset_words: i16,
    /// The immediate, sign-extended if the format is signed. Displacements and addresses are in bytes; relative
    /// addresses are offsets from the instruction's address. For a conversion, the immediate is the scale as written in
    /// assembly language: 173 or 155 minus the value of the field. In `stop`, the immediate is the stop-and-signal
    /// type.
    pub immediate: i32,
}

const _: () = assert!(size_of::<Instruction>() == 12);

impl Instruction {
    /// The instruction at `pc`, with its relative address made absolute.
    pub fn at(self, pc: u32) -> Instruction {
        let is_relative = self.opcode.definition().operands.contains('r');
        let immediate = if is_relative { self.immediate.wrapping_add(pc as i32) } else { self.immediate };
        Instruction { immediate, ..self }
    }

    /// The registers that the instruction reads.
    pub fn reads(&self) -> impl Iterator<Item = u8> {
        let (reads, _) = self.opcode.definition().uses.split_once('>').unwrap_or_default();
        let instruction = *self;
        reads.bytes().map(move |letter| instruction.register(letter))
    }

    /// The register that the instruction writes.
    pub fn writes(&self) -> Option<u8> {
        self.opcode.definition().uses.ends_with('t').then_some(self.rt)
    }

    /// The register that is denoted by an operand letter of the instruction table.
    fn register(&self, letter: u8) -> u8 {
        match letter {
            b'a' => self.ra,
            b'b' => self.rb,
            b'c' => self.rc,
            _ => self.rt,
        }
    }

    /// The address of the branch that a hint at `pc` predicts.
    pub fn hinted_branch(&self, pc: u32) -> u32 {
        pc.wrapping_add_signed(4 * i32::from(self.branch_offset_words))
    }

    /// Whether the instruction is a branch.
    pub fn is_branch(&self) -> bool {
        self.opcode.class() == Class::Branch
    }

    /// The feature bits: the two interrupt bits, P of `hbr` and C of `sync`.
    pub fn features(&self) -> Features {
        let has = matches!(self.opcode.format(), Format::Lbti)
            || (matches!(self.opcode.format(), Format::Rr) && (self.is_branch() || self.opcode == Opcode::Sync));
        let bits = if has { self.rb } else { 0 };
        Features {
            prefetch_or_channel: bits & 0x40 != 0,
            disable_interrupts: bits & 0x20 != 0,
            enable_interrupts: bits & 0x10 != 0,
        }
    }

    /// Whether interrupts are enabled after this indirect branch is taken; `None` if the branch leaves the setting
    /// unchanged.
    #[inline]
    pub fn interrupts(&self) -> Option<bool> {
        // The architecture reserves the combination of both bits. Here that combination leaves interrupts unchanged.
        match (self.rb & 0x20 != 0, self.rb & 0x10 != 0) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }
}

/// Bits 11 to 13 of indirect branches, `hbr` and `sync`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// P of `hbr` (only prefetch, do not hint), or C of `sync` (also synchronise channels).
    pub prefetch_or_channel: bool,
    /// D: the branch disables interrupts.
    pub disable_interrupts: bool,
    /// E: the branch enables interrupts.
    pub enable_interrupts: bool,
}
