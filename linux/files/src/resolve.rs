//! Resolves a path, one name at a time.

use crate::errno::Errno;
use crate::location::{Location, Node};
use crate::metadata::{Kind, Metadata};
use crate::path::{Last, Name, Pending, absolute};
use crate::trail::{Passed, Trail};
use crate::tree::{Directory, Tree};
use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Maximum number of symbolic links in the resolution of one path, as in Linux.
const LINKS_MAX: u32 = 40;

/// The resolution of one path.
pub struct Resolver<'a> {
    /// Trees in the order in which absolute paths are looked up; the user's own tree is last.
    pub trees: &'a [Tree],
    /// Top-level names that belong to the simulated machine.
    pub reserved: &'a [Name],
    /// The current directory, whose contents may be changed even if the directory is inside a system root.
    pub here: &'a Directory,
    /// Where the last relative path led.
    pub trail: &'a Trail,
    /// How to interpret the path's last name.
    pub last: Last,
    /// Whether devices that never block may be opened.
    pub devices: bool,
    /// Number of links followed so far, including links that led nowhere.
    pub links: u32,
}

/// The result of resolving a path in a single tree or in all trees.
#[derive(Debug)]
pub enum Found {
    /// An absolute path that belongs to the simulated machine.
    Machine(Vec<u8>),
    /// A file or directory that exists.
    There(Location),
    /// A name that does not exist, in a directory that exists.
    Missing(Location),
    /// A path whose parent directory does not exist; `entered` is true if the path's first name is an existing
    /// directory.
    Nowhere { entered: bool },
}

/// The result of looking up one name.
enum Step {
    Into(Dir),
    Link(Vec<u8>),
    Known(Metadata),
    Missing,
}

