//! Superblocks: straight-line code whose schedule is computed once.
//!
//! The time of a block depends on nothing but the state of the pipelines at its entry, relative to the clock, and on
//! where its branch goes; so does the state that it leaves.  Programs come back to few such states.  So each
//! state at the entry of a block is a *node* of a graph, and behind each outcome of the block lies a *way* to the next
//! node, with the cycles that it takes.  The plain pipeline computes a way when it is first gone.  From then on a block
//! is: the computations of its instructions, a look at where they lead, and one addition to the clock.  That the state
//! is the one of the schedule needs no check, because the way led there.
//!
//! Two more kinds of ways come from outside.  A *cut* leads to where a turn ends that has so many cycles left, and a
//! *line* to the state in which DMA will occupy the local store's port in so many cycles.
//!
//! The plain pipeline goes on from a node where code is executed rarely, and for all instructions that do more than
//! compute, branch or hint.  It is also what profiles listen to, and what property tests compare with.
//!
//! All this holds as long as the code does: when a line of it is written, everything is forgotten.

mod block;
mod graph;

pub use block::Block;
pub use graph::{Blocks, Place};
