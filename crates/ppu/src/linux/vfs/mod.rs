//! The virtual file system: what every kind of file has in common.
//!
//! A descriptor of a program leads to an open file description ([`description::Description`]), which descriptors share
//! after `dup`.  The description holds flags, a file offset and an [`object::Object`], the interface that every kind of
//! file implements: the user's files, pipes, `/proc` (all in `crate::linux::files`) and SPE contexts
//! (`crate::linux::spufs`).  An object gets the rest of the system as a [`context::Context`].

pub mod context;
pub mod description;
pub mod flags;
pub mod object;
