//! What can be opened: regular files, directories, pipes, devices, files of SPEs.
//!
//! An [`Object`] attempts what it is asked for, and either does it or says why not ([`Refusal`]).  It never waits by
//! itself and knows nothing of `O_NONBLOCK`: whoever asks decides what becomes of a refusal that would wait.

pub use super::context::{Context, Refusal};
use crate::linux::costs::Costs;
use crate::linux::errno::Errno;
use crate::linux::memory::backing::Backing;
use crate::linux::time::clock::START_SECONDS;
use crate::linux::wait::{Nanos, Queue};
use files::{Kind, Stamp, When};
use std::any::Any;
use std::rc::Rc;

/// What `poll` tells of an object.
pub mod ready {
    /// It can be read.
    pub const IN: u32 = 0x1;
    /// Something urgent can be read.
    pub const PRI: u32 = 0x2;
    /// It can be written.
    pub const OUT: u32 = 0x4;
    /// An error: nobody reads a pipe.
    pub const ERR: u32 = 0x8;
    /// Nobody writes a pipe.
    pub const HUP: u32 = 0x10;
    /// No such descriptor.
    pub const NVAL: u32 = 0x20;
    /// As [`IN`].
    pub const RDNORM: u32 = 0x40;
    /// As [`OUT`].
    pub const WRNORM: u32 = 0x100;
    /// Can be read, by either name.
    pub const READ: u32 = IN | RDNORM;
    /// Can be written, by either name.
    pub const WRITE: u32 = OUT | WRNORM;
}

/// What is known of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stat {
    /// File system that it lies in, as `st_dev` has it.
    pub device: u32,
    /// Number there.
    pub inode: u64,
    /// Kind and permissions.
    pub mode: u32,
    /// Names that it has.
    pub links: u32,
    /// Owner, and its group.
    pub user: u32,
    /// Number of the device that it is.
    pub special: u32,
    /// Size.
    pub size_bytes: u64,
    /// Last access.
    pub accessed: Stamp,
    /// Last change of its contents.
    pub modified: Stamp,
    /// Last change of what is known of it.
    pub changed: Stamp,
}

impl Stat {
    /// Of something that has been there since the machine started, and belongs to its administrator.
    pub fn new(device: u32, inode: u64, kind: Kind, permissions: u32) -> Stat {
        let start = Stamp { seconds: START_SECONDS as i64, ns: 0 };
        Stat {
            device,
            inode,
            mode: kind.mode() | permissions,
            links: if kind == Kind::Directory { 2 } else { 1 },
            user: 0,
            special: 0,
            size_bytes: 0,
            accessed: start,
            modified: start,
            changed: start,
        }
    }
}

impl Stat {
    /// What it is.
    pub fn kind(&self) -> Kind {
        Kind::of_mode(self.mode)
    }
}

/// A name in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// Its number.
    pub inode: u64,
}

/// What can be made in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum New {
    /// An empty file with these permissions.
    File(u32),
    /// An empty directory with these permissions.
    Directory(u32),
    /// A symbolic link that says this.
    Link(Vec<u8>),
}

/// The part of an object that a call reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Where in it; objects without places, as pipes, do not look at it.
    pub offset: u64,
    /// How much at most.
    pub bytes: u32,
}

/// A part that `mmap` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// From here on; whole pages.
    pub offset: u64,
    /// So many bytes.
    pub bytes: u32,
    /// The mapping is shared with the file.
    pub shared: bool,
    /// The mapping may be written.
    pub writable: bool,
}

/// How often something came or went; an object that does not count that is new to an edge-triggered `epoll` only when
/// it becomes ready.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Edges {
    /// Something came that can be read.
    pub arrivals: u64,
    /// Something went, and left room to write.
    pub departures: u64,
}

