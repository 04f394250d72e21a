//! A line's journey, with a file for each stage.
//!
//! ```text
//!   MFC, atomic unit, PPE                       concentrator                 every other unit
//!   issue ────── wires.send ──────────────────> order ───────── snoop ────────────>
//!     ^                                           │  combined response
//!     ├──── Retry: the same command again ─── response
//!     │                                           │  data
//!     │         ┌─────────────────────────────────┴──────────────┐
//!     │     memory: MIC serves the access           ring::fetch_data: another unit has the line
//!     │         └───────────────────┬────────────────────────────┘
//!     │                       ring: the arbiter grants a ring
//!     │                             │ (link: to the other chip, and a ring there)
//!     │                       deliver: bytes move
//!     └──── next request ──── complete: back to the unit that issued it
//! ```

pub(super) mod complete;
pub(super) mod deliver;
pub(super) mod issue;
pub(super) mod link;
pub(super) mod memory;
pub(super) mod order;
pub(super) mod response;
pub(super) mod ring;
