//! Kinds of files, and the files of a process.
//!
//! [`state::Files`] holds the descriptor table, the current directory and the mounts of a process. Path lookup
//! (`paths`) returns an object of the virtual file system (`crate::vfs`). Mounts are the names in `/` that
//! belong to the simulated machine. All paths outside these mounts lead to the user's files. The crate `files` limits
//! a program's access to the user's files.
//!
//! Everything that a run learns of the host computer passes `answers`, which gives it again to a second run.
//!
//! The kinds of objects are the user's files (`host`), files of the machine ([`machine`], `memory`, `devices`),
//! pipes, event counters, `epoll` lists and the standard streams.

pub(crate) mod answers;
pub(crate) mod attributes;
pub(crate) mod devices;
pub(crate) mod epoll;
pub(crate) mod event;
pub(crate) mod fixed;
pub(crate) mod host;
pub mod ioctl;
pub mod machine;
pub(crate) mod memory;
pub(crate) mod opening;
pub(crate) mod paths;
pub mod pipe;
pub mod state;
pub mod streams;
