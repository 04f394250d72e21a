//! Paths as sequences of names.

use crate::errno::Errno;
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum length of a path in Linux, including the terminating zero.
pub const PATH_BYTES_MAX: usize = 4096;

/// One name of a path. The names of a directory are copied for each path that begins there.
pub type Name = Arc<[u8]>;

/// The part of a path that is still to be looked up.
#[derive(Clone, Default, Debug)]
pub struct Pending {
    /// Names, including `..`.
    pub names: VecDeque<Name>,
    /// Whether the path ends in a slash or a dot and therefore must lead to a directory.
    pub directory: bool,
    /// Whether the path ends in `.` or `..`: such a path cannot be created or removed.
    pub dot: bool,
}

/// How to interpret the last name of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// Follow the last name if it is a symbolic link.
    Target,
    /// Do not follow the last name if it is a symbolic link, unless a slash comes after the name.
    Itself,
    /// Do not follow the last name: the entry itself is to be created, removed or renamed. A slash after the name
    /// means that the entry is a directory.
    Name,
}

impl Pending {
    /// Splits a path into names. The result does not show whether the path was absolute.
    pub fn parse(path: &[u8]) -> Result<Pending, Errno> {
        match path.len() {
            0 => return Err(Errno::ENOENT),
            PATH_BYTES_MAX.. => return Err(Errno::ENAMETOOLONG),
            _ if path.contains(&0) => return Err(Errno::ENOENT),
            _ => (),
        }
        let ends = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let names = names(path).filter(|name| **name != *b".").collect();
        Ok(Pending { names, directory: matches!(ends, b"" | b"." | b".."), dot: matches!(ends, b"." | b"..") })
    }

    /// Removes and returns the next name.
    pub fn next(&mut self) -> Option<Name> {
        self.names.pop_front()
    }

    /// Prepends the target of a symbolic link to the names that are still to be looked up.
    pub fn splice(&mut self, target: &Pending) -> Result<(), Errno> {
        if self.names.is_empty() {
            self.directory |= target.directory;
            self.dot |= target.dot;
        }
        for name in target.names.iter().rev() {
            self.names.push_front(name.clone());
        }
        let bytes: usize = self.names.iter().map(|name| name.len() + 1).sum();
        if bytes < PATH_BYTES_MAX { Ok(()) } else { Err(Errno::ENAMETOOLONG) }
    }

    /// Prepends names to the names that are still to be looked up.
    pub fn prepend(&mut self, names: &[Name]) {
        for name in names.iter().rev() {
            self.names.push_front(name.clone());
        }
    }
}

/// The names of a path.
pub fn names(path: &[u8]) -> impl Iterator<Item = Name> + '_ {
    path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).map(Arc::from)
}

/// The absolute path that consists of `names`.
pub fn absolute(names: &[Name]) -> Vec<u8> {
    match names.is_empty() {
        true => b"/".to_vec(),
        false => names.iter().flat_map(|name| std::iter::once(b'/').chain(name.iter().copied())).collect(),
    }
}