impl Resolver<'_> {
    /// Resolves a path that starts in a directory of a tree.
    pub fn relative(&mut self, from: &Directory, mut pending: Pending) -> Result<Found, Errno> {
        let tree = from.tree.and_then(|tree| self.trees.get(tree).map(|known| (tree, known.at.len())));
        match tree {
            Some((tree, depth)) => match self.trail.towards(tree, &from.names) {
                Some(passed) => {
                    pending.prepend(from.names.get(passed.names.len()..).unwrap_or_default());
                    self.walk(tree, passed, pending, true)
                }
                None => {
                    pending.prepend(from.names.get(depth..).unwrap_or_default());
                    self.inside(tree, pending, true)
                }
            },
            None => {
                pending.prepend(&from.names);
                self.absolute(pending)
            }
        }
    }

    /// Resolves a path that starts at `/`.
    pub fn absolute(&mut self, mut pending: Pending) -> Result<Found, Errno> {
        while pending.names.front().is_some_and(|name| **name == *b"..") {
            pending.next();
        }
        if pending.names.front().is_some_and(|name| self.reserved.contains(name)) {
            return self.reserved(pending);
        }
        let mut best = Found::Nowhere { entered: false };
        for tree in 0..self.trees.len() {
            best = match (best, self.approach(tree, pending.clone())?) {
                (_, found @ (Found::Machine(_) | Found::There(_))) => return Ok(found),
                (Found::Missing(old), Found::Missing(new)) if !new.writable => Found::Missing(old),
                (_, found @ Found::Missing(_)) => found,
                (Found::Nowhere { entered: old }, Found::Nowhere { entered }) => {
                    Found::Nowhere { entered: old || entered }
                }
                (best, Found::Nowhere { .. }) => best,
            };
        }
        Ok(best)
    }

    /// Resolves a path that starts with a reserved name. The path belongs to the simulated machine unless the current
    /// directory is also below that name.
    fn reserved(&mut self, mut pending: Pending) -> Result<Found, Errno> {
        // A path that consists of only the reserved name always belongs to the machine, which knows the directory's
        // other entries.
        if pending.names.len() > 1
            && let Some(last) = self.trees.len().checked_sub(1)
            && self.trees.get(last).is_some_and(|tree| tree.at.first() == pending.names.front())
        {
            match self.approach(last, pending.clone())? {
                Found::Nowhere { entered: false } => (),
                found => return Ok(found),
            }
        }
        let mut names: Vec<Name> = Vec::new();
        while let Some(name) = pending.next() {
            match &*name {
                b".." => drop(names.pop()),
                _ => names.push(name),
            }
            // The `..` names have led back to `/`: look up the rest like any other path.
            if names.is_empty() {
                return self.absolute(pending);
            }
        }
        Ok(Found::Machine(absolute(&names)))
    }

    /// Resolves a path in one tree. Names above the tree's root are only compared with the root's path and not looked
    /// up.
    fn approach(&mut self, tree: usize, mut pending: Pending) -> Result<Found, Errno> {
        let Some(at) = self.trees.get(tree).map(|tree| &tree.at) else { return Ok(Found::Nowhere { entered: false }) };
        let mut depth = 0;
        while let Some(expected) = at.get(depth) {
            match pending.next() {
                None => return Ok(self.passage(at, depth)),
                Some(name) if *name == *b".." => depth = depth.saturating_sub(1),
                Some(name) if name == *expected => depth += 1,
                Some(_) => return Ok(Found::Nowhere { entered: false }),
            }
        }
        self.inside(tree, pending, false)
    }

    fn passage(&self, at: &[Name], depth: usize) -> Found {
        let directory = Directory { tree: None, names: at.iter().take(depth).cloned().collect() };
        let node = Node::Passage(at.get(depth).cloned());
        Found::There(Location { directory, node, writable: false, devices: false })
    }

    /// Resolves the rest of a path from the root of a tree.
    fn inside(&mut self, tree: usize, pending: Pending, keep: bool) -> Result<Found, Errno> {
        let Some(known) = self.trees.get(tree) else { return Ok(Found::Nowhere { entered: false }) };
        let Some(root) = &known.root else {
            return Ok(if pending.names.is_empty() { self.passage(&[], 0) } else { Found::Nowhere { entered: false } });
        };
        let passed = Passed { dirs: vec![root.clone()], writable: vec![known.writable], names: known.at.clone() };
        self.walk(tree, passed, pending, keep)
    }

    /// Resolves the rest of a path from the last directory of `passed`, which is kept for the next path if `keep`.
    fn walk(&mut self, tree: usize, mut passed: Passed, mut pending: Pending, keep: bool) -> Result<Found, Errno> {
        let depth = self.trees.get(tree).map_or(0, |known| known.at.len());
        let found = loop {
            let Some((dir, writable)) = passed.last() else { return Ok(Found::Nowhere { entered: false }) };
            let Some(name) = pending.next() else {
                let node = Node::Inside(dir.clone());
                let directory = Directory { tree: Some(tree), names: passed.names.clone() };
                break Found::There(Location { directory, node, writable, devices: self.devices });
            };
            if *name == *b".." {
                if !passed.leave()
                    && let Some((_, above)) = passed.names.split_last()
                {
                    if let Some(above) = above.get(depth..) {
                        pending.prepend(above);
                        return self.inside(tree, pending, keep);
                    }
                    pending.prepend(above);
                    return self.absolute(pending);
                }
                continue;
            }
            if passed.names.is_empty() && self.reserved.contains(&name) {
                pending.names.push_front(name);
                return self.absolute(pending);
            }
            match self.step(dir, &name, &pending)? {
                Step::Into(inner) => {
                    passed.names.push(name);
                    let writable = self.stays_writable(&inner, &passed.names, writable)?;
                    passed.enter(inner, writable);
                }
                Step::Link(target) => {
                    let from_top = target.starts_with(b"/");
                    pending.splice(&Pending::parse(&target)?)?;
                    if from_top {
                        return self.absolute(pending);
                    }
                }
                Step::Missing if !pending.names.is_empty() => {
                    return Ok(Found::Nowhere { entered: !passed.names.is_empty() });
                }
                Step::Missing => break Found::Missing(self.location(tree, &passed, name, None, &pending)),
                Step::Known(known) => break Found::There(self.location(tree, &passed, name, Some(known), &pending)),
            }
        };
        if keep {
            self.trail.keep(tree, passed);
        }
        Ok(found)
    }

    fn location(
        &self,
        tree: usize,
        passed: &Passed,
        name: Name,
        known: Option<Metadata>,
        pending: &Pending,
    ) -> Location {
        let directory = Directory { tree: Some(tree), names: passed.names.clone() };
        let (parent, writable) = match passed.last() {
            Some((dir, writable)) => (dir.clone(), writable),
            // Cannot happen: `passed` always contains the root of the tree.
            None => return Location { directory, node: Node::Passage(None), writable: false, devices: false },
        };
        let node = Node::Name { parent, name, known, directory: pending.directory };
        Location { directory, node, writable, devices: self.devices }
    }

    /// Looks up one name in one directory. Reads the metadata of a path's last name, and opens the directory of any
    /// earlier name.
    fn step(&mut self, dir: &Dir, name: &Name, pending: &Pending) -> Result<Step, Errno> {
        let path = OsStr::from_bytes(name);
        let last = pending.names.is_empty();
        if last && (!pending.directory || self.last == Last::Name && !pending.dot) {
            let known = match dir.symlink_metadata(path) {
                Ok(known) => Metadata::from(&known),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Step::Missing),
                Err(error) => return Err(error.into()),
            };
            return if known.kind == Kind::Link && self.last == Last::Target {
                self.link(dir, name, pending)
            } else {
                Ok(Step::Known(known))
            };
        }
        match dir.open_dir_nofollow(path) {
            Ok(inner) => Ok(Step::Into(inner)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Step::Missing),
            Err(error) => match dir.symlink_metadata(path) {
                Ok(known) if known.is_symlink() => self.link(dir, name, pending),
                Ok(known) if !known.is_dir() => Err(Errno::ENOTDIR),
                _ => Err(error.into()),
            },
        }
    }

    fn link(&mut self, dir: &Dir, name: &Name, pending: &Pending) -> Result<Step, Errno> {
        self.links += 1;
        if self.links > LINKS_MAX {
            return Err(Errno::ELOOP);
        }
        match dir.read_link_contents(OsStr::from_bytes(name)) {
            Ok(target) => Ok(Step::Link(target.into_os_string().into_vec())),
            // The symbolic link has been replaced since its metadata was read.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => self.step(dir, name, pending),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a directory of a writable tree is writable. A system root below the current directory stays read only,
    /// but a current directory inside a system root is writable.
    fn stays_writable(&self, dir: &Dir, names: &[Name], writable: bool) -> Result<bool, Errno> {
        if names == self.here.names && self.here.tree.is_some() {
            return Ok(self.here.tree.and_then(|tree| self.trees.get(tree)).is_some_and(|tree| tree.writable));
        }
        let identity = Metadata::from(&dir.dir_metadata()?);
        let system = |tree: &Tree| !tree.writable && tree.identity == (identity.device, identity.inode);
        Ok(writable && !self.trees.iter().any(system))
    }
}
