//! The files of a context: a table with one row for each file, and the operations on the files.
//!
//! The files `switch_log` and `gmem` are omitted, because only debuggers and tracers use them.

use super::context::flag;
use super::mailboxes::{self, Mailbox};
use super::maps;
use super::state::{Spufs, World};
use super::storage::{self, Attribute, Storage};
use super::text::number_from;
use super::{proxy, schedule, signals};
use crate::errno::Errno;
use crate::memory::backing::Backing;
use crate::memory::context_part::ContextPart;
use crate::memory::context_part::Number;
use crate::vfs::object::{Refusal, Span, ready};
use crate::wait::Queue;
use files::Kind;

/// A file or a directory of spufs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The root directory.
    Root,
    /// The directory of a gang.
    Gang(Number),
    /// The directory of a context.
    Context(Number),
    /// A file of a context.
    File(Number, File),
}

/// A file of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File {
    /// Mailbox file: a read removes entries, and a write adds entries.
    Mailbox(Mailbox),
    /// Number of entries in an outbound mailbox, or of free entries in the inbound mailbox.
    MailboxStat(Mailbox),
    /// Copy of the mailbox entries, which a read does not remove.
    MailboxInfo(Mailbox),
    /// Signal-notification register 0 or 1.
    Signal(usize),
    /// Mode of a signal-notification register: overwrite or OR.
    SignalType(usize),
    /// Proxy DMA.
    Mfc,
    /// File with binary contents, accessed at an offset.
    Storage(Storage),
    /// File with one number in text form.
    Attribute(Attribute),
    /// Part of the problem state that can only be mapped: its offset and its size in bytes.
    Registers(u32, u32),
}

/// Name, mode, size and meaning of every file.
const FILES: &[(&str, u32, u64, File)] = &[
    ("mem", 0o666, 0x4_0000, File::Storage(Storage::Memory)),
    ("regs", 0o666, 2048, File::Storage(Storage::Registers)),
    ("fpcr", 0o666, 16, File::Storage(Storage::FloatingPointStatus)),
    ("mbox", 0o444, 0, File::Mailbox(Mailbox::Out)),
    ("ibox", 0o444, 0, File::Mailbox(Mailbox::OutIntr)),
    ("wbox", 0o222, 0, File::Mailbox(Mailbox::In)),
    ("mbox_stat", 0o444, 4, File::MailboxStat(Mailbox::Out)),
    ("ibox_stat", 0o444, 4, File::MailboxStat(Mailbox::OutIntr)),
    ("wbox_stat", 0o444, 4, File::MailboxStat(Mailbox::In)),
    ("mbox_info", 0o444, 4, File::MailboxInfo(Mailbox::Out)),
    ("ibox_info", 0o444, 4, File::MailboxInfo(Mailbox::OutIntr)),
    ("wbox_info", 0o444, 16, File::MailboxInfo(Mailbox::In)),
    ("signal1", 0o666, 0x1000, File::Signal(0)),
    ("signal2", 0o666, 0x1000, File::Signal(1)),
    ("signal1_type", 0o666, 0, File::SignalType(0)),
    ("signal2_type", 0o666, 0, File::SignalType(1)),
    ("mfc", 0o666, 0x1000, File::Mfc),
    ("dma_info", 0o444, 552, File::Storage(Storage::DmaInfo)),
    ("proxydma_info", 0o444, 280, File::Storage(Storage::ProxyDmaInfo)),
    ("cntl", 0o666, 0x1000, File::Registers(0x4000, 0x1000)),
    ("mss", 0o666, 0x1000, File::Registers(0, 0x1000)),
    ("psmap", 0o666, 0x2_0000, File::Registers(0, 0x2_0000)),
    ("npc", 0o666, 0, File::Attribute(Attribute::NextInstruction)),
    ("decr", 0o666, 0, File::Attribute(Attribute::Decrementer)),
    ("decr_status", 0o666, 0, File::Attribute(Attribute::DecrementerStatus)),
    ("event_mask", 0o666, 0, File::Attribute(Attribute::EventMask)),
    ("event_status", 0o444, 0, File::Attribute(Attribute::EventStatus)),
    ("srr0", 0o666, 0, File::Attribute(Attribute::Srr0)),
    ("lslr", 0o444, 0, File::Attribute(Attribute::LocalStoreLimit)),
    ("object-id", 0o666, 0, File::Attribute(Attribute::ObjectId)),
    ("phys-id", 0o444, 0, File::Attribute(Attribute::PhysicalId)),
    ("tid", 0o444, 0, File::Attribute(Attribute::Thread)),
    ("capabilities", 0o444, 0, File::Attribute(Attribute::Capabilities)),
    ("stat", 0o444, 0, File::Attribute(Attribute::Statistics)),
];

