//! Common parts of the system calls for files.

use crate::errno::Errno;
use crate::files::paths::Found;
use crate::files::state::Files;
use crate::memory::backing::Backing;
use crate::request::NotDone;
use crate::syscalls::caller::Caller;
use crate::vfs::description::Description;
use crate::vfs::object::{Context, Refusal, Region};
use crate::wait::Wait;
use files::{Last, PATH_BYTES_MAX};
use std::rc::Rc;

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> NotDone {
        match refusal {
            Refusal::Errno(errno) => NotDone::Failed(errno),
            Refusal::Waits(on) => Wait { on, ..Wait::default() }.into(),
            Refusal::End(line) => NotDone::Broken(line),
        }
    }
}

impl From<files::Errno> for NotDone {
    fn from(errno: files::Errno) -> NotDone {
        NotDone::Failed(errno.into())
    }
}

impl Caller<'_> {
    /// The process's files, and the context for operations on file objects.
    pub fn files(&mut self) -> (&mut Files, Context<'_>) {
        let now = self.now();
        let kernel = &mut *self.kernel;
        let context = Context { hardware: self.hardware, wakes: &mut kernel.wakes, space: &kernel.mm.space, now };
        (&mut kernel.files, context)
    }

    /// The context for operations on file objects.
    pub fn context(&mut self) -> Context<'_> {
        self.files().1
    }

    /// The open file of the descriptor in the first argument.
    ///
    /// # Errors
    /// `EBADF`: the descriptor is not open.
    pub fn open_file(&self) -> Result<Rc<Description>, Errno> {
        self.kernel.files.get(self.argument(0))
    }

    /// The contents that an open file supplies to `mmap`.
    ///
    /// # Errors
    /// The file is not open, or cannot be mapped as requested.
    pub fn backing(&mut self, descriptor: u32, region: Region) -> Result<Backing, Errno> {
        let description = self.kernel.files.get(descriptor)?;
        if !description.reads() || region.shared && region.writable && !description.writes() {
            return Err(Errno::EACCES);
        }
        // Mapped bytes are copied. Because of this copy, a file larger than main memory cannot be mapped as a whole.
        let size = description.object.stat(&mut self.context())?.size_bytes.saturating_sub(region.offset);
        let copied = size.min(region.bytes.into()) as u32;
        if !self.kernel.mm.has_memory_for(copied) {
            return Err(Errno::ENOMEM);
        }
        description.object.backing(&mut self.context(), region)
    }

    /// Reads a path.
    ///
    /// # Errors
    /// The path cannot be read, or is too long.
    pub fn path(&mut self, ea: u32) -> Result<Vec<u8>, Errno> {
        self.hardware.text(ea, PATH_BYTES_MAX as u32)
    }

    /// Resolves the path at address `ea`, starting from the directory of descriptor `at`.
    ///
    /// # Errors
    /// The path does not exist.
    pub fn find(&mut self, at: u32, ea: u32, last: Last) -> Result<Found, Errno> {
        let path = self.path(ea)?;
        let (files, mut context) = self.files();
        files.find(&mut context, at, &path, last)
    }
}
