//! Code as the run loop wants it: instructions decoded once, with what is known of their time.
//!
//! The local store is decoded line by line, when a line is first entered.  Decoded lines are watched:
//! who writes one, the program itself or a DMA between its turns, makes it be decoded anew.
//!
//! MODEL: changed code takes effect at once.  The architecture promises that only behind a `sync`;
//! silicon may execute what its buffers held before.

use crate::decode::decode;
use crate::execute::{Computation, computation};
use crate::instruction::Instruction;
use crate::table::Opcode;
use crate::timing::{Kind, Timing};
use cell::machine::SpuPipeline;
use cell::store::LocalStore;
use cell::units::LINE_BYTES;
use std::array::from_fn;

/// One instruction, ready to issue.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What it is.
    pub instruction: Instruction,
    /// What carries it out, if it is not special.
    pub computation: Computation,
    /// When.
    pub timing: Timing,
    /// What the run loop does about it.
    pub kind: Kind,
}

/// The words of a line.
pub type Line = [Slot; LINE_BYTES as usize / 4];

/// The decoded lines of one local store.
pub struct Code {
    /// The words of each line; `None` if not decoded.
    lines: Vec<Option<Box<Line>>>,
}

impl Code {
    /// Nothing decoded yet, of a local store of so many bytes.
    pub fn new(local_store_bytes: u32) -> Code {
        Code { lines: vec![None; local_store_bytes as usize / LINE_BYTES as usize] }
    }

    /// The words of the line that holds `address`; those that are no instructions are of kind [`Kind::Unknown`].
    #[inline]
    pub fn line(&mut self, address: u32, local_store: &mut LocalStore, costs: &SpuPipeline) -> &Line {
        let line = address as usize / LINE_BYTES as usize;
        self.lines[line].get_or_insert_with(|| {
            local_store.watch(line as u64);
            decode_line(line as u64, local_store, costs)
        })
    }

    /// Drops the lines that were written.
    #[inline]
    pub fn forget_written(&mut self, local_store: &mut LocalStore) {
        while let Some(line) = local_store.take_written() {
            self.lines[line as usize] = None;
        }
    }
}

fn decode_line(line: u64, local_store: &LocalStore, costs: &SpuPipeline) -> Box<Line> {
    let word = |index: usize| local_store.read_u32(line * LINE_BYTES + 4 * index as u64);
    let instructions: [Option<Instruction>; LINE_BYTES as usize / 4] = from_fn(|index| decode(word(index)));
    Box::new(from_fn(|index| {
        let partner = instructions.get(index + 1).filter(|_| index % 2 == 0).and_then(Option::as_ref);
        let kind = instructions[index].as_ref().map_or(Kind::Unknown, Kind::of);
        // Data may lie between instructions; what stands for them is never executed.
        let instruction = instructions[index].unwrap_or(NO_INSTRUCTION);
        let computation = computation(instruction.opcode).unwrap_or(|_| {});
        Slot { instruction, computation, timing: Timing::new(&instruction, partner, costs), kind }
    }))
}

/// Stands in the place of a word that is none.
const NO_INSTRUCTION: Instruction =
    Instruction { opcode: Opcode::Nop, rt: 0, ra: 0, rb: 0, rc: 0, branch_offset_words: 0, immediate: 0 };
