//! The files of a context: one row each, and what opening, reading, writing, polling, mapping and closing them does.
//!
//! Left out: `switch_log` and `gmem`, which only debuggers and tracers use.

use super::mailboxes::{self, Mailbox};
use super::maps;
use super::state::{Spufs, World};
use super::storage::{self, Attribute, Storage};
use super::text::number_from;
use super::{proxy, schedule, signals};
use crate::linux::errno::Errno;
use crate::linux::memory::backing::Backing;
use crate::linux::memory::piece::Number;
use crate::linux::memory::piece::Piece;
use crate::linux::vfs::object::{Refusal, Span, ready};
use crate::linux::wait::Queue;
use files::Kind;

/// Something in spufs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The root.
    Root,
    /// A gang's directory.
    Gang(Number),
    /// A context's directory.
    Context(Number),
    /// A file of a context.
    File(Number, File),
}

/// A file of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File {
    /// Entries that are taken or added.
    Mailbox(Mailbox),
    /// How many of them there are, or are free.
    MailboxStat(Mailbox),
    /// The entries, which stay.
    MailboxInfo(Mailbox),
    /// A signal-notification register, 0 or 1.
    Signal(usize),
    /// How it collects what is written.
    SignalType(usize),
    /// Proxy DMA.
    Mfc,
    /// Bytes at an offset.
    Storage(Storage),
    /// A number as text.
    Attribute(Attribute),
    /// Part of the problem state, from its offset on, to be mapped; so many bytes.
    Registers(u32, u32),
}

/// Every file's name, mode, size and meaning.
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
    /// What has this path below the root.
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

    /// What lies in a directory by this name.
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

    /// Names of what lies in a directory; none in a file.
    pub fn names(self, spufs: &Spufs) -> Vec<Vec<u8>> {
        let below = |prefix: &[u8]| -> Vec<Vec<u8>> {
            let paths = spufs.contexts.values().map(|context| &context.path);
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

    /// The row of a file.
    pub fn row(self) -> Option<usize> {
        if let Node::File(_, file) = self { FILES.iter().position(|row| row.3 == file) } else { None }
    }

    /// Its kind, permissions and size in bytes.
    pub fn stat(self) -> (Kind, u32, u64) {
        match self.row() {
            Some(row) => (Kind::File, FILES[row].1, FILES[row].2),
            None => (Kind::Directory, 0o775, 0),
        }
    }

    /// Whether it has places to read and write at.
    pub fn is_seekable(self) -> bool {
        !matches!(self, Node::File(_, File::Mailbox(_) | File::MailboxStat(_) | File::Signal(_) | File::Mfc))
    }

    /// The context that it belongs to.
    pub fn context(self) -> Option<Number> {
        match self {
            Node::Context(number) | Node::File(number, _) => Some(number),
            Node::Root | Node::Gang(_) => None,
        }
    }

    /// A descriptor leads here from now on.
    pub fn opened(self, spufs: &mut Spufs) {
        if let Some(context) = self.context().and_then(|number| spufs.contexts.get_mut(&number)) {
            context.references += 1;
        }
    }

    /// The last descriptor of an open file is closed; a context that nobody can reach any more is gone.
    pub fn closed(self, spufs: &mut Spufs, world: &mut World<'_>) {
        match self {
            Node::Gang(number) => drop(spufs.gangs.remove(&number)),
            Node::Root => (),
            Node::Context(number) | Node::File(number, _) => {
                let Some(context) = spufs.contexts.get_mut(&number) else { return };
                context.references = context.references.saturating_sub(1);
                if context.references == 0 {
                    schedule::leave_for_good(number, spufs, world);
                }
            }
        }
    }

    /// Reads at an offset, where that means something.
    ///
    /// # Errors
    /// It cannot be read, or not now.
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

    /// Writes at an offset, where that means something; how many bytes.
    ///
    /// # Errors
    /// It cannot be written, or not now.
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

    /// Waits until what was written has been done: of `mfc`, all of its commands.
    ///
    /// # Errors
    /// Not yet.
    pub fn sync(self, spufs: &Spufs, world: &mut World<'_>) -> Result<(), Refusal> {
        match self {
            Node::File(number, File::Mfc) => proxy::sync(number, spufs, world),
            _ => Ok(()),
        }
    }

    /// Whether a read, and whether a write, would not wait: a mask of [`ready`].
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

    /// What wakes somebody who waits for readiness.
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

    /// What `mmap` gives of it.
    ///
    /// # Errors
    /// It cannot be mapped, or not so much of it.
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
            Some(end) if end <= size => Ok(Backing::Context(Piece { context, registers, offset: first + offset })),
            _ => Err(Errno::EINVAL),
        }
    }
}

/// What a file that can be read from any offset holds.
fn contents(number: Number, file: File, spufs: &mut Spufs, world: &mut World<'_>) -> Option<Vec<u8>> {
    if let File::Storage(Storage::Memory) = file {
        maps::bring_back(number, spufs, world);
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
