//! What lies behind a mapping of memory: what a file gives to `mmap`.

use super::piece::Number;
use super::piece::Piece;
use std::rc::Rc;

/// What `mmap` gets from an open file.
#[derive(Clone)]
pub enum Backing {
    /// The bytes that the file has there now, as far as it reaches; the mapping keeps a copy.
    Contents {
        /// From the offset on, at most as many as were asked for.
        bytes: Vec<u8>,
        /// Who takes the bytes of a shared mapping that may be written.
        write_back: Option<Rc<dyn WriteBack>>,
    },
    /// Part of an SPE's context: of its local store, or of its registers.
    Context(Piece),
}

impl Backing {
    /// The SPE's context that it belongs to.
    pub fn context(&self) -> Option<Number> {
        if let Backing::Context(piece) = self { Some(piece.context) } else { None }
    }
}

/// Takes the bytes of a shared mapping: at `msync`, `munmap`, and the end of the process.
pub trait WriteBack {
    /// Bytes that belong to the file from `offset` on; those behind its end are dropped.
    fn write_back(&self, offset: u64, bytes: &[u8]);
}
