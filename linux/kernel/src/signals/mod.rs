//! Signals: numbers, actions, pending signals, and the frames of handlers.

pub mod action;
pub mod context;
pub mod frame;
pub mod number;
pub mod pending;
pub mod stack;
pub mod wide_frame;
