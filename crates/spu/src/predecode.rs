//! Predecoded code: instructions decoded once, with the static part of their timing.
//!
//! The local store is decoded line by line, when a line is first entered.  Decoded lines are watched: a
//! write to one, by the program itself or by DMA between its turns, has it decoded anew.  Words that are come to
//! often are worth a block (see [`crate::blocks`]), less so in lines that are written again and again.
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

/// Visits to a word that make it worth a block, in a line that was never written.
const OFTEN: u16 = 8;

/// Each time a line was written, it takes twice as many: so often at most.
const TWICE: u8 = 10;

/// One instruction, ready to issue.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The instruction, its relative address made absolute.
    pub instruction: Instruction,
    /// Its computation, if it is not special.
    pub computation: Computation,
    /// Its static timing.
    pub timing: Timing,
    /// How the run loop treats it.
    pub kind: Kind,
}

const WORDS: usize = LINE_BYTES as usize / 4;

/// The words of a line.
pub type Line = [Slot; WORDS];

/// A decoded line.
struct Decoded {
    slots: Line,
    /// How often the run loop came to each word, and how often it has to for a block.
    visits: [u16; WORDS],
    often: u16,
    in_blocks: bool,
}

/// The decoded lines of one local store.
pub struct Code {
    /// `None` if not decoded.
    lines: Vec<Option<Box<Decoded>>>,
    /// How often decoded lines were written.
    written: Vec<u8>,
}

impl Code {
    /// Nothing decoded yet, for a local store of this many bytes.
    pub fn new(local_store_bytes: u32) -> Code {
        let lines = local_store_bytes as usize / LINE_BYTES as usize;
        Code { lines: (0..lines).map(|_| None).collect(), written: vec![0; lines] }
    }

    /// The words of the line that holds `address`; those that are no instructions are of kind [`Kind::Unknown`].
    #[inline]
    pub fn line(&mut self, address: u32, local_store: &mut LocalStore, costs: &SpuPipeline) -> &Line {
        &self.decoded(address, local_store, costs).slots
    }

    /// Notes that the run loop has come to `address`; whether it does so often enough for a block.
    #[inline]
    pub fn visit(&mut self, address: u32, local_store: &mut LocalStore, costs: &SpuPipeline) -> bool {
        let line = self.decoded(address, local_store, costs);
        let visits = &mut line.visits[word_in_line(address)];
        *visits = visits.saturating_add(1);
        *visits >= line.often
    }

    /// The word at `address`, which becomes part of the block that begins at `entry`; `None` if it lies in another line
    /// that was written before, since it may hold data, too.
    pub fn in_block(
        &mut self,
        entry: u32,
        address: u32,
        local_store: &mut LocalStore,
        costs: &SpuPipeline,
    ) -> Option<Slot> {
        let line = |address: u32| address as usize / LINE_BYTES as usize;
        if line(entry) != line(address) && self.written[line(address)] > 0 {
            return None;
        }
        let decoded = self.decoded(address, local_store, costs);
        decoded.in_blocks = true;
        Some(decoded.slots[word_in_line(address)])
    }

    /// Drops the lines that were written; whether any was part of a block.
    #[inline]
    #[must_use]
    pub fn forget_written(&mut self, local_store: &mut LocalStore) -> bool {
        let mut in_blocks = false;
        while let Some(line) = local_store.take_written() {
            let line = line as usize;
            in_blocks |= self.lines[line].take().is_some_and(|line| line.in_blocks);
            self.written[line] = self.written[line].saturating_add(1);
        }
        in_blocks
    }

    #[inline]
    fn decoded(&mut self, address: u32, local_store: &mut LocalStore, costs: &SpuPipeline) -> &mut Decoded {
        let line = address as usize / LINE_BYTES as usize;
        self.lines[line].get_or_insert_with(|| {
            local_store.watch(line as u64);
            Box::new(Decoded {
                slots: decode_line(line as u64, local_store, costs),
                visits: [0; WORDS],
                often: OFTEN << self.written[line].min(TWICE),
                in_blocks: false,
            })
        })
    }
}

/// The number of the word at `address` in its line.
fn word_in_line(address: u32) -> usize {
    address as usize % LINE_BYTES as usize / 4
}

fn decode_line(line: u64, local_store: &LocalStore, costs: &SpuPipeline) -> Line {
    let address = |index: usize| line * LINE_BYTES + 4 * index as u64;
    let instructions: [Option<Instruction>; WORDS] = from_fn(|index| decode(local_store.read_u32(address(index))));
    from_fn(|index| {
        let partner = instructions.get(index + 1).filter(|_| index % 2 == 0).and_then(Option::as_ref);
        let kind = instructions[index].as_ref().map_or(Kind::Unknown, Kind::of);
        // Data may lie between instructions; the slots that stand for them are never executed.
        let instruction = instructions[index].unwrap_or(NO_INSTRUCTION).at(address(index) as u32);
        let computation = computation(instruction.opcode).unwrap_or(|_, _| {});
        Slot { instruction, computation, timing: Timing::new(&instruction, partner, costs), kind }
    })
}

/// Stands for a word that is no instruction.
const NO_INSTRUCTION: Instruction =
    Instruction { opcode: Opcode::Nop, rt: 0, ra: 0, rb: 0, rc: 0, branch_offset_words: 0, immediate: 0 };
