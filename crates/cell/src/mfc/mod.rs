//! The memory flow controller of an SPE: its DMA engine.
//!
//! ```text
//!   channels ──> SPU queue (16) ──┐
//!                                 ├─> DMAC: select, fetch list element, unroll ──> bus interface ──> EIB
//!   MMIO ─────> proxy queue (8) ──┘                                                (16 lines out)
//! ```
//! In each cycle in which it is free, the DMAC selects a command (SPU queue before proxy queue, gets and
//! puts in turn, only those that are ready, the oldest first) and makes one bus request of it, of at most a
//! line.  The bus interface holds the requests until their data have moved; when it is
//! full the DMAC waits.  Sources: kistler2006, "DMA flow"; CBEA 7.
//!
//! Left out: translation (see [`crate::ea`]), the resource-allocation tokens (off under Linux).
//!
//! MODEL: among ready commands of one direction the oldest goes first.  The architecture leaves the
//! order open and silicon is seen to reorder.

mod dmac;
mod queue;
mod unroll;

pub use dmac::{Advance, Mfc, Returned};
pub use queue::{Entry, ListElement, Queue, Stage};
