//! Open file descriptions, and the descriptors of a process.

use super::flags::open;
use super::object::{Context, Entry, Object, Refusal};
use crate::errno::Errno;
use files::Directory;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum number of descriptors of a process, unless the process sets another limit.
pub const DESCRIPTORS_MAX: u32 = 1024;

/// An open file description. Several descriptors share one description after `dup`.
pub struct Description {
    /// The open object.
    pub object: Rc<dyn Object>,
    /// Flags of `open`, without the flags that only affect opening.
    pub flags: Cell<u32>,
    /// File offset. For a directory, the index of the next name.
    pub offset: Cell<u64>,
    /// Absolute path of the object, or the text that is reported as its path.
    pub path: Vec<u8>,
    /// Directory at which relative paths start, if the object is a directory.
    pub directory: Option<Directory>,
    /// Directory entries at the time of the first read.
    pub listing: RefCell<Rc<[Entry]>>,
}

impl Description {
    /// A description of an object that was opened with these flags.
    pub fn new(object: Rc<dyn Object>, flags: u32, path: &[u8]) -> Description {
        let only_while_opening = open::CREATE | open::EXCLUSIVE | open::TRUNCATE | 0o400 | open::CLOSE_ON_EXEC;
        let directory = object.as_directory().map(|_| Directory::of_machine(path));
        Description {
            object,
            flags: Cell::new(flags & !only_while_opening),
            offset: Cell::new(0),
            path: path.to_vec(),
            directory,
            listing: RefCell::new(Rc::new([])),
        }
    }

    /// A description of a directory on the host computer.
    pub fn of_directory(object: Rc<dyn Object>, flags: u32, directory: Directory) -> Description {
        let path = directory.path();
        Description { directory: Some(directory), ..Description::new(object, flags, &path) }
    }

    /// Whether a flag of `open` is set.
    pub fn has(&self, flag: u32) -> bool {
        self.flags.get() & flag != 0
    }

    /// Whether the object was opened for reading.
    pub fn reads(&self) -> bool {
        self.flags.get() & open::ACCESS != open::WRITE_ONLY && !self.has(open::PATH)
    }

    /// Whether the object was opened for writing.
    pub fn writes(&self) -> bool {
        self.flags.get() & open::ACCESS != 0 && !self.has(open::PATH)
    }
}

/// A file descriptor.
#[derive(Clone)]
pub struct Descriptor {
    /// The open file description.
    pub description: Rc<Description>,
    /// Whether `execve` closes the descriptor.
    pub close_on_exec: bool,
}

/// The descriptor table of a process.
pub struct Descriptors {
    open: BTreeMap<u32, Descriptor>,
    /// Limit for new descriptors: their numbers are below this value.
    pub limit: u32,
}

impl Default for Descriptors {
    fn default() -> Descriptors {
        Descriptors { open: BTreeMap::new(), limit: DESCRIPTORS_MAX }
    }
}

impl Descriptors {
    /// The open file description of a descriptor.
    ///
    /// # Errors
    /// `EBADF`: the descriptor is not open.
    pub fn get(&self, number: u32) -> Result<Rc<Description>, Errno> {
        self.open.get(&number).map(|descriptor| Rc::clone(&descriptor.description)).ok_or(Errno::EBADF)
    }

    /// Mutable access to a descriptor.
    ///
    /// # Errors
    /// `EBADF`: the descriptor is not open.
    pub fn get_mut(&mut self, number: u32) -> Result<&mut Descriptor, Errno> {
        self.open.get_mut(&number).ok_or(Errno::EBADF)
    }

    /// Adds a descriptor at the lowest free number that is at least `from`.
    ///
    /// # Errors
    /// `EMFILE`: all numbers below the limit are taken.
    pub fn add(&mut self, descriptor: Descriptor, from: u32) -> Result<u32, Errno> {
        let free = (from..self.limit).find(|number| !self.open.contains_key(number)).ok_or(Errno::EMFILE)?;
        self.open.insert(free, descriptor);
        Ok(free)
    }

    /// Stores a descriptor at a number. Returns the previous descriptor with this number, which the caller must
    /// release.
    ///
    /// # Errors
    /// `EBADF`: the number is not below the limit.
    pub fn put(&mut self, number: u32, descriptor: Descriptor) -> Result<Option<Descriptor>, Errno> {
        if number >= self.limit { Err(Errno::EBADF) } else { Ok(self.open.insert(number, descriptor)) }
    }

    /// Removes a descriptor. The caller must release the returned descriptor.
    ///
    /// # Errors
    /// `EBADF`: the descriptor is not open.
    pub fn take(&mut self, number: u32) -> Result<Descriptor, Errno> {
        self.open.remove(&number).ok_or(Errno::EBADF)
    }

    /// All descriptors by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Descriptor)> {
        self.open.iter().map(|(number, descriptor)| (*number, descriptor))
    }
}

/// Releases a descriptor. The object is closed when the last descriptor of its description is released.
pub fn release(context: &mut Context<'_>, descriptor: Descriptor) {
    if let Ok(last) = Rc::try_unwrap(descriptor.description) {
        last.object.closes(context);
    }
}

/// Opens an object. The object can return another object, which is opened in its place.
///
/// # Errors
/// The object cannot be opened.
pub fn opened(context: &mut Context<'_>, object: Rc<dyn Object>, flags: u32) -> Result<Rc<dyn Object>, Refusal> {
    let instead = object.opened(context, flags)?;
    Ok(instead.unwrap_or(object))
}
