//! Which part of a run a trace is about.

use crate::units::BusCycle;

/// What opens the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// The first MFC command of this tag group.
    TagGroup(u32),
    /// The first MFC command of any.
    Command,
    /// The first write to a decrementer.
    Decrementer,
    /// The first time that the PPE reads its time base.
    TimeBase,
}

/// What a window may hold at most: rows of all tables.  A reader needs one to five kilobytes for each.
pub const TRACE_ROWS_MAX: usize = 500_000;

/// Which part of a run to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// How the part that matters begins.
    pub trigger: Trigger,
    /// Bus cycles from there to the beginning of the window.
    pub skip_bus_cycles: BusCycle,
    /// Its length.
    pub bus_cycles: BusCycle,
}
