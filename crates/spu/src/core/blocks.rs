//! Block-by-block execution of frequently entered code.

use super::exit::Exit;
use super::state::Spu;
use crate::blocks::{Block, Blocks, Position};
use crate::execute::State;
use cell::store::LocalStore;

/// The reason why block-by-block execution stopped.
enum Stop {
    /// The turn ends within the block at the current position.
    Late,
    /// The graph has no block at this address.
    Unknown,
    /// The block has executed, but the graph does not yet have an edge for its outcome.
    New(u32),
    /// An instruction of the block has changed code. The number of executed instructions includes that instruction.
    Changed(usize),
}

impl Spu {
    /// Executes code block by block up to `limit`, or until the plain pipeline must take over. Returns the elapsed time
    /// and the exit if the turn ends, or `None` if the turn continues.
    #[inline(never)]
    pub(super) fn run_blocks(&mut self, ls: &mut LocalStore, limit: u64) -> Option<(u64, Exit)> {
        loop {
            if self.blocks.are_full() {
                self.leave_blocks(0);
                self.blocks.clear();
            }
            if self.position.is_none() {
                self.position = Some(self.enter_blocks(ls)?);
            }
            let position = self.position.as_mut()?;
            let mut state = State { registers: &mut self.registers, fpscr: &mut self.fpscr, ls };
            match follow(&self.blocks, position, limit, &mut state) {
                Stop::Late => return self.cut_turn(ls, limit),
                Stop::Unknown => self.leave_blocks(0),
                Stop::New(outcome) => *position = self.blocks.explore(*position, outcome, &mut self.pipeline),
                Stop::Changed(instructions) => {
                    self.leave_blocks(instructions);
                    self.drop_written(ls);
                    return None;
                }
            }
        }
    }

    /// Ends the turn within the block at the current position. Returns `None` if the plain pipeline must run instead.
    fn cut_turn(&mut self, ls: &mut LocalStore, limit: u64) -> Option<(u64, Exit)> {
        let position = self.position?;
        let left = limit.saturating_sub(position.now);
        if left == 0 {
            self.pc = self.blocks.address(position);
            return Some(self.leave(position.now, Exit::Budget));
        }
        let Some(cut) = self.blocks.cut(position, left, &mut self.pipeline) else {
            self.leave_blocks(0);
            return None;
        };
        let block = self.blocks.node(position.node).block.as_ref()?;
        let mut state = State { registers: &mut self.registers, fpscr: &mut self.fpscr, ls };
        if let Some(instructions) = block.execute(cut.edge.instructions, &mut state) {
            self.leave_blocks(instructions);
            self.drop_written(ls);
            return None;
        }
        let position = cut.edge.from(position);
        self.pc = self.blocks.address(position);
        self.position = Some(position);
        Some(self.leave(if cut.is_late { limit } else { position.now }, Exit::Budget))
    }

    /// The position at `pc`, if `pc` has been entered often enough and the block that begins at `pc` is worthwhile.
    fn enter_blocks(&mut self, ls: &mut LocalStore) -> Option<Position> {
        if !self.code.visit(self.pc, ls, &self.costs) || !self.has_block(ls) {
            return None;
        }
        Some(self.blocks.position(self.pc, &mut self.pipeline))
    }

    /// Leaves the graph, and restores the state that the pipelines have after the first `instructions` instructions of
    /// the current block.
    pub(super) fn leave_blocks(&mut self, instructions: usize) {
        let Some(position) = self.position.take() else { return };
        self.pc = self.blocks.resume(position, &mut self.pipeline);
        if let Some(block) = &self.blocks.node(position.node).block {
            block.issue(instructions, u64::MAX, &mut self.pipeline);
            self.pc += 4 * instructions as u32;
        }
    }

    /// Creates the block at `pc` if there is none yet. Returns whether the block is worthwhile.
    fn has_block(&mut self, ls: &mut LocalStore) -> bool {
        if self.blocks.block(self.pc).is_none() {
            self.blocks.insert(Block::new(self.pc, &mut self.code, ls, &self.costs));
        }
        self.blocks.block(self.pc).is_some_and(|block| block.is_worthwhile())
    }
}

/// Follows edges from node to node, as long as each whole block ends before `until`.
#[inline(always)]
fn follow(blocks: &Blocks, position: &mut Position, until: u64, state: &mut State) -> Stop {
    loop {
        let node = blocks.node(position.node);
        let Some(block) = node.block.as_deref() else { return Stop::Unknown };
        if position.now + node.span_spu_cycles > until {
            return Stop::Late;
        }
        if let Some(instructions) = block.execute(block.length, state) {
            return Stop::Changed(instructions);
        }
        let outcome = block.outcome(state);
        let Some(edge) = node.edge(outcome) else { return Stop::New(outcome) };
        *position = edge.from(*position);
    }
}
