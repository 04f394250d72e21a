//! What system calls for files have in common.

use crate::linux::errno::Errno;
use crate::linux::files::paths::Found;
use crate::linux::files::state::Files;
use crate::linux::memory::backing::Backing;
use crate::linux::request::NotDone;
use crate::linux::syscalls::caller::Caller;
use crate::linux::vfs::description::Description;
use crate::linux::vfs::object::{Context, Refusal, Region};
use crate::linux::wait::Wait;
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
    /// The files of the process, and what objects have to do with.
    pub fn files(&mut self) -> (&mut Files, Context<'_>) {
        let now = self.now();
        let kernel = &mut *self.kernel;
        let context = Context { hardware: self.hardware, wakes: &mut kernel.wakes, space: &kernel.mm.space, now };
        (&mut kernel.files, context)
    }

    /// What objects have to do with.
    pub fn context(&mut self) -> Context<'_> {
        self.files().1
    }

    /// What a descriptor, the first argument, stands for.
    ///
    /// # Errors
    /// It is not open.
    pub fn open_file(&self) -> Result<Rc<Description>, Errno> {
        self.kernel.files.get(self.argument(0))
    }

    /// What an open file gives to `mmap`.
    ///
    /// # Errors
    /// There is none, or it cannot be mapped so.
    pub fn backing(&mut self, descriptor: u32, region: Region) -> Result<Backing, Errno> {
        let description = self.kernel.files.get(descriptor)?;
        if !description.reads() || region.shared && region.writable && !description.writes() {
            return Err(Errno::EACCES);
        }
        // What is mapped is copied, so that a file longer than main memory cannot be mapped as a whole.
        let size = description.object.stat(&mut self.context())?.size_bytes.saturating_sub(region.offset);
        let copied = size.min(region.bytes.into()) as u32;
        if !self.kernel.mm.has_memory_for(copied) {
            return Err(Errno::ENOMEM);
        }
        description.object.backing(&mut self.context(), region)
    }

    /// A path, by its address.
    ///
    /// # Errors
    /// It cannot be read, or does not end.
    pub fn path(&mut self, ea: u32) -> Result<Vec<u8>, Errno> {
        self.hardware.text(ea, PATH_BYTES_MAX as u32)
    }

    /// Where a path leads, by its address and the descriptor of the directory that it starts in.
    ///
    /// # Errors
    /// It leads nowhere.
    pub fn find(&mut self, at: u32, ea: u32, last: Last) -> Result<Found, Errno> {
        let path = self.path(ea)?;
        let (files, mut context) = self.files();
        files.find(&mut context, at, &path, last)
    }
}
