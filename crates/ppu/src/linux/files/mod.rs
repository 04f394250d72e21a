//! Files, as a program has them: descriptors, paths, directories, pipes, what can be polled.
//!
//! # How it hangs together
//! A program's number leads to a `description::Description`, which descriptors share after `dup`: flags, a place, and an
//! [`object::Object`].  Objects are the user's files (`host`), the simulated machine's (`machine`, `memory`,
//! `devices`), pipes and the like, and the files of SPEs (`crate::linux::spufs`).  A path leads to one of them
//! (`paths`): names at the top that belong to the machine start at an object in `state::Files::mounts`, all others in
//! the crate [`files`], which says how far a program may reach.
//!
//! System calls lie in files by what they do, each with its rows; `calls` joins them.

pub mod book;
pub mod devices;
pub mod epoll;
pub mod event;
pub mod fixed;
pub mod host;
pub mod ioctl;
pub mod machine;
pub mod memory;
pub mod opening;
pub mod paths;
pub mod pipe;
pub mod state;
pub mod streams;
