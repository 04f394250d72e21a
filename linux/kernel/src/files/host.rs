//! The user's files and directories as objects.

use super::answers::Host;
use super::attributes::Attributes;
use crate::errno::Errno;
use crate::memory::backing::{Backing, WriteBack};
use crate::vfs::flags::file_system;
use crate::vfs::object::{Context, Directory, Entry, Object, Refusal, Region, Span, Stat};
use files::{File, Location, When};
use std::rc::Rc;

/// An open regular file of the user.
pub struct HostFile {
    file: Host<File>,
    identity: (u64, u64),
    attributes: Rc<Attributes>,
}

impl HostFile {
    /// The object for an open file of the user.
    ///
    /// # Errors
    /// The file's attributes cannot be read.
    pub fn new(file: Host<File>, attributes: Rc<Attributes>) -> Result<HostFile, Errno> {
        let known = file.ask(File::metadata)?;
        Ok(HostFile { file, identity: (known.device, known.inode), attributes })
    }

    /// Device and inode number on the host computer.
    pub fn identity(&self) -> (u64, u64) {
        self.identity
    }
}

impl Object for HostFile {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.attributes.stat(&self.file.ask(File::metadata)?))
    }

    fn file_system(&self) -> u32 {
        file_system::EXT2
    }

    fn read(&self, _: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        Ok(self.file.read(|file| file.read_at(span.offset, span.bytes as usize))?)
    }

    fn write(&self, context: &mut Context<'_>, offset: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        let written = self.file.ask(|file| file.write_at(offset, bytes))?;
        self.attributes.modify(self.identity, context.stamp());
        Ok(u32::try_from(written).unwrap_or(u32::MAX))
    }

    fn resize(&self, context: &mut Context<'_>, size_bytes: u64) -> Result<(), Errno> {
        self.file.ask(|file| file.set_size(size_bytes))?;
        self.attributes.modify(self.identity, context.stamp());
        Ok(())
    }

    fn sync(&self, _: &mut Context<'_>) -> Result<(), Refusal> {
        Ok(self.file.ask(File::sync)?)
    }

    fn set_permissions(&self, _: &mut Context<'_>, permissions: u32) -> Result<(), Errno> {
        Ok(self.file.ask(|file| file.set_permissions(permissions))?)
    }

    fn set_times(
        &self,
        context: &mut Context<'_>,
        accessed: Option<When>,
        modified: Option<When>,
    ) -> Result<(), Errno> {
        self.file.ask(|file| file.set_times(accessed, modified))?;
        self.attributes.set_times(self.identity, accessed, modified, context.stamp());
        Ok(())
    }

    fn backing(&self, _: &mut Context<'_>, region: Region) -> Result<Backing, Errno> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < u64::from(region.bytes) {
            let rest = region.bytes as usize - bytes.len();
            let offset = region.offset.saturating_add(bytes.len() as u64);
            let piece = self.file.read(|file| file.read_at(offset, rest))?;
            if piece.is_empty() {
                break;
            }
            bytes.extend(piece);
        }
        let write_back: Option<Rc<dyn WriteBack>> = match region.shared && region.writable {
            true => Some(Rc::new(HostWriteBack(self.file.clone()))),
            false => None,
        };
        Ok(Backing::Contents { bytes, write_back })
    }
}

/// Sets the times of a user's file, and records them for the program.
///
/// # Errors
/// The user may not set the times.
pub fn set_times(
    location: &Host<Location>,
    attributes: &Attributes,
    (accessed, modified): (Option<When>, Option<When>),
    context: &Context<'_>,
) -> Result<(), Errno> {
    location.ask(|location| location.set_times(accessed, modified))?;
    let known = location.ask(Location::metadata)?;
    attributes.set_times((known.device, known.inode), accessed, modified, context.stamp());
    Ok(())
}

/// The file to which a shared mapping is written back. The file stays open until the mapping is removed.
struct HostWriteBack(Host<File>);

impl WriteBack for HostWriteBack {
    fn write_back(&self, offset: u64, bytes: &[u8]) {
        let Ok(known) = self.0.ask(File::metadata) else { return };
        let inside = known.size_bytes.saturating_sub(offset).min(bytes.len() as u64) as usize;
        // An error such as a full disk cannot be reported to the program.
        let _ = self.0.ask(|file| file.write_at(offset, bytes.get(..inside).unwrap_or_default()));
    }
}

/// An open directory of the user. Files in the directory are looked up by path, not through this object.
pub struct HostDirectory {
    location: Host<Location>,
    /// The simulated machine's mounts that appear in the directory.
    mounts: Vec<Entry>,
    attributes: Rc<Attributes>,
}

impl HostDirectory {
    /// A directory in which these mounts of the simulated machine appear.
    pub fn new(location: Host<Location>, mounts: Vec<Entry>, attributes: Rc<Attributes>) -> HostDirectory {
        HostDirectory { location, mounts, attributes }
    }
}

impl Object for HostDirectory {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.attributes.stat(&self.location.ask(Location::metadata)?))
    }

    fn file_system(&self) -> u32 {
        file_system::EXT2
    }

    fn as_directory(&self) -> Option<&dyn Directory> {
        Some(self)
    }

    fn set_permissions(&self, _: &mut Context<'_>, permissions: u32) -> Result<(), Errno> {
        Ok(self.location.ask(|location| location.set_permissions(permissions))?)
    }

    fn set_times(
        &self,
        context: &mut Context<'_>,
        accessed: Option<When>,
        modified: Option<When>,
    ) -> Result<(), Errno> {
        set_times(&self.location, &self.attributes, (accessed, modified), context)
    }
}

impl Directory for HostDirectory {
    fn child(&self, _: &mut Context<'_>, _: &[u8]) -> Result<Rc<dyn Object>, Errno> {
        Err(Errno::ENOENT)
    }

    fn list(&self, _: &mut Context<'_>) -> Result<Vec<Entry>, Errno> {
        let mut entries = self.mounts.clone();
        for entry in self.location.read(Location::list)? {
            if entries.iter().all(|known| known.name != entry.name) {
                let inode = self.attributes.number(entry.identity);
                entries.push(Entry { name: entry.name, kind: entry.kind, inode });
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }
}
