//! The memory flow controller of an SPE: its DMA engine.
//!
//! ```text
//!   SPU channels ──> SPU queue (16) ────┐   ┌───────────────── DMAC ─────────────────┐
//!                                       ├──>│ select ──> list element ──> next line  │──> bus interface ──> EIB
//!   MMIO registers ─> proxy queue (8) ──┘   └─────────────────────┬──────────────────┘    (reads | others)
//!                     tag groups, fences                          └─ putqlluc ──> atomic unit
//! ```
//! Whenever the DMAC is free, it selects a command and creates the command's next bus request, of at most one line.
//! The DMAC prefers the SPU queue to the proxy queue, alternates between get and put commands, and selects the oldest
//! command that is ready. The bus interface holds the requests until their data have moved; while it is full, the DMAC
//! waits. Sources: kistler2006, "DMA flow"; CBEA 7.
//!
//! Not modelled here: the resource-allocation tokens, which Linux does not enable.
//!
//! MODEL: among ready commands of one direction, the oldest goes first. The architecture does not specify the order,
//! and silicon has been observed to reorder commands.

mod dmac;
mod mmu;
mod queue;
mod select;
mod unroll;

pub use dmac::{Mfc, Returned};
pub use queue::{Entry, ListElement, Stage};
