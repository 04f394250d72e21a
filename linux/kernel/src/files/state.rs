//! The files of a process: descriptors, current directory, mounts.

use super::answers::{Answers, Host};
use super::attributes::Attributes;
use super::streams::{NoStreams, Stream, Streams};
use crate::errno::Errno;
use crate::vfs::description::{Description, Descriptor, Descriptors};
use crate::vfs::flags::{at, open};
use crate::vfs::object::Object;
use files::{Directory, Reach};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// The files of a process.
pub struct Files {
    /// The user's files that the program may access.
    pub view: Host<files::Files>,
    /// Mounts of the simulated machine, by name in `/`.
    pub mounts: BTreeMap<Vec<u8>, Rc<dyn Object>>,
    /// The descriptor table, which also appears in `/proc`.
    pub descriptors: Rc<RefCell<Descriptors>>,
    /// The current directory.
    pub current: Directory,
    /// Permission bits that are cleared in the mode of new files.
    pub umask: u32,
    /// Attributes recorded for the user's files.
    pub attributes: Rc<Attributes>,
    /// User of the program.
    pub user: u32,
    /// Number of pipes created, including the three standard streams.
    pub pipes: u64,
}

/// Names in `/` that belong to the simulated machine.
///
/// MODEL: `/tmp` is in simulated memory and lasts until the end of the run. If the program may access all of the
/// user's files, `/tmp` is the user's directory instead.
pub fn reserved(reach: Reach) -> &'static [&'static str] {
    match reach {
        Reach::All => &["dev", "huge", "proc", "spu", "sys"],
        Reach::None | Reach::Cwd => &["dev", "huge", "proc", "spu", "sys", "tmp"],
    }
}

impl Files {
    /// Files of a new process, without open files and without mounts.
    pub fn new(view: files::Files, user: u32) -> Files {
        Files::answered(view, &Rc::default(), user)
    }

    /// Files of a new process, of which the host computer's answers belong to these.
    pub fn answered(view: files::Files, answers: &Rc<Answers>, user: u32) -> Files {
        let reach = view.reach();
        Files {
            current: view.here().clone(),
            view: Host::new(view.reserve(reserved(reach)), answers),
            mounts: BTreeMap::new(),
            descriptors: Rc::default(),
            umask: 0o022,
            attributes: Rc::new(Attributes::new(user)),
            user,
            pipes: 3,
        }
    }

    /// Files of a process that may not access any of the user's files.
    ///
    /// # Errors
    /// Never.
    pub fn none(user: u32) -> Result<Files, files::NotOpened> {
        let mut files = Files::new(files::Files::new(Reach::None, Path::new("/"), &[])?, user);
        files.open_streams(Rc::new(RefCell::new(NoStreams)));
        Ok(files)
    }

    /// Opens the standard streams as descriptors 0, 1 and 2.
    pub fn open_streams(&mut self, streams: Rc<RefCell<dyn Streams>>) {
        for number in 0..3 {
            let stream = Stream::new(number, &streams, self.user);
            let path = stream.path();
            let description = Rc::new(Description::new(Rc::new(stream), open::READ_WRITE | open::LARGE, &path));
            let _ = self.descriptors.borrow_mut().put(number, Descriptor { description, close_on_exec: false });
        }
    }

    /// The open file of a descriptor.
    ///
    /// # Errors
    /// `EBADF`: the descriptor is not open.
    pub fn get(&self, number: u32) -> Result<Rc<Description>, Errno> {
        self.descriptors.borrow().get(number)
    }

    /// Assigns the lowest free descriptor to an open file. `flags` contains the flags passed to `open`.
    ///
    /// # Errors
    /// `EMFILE`: too many files are open.
    pub fn add(&self, description: Description, flags: u32) -> Result<u32, Errno> {
        let descriptor =
            Descriptor { description: Rc::new(description), close_on_exec: flags & open::CLOSE_ON_EXEC != 0 };
        self.descriptors.borrow_mut().add(descriptor, 0)
    }

    /// Opens an object without a path lookup, and assigns a descriptor. `path` is the path that is reported for the
    /// object.
    ///
    /// # Errors
    /// `EMFILE`: too many files are open.
    pub fn add_object(&self, object: Rc<dyn Object>, flags: u32, path: &[u8]) -> Result<u32, Errno> {
        self.add(Description::new(object, flags, path), flags)
    }

    /// The directory at which a path starts. A relative path starts at the directory of `descriptor`.
    ///
    /// # Errors
    /// The descriptor is not open, or does not refer to a directory.
    pub fn start(&self, descriptor: u32, path: &[u8]) -> Result<(Directory, Option<Rc<Description>>), Errno> {
        if descriptor == at::CURRENT || path.starts_with(b"/") {
            return Ok((self.current.clone(), None));
        }
        let description = self.get(descriptor)?;
        let directory = description.directory.clone().ok_or(Errno::ENOTDIR)?;
        Ok((directory, Some(description)))
    }
}
