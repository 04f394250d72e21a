//! Superblocks: straight-line code whose schedule is computed once.
//!
//! The time that a block takes depends only on two things: the state of the pipelines at its entry, relative to the
//! clock, and the outcome of its branch. The state after the block depends on the same two things. Programs keep
//! returning to a small number of states. Each state at an entry is therefore a *node* of a graph. Each outcome of the
//! block is an *edge* to the next node, labelled with the cycles that the block takes. Two other kinds of edges stand
//! for events from outside. A *cut* leads to the point within a block where a turn ends. A *line* leads to the state in
//! which DMA will occupy the local-store port.
//!
//! ```text
//! node: address 0x100, no result pending
//!   ├─ outcome: taken to 0x100 ── 21 cycles ──> the same node (a loop)
//!   ├─ outcome: not taken ──────── 9 cycles ──> node: address 0x140, r3 ready in 4 cycles
//!   ├─ cut: turn has 5 left ────── 5 cycles ──> node: address 0x110, r3 ready in 2 cycles
//!   └─ line: port taken in 3 ───── 0 cycles ──> node: address 0x100, DMA has the port in 3 cycles
//! ```
//!
//! The plain pipeline ([`crate::pipeline`]) computes each edge when a run first takes it. Later passes execute the
//! instructions of the block, evaluate its outcome, and add the edge's cycles to the clock. The passes need not check
//! the state of the pipelines again, because each edge leads to the node for exactly that state.
//!
//! The plain pipeline runs code that is executed rarely, and all instructions that do more than compute, branch or
//! hint. Profiles observe only the plain pipeline, and property tests compare the blocks with it.
//!
//! A write to a line of code that is part of a block drops the whole graph.

mod block;
mod graph;

pub use block::Block;
pub use graph::{Blocks, Position};
