//! A cycle-level Cell Broadband Engine.
