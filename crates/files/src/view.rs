//! The tree of names as a program sees it.

use crate::errno::Errno;
use crate::file::File;
use crate::location::{Location, Open};
use crate::metadata::{Kind, Metadata};
use crate::path::{Last, Name, Pending, names};
use crate::reach::Reach;
use crate::resolve::{Found, Resolver};
use crate::tree::{Directory, Tree};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// The tree of names as a program sees it.
pub struct Files {
    trees: Vec<Tree>,
    reserved: Vec<Name>,
    here: Directory,
    reach: Reach,
}

/// Where a path leads.
#[derive(Debug)]
pub enum Place {
    /// Something of the simulated machine, by its absolute path: whether it is there is for the caller to say, and so
    /// is following the links among its names.
    Machine(Vec<u8>),
    /// Something on this computer, or a name that could be made there.
    Here(Location),
}

impl Files {
    /// What a program may reach from a current directory, with system roots, which are looked up in this order.
    ///
    /// # Errors
    /// In one line: a directory cannot be opened.
    pub fn new(reach: Reach, current: &Path, system_roots: &[&Path]) -> Result<Files, String> {
        let mut trees = Vec::new();
        for root in system_roots {
            let tree = tree(root, Vec::new(), false);
            trees.push(tree.map_err(|why| format!("sysroot: `{}` cannot be opened: {why}", root.display()))?);
        }
        let refused = |why| format!("files: the current directory `{}` cannot be opened: {why}", current.display());
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
        Ok(Files { trees, reserved: Vec::new(), here, reach })
    }

    /// Keeps names at the top (`proc`, `dev`, …) for the simulated machine: paths there lead to [`Place::Machine`].
    #[must_use]
    pub fn reserve(mut self, names: &[&str]) -> Files {
        self.reserved = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        self
    }

    /// How far a program may reach.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The current directory at the start; `/` if there is none.
    pub fn here(&self) -> &Directory {
        &self.here
    }

    /// Where a path leads, relative to a directory unless it starts with `/`; if there is nothing, where it could be
    /// made ([`Location::exists`] says which).
    ///
    /// # Errors
    /// It leads nowhere: a directory on the way is missing (`ENOENT`) or out of reach (`EACCES`), and the like.
    pub fn resolve(&self, from: &Directory, path: &[u8], last: Last) -> Result<Place, Errno> {
        let pending = Pending::parse(path)?;
        let devices = self.reach == Reach::All;
        let (trees, reserved, here) = (self.trees.as_slice(), self.reserved.as_slice(), &self.here);
        let mut resolver = Resolver { trees, reserved, here, last, devices, links: 0 };
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

    /// Where a path leads from the current directory, on this computer only.
    ///
    /// # Errors
    /// As [`Files::resolve`]; `ENOENT` for what belongs to the simulated machine.
    pub fn locate(&self, path: &[u8], last: Last) -> Result<Location, Errno> {
        match self.resolve(&self.here, path, last)? {
            Place::Here(location) => Ok(location),
            Place::Machine(_) => Err(Errno::ENOENT),
        }
    }

    /// Opens a file by its path from the current directory.
    ///
    /// # Errors
    /// It cannot be opened so; `EISDIR` for a directory.
    pub fn open(&self, path: &[u8], how: &Open) -> Result<File, Errno> {
        let last = if how.create && how.exclusive { Last::Itself } else { Last::Target };
        self.locate(path, last)?.open(how)?.ok_or(Errno::EISDIR)
    }

    /// What is known of a file, by its path from the current directory; of what a link leads to.
    ///
    /// # Errors
    /// It is not there.
    pub fn metadata(&self, path: &[u8]) -> Result<Metadata, Errno> {
        self.locate(path, Last::Target)?.metadata()
    }

    /// Removes a file, or an empty directory, as C's `remove` does.
    ///
    /// # Errors
    /// It cannot be removed.
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
    /// It cannot be renamed.
    pub fn rename(&self, from: &[u8], to: &[u8]) -> Result<(), Errno> {
        self.locate(from, Last::Name)?.rename(&self.locate(to, Last::Name)?)
    }
}

fn tree(path: &Path, at: Vec<Name>, writable: bool) -> std::io::Result<Tree> {
    let root = Dir::open_ambient_dir(path, ambient_authority())?;
    let known = Metadata::from(&root.dir_metadata()?);
    Ok(Tree { root: Some(Arc::new(root)), at, writable, identity: (known.device, known.inode) })
}
