//! Signals: who gets them, and what they do.

pub mod action;
pub mod alternate;
pub mod calls;
pub mod context;
pub mod deliver;
pub mod frame;
pub mod number;
pub mod pending;
pub mod send;
pub mod stack;
mod wait_calls;
