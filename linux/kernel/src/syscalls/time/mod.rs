//! System calls for time.

pub mod clocks;
pub(crate) mod sleep;
pub mod timers;
pub(crate) mod usage;
