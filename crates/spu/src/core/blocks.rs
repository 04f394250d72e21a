//! Running block by block, where code is entered often enough to know its schedule.

use super::exit::Exit;
use super::state::Spu;
use crate::blocks::{Block, Blocks, Place};
use crate::execute::State;
use cell::store::LocalStore;

/// Why a run over blocks stopped.
enum Stop {
    /// At the entry of a block in which the turn ends.
    Late,
    /// At an address where no block is known.
    Unknown,
    /// Behind a block whose outcome is new.
    New(u32),
    /// Behind so many instructions of a block: the last one changed code.
    Changed(usize),
}

impl Spu {
    /// Runs block by block up to `limit`, or to where the plain pipeline has to go on; the turn's end, if it ends.
    #[inline(never)]
    pub(super) fn run_blocks(&mut self, ls: &mut LocalStore, limit: u64) -> Option<(u64, Exit)> {
        loop {
            if self.blocks.are_full() {
                self.leave_blocks(0);
                self.blocks.clear();
            }
            if self.place.is_none() {
                self.place = Some(self.enter_blocks(ls)?);
            }
            let place = self.place.as_mut()?;
            let mut state = State { registers: &mut self.registers, fpscr: &mut self.fpscr, ls };
            match follow(&self.blocks, place, limit, &mut state) {
                Stop::Late => return self.cut_turn(ls, limit),
                Stop::Unknown => self.leave_blocks(0),
                Stop::New(outcome) => *place = self.blocks.explore(*place, outcome, &mut self.pipeline),
                Stop::Changed(instructions) => {
                    self.leave_blocks(instructions);
                    self.forget_written(ls);
                    return None;
                }
            }
        }
    }

    /// Ends the turn within the block that begins here, unless the plain pipeline has to.
    fn cut_turn(&mut self, ls: &mut LocalStore, limit: u64) -> Option<(u64, Exit)> {
        let place = self.place?;
        let left = limit.saturating_sub(place.now);
        if left == 0 {
            self.pc = self.blocks.address(place);
            return Some(self.leave(place.now, Exit::Budget));
        }
        let Some(cut) = self.blocks.cut(place, left, &mut self.pipeline) else {
            self.leave_blocks(0);
            return None;
        };
        let block = self.blocks.node(place.node).block.as_ref()?;
        let mut state = State { registers: &mut self.registers, fpscr: &mut self.fpscr, ls };
        if let Some(instructions) = block.execute(cut.way.instructions, &mut state) {
            self.leave_blocks(instructions);
            self.forget_written(ls);
            return None;
        }
        let place = cut.way.from(place);
        self.pc = self.blocks.address(place);
        self.place = Some(place);
        Some(self.leave(if cut.is_late { limit } else { place.now }, Exit::Budget))
    }

    /// The place at `pc`, if the run comes there often enough for a block and there is one.
    fn enter_blocks(&mut self, ls: &mut LocalStore) -> Option<Place> {
        if !self.code.visit(self.pc, ls, &self.costs) || !self.has_block(ls) {
            return None;
        }
        Some(self.blocks.place(self.pc, &mut self.pipeline))
    }

    /// Lets the pipelines go on from the current place, behind so many instructions of its block.
    pub(super) fn leave_blocks(&mut self, instructions: usize) {
        let Some(place) = self.place.take() else { return };
        self.pc = self.blocks.resume(place, &mut self.pipeline);
        if let Some(block) = &self.blocks.node(place.node).block {
            block.issue(instructions, u64::MAX, &mut self.pipeline);
            self.pc += 4 * instructions as u32;
        }
    }

    /// Makes the block at `pc` if there is none; whether it is worth it.
    fn has_block(&mut self, ls: &mut LocalStore) -> bool {
        if self.blocks.block(self.pc).is_none() {
            self.blocks.insert(Block::new(self.pc, &mut self.code, ls, &self.costs));
        }
        self.blocks.block(self.pc).is_some_and(|block| block.is_worth_it())
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
        if let Some(instructions) = block.execute(block.length, state) {
            return Stop::Changed(instructions);
        }
        let outcome = block.outcome(state);
        let Some(way) = node.way(outcome) else { return Stop::New(outcome) };
        *place = way.from(*place);
    }
}
