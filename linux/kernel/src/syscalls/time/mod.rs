//! System calls for time.

pub mod clocks;
pub mod sleep;
pub mod timers;
pub mod usage;
