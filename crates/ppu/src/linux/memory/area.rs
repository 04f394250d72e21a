//! Areas of an address space: what a program has mapped, in one piece and alike.

use super::backing::WriteBack;
use super::piece::Piece;
use crate::linux::hardware::Access;
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
    /// The file whose bytes it was made of.
    pub origin: Option<Origin>,
}

/// Where an area's bytes are from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, as the program knows it.
    pub path: Rc<[u8]>,
    /// The place in it of the area's first byte.
    pub offset: u64,
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
    /// Bytes of this process, from nowhere.
    pub fn private(end: u32, access: Access) -> Area {
        Area { end, access, kind: Kind::Private, origin: None }
    }

    /// The part behind an address, taken from this one, which begins at `start`.
    pub fn split_off(&mut self, start: u32, at: u32) -> Area {
        let kind = match &self.kind {
            Kind::Shared { file, offset } => {
                Kind::Shared { file: Rc::clone(file), offset: offset + u64::from(at - start) }
            }
            Kind::Context(piece) => Kind::Context(Piece { offset: piece.offset + (at - start), ..*piece }),
            Kind::Private => Kind::Private,
        };
        let origin =
            self.origin.clone().map(|origin| Origin { offset: origin.offset + u64::from(at - start), ..origin });
        let behind = Area { end: self.end, access: self.access, kind, origin };
        self.end = at;
        behind
    }

    /// Whether its bytes are of this process alone.
    pub fn is_private(&self) -> bool {
        matches!(self.kind, Kind::Private)
    }

    /// Whether it could be one with a neighbour that is as this one.
    pub fn joins(&self, other: &Area) -> bool {
        let plain = |area: &Area| area.is_private() && area.origin.is_none();
        plain(self) && plain(other) && self.access == other.access
    }
}
