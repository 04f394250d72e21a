//! Files in memory: The in-memory file systems `/dev/shm`, `/tmp` and `/huge`, which last until the end of the run.
//!
//! MODEL: every mapping of a file in `/huge` begins with zeros, and is not written back.

use crate::errno::Errno;
use crate::memory::backing::{Backing, WriteBack};
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Directory, Entry, New, Object, Refusal, Region, Span, Stat};
use files::{Kind, Stamp, When};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// State shared by all in-memory files: free space and inode numbers.
pub struct Pool {
    free_bytes: Cell<u64>,
    numbers: Cell<u64>,
    user: u32,
    file_system: u32,
}

impl Pool {
    /// A pool for files of this user in a file system, with a limit on their total size.
    pub fn new(bytes_max: u64, user: u32, file_system: u32) -> Rc<Pool> {
        Rc::new(Pool { free_bytes: Cell::new(bytes_max), numbers: Cell::new(1), user, file_system })
    }

    fn stat(&self, kind: Kind, permissions: u32, now: Option<Stamp>) -> Stat {
        self.numbers.set(self.numbers.get() + 1);
        let stat = Stat { user: self.user, ..Stat::new(device::MEMORY, self.numbers.get(), kind, permissions) };
        match now {
            Some(now) => Stat { accessed: now, modified: now, changed: now, ..stat },
            None => stat,
        }
    }

    /// Adjusts the free space for a change of a file's size.
    fn resize(&self, old: u64, new: u64) -> Result<(), Errno> {
        let free = self.free_bytes.get().saturating_add(old).checked_sub(new).ok_or(Errno::ENOSPC)?;
        self.free_bytes.set(free);
        Ok(())
    }
}

/// A file's contents, which its mappings share.
struct Contents {
    bytes: RefCell<Vec<u8>>,
    pool: Rc<Pool>,
}

impl Contents {
    fn resize(&self, size: u64) -> Result<(), Errno> {
        let mut bytes = self.bytes.borrow_mut();
        self.pool.resize(bytes.len() as u64, size)?;
        bytes.resize(usize::try_from(size).map_err(|_| Errno::EFBIG)?, 0);
        Ok(())
    }

    fn put(&self, offset: u64, new: &[u8]) -> Result<(), Errno> {
        let end = offset.checked_add(new.len() as u64).ok_or(Errno::EFBIG)?;
        if end > self.bytes.borrow().len() as u64 {
            self.resize(end)?;
        }
        let mut bytes = self.bytes.borrow_mut();
        let start = usize::try_from(offset).map_err(|_| Errno::EFBIG)?;
        let place = bytes.get_mut(start..start + new.len()).ok_or(Errno::EFBIG)?;
        place.copy_from_slice(new);
        Ok(())
    }

    fn get(&self, offset: u64, count: u32) -> Vec<u8> {
        let bytes = self.bytes.borrow();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let end = start.saturating_add(count as usize).min(bytes.len());
        bytes.get(start..end).unwrap_or_default().to_vec()
    }
}

impl Drop for Contents {
    fn drop(&mut self) {
        self.pool.free_bytes.set(self.pool.free_bytes.get().saturating_add(self.bytes.borrow().len() as u64));
    }
}

impl WriteBack for Contents {
    fn write_back(&self, offset: u64, bytes: &[u8]) {
        let inside = (self.bytes.borrow().len() as u64).saturating_sub(offset).min(bytes.len() as u64) as usize;
        let fits = self.put(offset, bytes.get(..inside).unwrap_or_default());
        debug_assert!(fits.is_ok());
    }
}

pub struct MemoryFile {
    contents: Rc<Contents>,
    stat: Cell<Stat>,
}

impl MemoryFile {
    fn touch(&self, now: Stamp) {
        self.stat.set(Stat { modified: now, changed: now, ..self.stat.get() });
    }
}

/// Changes permissions or times.
fn change(stat: &Cell<Stat>, now: Stamp, to: impl FnOnce(Stat) -> Stat) {
    stat.set(Stat { changed: now, ..to(stat.get()) });
}

fn with_permissions(stat: Stat, permissions: u32) -> Stat {
    Stat { mode: stat.mode & !0o7777 | permissions & 0o7777, ..stat }
}

fn with_times(stat: Stat, accessed: Option<When>, modified: Option<When>, now: Stamp) -> Stat {
    let new = |when: Option<When>, old| when.map_or(old, |when| when.stamp(now));
    Stat { accessed: new(accessed, stat.accessed), modified: new(modified, stat.modified), ..stat }
}

impl Object for MemoryFile {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(Stat { size_bytes: self.contents.bytes.borrow().len() as u64, ..self.stat.get() })
    }

    fn file_system(&self) -> u32 {
        self.contents.pool.file_system
    }

    fn read(&self, _: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        Ok(self.contents.get(span.offset, span.bytes))
    }

    fn write(&self, context: &mut Context<'_>, offset: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        self.contents.put(offset, bytes)?;
        self.touch(context.stamp());
        Ok(u32::try_from(bytes.len()).unwrap_or(u32::MAX))
    }

    fn resize(&self, context: &mut Context<'_>, size_bytes: u64) -> Result<(), Errno> {
        self.contents.resize(size_bytes)?;
        self.touch(context.stamp());
        Ok(())
    }

    fn set_permissions(&self, context: &mut Context<'_>, permissions: u32) -> Result<(), Errno> {
        change(&self.stat, context.stamp(), |stat| with_permissions(stat, permissions));
        Ok(())
    }

    fn set_times(
        &self,
        context: &mut Context<'_>,
        accessed: Option<When>,
        modified: Option<When>,
    ) -> Result<(), Errno> {
        let now = context.stamp();
        change(&self.stat, now, |stat| with_times(stat, accessed, modified, now));
        Ok(())
    }

    fn backing(&self, _: &mut Context<'_>, region: Region) -> Result<Backing, Errno> {
        if self.file_system() == file_system::HUGETLBFS {
            return Ok(Backing::Huge);
        }
        let bytes = self.contents.get(region.offset, region.bytes);
        let taker: Rc<dyn WriteBack> = self.contents.clone();
        Ok(Backing::Contents { bytes, write_back: (region.shared && region.writable).then_some(taker) })
    }

    fn adjust_links(&self, by: i32) {
        let stat = self.stat.get();
        self.stat.set(Stat { links: stat.links.saturating_add_signed(by), ..stat });
    }
}

