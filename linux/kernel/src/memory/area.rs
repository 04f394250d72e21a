//! Memory areas of an address space. All pages of an area have the same permissions and the same origin.

use super::backing::WriteBack;
use super::context_part::ContextPart;
use super::segment::Segment;
use crate::hardware::Access;
use std::rc::Rc;

#[derive(Clone)]
pub struct Area {
    /// End address.
    pub end: u32,
    /// Permissions of the program for the pages.
    pub access: Access,
    /// Kind of contents.
    pub kind: Kind,
    /// The file from which the area's bytes were read.
    pub origin: Option<Origin>,
}

/// Origin of an area's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Path of the file, as the program sees it.
    pub path: Rc<[u8]>,
    /// Offset of the area's first byte in the file.
    pub offset: u64,
}

/// Kind of contents of an area.
#[derive(Clone)]
pub enum Kind {
    /// Private bytes, which only this process uses.
    Private,
    /// Bytes of a shared mapping, which are written back to a file.
    Shared {
        file: Rc<dyn WriteBack>,
        /// Offset of the area's first byte in the file.
        offset: u64,
    },
    /// Part of an SPE context.
    Context(ContextPart),
    /// Bytes of a segment of System V shared memory.
    Segment {
        segment: Rc<Segment>,
        /// Offset of the area's first byte in the segment.
        offset: u32,
    },
}

impl Area {
    /// Creates a private area that does not originate from a file.
    pub fn private(end: u32, access: Access) -> Area {
        Area { end, access, kind: Kind::Private, origin: None }
    }

    /// Splits this area at address `at`, and returns the part that begins at `at`. `start` is the first address of
    /// this area.
    pub fn split_off(&mut self, start: u32, at: u32) -> Area {
        let kind = match &self.kind {
            Kind::Shared { file, offset } => {
                Kind::Shared { file: Rc::clone(file), offset: offset + u64::from(at - start) }
            }
            Kind::Context(part) => Kind::Context(ContextPart { offset: part.offset + (at - start), ..*part }),
            Kind::Segment { segment, offset } => {
                segment.attach();
                Kind::Segment { segment: Rc::clone(segment), offset: offset + (at - start) }
            }
            Kind::Private => Kind::Private,
        };
        let origin =
            self.origin.clone().map(|origin| Origin { offset: origin.offset + u64::from(at - start), ..origin });
        let behind = Area { end: self.end, access: self.access, kind, origin };
        self.end = at;
        behind
    }

    /// Whether the area's bytes belong to this process alone.
    pub fn is_private(&self) -> bool {
        matches!(self.kind, Kind::Private)
    }

    /// Whether the area can be merged with a neighbouring area.
    pub fn joins(&self, other: &Area) -> bool {
        let plain = |area: &Area| area.is_private() && area.origin.is_none();
        plain(self) && plain(other) && self.access == other.access
    }
}
