//! Where a path leads, and what can be done there: everything to one name in one open directory, following no link.

use crate::errno::Errno;
use crate::file::{File, time};
use crate::metadata::{Kind, Metadata, When};
use crate::path::Name;
use crate::tree::Directory;
use cap_fs_ext::{AccessType, DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_primitives::fs::AccessModes;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use cap_std::time::SystemTime;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;

/// A place in the tree of names: something that is there, or could be made there.
#[derive(Debug)]
pub struct Location {
    pub(crate) directory: Directory,
    pub(crate) node: Node,
    pub(crate) writable: bool,
    /// Whether devices that never block may be opened.
    pub(crate) devices: bool,
}

/// What a path leads to.
#[derive(Debug)]
pub enum Node {
    /// A name in a directory, and what was known of it.
    Name { parent: Arc<Dir>, name: Name, known: Option<Metadata>, directory: bool },
    /// A directory that the path ended in.
    Inside(Arc<Dir>),
    /// A directory that is known by its name only, and what lies in it on the way to the current one.
    Passage(Option<Name>),
}

/// How to open a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open {
    /// For reading.
    pub read: bool,
    /// For writing.
    pub write: bool,
    /// For writing at its end.
    pub append: bool,
    /// Empty it.
    pub truncate: bool,
    /// Make it if there is none.
    pub create: bool,
    /// ... and fail if there is one.
    pub exclusive: bool,
    /// Fail if it is no directory.
    pub directory: bool,
    /// Permissions of a file that is made.
    pub mode: u32,
}

/// What is asked of a file by `access`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// May it be read?
    pub read: bool,
    /// May it be written?
    pub write: bool,
    /// May it be executed, or entered?
    pub execute: bool,
}

/// A name in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// Device and inode.
    pub identity: (u64, u64),
}

impl Location {
    /// Its absolute path, as a program sees it.
    pub fn path(&self) -> Vec<u8> {
        self.as_directory().path()
    }

    /// As a place where relative paths start.  Whether it is a directory is the caller's to know.
    pub fn as_directory(&self) -> Directory {
        let mut directory = self.directory.clone();
        if let Node::Name { name, .. } = &self.node {
            directory.names.push(name.clone());
        }
        directory
    }

    /// Whether it was there.
    pub fn exists(&self) -> bool {
        !matches!(self.node, Node::Name { known: None, .. })
    }

    /// Whether files may be made and changed here.
    pub fn writable(&self) -> bool {
        self.writable
    }

    /// What is known of it.
    ///
    /// # Errors
    /// It is not there.
    pub fn metadata(&self) -> Result<Metadata, Errno> {
        match &self.node {
            Node::Name { known, .. } => known.ok_or(Errno::ENOENT),
            Node::Inside(dir) => Ok(Metadata::from(&dir.dir_metadata()?)),
            Node::Passage(_) => Ok(Metadata::PASSAGE),
        }
    }

    /// Opens a file; a directory is not opened, only looked at ([`Location::list`]): `None`.
    ///
    /// # Errors
    /// It cannot be opened so.
    pub fn open(&self, how: &Open) -> Result<Option<File>, Errno> {
        let changes = how.write || how.append || how.truncate;
        let Node::Name { parent, name, known, directory } = &self.node else {
            return if how.create && how.exclusive {
                Err(Errno::EEXIST)
            } else if changes || how.create {
                Err(Errno::EISDIR)
            } else {
                Ok(None)
            };
        };
        match known {
            Some(_) if how.create && how.exclusive => return Err(Errno::EEXIST),
            Some(known) if known.kind == Kind::Directory => {
                return if changes || how.create { Err(Errno::EISDIR) } else { Ok(None) };
            }
            Some(_) if how.directory || *directory => return Err(Errno::ENOTDIR),
            Some(known) => self.openable(known)?,
            None if !how.create => return Err(Errno::ENOENT),
            None if *directory => return Err(Errno::EISDIR),
            None if !self.writable => return Err(Errno::EROFS),
            None => (),
        }
        if changes && !self.writable {
            return Err(Errno::EROFS);
        }
        self.open_name(parent, name, known.is_none(), how).map(Some)
    }

