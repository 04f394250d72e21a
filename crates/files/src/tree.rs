//! The directories of this computer that a program's names are made of.

use crate::path::{Name, absolute, names};
use cap_std::fs::Dir;
use std::sync::Arc;

/// A directory of this computer, and where a program sees it.
pub struct Tree {
    /// The directory; none if nothing may be reached.
    pub root: Option<Arc<Dir>>,
    /// Names on the way to it, as a program gives them.
    pub at: Vec<Name>,
    /// Whether it may be changed.
    pub writable: bool,
    /// Which directory it is, by device and inode.
    pub identity: (u64, u64),
}

/// A directory as a program has it, open or as its current one: where relative paths start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directory {
    /// Which tree it lies in; none of them if it is the machine's own, or out of reach.
    pub(crate) tree: Option<usize>,
    /// Names from `/` on, without links.
    pub(crate) names: Vec<Name>,
}

impl Directory {
    /// A directory of the simulated machine, by its absolute path.
    pub fn of_machine(path: &[u8]) -> Directory {
        Directory { tree: None, names: names(path).collect() }
    }

    /// Its absolute path, as a program sees it.
    pub fn path(&self) -> Vec<u8> {
        absolute(&self.names)
    }
}
