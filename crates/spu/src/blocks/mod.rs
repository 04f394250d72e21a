//! Superblocks: straight-line code whose schedule is computed once.
//!
//! The time that a block takes depends only on two things: the state of the pipelines at its entry, relative to the
//! clock, and the outcome of its branch. The state after the block depends on the same two things. Programs repeatedly
//! return to a small number of states. Each state with which a block is entered is therefore represented by a *node* of
//! a graph. Each outcome of the block is represented by an *edge* to the next node, which is labelled with the number
//! of cycles that the block takes. Edges of two other kinds represent external events. A *cut* edge leads to the point
//! within a block at which a turn ends. A *line* edge leads to the state in which a DMA transfer will occupy the
//! local-store port.
//!
//! ```text
//! node: address 0x100, no result pending
//!   ├─ outcome: taken to 0x100 ── 21 cycles ──> the same node (a loop)
//!   ├─ outcome: not taken ──────── 9 cycles ──> node: address 0x140, r3 ready in 4 cycles
//!   ├─ cut: turn has 5 left ────── 5 cycles ──> node: address 0x110, r3 ready in 2 cycles
//!   └─ line: port taken in 3 ───── 0 cycles ──> node: address 0x100, DMA has the port in 3 cycles
//! ```
//!
//! The plain pipeline ([`crate::pipeline`]) computes each edge when execution first takes it. Later executions of the
//! block execute its instructions, evaluate its outcome, and add the edge's cycles to the clock. The state of the
//! pipelines need not be checked again, because each edge leads to the node for exactly that state.
//!
//! Rarely executed code, and all instructions other than computations, branches and hints, run on the plain pipeline. A
//! profiled program runs only on the plain pipeline. Property tests compare the blocks with the plain pipeline.
//!
//! A write to a line of code that is part of a block drops the whole graph.

mod block;
mod graph;

pub use block::Block;
pub use graph::{Blocks, Position};
