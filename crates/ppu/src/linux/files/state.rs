//! The files of a process: what it has open, where it stands, and what lies where.

use super::book::Book;
use super::streams::{NoStreams, Stream, Streams};
use crate::linux::errno::Errno;
use crate::linux::vfs::description::{Description, Descriptor, Descriptors};
use crate::linux::vfs::flags::{at, open};
use crate::linux::vfs::object::Object;
use files::{Directory, Reach};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// The files of a process.
pub struct Files {
    /// Files of the user, as far as the program may reach them.
    pub view: files::Files,
    /// What of the machine lies at `/`, by name.
    pub mounts: BTreeMap<Vec<u8>, Rc<dyn Object>>,
    /// What is open.  The machine's `/proc` shows it too.
    pub descriptors: Rc<RefCell<Descriptors>>,
    /// Where relative paths start.
    pub current: Directory,
    /// Permissions that new files do not get.
    pub umask: u32,
    /// What is told of the user's files.
    pub book: Rc<Book>,
    /// Who the program runs as.
    pub user: u32,
    /// Pipes made so far, with the three standard streams.
    pub pipes: u64,
}

/// Names at `/` that belong to the machine, for a program that may reach so far.
///
/// MODEL: `/tmp` lies in memory and is gone after the run, unless a program may reach all files of the user.
pub fn reserved(reach: Reach) -> &'static [&'static str] {
    match reach {
        Reach::All => &["dev", "proc", "spu", "sys"],
        Reach::None | Reach::Cwd => &["dev", "proc", "spu", "sys", "tmp"],
    }
}

impl Files {
    /// Files of a process of this user that was not started yet: nothing is open, nothing is mounted.
    pub fn new(view: files::Files, user: u32) -> Files {
        let reach = view.reach();
        Files {
            current: view.here().clone(),
            view: view.reserve(reserved(reach)),
            mounts: BTreeMap::new(),
            descriptors: Rc::default(),
            umask: 0o022,
            book: Rc::new(Book::new(user)),
            user,
            pipes: 3,
        }
    }

    /// No files at all.
    ///
    /// # Errors
    /// None that could be met.
    pub fn none(user: u32) -> Result<Files, String> {
        let mut files = Files::new(files::Files::new(Reach::None, Path::new("/"), &[])?, user);
        files.open_streams(Rc::new(RefCell::new(NoStreams)));
        Ok(files)
    }

    /// Opens the standard streams, as descriptors 0, 1 and 2.
    pub fn open_streams(&mut self, streams: Rc<RefCell<dyn Streams>>) {
        for number in 0..3 {
            let stream = Stream::new(number, &streams, self.user);
            let path = stream.path();
            let description = Rc::new(Description::new(Rc::new(stream), open::READ_WRITE | open::LARGE, &path));
            let _ = self.descriptors.borrow_mut().put(number, Descriptor { description, close_on_exec: false });
        }
    }

    /// What a descriptor stands for.
    ///
    /// # Errors
    /// It is not open.
    pub fn get(&self, number: u32) -> Result<Rc<Description>, Errno> {
        self.descriptors.borrow().get(number)
    }

    /// Gives an open file the lowest number that is free; flags are those of `open`.
    ///
    /// # Errors
    /// Too many are open.
    pub fn add(&self, description: Description, flags: u32) -> Result<u32, Errno> {
        let descriptor =
            Descriptor { description: Rc::new(description), close_on_exec: flags & open::CLOSE_ON_EXEC != 0 };
        self.descriptors.borrow_mut().add(descriptor, 0)
    }

    /// Opens an object by no path, or one that only stands for a path, and gives it a number.
    ///
    /// # Errors
    /// Too many are open.
    pub fn add_object(&self, object: Rc<dyn Object>, flags: u32, path: &[u8]) -> Result<u32, Errno> {
        self.add(Description::new(object, flags, path), flags)
    }

    /// Where a path starts that is given with a directory's descriptor.
    ///
    /// # Errors
    /// It is not open, or no directory.
    pub fn start(&self, descriptor: u32, path: &[u8]) -> Result<(Directory, Option<Rc<Description>>), Errno> {
        if descriptor == at::CURRENT || path.starts_with(b"/") {
            return Ok((self.current.clone(), None));
        }
        let description = self.get(descriptor)?;
        let directory = description.directory.clone().ok_or(Errno::ENOTDIR)?;
        Ok((directory, Some(description)))
    }
}
