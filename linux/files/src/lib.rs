//! Access of a simulated program to the user's files.
//!
//! A program sees one tree of names, which consists of directories of the computer that runs the simulator:
//!
//! - the *system roots* at `/`, read only: libraries and `/etc` of the simulated system;
//! - the *current directory* at its own absolute path, if [`Reach`] allows it;
//! - top-level names that are [reserved](Files::reserve) for the simulated machine (`/proc`, `/dev`, …): a path to one
//!   of them resolves to [`Place::Machine`], and the caller handles it.
//!
//! An absolute path is looked up first in the system roots, then below the current directory. A relative path is
//! looked up in the current directory. No other file is ever opened or queried.
//!
//! **How this is guaranteed.** The crate resolves a path itself, one name at a time, in directories that it holds open.
//! The crate reads a symbolic link and looks up the target as the program would, from the program's `/` instead of the
//! computer's. A `..` goes back to the directory from which the current one was entered. The final operation applies
//! to one name in one open directory and follows no link. Therefore, the guarantee still holds if another process
//! replaces a name by a link at any moment. In addition, `cap-std` refuses every operation that would leave the
//! directory that it was given.
//!
//! Directories and regular files can be opened. Pipes, sockets and devices cannot be opened, because they could block
//! the simulator or never end. The null, zero and random devices can be opened only with [`Reach::All`]. No call
//! returns more than [`READ_BYTES_MAX`] bytes.
//!
//! Errors are the Linux error numbers that a program receives ([`Errno`]). This crate is independent of the Cell
//! simulation and of Python.

mod errno;
mod file;
mod location;
mod metadata;
mod path;
mod reach;
mod resolve;
mod trail;
mod tree;
mod view;
mod whole;

pub use errno::Errno;
pub use file::{File, READ_BYTES_MAX};
pub use location::{Access, Entry, Location, Open};
pub use metadata::{Kind, Metadata, Stamp, When};
pub use path::{Last, PATH_BYTES_MAX};
pub use reach::{Reach, UnknownReach};
pub use tree::Directory;
pub use view::{Files, NotOpened, Place};
pub use whole::{Unreadable, read_start, read_whole};
