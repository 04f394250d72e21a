//! The tree of names that a program sees.

use crate::errno::Errno;
use crate::file::File;
use crate::location::{Location, Open};
use crate::metadata::{Kind, Metadata};
use crate::path::{Last, Name, Pending, names};
use crate::reach::Reach;
use crate::resolve::{Found, Resolver};
use crate::trail::Trail;
use crate::tree::{Directory, Tree};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The tree of names that a program sees.
#[derive(Clone)]
pub struct Files {
    trees: Vec<Tree>,
    reserved: Vec<Name>,
    here: Directory,
    reach: Reach,
    pub(crate) trail: Trail,
}

/// The result of resolving a path.
#[derive(Clone, Debug)]
pub enum Place {
    /// An absolute path that belongs to the simulated machine. The caller follows links in the path and finds out
    /// whether the file exists.
    Machine(Vec<u8>),
    /// A file on this computer, or the location where a missing file could be created.
    Here(Location),
}

/// A directory that cannot be opened.
#[derive(Debug)]
pub struct NotOpened {
    what: &'static str,
    path: PathBuf,
    error: io::Error,
}

impl Display for NotOpened {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}` cannot be opened: {}", self.what, self.path.display(), self.error)
    }
}

impl Error for NotOpened {}

impl Files {
    /// The files that a program may reach from a current directory. System roots are searched in the given order.
    ///
    /// # Errors
    /// A directory cannot be opened.
    pub fn new(reach: Reach, current: &Path, system_roots: &[&Path]) -> Result<Files, NotOpened> {
        let mut trees = Vec::new();
        for root in system_roots {
            let refused = |error| NotOpened { what: "sysroot:", path: root.to_path_buf(), error };
            trees.push(tree(root, Vec::new(), false).map_err(refused)?);
        }
        let refused = |error| NotOpened { what: "files: the current directory", path: current.to_path_buf(), error };
        let (own, names) = match reach {
            Reach::None => (Tree { root: None, at: Vec::new(), writable: false, identity: (0, 0) }, Vec::new()),
            Reach::Cwd | Reach::All => {
                let path = fs::canonicalize(current).map_err(refused)?;
                let names: Vec<Name> = names(path.as_os_str().as_bytes()).collect();
                let own = match reach {
                    Reach::All => tree(Path::new("/"), Vec::new(), true),
                    _ => tree(&path, names.clone(), true),
                };
                (own.map_err(refused)?, names)
            }
        };
        let here = Directory { tree: own.root.is_some().then_some(trees.len()), names };
        trees.push(own);
        Ok(Files { trees, reserved: Vec::new(), here, reach, trail: Trail::default() })
    }

    /// Reserves top-level names (`proc`, `dev`, …) for the simulated machine: paths below these names resolve to
    /// [`Place::Machine`].
    #[must_use]
    pub fn reserve(mut self, names: &[&str]) -> Files {
        self.reserved = names.iter().map(|name| Name::from(name.as_bytes())).collect();
        self
    }

    /// The setting that determines which of the user's files a program may access.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The program's initial current directory; `/` if the program may access no files.
    pub fn here(&self) -> &Directory {
        &self.here
    }

    /// Resolves a path, which is relative to `from` unless it starts with `/`. If the file does not exist, returns the
    /// location where it could be created ([`Location::exists`] reports whether the file exists).
    ///
    /// # Errors
    /// `ENOENT` if a directory of the path is missing, `EACCES` if a directory is out of reach, or another Linux error.
    pub fn resolve(&self, from: &Directory, path: &[u8], last: Last) -> Result<Place, Errno> {
        let pending = Pending::parse(path)?;
        let devices = self.reach == Reach::All;
        let (trees, reserved, here) = (self.trees.as_slice(), self.reserved.as_slice(), &self.here);
        let mut resolver = Resolver { trees, reserved, here, trail: &self.trail, last, devices, links: 0 };
        let found = match path.starts_with(b"/") {
            true => resolver.absolute(pending),
            false => resolver.relative(from, pending),
        };
        match found? {
            Found::Machine(path) => Ok(Place::Machine(path)),
            Found::There(location) | Found::Missing(location) => Ok(Place::Here(location)),
            Found::Nowhere { entered: true } => Err(Errno::ENOENT),
            Found::Nowhere { entered: false } => Err(Errno::EACCES),
        }
    }

    /// Resolves a path, starting in the current directory, to a location on this computer.
    ///
    /// # Errors
    /// The errors of [`Files::resolve`], and `ENOENT` for a path of the simulated machine.
    pub fn locate(&self, path: &[u8], last: Last) -> Result<Location, Errno> {
        match self.resolve(&self.here, path, last)? {
            Place::Here(location) => Ok(location),
            Place::Machine(_) => Err(Errno::ENOENT),
        }
    }

    /// Opens a file, given its path relative to the current directory.
    ///
    /// # Errors
    /// The file cannot be opened in this mode; `EISDIR` for a directory.
    pub fn open(&self, path: &[u8], how: &Open) -> Result<File, Errno> {
        let last = if how.create && how.exclusive { Last::Itself } else { Last::Target };
        self.locate(path, last)?.open(how)?.ok_or(Errno::EISDIR)
    }

    /// Returns the metadata of a file, given its path relative to the current directory. Symbolic links are followed.
    ///
    /// # Errors
    /// The file does not exist.
    pub fn metadata(&self, path: &[u8]) -> Result<Metadata, Errno> {
        self.locate(path, Last::Target)?.metadata()
    }

    /// Removes a file or an empty directory, as C's `remove` does.
    ///
    /// # Errors
    /// The file or directory cannot be removed.
    pub fn remove(&self, path: &[u8]) -> Result<(), Errno> {
        let location = self.locate(path, Last::Name)?;
        match location.metadata()?.kind {
            Kind::Directory => location.remove_directory(),
            _ => location.remove_file(),
        }
    }

    /// Renames a file or directory.
    ///
    /// # Errors
    /// The file or directory cannot be renamed.
    pub fn rename(&self, from: &[u8], to: &[u8]) -> Result<(), Errno> {
        self.locate(from, Last::Name)?.rename(&self.locate(to, Last::Name)?)
    }
}

fn tree(path: &Path, at: Vec<Name>, writable: bool) -> io::Result<Tree> {
    let root = Dir::open_ambient_dir(path, ambient_authority())?;
    let known = Metadata::from(&root.dir_metadata()?);
    Ok(Tree { root: Some(Arc::new(root)), at, writable, identity: (known.device, known.inode) })
}
