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

pub mod attributes;
pub mod book;
pub mod caller;
pub mod context;
pub mod description;
pub mod descriptors;
pub mod devices;
pub mod directories;
pub mod epoll;
pub mod event;
pub mod fixed;
pub mod flags;
pub mod host;
pub mod ioctl;
pub mod layout;
pub mod machine;
pub mod memory;
pub mod names;
pub mod object;
pub mod opening;
pub mod paths;
pub mod pipe;
pub mod places;
pub mod polling;
pub mod refused;
pub mod state;
pub mod status;
pub mod streams;
pub mod transfer;
