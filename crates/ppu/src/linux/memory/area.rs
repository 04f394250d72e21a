//! Areas of an address space: what a program has mapped, in one piece and alike.

use crate::linux::backing::WriteBack;
use crate::linux::hardware::Access;
use crate::linux::spufs::maps::Piece;
use std::rc::Rc;

/// A piece of the address space.
#[derive(Clone)]
pub struct Area {
    /// The address behind it.
    pub end: u32,
    /// What the program may do there.
    pub access: Access,
    /// What it is.
    pub kind: Kind,
}

/// What an area is.
#[derive(Clone)]
pub enum Kind {
    /// Bytes of this process alone.
    Private,
    /// Bytes that a file gets back.
    Shared {
        /// Who takes them.
        file: Rc<dyn WriteBack>,
        /// The place in the file of the area's first byte.
        offset: u64,
    },
    /// Part of an SPE's context.
    Context(Piece),
}

impl Area {
    /// The part behind an address, taken from this one, which begins at `start`.
    pub fn split_off(&mut self, start: u32, at: u32) -> Area {
        let kind = match &self.kind {
            Kind::Shared { file, offset } => {
                Kind::Shared { file: Rc::clone(file), offset: offset + u64::from(at - start) }
            }
            Kind::Context(piece) => Kind::Context(Piece { offset: piece.offset + (at - start), ..*piece }),
            Kind::Private => Kind::Private,
        };
        let behind = Area { end: self.end, access: self.access, kind };
        self.end = at;
        behind
    }

    /// Whether its bytes are of this process alone.
    pub fn is_private(&self) -> bool {
        matches!(self.kind, Kind::Private)
    }

    /// Whether it could be one with a neighbour that is as this one.
    pub fn joins(&self, other: &Area) -> bool {
        matches!((&self.kind, &other.kind), (Kind::Private, Kind::Private)) && self.access == other.access
    }
}
