//! System calls for signals.

pub(crate) mod alternate;
pub mod calls;
pub(crate) mod waiting;
