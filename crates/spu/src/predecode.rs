//! Predecoded code: instructions decoded once, with the static part of their timing.
//!
//! The local store is decoded line by line, when execution first enters a line. Writes to a decoded line are tracked.
//! After the program, or DMA between turns, has written to a line, the line is decoded again. If execution often enters
//! a line at the same word, a block is built at that word (see [`crate::blocks`]). Each write to a line increases the
//! number of visits required before a block is built at a word of the line.
//!
//! MODEL: changed code takes effect at once. The architecture guarantees the effect only after a `sync`; until then
//! silicon may execute old instructions from its buffers.

use crate::decode::decode;
use crate::execute::{Computation, computation};
use crate::instruction::Instruction;
use crate::table::Opcode;
use crate::timing::{Kind, Timing};
use cell::machine::SpuPipeline;
use cell::store::LocalStore;
use cell::units::LINE_BYTES;
use std::array::from_fn;

/// The number of visits after which a block is built at a word whose line was never written.
const VISITS_FOR_BLOCK: u16 = 8;

/// The maximum number of times that the required number of visits is doubled. Each write to a line doubles the number
/// of visits required before a block is built at a word of the line.
const DOUBLINGS_MAX: u8 = 10;

/// A predecoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The instruction, with its relative address made absolute.
    pub instruction: Instruction,
    /// The function that computes the instruction's result; for a special instruction, the function does nothing.
    pub computation: Computation,
    /// The instruction's static timing.
    pub timing: Timing,
    /// How the run loop treats the instruction.
    pub kind: Kind,
}

const WORDS: usize = LINE_BYTES as usize / 4;

/// The predecoded words of a local-store line.
pub type Line = [Slot; WORDS];

/// A decoded line.
struct Decoded {
    slots: Line,
    /// The number of times that the run loop has entered each word.
    visits: [u16; WORDS],
    visits_needed: u16,
    in_blocks: bool,
}

/// The decoded lines of one local store.
pub struct Code {
    /// The decoded lines; `None` for a line that is not decoded.
    lines: Vec<Option<Box<Decoded>>>,
    /// For each line, the number of times that a write invalidated the decoded line.
    written: Vec<u8>,
}

impl Code {
    /// The code of a local store of this size, with no line decoded yet.
    pub fn new(local_store_bytes: u32) -> Code {
        let lines = local_store_bytes as usize / LINE_BYTES as usize;
        Code { lines: (0..lines).map(|_| None).collect(), written: vec![0; lines] }
    }

    /// The predecoded words of the line that contains `address`. Words that are not instructions have the kind
    /// [`Kind::Unknown`].
    #[inline]
    pub fn line(&mut self, address: u32, local_store: &mut LocalStore, costs: &SpuPipeline) -> &Line {
        &self.decoded(address, local_store, costs).slots
    }

    /// Records that the run loop has entered the word at `address`. Returns whether a block should now be built at the
    /// word.
    #[inline]
    pub fn visit(&mut self, address: u32, local_store: &mut LocalStore, costs: &SpuPipeline) -> bool {
        let line = self.decoded(address, local_store, costs);
        let visits = &mut line.visits[word_in_line(address)];
        *visits = visits.saturating_add(1);
        *visits >= line.visits_needed
    }

    /// The word at `address`, for the block that begins at `entry`. Returns `None` if `address` and `entry` are in
    /// different lines and the line of `address` was written before, because a written line may also contain data.
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

    /// Drops the decoded lines to which the program or DMA has written. Returns whether any of these lines was part of
    /// a block.
    #[inline]
    #[must_use]
    pub fn drop_written(&mut self, local_store: &mut LocalStore) -> bool {
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
                visits_needed: VISITS_FOR_BLOCK << self.written[line].min(DOUBLINGS_MAX),
                in_blocks: false,
            })
        })
    }
}

/// The index of the word at `address` within its line.
fn word_in_line(address: u32) -> usize {
    address as usize % LINE_BYTES as usize / 4
}

fn decode_line(line: u64, local_store: &LocalStore, costs: &SpuPipeline) -> Line {
    let address = |index: usize| line * LINE_BYTES + 4 * index as u64;
    let instructions: [Option<Instruction>; WORDS] = from_fn(|index| decode(local_store.read_u32(address(index))));
    from_fn(|index| {
        let partner = instructions.get(index + 1).filter(|_| index % 2 == 0).and_then(Option::as_ref);
        let kind = instructions[index].as_ref().map_or(Kind::Unknown, Kind::of);
        // There may be data words between the instructions. The slots of data words are never executed.
        let instruction = instructions[index].unwrap_or(NO_INSTRUCTION).at(address(index) as u32);
        let computation = computation(instruction.opcode).unwrap_or(|_, _| {});
        Slot { instruction, computation, timing: Timing::new(&instruction, partner, costs), kind }
    })
}

/// The placeholder for a word that is not an instruction.
const NO_INSTRUCTION: Instruction =
    Instruction { opcode: Opcode::Nop, rt: 0, ra: 0, rb: 0, rc: 0, branch_offset_words: 0, immediate: 0 };
