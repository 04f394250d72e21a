//! The contents that a file supplies to `mmap`.

use super::context_part::ContextPart;
use super::context_part::Number;
use std::rc::Rc;

/// The contents that an open file supplies to `mmap`.
#[derive(Clone)]
pub enum Backing {
    /// A copy of the file's current bytes.
    Contents {
        /// The file's bytes in the requested range, up to the end of the file.
        bytes: Vec<u8>,
        /// For a writable shared mapping, the file to which its bytes are written back.
        write_back: Option<Rc<dyn WriteBack>>,
    },
    /// Huge pages of zeros.
    Huge,
    /// Part of the local store or of the problem state of an SPE context.
    Context(ContextPart),
}

impl Backing {
    /// The SPE context to which this part belongs.
    pub fn context(&self) -> Option<Number> {
        if let Backing::Context(part) = self { Some(part.context) } else { None }
    }
}

/// Interface of files to which shared mappings are written back, at `msync`, `munmap` and the end of the process.
pub trait WriteBack {
    /// Writes bytes to the file at an offset. Any bytes past the end of the file are discarded.
    fn write_back(&self, offset: u64, bytes: &[u8]);
}
