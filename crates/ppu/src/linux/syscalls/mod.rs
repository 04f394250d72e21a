//! System calls.
//!
//! One file or directory for each family.  A family has a table of rows (`CALLS`) beside its functions, and [`table`]
//! joins the families.  [`dispatch`] attempts a call for a thread, with a [`caller::Caller`] that holds everything
//! that a call may touch.

pub mod caller;
pub mod dispatch;
pub mod files;
pub mod identity;
pub mod memory;
pub mod signals;
pub mod spufs;
pub mod table;
pub mod threads;
pub mod time;
