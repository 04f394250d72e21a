//! Paths, as names one after another.

use crate::errno::Errno;
use std::collections::VecDeque;

/// Bytes of the longest path, its end included, as Linux limits it.
pub const PATH_BYTES_MAX: usize = 4096;

/// One name of a path.
pub type Name = Vec<u8>;

/// What of a path is still to be looked up.
#[derive(Clone, Default, Debug)]
pub struct Pending {
    /// Names, `.` and `..` among them.
    pub names: VecDeque<Name>,
    /// It ends in a slash or a dot: what it leads to has to be a directory.
    pub directory: bool,
    /// It ends in a dot, so that its last name is no name in a directory.
    pub dot: bool,
}

/// What the last name of a path stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// What a symbolic link there leads to.
    Target,
    /// What is there, a link for itself (but with a slash behind it, what it leads to).
    Itself,
    /// The name, to be made, removed or given to something else; a slash behind it says that it is a directory's.
    Name,
}

impl Pending {
    /// A path taken apart; whether it starts at `/` is no longer seen.
    pub fn parse(path: &[u8]) -> Result<Pending, Errno> {
        match path.len() {
            0 => return Err(Errno::ENOENT),
            PATH_BYTES_MAX.. => return Err(Errno::ENAMETOOLONG),
            _ if path.contains(&0) => return Err(Errno::ENOENT),
            _ => (),
        }
        let ends = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let names = names(path).filter(|name| name != b".").collect();
        Ok(Pending { names, directory: matches!(ends, b"" | b"." | b".."), dot: matches!(ends, b"." | b"..") })
    }

    /// The next name.
    pub fn next(&mut self) -> Option<Name> {
        self.names.pop_front()
    }

    /// Puts a symbolic link's text before what is still to be looked up.
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

    /// Puts names before what is still to be looked up.
    pub fn prepend(&mut self, names: &[Name]) {
        for name in names.iter().rev() {
            self.names.push_front(name.clone());
        }
    }
}

/// The names of a path.
pub fn names(path: &[u8]) -> impl Iterator<Item = Name> + '_ {
    path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).map(<[u8]>::to_vec)
}

/// The absolute path of names.
pub fn absolute(names: &[Name]) -> Vec<u8> {
    match names.is_empty() {
        true => b"/".to_vec(),
        false => names.iter().flat_map(|name| std::iter::once(b'/').chain(name.iter().copied())).collect(),
    }
}
