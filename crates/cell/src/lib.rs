//! A cycle-level Cell Broadband Engine.

pub mod machine;
