//! Locations, which are the results of resolving paths, and the operations on locations. Each operation applies to one
//! name in one open directory and follows no link.

use crate::errno::Errno;
use crate::file::{File, timestamps};
use crate::metadata::{Kind, Metadata, When};
use crate::path::Name;
use crate::tree::Directory;
use cap_fs_ext::{AccessType, DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_primitives::fs::AccessModes;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use rustix::fs::AtFlags;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;

/// A location in the tree of names: an existing file, or a name under which a file could be created.
#[derive(Clone, Debug)]
pub struct Location {
    pub(crate) directory: Directory,
    pub(crate) node: Node,
    pub(crate) writable: bool,
    /// Whether devices that never block may be opened.
    pub(crate) devices: bool,
}

/// The end of a resolved path.
#[derive(Clone, Debug)]
pub enum Node {
    /// A name in a directory, and the file's metadata if the file existed when the path was resolved.
    Name { parent: Arc<Dir>, name: Name, known: Option<Metadata>, directory: bool },
    /// A directory that is held open.
    Inside(Arc<Dir>),
    /// A directory that is accessible only because the current directory is below it, and the next name on the path to
    /// it.
    Passage(Option<Name>),
}

/// Mode in which to open a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open {
    /// Open for reading.
    pub read: bool,
    /// Open for writing.
    pub write: bool,
    /// Open for writing at the end of the file.
    pub append: bool,
    /// Truncate the file.
    pub truncate: bool,
    /// Make the file if it does not exist.
    pub create: bool,
    /// With `create`, fail if the file exists.
    pub exclusive: bool,
    /// Fail if the file is not a directory.
    pub directory: bool,
    /// Permissions of a newly made file.
    pub mode: u32,
}

/// The permissions that [`Location::access`] checks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// Permission to read.
    pub read: bool,
    /// Permission to write.
    pub write: bool,
    /// Permission to execute a file or enter a directory.
    pub execute: bool,
}

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name.
    pub name: Vec<u8>,
    /// Type.
    pub kind: Kind,
    /// Device and inode.
    pub identity: (u64, u64),
}

impl Location {
    /// Absolute path of the location, as a program sees it.
    pub fn path(&self) -> Vec<u8> {
        self.as_directory().path()
    }

    /// The location as a starting directory for relative paths. The caller must have checked that the location is a
    /// directory.
    pub fn as_directory(&self) -> Directory {
        let mut directory = self.directory.clone();
        if let Node::Name { name, .. } = &self.node {
            directory.names.push(name.clone());
        }
        directory
    }

    /// Whether the file existed when the path was resolved.
    pub fn exists(&self) -> bool {
        !matches!(self.node, Node::Name { known: None, .. })
    }

    /// Whether files may be made and changed here.
    pub fn writable(&self) -> bool {
        self.writable
    }

    /// Metadata of the file.
    ///
    /// # Errors
    /// The file does not exist.
    pub fn metadata(&self) -> Result<Metadata, Errno> {
        match &self.node {
            Node::Name { known, .. } => known.ok_or(Errno::ENOENT),
            Node::Inside(dir) => Ok(Metadata::from(&dir.dir_metadata()?)),
            Node::Passage(_) => Ok(Metadata::PASSAGE),
        }
    }

