//! Objects that can be opened: regular files, directories, pipes, devices, files of SPE contexts.
//!
//! An [`Object`] attempts an operation. The object either completes the operation or returns a [`Refusal`]. An object
//! never waits, and ignores `O_NONBLOCK`. If an operation would have to wait, the caller decides whether the system
//! call waits or fails.

pub use super::context::{Context, Refusal};
use crate::clock::START_SECONDS;
use crate::costs::Costs;
use crate::errno::Errno;
use crate::memory::backing::Backing;
use crate::wait::{Nanos, Queue};
use files::{Kind, Stamp, When};
use std::any::Any;
use std::rc::Rc;

/// Readiness of an object, as `poll` reports it.
pub mod ready {
    /// Data can be read.
    pub const IN: u32 = 0x1;
    /// Readiness bit: urgent data can be read.
    pub const PRI: u32 = 0x2;
    /// Data can be written.
    pub const OUT: u32 = 0x4;
    /// Readiness bit: an error, such as a pipe without readers.
    pub const ERR: u32 = 0x8;
    /// Readiness bit: hang-up, such as a pipe without writers.
    pub const HUP: u32 = 0x10;
    /// Readiness bit: the descriptor is not open.
    pub const NVAL: u32 = 0x20;
    /// Same as [`IN`].
    pub const RDNORM: u32 = 0x40;
    /// Same as [`OUT`].
    pub const WRNORM: u32 = 0x100;
    /// Both bits for reading.
    pub const READ: u32 = IN | RDNORM;
    /// Both bits for writing.
    pub const WRITE: u32 = OUT | WRNORM;
}

/// Attributes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stat {
    /// Device of the object's file system (`st_dev`).
    pub device: u32,
    /// Inode number.
    pub inode: u64,
    /// Kind and permissions.
    pub mode: u32,
    /// Link count.
    pub links: u32,
    /// Owner and group.
    pub user: u32,
    /// Device number, if the object is a device.
    pub special: u32,
    /// Size.
    pub size_bytes: u64,
    /// Timestamp of the last access.
    pub accessed: Stamp,
    /// Timestamp of the last change of the contents.
    pub modified: Stamp,
    /// Timestamp of the last change of the attributes.
    pub changed: Stamp,
}

impl Stat {
    /// Attributes of an object that root owns and that has existed since the start of the machine.
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
    /// Kind.
    pub fn kind(&self) -> Kind {
        Kind::of_mode(self.mode)
    }
}

/// A directory entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name.
    pub name: Vec<u8>,
    /// Kind.
    pub kind: Kind,
    /// Inode number.
    pub inode: u64,
}

/// An object to be created in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum New {
    /// An empty file with these permissions.
    File(u32),
    /// An empty directory with these permissions.
    Directory(u32),
    /// A symbolic link to a path.
    Link(Vec<u8>),
}

/// Part of an object to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// File offset, which pipes and other objects without file offsets ignore.
    pub offset: u64,
    /// Maximum number of bytes.
    pub bytes: u32,
}

/// Part of an object to be mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// File offset, a multiple of the page size.
    pub offset: u64,
    /// Size in bytes.
    pub bytes: u32,
    /// Whether the mapping is shared.
    pub shared: bool,
    /// Whether the mapping can be written.
    pub writable: bool,
}

/// Counts of data arrivals and departures, for edge-triggered `epoll`. For an object without such counts, only a
/// change from not ready to ready is an edge.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Edges {
    /// Number of arrivals of data to be read.
    pub arrivals: u64,
    /// Number of departures of data, each of which makes room for writing.
    pub departures: u64,
}

