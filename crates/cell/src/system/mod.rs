//! The machine at work: the units, the wires between them, and time.
//!
//! ```text
//!                              ┌──────────────── one chip ──────────────────────────────────┐
//!   program ⇄ door ⇄ SPU ──────┤ channels ── MFC ──┐                                        │
//!                              │ atomic unit ──────┤  commands ──> address concentrator ──> │ snoop
//!   program ⇄ door ⇄ PPE ──────┤ L1, L2 ───────────┤                                        │
//!                              │                   │  data ──────> arbiter ──> four rings   │
//!   main memory ⇄ banks ───────┤ MIC, 2 channels ──┤                                        │
//!   the other chip ⇄ lanes ────┤ BIF at IOIF0 ─────┘                                        │
//!                              └────────────────────────────────────────────────────────────┘
//! ```
//! [`System`] is a few parts side by side: the wires (board, time, bus, probes), memory, processors.  A step of the
//! machine is a function of the parts that it concerns, so its signature says which units are involved.
//!
//! Each module imports only those below it:
//!
//! ```text
//!   run, setup, record                the way in and out
//!   dispatch                          which step follows from what is due, in the order of a line's journey
//!   parts                             System
//!   journey          fast_forward     a file for each stage of a line's journey; periods that are skipped
//!   ppe                               the PPE's programs, and an operating system among them
//!   snoop                             what a command does to other copies of its line
//!   spe                               an SPU's program, its channels, the MFC's queues, lock lines
//!   processors       memory           the state of the units
//!   wires                             what joins them, and the way of a command to the bus
//!   board  time  bus  probes          values; the calendar; requests and networks; what only observes
//!   stage  event  requests            the order within a bus cycle
//! ```
//!
//! No unit holds another.  No unit knows the time: `time` keeps it and hands it out.

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
mod snoop;
mod spe;
mod stage;
mod time;
mod wires;

pub use parts::System;
