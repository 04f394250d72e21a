//! Predecoded code: instructions decoded once, with the static part of their timing.
//!
//! The local store is decoded line by line, when a line is first entered.  Decoded lines are watched: a
//! write to one, by the program itself or by DMA between its turns, has it decoded anew.
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
    /// The instruction.
    pub instruction: Instruction,
    /// Its computation, if it is not special.
    pub computation: Computation,
    /// Its static timing.
    pub timing: Timing,
    /// How the run loop treats it.
    pub kind: Kind,
}

/// The words of a line.
pub type Line = [Slot; LINE_BYTES as usize / 4];

/// The decoded lines of one local store.
pub struct Code {
    /// The slots of each line; `None` if not decoded.
    lines: Vec<Option<Box<Line>>>,
}

impl Code {
    /// Nothing decoded yet, for a local store of this many bytes.
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
        // Data may lie between instructions; the slots that stand for them are never executed.
        let instruction = instructions[index].unwrap_or(NO_INSTRUCTION);
        let computation = computation(instruction.opcode).unwrap_or(|_| {});
        Slot { instruction, computation, timing: Timing::new(&instruction, partner, costs), kind }
    }))
}

/// Stands for a word that is no instruction.
const NO_INSTRUCTION: Instruction =
    Instruction { opcode: Opcode::Nop, rt: 0, ra: 0, rb: 0, rc: 0, branch_offset_words: 0, immediate: 0 };
