//! Fixed directories, text files and links, for `/proc` and `/sys`.

use crate::errno::Errno;
use crate::vfs::flags::open;
use crate::vfs::object::{Context, Directory, Entry, Object, Refusal, Span, Stat};
use files::Kind;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Creates the objects of a file system, and assigns their inode numbers.
pub struct Maker {
    device: u32,
    file_system: u32,
    last: Cell<u64>,
}

impl Maker {
    /// A maker for a file system with this device number, and with this type for `statfs`.
    pub fn new(device: u32, file_system: u32) -> Maker {
        Maker { device, file_system, last: Cell::new(0) }
    }

    fn stat(&self, kind: Kind, permissions: u32) -> Stat {
        self.last.set(self.last.get() + 1);
        Stat::new(self.device, self.last.get(), kind, permissions)
    }

    pub fn directory(&self, entries: Vec<(String, Rc<dyn Object>)>) -> Rc<dyn Object> {
        let entries = entries.into_iter().map(|(name, object)| (name.into_bytes(), object)).collect();
        Rc::new(FixedDirectory { entries, stat: self.stat(Kind::Directory, 0o555), file_system: self.file_system })
    }

    /// A file whose text is generated when the file is opened.
    pub fn text(&self, make: impl Fn(&mut Context<'_>) -> Vec<u8> + 'static) -> Rc<dyn Object> {
        Rc::new(Text { make: Box::new(make), stat: self.stat(Kind::File, 0o444), file_system: self.file_system })
    }

    /// A file with constant text.
    pub fn constant(&self, text: impl Into<String>) -> Rc<dyn Object> {
        let text = text.into().into_bytes();
        self.text(move |_| text.clone())
    }

    /// A symbolic link.
    pub fn link(&self, target: impl Into<String>) -> Rc<dyn Object> {
        let target = target.into().into_bytes();
        Rc::new(Link { target, stat: self.stat(Kind::Link, 0o777), file_system: self.file_system })
    }
}

struct FixedDirectory {
    entries: BTreeMap<Vec<u8>, Rc<dyn Object>>,
    stat: Stat,
    file_system: u32,
}

impl Object for FixedDirectory {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.stat)
    }

    fn file_system(&self) -> u32 {
        self.file_system
    }

    fn as_directory(&self) -> Option<&dyn Directory> {
        Some(self)
    }
}

impl Directory for FixedDirectory {
    fn child(&self, _: &mut Context<'_>, name: &[u8]) -> Result<Rc<dyn Object>, Errno> {
        self.entries.get(name).cloned().ok_or(Errno::ENOENT)
    }

    fn list(&self, context: &mut Context<'_>) -> Result<Vec<Entry>, Errno> {
        let entry = |(name, object): (&Vec<u8>, &Rc<dyn Object>)| {
            let stat = object.stat(context)?;
            Ok(Entry { name: name.clone(), kind: stat.kind(), inode: stat.inode })
        };
        self.entries.iter().map(entry).collect()
    }
}

/// Function that generates the text of a file.
type Make = dyn Fn(&mut Context<'_>) -> Vec<u8>;

struct Text {
    make: Box<Make>,
    stat: Stat,
    file_system: u32,
}

impl Object for Text {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.stat)
    }

    fn file_system(&self) -> u32 {
        self.file_system
    }

    fn opened(&self, context: &mut Context<'_>, flags: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        if flags & open::ACCESS != 0 {
            return Err(Errno::EACCES.into());
        }
        Ok(Some(Rc::new(Said { text: (self.make)(context), stat: self.stat, file_system: self.file_system })))
    }
}

/// Snapshot of a text file, taken when the file is opened.
struct Said {
    text: Vec<u8>,
    stat: Stat,
    file_system: u32,
}

impl Object for Said {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.stat)
    }

    fn file_system(&self) -> u32 {
        self.file_system
    }

    fn read(&self, _: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        let start = usize::try_from(span.offset).unwrap_or(usize::MAX).min(self.text.len());
        let end = start.saturating_add(span.bytes as usize).min(self.text.len());
        Ok(self.text.get(start..end).unwrap_or_default().to_vec())
    }
}

struct Link {
    target: Vec<u8>,
    stat: Stat,
    file_system: u32,
}

impl Object for Link {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(Stat { size_bytes: self.target.len() as u64, ..self.stat })
    }

    fn file_system(&self) -> u32 {
        self.file_system
    }

    fn link(&self) -> Option<Vec<u8>> {
        Some(self.target.clone())
    }
}