impl Node {
    /// The node at a path, which is relative to the root of spufs.
    pub fn at(path: &[u8], spufs: &Spufs) -> Option<Node> {
        if path.is_empty() {
            return Some(Node::Root);
        }
        if let Some(number) = spufs.context_at(path) {
            return Some(Node::Context(number));
        }
        if let Some((number, _)) = spufs.gangs.iter().find(|(_, gang)| gang.path == path) {
            return Some(Node::Gang(*number));
        }
        let slash = path.iter().rposition(|byte| *byte == b'/')?;
        Node::Context(spufs.context_at(&path[..slash])?).entry(&path[slash + 1..], spufs)
    }

    /// The node with this name in a directory.
    pub fn entry(self, name: &[u8], spufs: &Spufs) -> Option<Node> {
        match self {
            Node::Context(number) => {
                let row = FILES.iter().find(|(known, ..)| known.as_bytes() == name)?;
                Some(Node::File(number, row.3))
            }
            Node::Root => Node::at(name, spufs),
            Node::Gang(number) => Node::at(&[&spufs.gangs.get(&number)?.path, b"/".as_slice(), name].concat(), spufs),
            Node::File(..) => None,
        }
    }

    /// Names in a directory. Empty for a file.
    pub fn names(self, spufs: &Spufs) -> Vec<Vec<u8>> {
        let below = |prefix: &[u8]| -> Vec<Vec<u8>> {
            let paths = spufs.contexts.values().filter_map(|context| context.path.as_ref());
            let paths = paths.chain(spufs.gangs.values().map(|gang| &gang.path));
            let names = paths.filter_map(|path| path.strip_prefix(prefix).map(<[u8]>::to_vec));
            names.filter(|name| !name.contains(&b'/')).collect()
        };
        match self {
            Node::Root => below(b""),
            Node::Gang(number) => {
                spufs.gangs.get(&number).map_or(Vec::new(), |gang| below(&[&gang.path, b"/".as_slice()].concat()))
            }
            Node::Context(_) => FILES.iter().map(|(name, ..)| name.as_bytes().to_vec()).collect(),
            Node::File(..) => Vec::new(),
        }
    }

    /// Index of a file's row in the table of files.
    pub fn row(self) -> Option<usize> {
        if let Node::File(_, file) = self { FILES.iter().position(|row| row.3 == file) } else { None }
    }

    /// Kind, permissions and size in bytes.
    pub fn stat(self) -> (Kind, u32, u64) {
        match self.row() {
            Some(row) => (Kind::File, FILES[row].1, FILES[row].2),
            None => (Kind::Directory, 0o775, 0),
        }
    }

    /// Whether the node has a file offset.
    pub fn is_seekable(self) -> bool {
        !matches!(self, Node::File(_, File::Mailbox(_) | File::MailboxStat(_) | File::Signal(_) | File::Mfc))
    }

    /// The context to which the node belongs.
    pub fn context(self) -> Option<Number> {
        match self {
            Node::Context(number) | Node::File(number, _) => Some(number),
            Node::Root | Node::Gang(_) => None,
        }
    }

