//! The trace of a window of time, bus cycle by bus cycle.
//!
//! A run's record consists of counters; a trace consists of rows. There is a row for every activity that overlaps the
//! window `[from, to)`: each command in an MFC's queue, each bus request with the rounds of its command phase and its
//! transfer over a ring, each access of a memory channel, each wait of an SPU.
//!
//! ```text
//!                    from              to
//!   ───────────────────├────────────────┤──> time
//!        ├── row ────────┤                      begins before the window: its true beginning is kept
//!                         ├── row ────────┄┄    ends after the window: it has no end, unless the end is known
//! ```
//! For example, the end of a transfer is known once the transfer is granted.
//!
//! The window is meant for the measured part of a run. A [`Trigger`] is the event that begins the measured part.
//! Times are bus cycles since the start of the run, and are the same with and without fast-forward.
//!
//! The `recorder` turns the events of a running machine into `rows`. `report` turns the rows into the `tables` of a
//! window, and `columns` writes the tables as JSON.

mod columns;
mod labels;
mod memory_queues;
mod positions;
mod recorder;
mod report;
mod rows;
mod tables;
mod times;
mod window;

pub use positions::POSITIONS_MAX;
pub(crate) use recorder::Recorder;
pub use tables::{
    AccessRow, CallRow, CommandRow, MemoryQueueRow, ProgramRow, RequestRow, Round, StallRow, TRACE_SCHEMA_VERSION,
    Trace, WaitRow,
};
pub use window::{TRACE_ROWS_MAX, Trigger, Window};