/// An object that can be opened.
///
/// The default implementations of the operations fail as unsupported.
pub trait Object {
    /// Attributes.
    ///
    /// # Errors
    /// The attributes cannot be read.
    fn stat(&self, context: &mut Context<'_>) -> Result<Stat, Errno>;

    /// Type of the object's file system in `statfs`.
    fn file_system(&self) -> u32;

    /// The object that `open` opens in place of this object, such as a snapshot of a text file.
    ///
    /// # Errors
    /// The object cannot be opened.
    fn opened(&self, context: &mut Context<'_>, flags: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        let _ = (context, flags);
        Ok(None)
    }

    /// The directory interface of the object, or `None` if the object is not a directory.
    fn as_directory(&self) -> Option<&dyn Directory> {
        None
    }

    /// The object as [`Any`], for system calls that need its concrete type.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Target path of a symbolic link.
    fn link(&self) -> Option<Vec<u8>> {
        None
    }

    /// Target object of a symbolic link that leads directly to an object, without a lookup of the link's target path.
    fn leads_to(&self) -> Option<Rc<dyn Object>> {
        None
    }

    /// Whether the object has a file offset.
    fn seekable(&self) -> bool {
        true
    }

    /// Reads bytes at an offset, or the next bytes if the object has no offset. Returns at least one byte, except at
    /// the end of the object or if no bytes were requested.
    ///
    /// # Errors
    /// The object cannot be read, or the call has to wait.
    fn read(&self, context: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        let _ = (context, span);
        Err(Errno::EINVAL.into())
    }

    /// Writes bytes at an offset, or appends them if the object has no offset. Returns the number of bytes written,
    /// which is 0 only if `bytes` is empty.
    ///
    /// # Errors
    /// The object cannot be written, or the call has to wait.
    fn write(&self, context: &mut Context<'_>, offset: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        let _ = (context, offset, bytes);
        Err(Errno::EINVAL.into())
    }

    /// Whether a blocking write continues until all bytes are written, as for a pipe. A blocking write to any other
    /// object may write fewer bytes.
    fn takes_all(&self) -> bool {
        false
    }

    /// Changes the size of the object.
    ///
    /// # Errors
    /// The object cannot have this size.
    fn resize(&self, context: &mut Context<'_>, size_bytes: u64) -> Result<(), Errno> {
        let _ = (context, size_bytes);
        Err(Errno::EINVAL)
    }

    /// Synchronizes the object: waits until written data is stored durably.
    ///
    /// # Errors
    /// The data could not be written.
    fn sync(&self, context: &mut Context<'_>) -> Result<(), Refusal> {
        let _ = context;
        Ok(())
    }

    /// Sets the object's permissions.
    ///
    /// # Errors
    /// The program may not set the permissions.
    fn set_permissions(&self, context: &mut Context<'_>, permissions: u32) -> Result<(), Errno> {
        let _ = (context, permissions);
        Err(Errno::EPERM)
    }

    /// Sets the access time and the modification time, unless they are `None`.
    ///
    /// # Errors
    /// The program may not set the times.
    fn set_times(
        &self,
        context: &mut Context<'_>,
        accessed: Option<When>,
        modified: Option<When>,
    ) -> Result<(), Errno> {
        let _ = (context, accessed, modified);
        Err(Errno::EPERM)
    }

    /// Readiness for `poll`: bits of [`ready`].
    fn ready(&self, context: &mut Context<'_>) -> u32 {
        let _ = context;
        ready::READ | ready::WRITE
    }

    /// Queues that are woken when [`Object::ready`] may have changed. The list is empty for an object that is always
    /// ready.
    fn queues(&self) -> Vec<Queue> {
        Vec::new()
    }

    /// Current counts of arrivals and departures, for edge-triggered `epoll`.
    fn edges(&self) -> Edges {
        Edges::default()
    }

    /// Cost of a system call that reads from the object.
    fn read_cost(&self, costs: &Costs) -> Nanos {
        costs.system_call_ns
    }

    /// Cost of a system call that writes to the object.
    fn write_cost(&self, costs: &Costs) -> Nanos {
        costs.system_call_ns
    }

    /// Cost of closing a descriptor of the object.
    fn close_cost(&self, costs: &Costs) -> Nanos {
        costs.system_call_ns
    }

    /// Whether `epoll` accepts the object.
    fn pollable(&self) -> bool {
        !self.queues().is_empty()
    }

    /// `ioctl`.
    ///
    /// # Errors
    /// The object does not support this request.
    fn ioctl(&self, context: &mut Context<'_>, request: u32, argument: u32) -> Result<u32, Refusal> {
        let _ = (context, request, argument);
        Err(Errno::ENOTTY.into())
    }

    /// The contents that `mmap` maps.
    ///
    /// # Errors
    /// The object cannot be mapped as requested.
    fn backing(&self, context: &mut Context<'_>, region: Region) -> Result<Backing, Errno> {
        let _ = (context, region);
        Err(Errno::ENODEV)
    }

    /// Adjusts the link count.
    fn adjust_links(&self, by: i32) {
        let _ = by;
    }

    /// Called when the last descriptor of an open file description is closed.
    fn closes(&self, context: &mut Context<'_>) {
        let _ = context;
    }
}

/// A directory.
pub trait Directory {
    /// The object with this name in the directory. Symbolic links are not followed.
    ///
    /// # Errors
    /// `ENOENT`: the name does not exist.
    fn child(&self, context: &mut Context<'_>, name: &[u8]) -> Result<Rc<dyn Object>, Errno>;

    /// All directory entries in a stable order, without `.` and `..`.
    ///
    /// # Errors
    /// The directory cannot be read.
    fn list(&self, context: &mut Context<'_>) -> Result<Vec<Entry>, Errno>;

    /// Creates an object under a name that does not exist.
    ///
    /// # Errors
    /// The object cannot be created here.
    fn create(&self, context: &mut Context<'_>, name: &[u8], what: New) -> Result<Rc<dyn Object>, Errno> {
        let _ = (context, name, what);
        Err(Errno::EACCES)
    }

    /// Adds a new name for an object of the same file system. The name must not exist in this directory.
    ///
    /// # Errors
    /// The object cannot have a name in this directory.
    fn insert(&self, context: &mut Context<'_>, name: &[u8], what: &Rc<dyn Object>) -> Result<(), Errno> {
        let _ = (context, name, what);
        Err(Errno::EPERM)
    }

    /// Removes a name from the directory.
    ///
    /// # Errors
    /// The name cannot be removed.
    fn remove(&self, context: &mut Context<'_>, name: &[u8]) -> Result<(), Errno> {
        let _ = (context, name);
        Err(Errno::EPERM)
    }
}