    fn open_name(&self, parent: &Dir, name: &[u8], make: bool, how: &Open) -> Result<File, Errno> {
        let write = how.write || how.append;
        let mut options = OpenOptions::new();
        options.read(how.read || !write).write(write || make).append(how.append);
        options.create(make && !how.exclusive).create_new(make && how.exclusive).mode(how.mode & 0o777);
        // Only what is openable comes so far; a pipe that took its place would block without this.
        options.follow(FollowSymlinks::No).nonblock(true);
        let file = parent.open_with(OsStr::from_bytes(name), &options)?;
        self.openable(&Metadata::from(&file.metadata()?))?;
        if how.truncate && write {
            file.set_len(0)?;
        }
        Ok(File { file, read: how.read || !write, write, append: how.append })
    }

    /// Whether a file of this kind never blocks and is not a device with effects.
    fn openable(&self, known: &Metadata) -> Result<(), Errno> {
        /// Null, zero, full, random and urandom, by major and minor number.
        const HARMLESS: [u64; 5] = [0x103, 0x105, 0x107, 0x108, 0x109];
        match known.kind {
            Kind::File => Ok(()),
            Kind::CharacterDevice if self.devices && HARMLESS.contains(&known.special) => Ok(()),
            Kind::Directory => Err(Errno::EISDIR),
            Kind::Link => Err(Errno::ELOOP),
            Kind::Fifo | Kind::Socket => Err(Errno::ENXIO),
            Kind::CharacterDevice | Kind::BlockDevice => Err(Errno::EACCES),
        }
    }