    /// Increments the count of the context's open files.
    pub fn opened(self, spufs: &mut Spufs) {
        if let Some(context) = self.context().and_then(|number| spufs.contexts.get_mut(&number)) {
            context.references += 1;
        }
    }

    /// Decrements the count of the context's open files. Destroys the context if the count becomes 0.
    pub fn closed(self, spufs: &mut Spufs, world: &mut World<'_>) {
        let Some(number) = self.context() else { return };
        let Some(context) = spufs.contexts.get_mut(&number) else { return };
        context.references = context.references.saturating_sub(1);
        if context.references == 0 {
            schedule::destroy(number, spufs, world);
        }
    }

    /// Removes the directory, because the descriptor of `spu_create` is closed. A context lives on without a name as long
    /// as some of its files are open. Nobody can run it any more, so it gives its SPE to a context that needs one.
    ///
    /// Source: Linux, `arch/powerpc/platforms/cell/spufs/inode.c` (`spufs_dir_close`, `spufs_rmdir`, `spu_forget`).
    pub fn removed(self, spufs: &mut Spufs) {
        match self {
            Node::Gang(number) => drop(spufs.gangs.remove(&number)),
            Node::Context(number) => {
                if let Some(context) = spufs.contexts.get_mut(&number) {
                    context.path = None;
                    context.flags &= !flag::NOSCHED;
                }
            }
            Node::Root | Node::File(..) => (),
        }
    }

    /// Reads from the file, at an offset if the file has offsets.
    ///
    /// # Errors
    /// The file cannot be read, or the call has to wait.
    pub fn read(self, span: Span, spufs: &mut Spufs, world: &mut World<'_>) -> Result<Vec<u8>, Refusal> {
        let Node::File(number, file) = self else { return Err(Errno::EISDIR.into()) };
        match file {
            File::Mailbox(mailbox) => mailboxes::read(mailbox, number, span.bytes, spufs, world),
            File::Mfc => proxy::read(number, span.bytes, spufs, world),
            File::Registers(..) => Err(Errno::EINVAL.into()),
            File::Signal(_) if span.bytes < 4 => Err(Errno::EINVAL.into()),
            _ => {
                let contents = contents(number, file, spufs, world).ok_or(Errno::EBADF)?;
                let from = usize::try_from(span.offset).unwrap_or(usize::MAX).min(contents.len());
                let end = from.saturating_add(span.bytes as usize).min(contents.len());
                Ok(contents[from..end].to_vec())
            }
        }
    }

    /// Writes to the file, at an offset if the file has offsets. Returns the number of bytes written.
    ///
    /// # Errors
    /// The file cannot be written, or the call has to wait.
    pub fn write(self, offset: u64, bytes: &[u8], spufs: &mut Spufs, world: &mut World<'_>) -> Result<u32, Refusal> {
        let Node::File(number, file) = self else { return Err(Errno::EISDIR.into()) };
        match file {
            File::Mailbox(Mailbox::In) => return mailboxes::write(number, bytes, spufs, world),
            File::Signal(which) => return signals::write(which, number, bytes, spufs, world),
            File::Mfc => return proxy::write(number, bytes, spufs, world),
            File::Storage(part) => return Ok(storage::write(part, number, (offset, bytes), spufs, world)?),
            File::SignalType(which) => signals::set_mode(which, number, bytes, spufs, world)?,
            File::Attribute(attribute) => {
                storage::set(attribute, number, number_from(bytes).ok_or(Errno::EINVAL)?, spufs, world)?;
            }
            File::Mailbox(_) | File::MailboxStat(_) | File::MailboxInfo(_) | File::Registers(..) => {
                return Err(Errno::EINVAL.into());
            }
        }
        Ok(bytes.len() as u32)
    }

