//! The directories of this computer that make up a program's tree of names.

use crate::path::{Name, absolute, names};
use cap_std::fs::Dir;
use std::sync::Arc;

/// A directory of this computer, and its path in the program's tree of names.
#[derive(Clone)]
pub struct Tree {
    /// The open directory; `None` if no files may be reached.
    pub root: Option<Arc<Dir>>,
    /// Path of the directory as the program sees it, from `/`.
    pub at: Vec<Name>,
    /// Whether files in the directory may be changed.
    pub writable: bool,
    /// Device and inode of the directory.
    pub identity: (u64, u64),
}

/// A starting directory for relative paths: a program's current directory, or another open directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directory {
    /// Index of the tree that contains the directory; `None` if the directory belongs to the simulated machine or is
    /// out of reach.
    pub(crate) tree: Option<usize>,
    /// Names of the absolute path, without symbolic links.
    pub(crate) names: Vec<Name>,
}

impl Directory {
    /// A directory of the simulated machine, by its absolute path.
    pub fn of_machine(path: &[u8]) -> Directory {
        Directory { tree: None, names: names(path).collect() }
    }

    /// Absolute path of the directory, as a program sees it.
    pub fn path(&self) -> Vec<u8> {
        absolute(&self.names)
    }
}