    /// The names in a directory, in order, without `.` and `..`.
    ///
    /// # Errors
    /// It is no directory, or cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, Errno> {
        let entries = match &self.node {
            Node::Name { known: Some(known), .. } if known.kind != Kind::Directory => return Err(Errno::ENOTDIR),
            Node::Name { parent, name, .. } => parent.open_dir_nofollow(OsStr::from_bytes(name))?.entries()?,
            Node::Inside(dir) => dir.entries()?,
            Node::Passage(next) => {
                let entry = |name: &Name| Entry { name: name.clone(), kind: Kind::Directory, identity: (0, 0) };
                return Ok(next.iter().map(entry).collect());
            }
        };
        let mut list = Vec::new();
        for entry in entries {
            let entry = entry?;
            // One that went away meanwhile is not there.
            let Ok(known) = entry.metadata() else { continue };
            let known = Metadata::from(&known);
            let name = entry.file_name().into_vec();
            list.push(Entry { name, kind: known.kind, identity: (known.device, known.inode) });
        }
        list.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(list)
    }

    /// What a symbolic link says.
    ///
    /// # Errors
    /// It is none.
    pub fn read_link(&self) -> Result<Vec<u8>, Errno> {
        match &self.node {
            Node::Name { known: None, .. } => Err(Errno::ENOENT),
            Node::Name { parent, name, .. } => {
                Ok(parent.read_link_contents(OsStr::from_bytes(name))?.into_os_string().into_vec())
            }
            Node::Inside(_) | Node::Passage(_) => Err(Errno::EINVAL),
        }
    }

    /// Whether it may be read, written, executed; nothing of these asks whether it is there.
    ///
    /// # Errors
    /// It may not.
    pub fn access(&self, asked: Access) -> Result<(), Errno> {
        let modes = AccessModes { readable: asked.read, writable: asked.write, executable: asked.execute };
        let any = asked.read || asked.write || asked.execute;
        let what = if any { AccessType::Access(modes) } else { AccessType::Exists };
        match &self.node {
            Node::Name { known: None, .. } => return Err(Errno::ENOENT),
            Node::Name { known: Some(known), .. } if known.kind == Kind::Link => (),
            Node::Name { parent, name, .. } => parent.access(OsStr::from_bytes(name), what)?,
            Node::Inside(dir) => dir.access(".", what)?,
            Node::Passage(_) => (),
        }
        if asked.write && !self.writable { Err(Errno::EROFS) } else { Ok(()) }
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// There is something already, or it cannot be made.
    pub fn create_directory(&self, mode: u32) -> Result<(), Errno> {
        let (parent, name) = self.new_name()?;
        let mut builder = DirBuilder::new();
        builder.mode(mode & 0o777);
        Ok(parent.create_dir_with(OsStr::from_bytes(name), &builder)?)
    }

    /// Makes a symbolic link, which may say anything.
    ///
    /// # Errors
    /// There is something already, or it cannot be made.
    pub fn create_link(&self, target: &[u8]) -> Result<(), Errno> {
        if target.is_empty() {
            return Err(Errno::ENOENT);
        }
        let (parent, name) = self.new_name()?;
        Ok(parent.symlink_contents(OsStr::from_bytes(target), OsStr::from_bytes(name))?)
    }

    /// Gives the file that is here a further name.
    ///
    /// # Errors
    /// There is none, or it cannot have it.
    pub fn create_name(&self, to: &Location) -> Result<(), Errno> {
        let (parent, name) = self.old_name()?;
        let (new_parent, new_name) = to.new_name()?;
        if self.directory.tree != to.directory.tree || !self.writable {
            return Err(Errno::EXDEV);
        }
        Ok(parent.hard_link(OsStr::from_bytes(name), new_parent, OsStr::from_bytes(new_name))?)
    }

    /// Removes a name of something other than a directory.
    ///
    /// # Errors
    /// There is none, or it cannot be removed.
    pub fn remove_file(&self) -> Result<(), Errno> {
        match &self.node {
            Node::Name { known: Some(known), .. } if known.kind == Kind::Directory => Err(Errno::EISDIR),
            Node::Inside(_) | Node::Passage(_) => Err(Errno::EISDIR),
            Node::Name { .. } => {
                let (parent, name) = self.old_name()?;
                self.changeable()?;
                Ok(parent.remove_file(OsStr::from_bytes(name))?)
            }
        }
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// There is none, or it cannot be removed.
    pub fn remove_directory(&self) -> Result<(), Errno> {
        let (parent, name) = self.old_name()?;
        self.changeable()?;
        Ok(parent.remove_dir(OsStr::from_bytes(name))?)
    }

    /// Gives it another name, instead of the one that it has; whatever was there before is gone.
    ///
    /// # Errors
    /// It cannot have it.
    pub fn rename(&self, to: &Location) -> Result<(), Errno> {
        let (parent, name) = self.old_name()?;
        let Node::Name { parent: new_parent, name: new_name, directory, .. } = &to.node else {
            return Err(Errno::EBUSY);
        };
        if *directory && self.metadata()?.kind != Kind::Directory {
            return Err(Errno::ENOTDIR);
        }
        self.changeable()?;
        to.changeable()?;
        if self.directory.tree != to.directory.tree {
            return Err(Errno::EXDEV);
        }
        Ok(parent.rename(OsStr::from_bytes(name), new_parent, OsStr::from_bytes(new_name))?)
    }

    /// Sets permissions: reading, writing and executing only.
    ///
    /// # Errors
    /// It is not there, or belongs to somebody else.
    pub fn set_permissions(&self, mode: u32) -> Result<(), Errno> {
        let permissions = Permissions::from_mode(mode & 0o777);
        let (dir, name) = self.there()?;
        Ok(dir.set_permissions(OsStr::from_bytes(name), permissions)?)
    }

    /// Sets the times of the last access and of the last change, if they are given.
    ///
    /// # Errors
    /// It is not there, or belongs to somebody else.
    pub fn set_times(&self, accessed: Option<When>, modified: Option<When>) -> Result<(), Errno> {
        let exact = |when: Option<When>| {
            let time = when.map(time).transpose()?;
            Ok::<_, Errno>(time.map(|time| SystemTime::from_std(time).into()))
        };
        let (dir, name) = self.there()?;
        Ok(dir.set_symlink_times(OsStr::from_bytes(name), exact(accessed)?, exact(modified)?)?)
    }

    /// A directory and a name in it that belong to something that may be changed.
    fn there(&self) -> Result<(&Dir, &[u8]), Errno> {
        let found: (&Dir, &[u8]) = match &self.node {
            Node::Name { known: None, .. } => return Err(Errno::ENOENT),
            Node::Name { parent, name, .. } => (parent, name),
            Node::Inside(dir) => (dir, b"."),
            Node::Passage(_) => return Err(Errno::EACCES),
        };
        self.changeable().map(|()| found)
    }

    /// A name that is there.
    fn old_name(&self) -> Result<(&Dir, &[u8]), Errno> {
        match &self.node {
            Node::Name { known: None, .. } => Err(Errno::ENOENT),
            Node::Name { known: Some(known), directory: true, .. } if known.kind != Kind::Directory => {
                Err(Errno::ENOTDIR)
            }
            Node::Name { parent, name, .. } => Ok((parent, name)),
            Node::Inside(_) | Node::Passage(_) => Err(Errno::EBUSY),
        }
    }

    /// A name that is not there yet.
    fn new_name(&self) -> Result<(&Dir, &[u8]), Errno> {
        match &self.node {
            Node::Name { parent, name, known: None, .. } => self.changeable().map(|()| (&**parent, name.as_slice())),
            _ => Err(Errno::EEXIST),
        }
    }

    fn changeable(&self) -> Result<(), Errno> {
        if self.writable { Ok(()) } else { Err(Errno::EROFS) }
    }
}
