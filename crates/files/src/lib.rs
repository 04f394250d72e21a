//! The files of the user, as far as a simulated program may reach them.
//!
//! A program sees one tree of names, put together from directories of the computer that it runs on:
//!
//! - the *system roots*, read only, at `/`: libraries and `/etc` of the simulated system;
//! - the *current directory*, at its own absolute path, as far as [`Reach`] says;
//! - whatever names at the top are [reserved](Files::reserve) for the simulated machine (`/proc`, `/dev`, …): a path
//!   that leads there comes back as [`Place::Machine`], and this crate does nothing more with it.
//!
//! An absolute path is looked up in the system roots first, then below the current directory; a relative path in the
//! current directory.  Nothing else is ever opened or asked about.
//!
//! **How that is kept.** A path is resolved here, one name at a time, in directories held open: a symbolic link is
//! read, and what it says is looked up as the program would look it up, from the program's `/`, not from the
//! computer's; `..` goes back along the directories that were passed.  What is done in the end is done to one name in
//! one open directory, following no link.  So it does not matter who swaps a name for a link, or when.  Below this,
//! `cap-std` refuses by itself whatever would leave the directory it was given.
//!
//! Directories and regular files can be opened; pipes, sockets and devices cannot, which would block the simulator
//! or never end.  (With [`Reach::All`] the null, zero and random devices can.)  No call returns more than
//! [`READ_BYTES_MAX`].
//!
//! Errors are numbers of Linux, as a program is told them ([`Errno`]).  This crate knows neither Cell nor Python.

mod errno;
mod file;
mod location;
mod metadata;
mod path;
mod reach;
mod resolve;
mod tree;
mod view;
mod whole;

pub use errno::Errno;
pub use file::{File, READ_BYTES_MAX};
pub use location::{Access, Entry, Location, Open};
pub use metadata::{Kind, Metadata, Stamp, When};
pub use path::{Last, PATH_BYTES_MAX};
pub use reach::Reach;
pub use tree::Directory;
pub use view::{Files, Place};
pub use whole::read_whole;