/// A symbolic link of an in-memory file system.
struct MemoryLink {
    target: Vec<u8>,
    stat: Stat,
}

impl Object for MemoryLink {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(Stat { size_bytes: self.target.len() as u64, ..self.stat })
    }

    fn file_system(&self) -> u32 {
        file_system::TMPFS
    }

    fn link(&self) -> Option<Vec<u8>> {
        Some(self.target.clone())
    }
}

pub struct MemoryDirectory {
    entries: RefCell<BTreeMap<Vec<u8>, Rc<dyn Object>>>,
    stat: Cell<Stat>,
    pool: Rc<Pool>,
    /// Number of directories above this directory.
    depth: u32,
}

/// Bytes charged for each directory entry, so that entries alone cannot fill memory.
const NAME_BYTES: u64 = 512;
/// Maximum number of directories above a directory.
const DEPTH_MAX: u32 = 64;

impl MemoryDirectory {
    /// An empty directory to which every user may write. The timestamps of the directory are the start time of the
    /// machine.
    pub fn shared(pool: &Rc<Pool>) -> MemoryDirectory {
        let stat = Stat { user: 0, ..pool.stat(Kind::Directory, 0o1777, None) };
        MemoryDirectory { entries: RefCell::default(), stat: Cell::new(stat), pool: Rc::clone(pool), depth: 0 }
    }

    fn make(&self, what: New, now: Stamp) -> Rc<dyn Object> {
        let pool = &self.pool;
        match what {
            New::File(permissions) => {
                let contents = Contents { bytes: RefCell::default(), pool: Rc::clone(pool) };
                let stat = Stat { links: 0, ..pool.stat(Kind::File, permissions, Some(now)) };
                Rc::new(MemoryFile { contents: Rc::new(contents), stat: Cell::new(stat) })
            }
            New::Directory(permissions) => Rc::new(MemoryDirectory {
                entries: RefCell::default(),
                stat: Cell::new(pool.stat(Kind::Directory, permissions, Some(now))),
                pool: Rc::clone(pool),
                depth: self.depth + 1,
            }),
            New::Link(target) => Rc::new(MemoryLink { target, stat: pool.stat(Kind::Link, 0o777, Some(now)) }),
        }
    }

    fn touch(&self, now: Stamp) {
        change(&self.stat, now, |stat| Stat { modified: now, ..stat });
    }
}

impl Object for MemoryDirectory {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.stat.get())
    }

    fn file_system(&self) -> u32 {
        self.pool.file_system
    }

    fn as_directory(&self) -> Option<&dyn Directory> {
        Some(self)
    }

    fn set_permissions(&self, context: &mut Context<'_>, permissions: u32) -> Result<(), Errno> {
        change(&self.stat, context.stamp(), |stat| with_permissions(stat, permissions));
        Ok(())
    }

    fn set_times(
        &self,
        context: &mut Context<'_>,
        accessed: Option<When>,
        modified: Option<When>,
    ) -> Result<(), Errno> {
        let now = context.stamp();
        change(&self.stat, now, |stat| with_times(stat, accessed, modified, now));
        Ok(())
    }
}

impl Directory for MemoryDirectory {
    fn child(&self, _: &mut Context<'_>, name: &[u8]) -> Result<Rc<dyn Object>, Errno> {
        self.entries.borrow().get(name).cloned().ok_or(Errno::ENOENT)
    }

    fn list(&self, context: &mut Context<'_>) -> Result<Vec<Entry>, Errno> {
        let entries = self.entries.borrow().clone();
        entries
            .into_iter()
            .map(|(name, object)| {
                let stat = object.stat(context)?;
                Ok(Entry { name, kind: stat.kind(), inode: stat.inode })
            })
            .collect()
    }

    fn create(&self, context: &mut Context<'_>, name: &[u8], what: New) -> Result<Rc<dyn Object>, Errno> {
        if self.depth >= DEPTH_MAX && matches!(what, New::Directory(_)) {
            return Err(Errno::ENAMETOOLONG);
        }
        let object = self.make(what, context.stamp());
        self.insert(context, name, &object)?;
        Ok(object)
    }

    fn insert(&self, context: &mut Context<'_>, name: &[u8], what: &Rc<dyn Object>) -> Result<(), Errno> {
        const NAME_BYTES_MAX: usize = 255;
        if name.len() > NAME_BYTES_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        self.pool.resize(0, NAME_BYTES)?;
        self.entries.borrow_mut().insert(name.to_vec(), Rc::clone(what));
        what.adjust_links(1);
        self.touch(context.stamp());
        Ok(())
    }

    fn remove(&self, context: &mut Context<'_>, name: &[u8]) -> Result<(), Errno> {
        let gone = self.entries.borrow_mut().remove(name).ok_or(Errno::ENOENT)?;
        self.pool.resize(NAME_BYTES, 0)?;
        gone.adjust_links(-1);
        self.touch(context.stamp());
        Ok(())
    }
}
