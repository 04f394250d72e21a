//! System calls for signals.

pub mod alternate;
pub mod calls;
pub mod waiting;
