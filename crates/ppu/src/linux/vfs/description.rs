//! Open files, and the numbers by which a program knows them.

use super::flags::open;
use super::object::{Context, Entry, Object, Refusal};
use crate::linux::errno::Errno;
use files::Directory;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most descriptors that a process has, if it asks for no other limit.
pub const DESCRIPTORS_MAX: u32 = 1024;

/// An open file: what descriptors share that were made of one another.
pub struct Description {
    /// What is open.
    pub object: Rc<dyn Object>,
    /// Flags of `open`, but those that only matter while it opens.
    pub flags: Cell<u32>,
    /// Where the next byte, or name, is read or written.
    pub place: Cell<u64>,
    /// Its absolute path, or what stands for one.
    pub path: Vec<u8>,
    /// Where relative paths start, if it is a directory.
    pub directory: Option<Directory>,
    /// Names of a directory, as they were when they began to be read.
    pub listing: RefCell<Rc<[Entry]>>,
}

impl Description {
    /// Of an object, opened with these flags.
    pub fn new(object: Rc<dyn Object>, flags: u32, path: &[u8]) -> Description {
        let only_while_opening = open::CREATE | open::EXCLUSIVE | open::TRUNCATE | 0o400 | open::CLOSE_ON_EXEC;
        let directory = object.as_directory().map(|_| Directory::of_machine(path));
        Description {
            object,
            flags: Cell::new(flags & !only_while_opening),
            place: Cell::new(0),
            path: path.to_vec(),
            directory,
            listing: RefCell::new(Rc::new([])),
        }
    }

    /// Of a directory of this computer.
    pub fn of_directory(object: Rc<dyn Object>, flags: u32, directory: Directory) -> Description {
        let path = directory.path();
        Description { directory: Some(directory), ..Description::new(object, flags, &path) }
    }

    /// Whether a flag of `open` is set.
    pub fn has(&self, flag: u32) -> bool {
        self.flags.get() & flag != 0
    }

    /// Whether it was opened for reading.
    pub fn reads(&self) -> bool {
        self.flags.get() & open::ACCESS != open::WRITE_ONLY && !self.has(open::PATH)
    }

    /// Whether it was opened for writing.
    pub fn writes(&self) -> bool {
        self.flags.get() & open::ACCESS != 0 && !self.has(open::PATH)
    }
}

/// A descriptor.
#[derive(Clone)]
pub struct Descriptor {
    /// What it stands for.
    pub description: Rc<Description>,
    /// It is closed when another program starts.
    pub close_on_exec: bool,
}

/// The descriptors of a process.
pub struct Descriptors {
    open: BTreeMap<u32, Descriptor>,
    /// The number behind the last one that may be given.
    pub limit: u32,
}

impl Default for Descriptors {
    fn default() -> Descriptors {
        Descriptors { open: BTreeMap::new(), limit: DESCRIPTORS_MAX }
    }
}

impl Descriptors {
    /// What a descriptor stands for.
    ///
    /// # Errors
    /// It is not open.
    pub fn get(&self, number: u32) -> Result<Rc<Description>, Errno> {
        self.open.get(&number).map(|descriptor| Rc::clone(&descriptor.description)).ok_or(Errno::EBADF)
    }

    /// A descriptor, to be changed.
    ///
    /// # Errors
    /// It is not open.
    pub fn get_mut(&mut self, number: u32) -> Result<&mut Descriptor, Errno> {
        self.open.get_mut(&number).ok_or(Errno::EBADF)
    }

    /// The lowest number that is free, from one on.
    ///
    /// # Errors
    /// None is, below the limit.
    pub fn add(&mut self, descriptor: Descriptor, from: u32) -> Result<u32, Errno> {
        let free = (from..self.limit).find(|number| !self.open.contains_key(number)).ok_or(Errno::EMFILE)?;
        self.open.insert(free, descriptor);
        Ok(free)
    }

    /// Gives a number; what it stood for is to be released.
    ///
    /// # Errors
    /// It is not below the limit.
    pub fn put(&mut self, number: u32, descriptor: Descriptor) -> Result<Option<Descriptor>, Errno> {
        if number >= self.limit { Err(Errno::EBADF) } else { Ok(self.open.insert(number, descriptor)) }
    }

    /// Takes a number away; what it stood for is to be released.
    ///
    /// # Errors
    /// It is not open.
    pub fn take(&mut self, number: u32) -> Result<Descriptor, Errno> {
        self.open.remove(&number).ok_or(Errno::EBADF)
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Descriptor)> {
        self.open.iter().map(|(number, descriptor)| (*number, descriptor))
    }
}

/// Lets go of what a descriptor stood for; with the last one of them, its object hears of it.
pub fn release(context: &mut Context<'_>, descriptor: Descriptor) {
    if let Ok(last) = Rc::try_unwrap(descriptor.description) {
        last.object.closes(context);
    }
}

/// What `open` gives for an object: the object, or what it gives instead.
///
/// # Errors
/// It cannot be opened.
pub fn opened(context: &mut Context<'_>, object: Rc<dyn Object>, flags: u32) -> Result<Rc<dyn Object>, Refusal> {
    let instead = object.opened(context, flags)?;
    Ok(instead.unwrap_or(object))
}
