//! The machine at work: its units, their connections, and time.
//!
//! ```text
//!   program ⇄ door ⇄ SPU ─── channels ─── MFC ──┐
//!                           atomic unit ────────┤
//!   program ⇄ door ⇄ PPE ─── L1, L2 ────────────┼─── commands ──> address concentrator ──> all units snoop
//!   main memory ⇄ banks ──── MIC, channels ─────┼─── data ──────> data arbiter ──> rings
//!   the other chip ⇄ lanes ─ BIF at IOIF0 ──────┘
//! ```
//! [`System`] has a few separate parts: the wires (board, time, bus, probes), memory, processors. A step of the
//! machine is a function that takes only the parts that it needs, so the signature shows which units are involved.
//!
//! Each module imports only modules that are below it in this table, or to its left:
//!
//! ```text
//!   run, setup, record           the start of a run, its loop, and its end
//!   dispatch                     the step for each event and each unit's turn, in the order of a line's journey
//!   parts                        System
//!   journey, fast_forward        a file for each stage of a line's journey; periods and settled loops that are skipped
//!   ppe                          the PPE's programs, an operating system among them
//!   snoop                        the effect of a command on other copies of its line
//!   spe                          an SPU's program, its channels, the MFC's queues, lock lines
//!   processors, memory           the state of the units
//!   wires                        the connections between the units; the start of the command phase
//!   board, time, bus, probes     values; the calendar; requests and networks; observers
//!   requests, event, stage       requests in flight; events; the order within a bus cycle
//! ```
//!
//! No unit contains another unit. No unit has a clock: units receive the time from `time`.

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
