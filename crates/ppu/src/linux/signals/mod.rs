//! Signals: who gets them, and what they do.

pub mod action;
pub mod context;
pub mod frame;
pub mod number;
pub mod pending;
pub mod stack;
