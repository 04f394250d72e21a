//! The machine at work: the units, the wires between them, and time.
//!
//! ```text
//!   program ⇄ door ⇄ SPU core ─ channels ─ MFC ─┐
//!                                 atomic unit ──┤  commands ──> address concentrator ──> snoop
//!   program ⇄ door ⇄ PPE ───────────────────────┤
//!                                               │  data ──────> arbiter ──> rings
//!   main memory ⇄ channels and banks ⇄ MIC ─────┤
//!   a second chip, all this again ⇄ BIF ⇄ IOIF0 ┘
//! ```
//! [`System`] is a few parts side by side: a board that never changes, time, the bus, memory, processors,
//! probes.  A wire is a function of the parts that it joins: its signature says who is involved.  `dispatch`
//! joins the wires, in the order of a line's journey: `journey` has one file for each stage of it, `spe` and
//! `ppe` what the processors do, `probes` what only observes, `fast_forward` what leaves periods out.
//!
//! No unit holds another, and none knows the time: `time` has it, and hands it out.

mod board;
mod bus;
mod dispatch;
mod event;
mod fast_forward;
mod journey;
mod memory;
mod parts;
mod ppe;
mod probes;
mod processors;
mod record;
mod requests;
mod run;
mod setup;
mod spe;
mod stage;
mod time;

pub use parts::System;