    /// Opens a file. Returns `None` for a directory, which is not opened; [`Location::list`] reads its entries.
    ///
    /// # Errors
    /// The file cannot be opened in this mode.
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
        // The path was a file when it was looked up. Opening must not block even if a pipe has replaced the file
        // since.
        options.follow(FollowSymlinks::No).nonblock(true);
        let file = parent.open_with(OsStr::from_bytes(name), &options)?;
        self.openable(&Metadata::from(&file.metadata()?))?;
        if how.truncate && write {
            file.set_len(0)?;
        }
        Ok(File { file, read: how.read || !write, write, append: how.append, changeable: self.writable })
    }

    /// Refuses files that may block and devices that have effects.
    fn openable(&self, known: &Metadata) -> Result<(), Errno> {
        /// The devices null, zero, full, random and urandom, by major and minor number.
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

    /// The directory's entries, sorted by name, without `.` and `..`.
    ///
    /// # Errors
    /// The location is not a directory, or cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, Errno> {
        let entries = match &self.node {
            Node::Name { known: Some(known), .. } if known.kind != Kind::Directory => return Err(Errno::ENOTDIR),
            Node::Name { parent, name, .. } => parent.open_dir_nofollow(OsStr::from_bytes(name))?.entries()?,
            Node::Inside(dir) => dir.entries()?,
            Node::Passage(next) => {
                let entry = |name: &Name| Entry { name: name.to_vec(), kind: Kind::Directory, identity: (0, 0) };
                return Ok(next.iter().map(entry).collect());
            }
        };
        let mut list = Vec::new();
        for entry in entries {
            let entry = entry?;
            // Omits an entry that was removed after the directory was read.
            let Ok(known) = entry.metadata() else { continue };
            let known = Metadata::from(&known);
            let name = entry.file_name().into_vec();
            list.push(Entry { name, kind: known.kind, identity: (known.device, known.inode) });
        }
        list.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(list)
    }

    /// Target of a symbolic link.
    ///
    /// # Errors
    /// The location is not a symbolic link.
    pub fn read_link(&self) -> Result<Vec<u8>, Errno> {
        match &self.node {
            Node::Name { known: None, .. } => Err(Errno::ENOENT),
            Node::Name { parent, name, .. } => {
                Ok(parent.read_link_contents(OsStr::from_bytes(name))?.into_os_string().into_vec())
            }
            Node::Inside(_) | Node::Passage(_) => Err(Errno::EINVAL),
        }
    }

    /// Checks permissions. If `asked` contains no permission, only checks whether the file exists.
    ///
    /// # Errors
    /// A permission is missing, or the file does not exist.
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
    /// The name exists already, or the directory cannot be made.
    pub fn create_directory(&self, mode: u32) -> Result<(), Errno> {
        let (parent, name) = self.new_name()?;
        let mut builder = DirBuilder::new();
        builder.mode(mode & 0o777);
        Ok(parent.create_dir_with(OsStr::from_bytes(name), &builder)?)
    }

    /// Makes a symbolic link to any target.
    ///
    /// # Errors
    /// The name exists already, or the link cannot be made.
    pub fn create_link(&self, target: &[u8]) -> Result<(), Errno> {
        if target.is_empty() {
            return Err(Errno::ENOENT);
        }
        let (parent, name) = self.new_name()?;
        Ok(parent.symlink_contents(OsStr::from_bytes(target), OsStr::from_bytes(name))?)
    }

    /// Makes a hard link to this file.
    ///
    /// # Errors
    /// This file does not exist, or the link cannot be made.
    pub fn create_name(&self, to: &Location) -> Result<(), Errno> {
        let (parent, name) = self.old_name()?;
        let (new_parent, new_name) = to.new_name()?;
        if self.directory.tree != to.directory.tree || !self.writable {
            return Err(Errno::EXDEV);
        }
        Ok(parent.hard_link(OsStr::from_bytes(name), new_parent, OsStr::from_bytes(new_name))?)
    }

    /// Removes a name that is not a directory.
    ///
    /// # Errors
    /// The name does not exist, or cannot be removed.
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
    /// The directory does not exist, or cannot be removed.
    pub fn remove_directory(&self) -> Result<(), Errno> {
        let (parent, name) = self.old_name()?;
        self.changeable()?;
        Ok(parent.remove_dir(OsStr::from_bytes(name))?)
    }

    /// Renames the file or directory, and replaces any file that has the new name.
    ///
    /// # Errors
    /// The file or directory cannot be renamed.
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

    /// Sets the read, write and execute permissions; set-user-ID and similar bits are dropped.
    ///
    /// # Errors
    /// The file does not exist, or belongs to somebody else.
    pub fn set_permissions(&self, mode: u32) -> Result<(), Errno> {
        let permissions = Permissions::from_mode(mode & 0o777);
        let (dir, name) = self.there()?;
        Ok(dir.set_permissions(OsStr::from_bytes(name), permissions)?)
    }

    /// Sets the access time and the modification time; `None` leaves a time unchanged.
    ///
    /// # Errors
    /// The file does not exist, or belongs to somebody else.
    pub fn set_times(&self, accessed: Option<When>, modified: Option<When>) -> Result<(), Errno> {
        let (dir, name) = self.there()?;
        let times = timestamps(accessed, modified);
        // `cap-std` panics at times before 1970.
        Ok(rustix::fs::utimensat(dir, OsStr::from_bytes(name), &times, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// The parent directory and name of a file that exists and may be changed.
    fn there(&self) -> Result<(&Dir, &[u8]), Errno> {
        let found: (&Dir, &[u8]) = match &self.node {
            Node::Name { known: None, .. } => return Err(Errno::ENOENT),
            Node::Name { parent, name, .. } => (parent, name),
            Node::Inside(dir) => (dir, b"."),
            Node::Passage(_) => return Err(Errno::EACCES),
        };
        self.changeable().map(|()| found)
    }

    /// The parent directory and name of an existing entry.
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

    /// The parent directory and name of an entry that does not exist yet.
    fn new_name(&self) -> Result<(&Dir, &[u8]), Errno> {
        match &self.node {
            Node::Name { parent, name, known: None, .. } => self.changeable().map(|()| (&**parent, &**name)),
            _ => Err(Errno::EEXIST),
        }
    }

    fn changeable(&self) -> Result<(), Errno> {
        if self.writable { Ok(()) } else { Err(Errno::EROFS) }
    }
}
