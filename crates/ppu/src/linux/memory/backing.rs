//! The contents of a mapping, as a file supplies them to `mmap`.

use super::piece::Number;
use super::piece::Piece;
use std::rc::Rc;

/// What an open file supplies to `mmap`.
#[derive(Clone)]
pub enum Backing {
    /// A copy of the bytes that the file has now.
    Contents {
        /// The bytes from the offset on, at most as many as were requested.
        bytes: Vec<u8>,
        /// The file that takes the bytes of a writable shared mapping.
        write_back: Option<Rc<dyn WriteBack>>,
    },
    /// Part of the local store or of the problem state of an SPE context.
    Context(Piece),
}

impl Backing {
    /// The SPE context whose part this is.
    pub fn context(&self) -> Option<Number> {
        if let Backing::Context(piece) = self { Some(piece.context) } else { None }
    }
}

/// A file that takes back the bytes of a shared mapping, at `msync`, `munmap` and the end of the process.
pub trait WriteBack {
    /// Writes bytes at an offset.  Bytes past the end of the file are dropped.
    fn write_back(&self, offset: u64, bytes: &[u8]);
}
