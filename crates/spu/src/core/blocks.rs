//! Running block by block, where code is entered often enough to know its schedule.

use super::state::Spu;
use crate::blocks::{Block, Blocks, Place};
use crate::execute::State;
use cell::store::LocalStore;

/// Why a run over blocks stopped.
enum Stop {
    /// At the entry of a block that does not end in time.
    Late,
    /// At an address where no block is known.
    Unknown,
    /// Behind a block whose outcome is new.
    New(u32),
    /// Behind so many instructions of a block: the last one changed code.
    Changed(usize),
}

impl Spu {
    /// Runs block by block as long as only the program itself decides how long it takes, and not beyond `limit`.
    pub(super) fn run_blocks(&mut self, ls: &mut LocalStore, limit: u64) {
        let line_at = self.pipeline.take_line();
        let until = if line_at < self.pipeline.next() { limit } else { limit.min(line_at) };
        while self.pipeline.next() < until && self.code.visit(self.pc, ls, &self.costs) && self.has_block(ls) {
            if !matches!(self.run_known_blocks(ls, until), Stop::Unknown) {
                break;
            }
        }
        self.pipeline.line_at(line_at);
        self.forget_written(ls);
    }

    /// Runs from the block at `pc` on, and leaves the pipelines and `pc` where that stops.
    fn run_known_blocks(&mut self, ls: &mut LocalStore, until: u64) -> Stop {
        let node = self.blocks.number(self.pc, &mut self.pipeline);
        let mut place = Place { node, now: self.pipeline.next(), executed: self.pipeline.executed(self.pc) };
        let mut state = State { registers: &mut self.registers, fpscr: &mut self.fpscr, ls };
        let stop = loop {
            match follow(&self.blocks, &mut place, until, &mut state) {
                Stop::New(outcome) => place = self.blocks.explore(place, outcome, &mut self.pipeline),
                stop => break stop,
            }
        };
        self.pc = self.blocks.resume(place, &mut self.pipeline);
        if let (Stop::Changed(instructions), Some(block)) = (&stop, &self.blocks.node(place.node).block) {
            block.issue(*instructions, &mut self.pipeline);
            self.pc += 4 * *instructions as u32;
        }
        stop
    }

    /// Makes the block at `pc` if there is none; whether there is anything in it.
    fn has_block(&mut self, ls: &mut LocalStore) -> bool {
        if self.blocks.block(self.pc).is_none() {
            self.blocks.insert(Block::new(self.pc, &mut self.code, ls, &self.costs));
        }
        self.blocks.block(self.pc).is_some_and(|block| block.instructions() > 0)
    }
}

/// Goes from node to node as long as blocks end before `until`.
#[inline(always)]
fn follow(blocks: &Blocks, place: &mut Place, until: u64, state: &mut State) -> Stop {
    loop {
        let node = blocks.node(place.node);
        let Some(block) = node.block.as_deref() else { return Stop::Unknown };
        if place.now + node.span_spu_cycles > until {
            return Stop::Late;
        }
        for (number, stretch) in block.body.iter().enumerate() {
            for slot in stretch {
                (slot.computation)(&slot.instruction, state);
            }
            if state.ls.watched_was_written() {
                return Stop::Changed(block.instructions_in(number + 1));
            }
        }
        let outcome = block.outcome(state);
        let Some(way) = node.way(outcome) else { return Stop::New(outcome) };
        *place = way.from(*place, block);
    }
}
