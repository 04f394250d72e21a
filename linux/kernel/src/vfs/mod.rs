//! The virtual file system: the common parts of all kinds of files.
//!
//! A program's descriptor refers to an open file description (`description::Description`), which several descriptors
//! share after `dup`. The description holds flags, a file offset and an [`object::Object`], the interface that every
//! kind of file implements: the user's files, pipes, `/proc` (all in `crate::files`) and SPE contexts
//! (`crate::spufs`). Operations of an object access the rest of the system through a [`context::Context`].

pub(crate) mod context;
pub(crate) mod description;
pub mod flags;
pub mod object;
