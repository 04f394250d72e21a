//! Signals: numbers, actions, pending signals, and the frames of handlers.

pub(crate) mod action;
pub(crate) mod context;
pub(crate) mod frame;
pub mod number;
pub(crate) mod pending;
pub(crate) mod stack;
pub(crate) mod wide_frame;
