//! The trace of a window of time, bus cycle by bus cycle.
//!
//! A record has counters; a trace has rows.  A row is anything that was under way at some time in the window
//! `[from, to)`: a command in an MFC's queue, a bus request with each round of its command phase and its
//! transfer over a ring, an access of a memory channel, a wait of an SPU.
//!
//! ```text
//!   before          from              to
//!   ──────────────────├─────────────────┤────>
//!        └── a row ──────┘                     keeps its true beginning
//!                         └── a row ──────┄┄   has no end yet, unless the end was known already
//! ```
//! A transfer that was granted has its arrival, for example.
//!
//! The window is meant for the measured part of a run, and a [`Trigger`] says how that begins.
//! Times are bus cycles since the start of the run, and are the same with and without fast-forward.
//!
//! The `recorder` hears of events while the machine runs, and keeps them as `rows`; `report` makes the `tables` of a
//! window of them, and `columns` writes these as JSON.

mod columns;
mod labels;
mod memory_queues;
mod recorder;
mod report;
mod rows;
mod tables;
mod times;
mod window;

pub(crate) use recorder::Recorder;
pub use tables::{
    AccessRow, CommandRow, MemoryQueueRow, ProgramRow, RequestRow, Round, StallRow, TRACE_SCHEMA_VERSION, Trace,
    WaitRow,
};
pub use window::{TRACE_ROWS_MAX, Trigger, Window};
