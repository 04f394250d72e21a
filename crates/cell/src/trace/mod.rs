//! What happened in a window of time, bus cycle by bus cycle.
//!
//! A record counts; a trace tells.  It holds all that was going on at some time of a window `[from, to)`:
//! the commands in the MFCs' queues, their bus requests with each round of the command phase and their
//! way over a ring, the accesses of the memory's channels, and what each SPU waited for.  What began
//! before the window is there with its true beginning; what has not happened when it ends is left empty,
//! unless it was known already (a transfer that was granted will arrive).
//!
//! The window is meant for the part of a run that is measured: a [`Trigger`] says how that begins.
//! Times are bus cycles since the start of the run, and the same with and without fast-forward.

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
