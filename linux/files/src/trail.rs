//! The directories that a resolution enters, and those that the next one need not enter again.

use crate::metadata::Metadata;
use crate::path::Name;
use cap_std::fs::Dir;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of directories that are held open for the next resolution.
const HELD_MAX: usize = 64;

/// The directories that the resolution of a path has entered, all in one tree.
#[derive(Debug)]
pub(crate) struct Passed {
    /// The directories, from the first that is held; never empty.
    pub(crate) dirs: Vec<Arc<Dir>>,
    /// Whether each directory may be changed.
    pub(crate) writable: Vec<bool>,
    /// Names of the last directory's absolute path.
    pub(crate) names: Vec<Name>,
}

impl Passed {
    /// The last directory, and whether it may be changed.
    pub(crate) fn last(&self) -> Option<(&Arc<Dir>, bool)> {
        self.dirs.last().zip(self.writable.last().copied())
    }

    /// Enters the directory that the last of `names` names.
    pub(crate) fn enter(&mut self, dir: Dir, writable: bool) {
        self.dirs.push(Arc::new(dir));
        self.writable.push(writable);
    }

    /// Goes back to the directory above. Returns false if that one is not held.
    pub(crate) fn leave(&mut self) -> bool {
        let is_held = self.dirs.len() > 1;
        if is_held {
            self.dirs.pop();
            self.writable.pop();
            self.names.pop();
        }
        is_held
    }

    /// Whether the last directory still has its name in the directory above it, if that one is held.
    fn is_in_place(&self) -> bool {
        let (Some([above, last]), Some(name)) = (self.dirs.last_chunk(), self.names.last()) else { return false };
        let there = above.symlink_metadata(OsStr::from_bytes(name)).map(|known| identity(&known));
        let held = last.dir_metadata().map(|known| identity(&known));
        there.is_ok_and(|there| held.is_ok_and(|held| held == there))
    }
}

/// Device and inode.
fn identity(known: &cap_std::fs::Metadata) -> (u64, u64) {
    let known = Metadata::from(known);
    (known.device, known.inode)
}

/// Where the last relative path led. The next one usually begins there or nearby: a program that is deep in a tree
/// would otherwise enter all directories from the root again for every path.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trail(Arc<Mutex<Option<(usize, Passed)>>>);

impl Trail {
    /// The way to a directory of a tree or to one above it, as far as it is known.
    pub(crate) fn towards(&self, tree: usize, names: &[Name]) -> Option<Passed> {
        let (known, mut passed) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        if known != tree {
            return None;
        }
        let common = passed.names.iter().zip(names).take_while(|(one, other)| one == other).count();
        while passed.names.len() > common {
            if !passed.leave() {
                return None;
            }
        }
        passed.is_in_place().then_some(passed)
    }

    /// Keeps the way that a path led.
    pub(crate) fn keep(&self, tree: usize, mut passed: Passed) {
        let surplus = passed.dirs.len().saturating_sub(HELD_MAX);
        passed.dirs.drain(..surplus);
        passed.writable.drain(..surplus);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((tree, passed));
    }
}

#[cfg(test)]
mod tests {
    use super::HELD_MAX;
    use crate::{Directory, Files, Last, Place, Reach};
    use std::fs;

    #[test]
    fn the_next_path_begins_where_the_last_one_led() {
        let base = tempfile::TempDir::new().unwrap();
        let deep = "d/".repeat(100);
        fs::create_dir_all(base.path().join(&deep)).unwrap();
        let files = Files::new(Reach::Cwd, base.path(), &[]).unwrap();
        let go = |from: &_, path: &str| match files.resolve(from, path.as_bytes(), Last::Target) {
            Ok(Place::Here(location)) => location.as_directory(),
            other => panic!("{other:?}"),
        };
        let mut at = go(files.here(), &deep);
        // A path with many names, of which no more than the last directories are held.
        let held = |at: &Directory| {
            let passed = files.trail.towards(0, &at.names)?;
            let found = (at.names.len() - passed.names.len(), passed.dirs.len());
            files.trail.keep(0, passed);
            Some(found)
        };
        // The last name was only looked up.
        assert_eq!(held(&at), Some((0, HELD_MAX)));
        at = go(&at, "..");
        assert_eq!(held(&at), Some((0, HELD_MAX - 1)));
        at = go(&at, "../.././d");
        assert_eq!(held(&at), Some((1, HELD_MAX - 3)));
        // Above all directories that are held.
        at = go(&at, &"../".repeat(HELD_MAX));
        assert_eq!(at.names.len(), files.here().names.len() + 98 - HELD_MAX);
        assert_eq!(held(&at), Some((0, at.names.len() - files.here().names.len() + 1)));
    }
}
