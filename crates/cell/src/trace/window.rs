//! The part of a run that is traced.

use crate::units::BusCycle;

/// The event that opens the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// The first MFC command of this tag group.
    TagGroup(u32),
    /// The first MFC command of any tag group.
    Command,
    /// The first write to a decrementer.
    Decrementer,
    /// The PPE's first read of its time base.
    TimeBase,
}

/// The maximum number of rows in a window, over all tables. A program that reads a trace needs one to five kilobytes
/// of memory per row.
pub const TRACE_ROWS_MAX: usize = 500_000;

/// The part of a run to trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The event relative to which the window is positioned.
    pub trigger: Trigger,
    /// Bus cycles from the trigger to the start of the window.
    pub skip_bus_cycles: BusCycle,
    /// The length of the window in bus cycles.
    pub bus_cycles: BusCycle,
}