/// Something that can be opened.
///
/// What an object does not say otherwise, it cannot do.
pub trait Object {
    /// What is known of it.
    ///
    /// # Errors
    /// It cannot be known.
    fn stat(&self, context: &mut Context<'_>) -> Result<Stat, Errno>;

    /// Its file system, as `statfs` names it.
    fn file_system(&self) -> u32;

    /// What `open` gives instead of the object itself: what it says at that moment, for instance.
    ///
    /// # Errors
    /// It cannot be opened.
    fn opened(&self, context: &mut Context<'_>, flags: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        let _ = (context, flags);
        Ok(None)
    }

    /// As a directory, if it is one.
    fn as_directory(&self) -> Option<&dyn Directory> {
        None
    }

    /// The object itself, for system calls that are for one kind only.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// What it says, if it is a symbolic link.
    fn link(&self) -> Option<Vec<u8>> {
        None
    }

    /// What a symbolic link leads to by itself, whatever it says.
    fn leads_to(&self) -> Option<Rc<dyn Object>> {
        None
    }

    /// Whether it has places to read and write at.
    fn seekable(&self) -> bool {
        true
    }

    /// Bytes at a place, or the next ones: at least one unless it is at its end, or none were asked for.
    ///
    /// # Errors
    /// It cannot be read, or not now.
    fn read(&self, context: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        let _ = (context, span);
        Err(Errno::EINVAL.into())
    }

    /// Writes at a place, or behind what was written before; how many bytes, at least one of those that there are.
    ///
    /// # Errors
    /// It cannot be written, or not now.
    fn write(&self, context: &mut Context<'_>, offset: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        let _ = (context, offset, bytes);
        Err(Errno::EINVAL.into())
    }

    /// Whether a call that may wait goes on until all of its bytes are written, as that of a pipe does; others end
    /// when they have written some.
    fn takes_all(&self) -> bool {
        false
    }

    /// Gives it another size.
    ///
    /// # Errors
    /// It cannot have it.
    fn resize(&self, context: &mut Context<'_>, size_bytes: u64) -> Result<(), Errno> {
        let _ = (context, size_bytes);
        Err(Errno::EINVAL)
    }

    /// Waits until what was written is kept.
    ///
    /// # Errors
    /// It is not.
    fn sync(&self, context: &mut Context<'_>) -> Result<(), Refusal> {
        let _ = context;
        Ok(())
    }

    /// Sets its permissions.
    ///
    /// # Errors
    /// They are not the program's to set.
    fn set_permissions(&self, context: &mut Context<'_>, permissions: u32) -> Result<(), Errno> {
        let _ = (context, permissions);
        Err(Errno::EPERM)
    }

    /// Sets the times of its last access and of its last change, if they are given.
    ///
    /// # Errors
    /// They are not the program's to set.
    fn set_times(
        &self,
        context: &mut Context<'_>,
        accessed: Option<When>,
        modified: Option<When>,
    ) -> Result<(), Errno> {
        let _ = (context, accessed, modified);
        Err(Errno::EPERM)
    }

    /// What `poll` tells of it: bits of [`ready`].
    fn ready(&self, context: &mut Context<'_>) -> u32 {
        let _ = context;
        ready::READ | ready::WRITE
    }

    /// What is woken whenever [`Object::ready`] may have changed; none for what is always ready.
    fn queues(&self) -> Vec<Queue> {
        Vec::new()
    }

    /// How often something came or went, for an edge-triggered `epoll`.
    fn edges(&self) -> Edges {
        Edges::default()
    }

    /// Cost of a call that reads it.
    fn read_cost(&self, costs: &Costs) -> Nanos {
        costs.system_call_ns
    }

    /// Cost of a call that writes it.
    fn write_cost(&self, costs: &Costs) -> Nanos {
        costs.system_call_ns
    }

    /// Cost of closing a descriptor of it.
    fn close_cost(&self, costs: &Costs) -> Nanos {
        costs.file_close_ns
    }

    /// Whether `epoll` takes it.
    fn pollable(&self) -> bool {
        !self.queues().is_empty()
    }

    /// `ioctl`.
    ///
    /// # Errors
    /// It does not know this one.
    fn ioctl(&self, context: &mut Context<'_>, request: u32, argument: u32) -> Result<u32, Refusal> {
        let _ = (context, request, argument);
        Err(Errno::ENOTTY.into())
    }

    /// What `mmap` gets.
    ///
    /// # Errors
    /// It cannot be mapped so.
    fn backing(&self, context: &mut Context<'_>, region: Region) -> Result<Backing, Errno> {
        let _ = (context, region);
        Err(Errno::ENODEV)
    }

    /// It has so many names more, or fewer.
    fn named(&self, by: i32) {
        let _ = by;
    }

    /// The last descriptor of an open file of it is closed.
    fn closes(&self, context: &mut Context<'_>) {
        let _ = context;
    }
}

/// An object that has others in it.
pub trait Directory {
    /// What has a name; links for themselves.
    ///
    /// # Errors
    /// `ENOENT`: nothing has.
    fn child(&self, context: &mut Context<'_>, name: &[u8]) -> Result<Rc<dyn Object>, Errno>;

    /// All names, in an order that does not change by itself, without `.` and `..`.
    ///
    /// # Errors
    /// They cannot be told.
    fn list(&self, context: &mut Context<'_>) -> Result<Vec<Entry>, Errno>;

    /// Makes something; nothing has the name.
    ///
    /// # Errors
    /// It cannot be made here.
    fn create(&self, context: &mut Context<'_>, name: &[u8], what: New) -> Result<Rc<dyn Object>, Errno> {
        let _ = (context, name, what);
        Err(Errno::EACCES)
    }

    /// Gives something that lies in the same file system a name here, which nothing has.
    ///
    /// # Errors
    /// It cannot have one.
    fn insert(&self, context: &mut Context<'_>, name: &[u8], what: &Rc<dyn Object>) -> Result<(), Errno> {
        let _ = (context, name, what);
        Err(Errno::EPERM)
    }

    /// Takes a name away, from what it belonged to.
    ///
    /// # Errors
    /// It stays.
    fn remove(&self, context: &mut Context<'_>, name: &[u8]) -> Result<(), Errno> {
        let _ = (context, name);
        Err(Errno::EPERM)
    }
}
