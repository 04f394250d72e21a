//! System calls.
//!
//! Each family of calls has a file or directory, which contains a table of rows (`CALLS`) and the functions. [`table`]
//! joins the families. `dispatch` attempts a call for a thread, with a [`caller::Caller`] that holds everything that
//! a call may access.

pub mod caller;
pub(crate) mod dispatch;
pub mod files;
pub mod identity;
pub mod ipc;
pub mod memory;
pub mod signals;
pub(crate) mod spufs;
pub mod table;
pub mod threads;
pub mod time;