    /// Waits until all commands that were written to `mfc` are complete. For other files, returns immediately.
    ///
    /// # Errors
    /// The call has to wait.
    pub fn sync(self, spufs: &Spufs, world: &mut World<'_>) -> Result<(), Refusal> {
        match self {
            Node::File(number, File::Mfc) => proxy::sync(number, spufs, world),
            _ => Ok(()),
        }
    }

    /// Readiness of the node: [`ready`] bits for the operations that would not block.
    pub fn readiness(self, spufs: &Spufs, world: &mut World<'_>) -> u32 {
        let Node::File(number, file) = self else { return ready::READ };
        let context = spufs.contexts.get(&number).zip(world.hardware.spes());
        let Some((context, spes)) = context else { return ready::READ | ready::WRITE };
        match file {
            File::Mailbox(mailbox) => {
                let side = if mailbox == Mailbox::In { ready::WRITE } else { ready::READ };
                if mailboxes::count(mailbox, context, spes) > 0 { side } else { 0 }
            }
            File::Mfc => {
                let complete = proxy::complete(context, spes) != 0;
                ready::WRITE | if complete { ready::READ } else { 0 }
            }
            _ => ready::READ | ready::WRITE,
        }
    }

    /// The queue that is woken when the node's readiness changes.
    pub fn queue(self, spufs: &Spufs) -> Option<Queue> {
        let Node::File(number, file) = self else { return None };
        let queues = spufs.contexts.get(&number)?.queues;
        match file {
            File::Mailbox(Mailbox::In) => Some(queues.wbox),
            File::Mailbox(_) => Some(queues.ibox),
            File::Mfc => Some(queues.mfc),
            _ => None,
        }
    }

    /// The contents that `mmap` maps for the file.
    ///
    /// # Errors
    /// The file or the range cannot be mapped.
    pub fn backing(self, offset: u64, bytes: u32) -> Result<Backing, Errno> {
        let Node::File(context, file) = self else { return Err(Errno::ENODEV) };
        let (registers, first, size) = match file {
            File::Storage(Storage::Memory) => (false, 0, 0x4_0000),
            File::Registers(first, size) => (true, first, size),
            File::Signal(which) => (true, [0x1_4000, 0x1_c000][which], 0x1000),
            File::Mfc => (true, 0x3000, 0x1000),
            _ => return Err(Errno::ENODEV),
        };
        let offset = u32::try_from(offset).map_err(|_| Errno::EINVAL)?;
        match offset.checked_add(bytes) {
            Some(end) if end <= size => {
                Ok(Backing::Context(ContextPart { context, registers, offset: first + offset }))
            }
            _ => Err(Errno::EINVAL),
        }
    }
}

/// Contents of a file that can be read at any offset.
fn contents(number: Number, file: File, spufs: &mut Spufs, world: &mut World<'_>) -> Option<Vec<u8>> {
    if let File::Storage(Storage::Memory) = file {
        maps::copy_back(number, spufs, world);
    }
    let context = spufs.contexts.get(&number)?;
    let spes = world.hardware.spes()?;
    match file {
        File::Signal(which) => Some(signals::contents(which, context, spes)),
        File::SignalType(which) => Some(signals::mode(which, context, spes)),
        File::MailboxStat(mailbox) => Some(mailboxes::count(mailbox, context, spes).to_be_bytes().to_vec()),
        File::MailboxInfo(mailbox) => Some(mailboxes::entries(mailbox, context, spes)),
        File::Storage(part) => storage::contents(part, context, spes),
        File::Attribute(attribute) => storage::attribute(attribute, context, world.now, spes),
        File::Mailbox(_) | File::Mfc | File::Registers(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_name_of_its_own() {
        for (nth, row) in FILES.iter().enumerate() {
            assert!(FILES[..nth].iter().all(|other| other.0 != row.0 && other.3 != row.3), "{}", row.0);
        }
    }
}
