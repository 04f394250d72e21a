//! Loads, stores and copies of single elements, over a working set that fits the measured level of memory.
//!
//! Each thread walks over its private memory, lap after lap. A copy reads one part of the working set and writes the
//! other; it may read two or three elements for each one that it writes. The byte count is the same as in STREAM:
//! loaded bytes plus stored bytes, without the lines that ordinary stores read first.

use super::abort::Abort;
use super::buffers::Buffer;
use super::primitive::{Part, Primitive};
use super::walk::{Kind, STEP_BYTES, Walk, mixture, walk};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Background, Function, Level, Node, Pages, Request};

/// Size of the pieces into which a larger working set is divided, so that a sample can be shorter than a lap.
const PIECE_BYTES: u64 = 256 << 10;

/// Threads that load, store or copy.
pub struct Access {
    kind: Kind,
    walk: Walk,
    how: &'static str,
    threads: usize,
    element_bytes: u64,
    /// Number of elements that a copy reads for each element that it writes; 1 for loads and stores.
    reads: u64,
    /// Size of the buffer, or of the buffer that a copy writes; the buffer that it reads is `reads` times as large.
    lap_bytes: u64,
    piece_bytes: u64,
    level: Option<Level>,
    node: Node,
    pages: Pages,
}

impl Access {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Access, Error> {
        let kind = match request.function {
            Function::Load => Kind::Load,
            Function::Store => Kind::Store,
            _ => Kind::Copy,
        };
        Access::of(request, kind, request.size_bytes, request.level_bytes, PIECE_BYTES)
    }

    /// The accesses of the threads in the background of a chase: in small pieces, between which they can pause.
    pub fn in_background(request: &Request, kind: Background) -> Result<Access, Error> {
        const SMALL_PIECE_BYTES: u64 = 4096;
        let kind = match kind {
            Background::Load => Kind::Load,
            Background::Store => Kind::Store,
            Background::Copy => Kind::Copy,
            Background::Clean | Background::Dirty => return usage("lines that are held are no traffic"),
        };
        let widest = [64, 32].into_iter().find(|bytes| walk(kind, *bytes, request.non_temporal).is_ok());
        let element_bytes = widest.filter(|_| request.reads_per_write == 1).unwrap_or(16);
        Access::of(request, kind, element_bytes, request.background_bytes, SMALL_PIECE_BYTES)
    }

    fn of(request: &Request, kind: Kind, element_bytes: u64, set_bytes: u64, most: u64) -> Result<Access, Error> {
        let (reads, non_temporal) = (request.reads_per_write, request.non_temporal);
        let (walk, how) = match reads {
            1 => walk(kind, element_bytes, non_temporal)?,
            _ if kind != Kind::Copy => return usage("only a copy is a mixture of reads and writes"),
            _ => mixture(reads, element_bytes, non_temporal)?,
        };
        let shares = elements(kind, reads);
        let least = shares * STEP_BYTES as u64;
        if set_bytes < least {
            return usage(format!("a working set of {set_bytes} bytes is too small; give {least} at least"));
        }
        let share_bytes = set_bytes / shares;
        let piece_bytes = if share_bytes <= 4 * most { whole_steps(share_bytes) } else { most };
        Ok(Access {
            kind,
            walk,
            how,
            threads: request.cpus.len(),
            element_bytes,
            reads,
            lap_bytes: share_bytes / piece_bytes * piece_bytes,
            piece_bytes,
            level: request.level,
            node: request.memory_node,
            pages: request.pages,
        })
    }

    /// Number of bytes that an iteration counts.
    pub fn iteration_bytes(&self) -> u64 {
        elements(self.kind, self.reads) * self.element_bytes
    }

    /// The operation in words, with its verb or noun.
    pub fn words(&self) -> String {
        let kind = match (self.kind, self.reads) {
            (Kind::Load, _) => "loads of",
            (Kind::Store, _) => "stores of",
            (Kind::Copy, 1) => "copies of",
            (Kind::Copy, 2) => "reads of 2 elements and writes of 1, of",
            (Kind::Copy, _) => "reads of 3 elements and writes of 1, of",
        };
        format!("{kind} {} bytes, {}", self.element_bytes, self.how)
    }

    /// Number of bytes of a thread's buffers.
    fn set_bytes(&self) -> u64 {
        elements(self.kind, self.reads) * self.lap_bytes
    }

    /// A thread's part, whose memory is near the calling thread.
    pub fn walker<'a>(&'a self, abort: &'a Abort) -> Result<Walker<'a>, Error> {
        let buffer = |bytes: u64| Buffer::with_pages(bytes as usize, self.node, self.pages, abort);
        let second = if self.kind == Kind::Copy { Some(buffer(self.lap_bytes)?) } else { None };
        Ok(Walker { access: self, first: buffer(self.reads * self.lap_bytes)?, second, at: 0, abort })
    }
}

/// Number of elements that an iteration loads and stores.
fn elements(kind: Kind, reads: u64) -> u64 {
    if kind == Kind::Copy { reads + 1 } else { 1 }
}

fn whole_steps(bytes: u64) -> u64 {
    bytes / STEP_BYTES as u64 * STEP_BYTES as u64
}

impl Primitive for Access {
    fn what(&self) -> What {
        let meant = Level::meant(self.level);
        What {
            operation: format!(
                "{}, one after the other over {} bytes of each thread's own{meant}",
                self.words(),
                self.set_bytes()
            ),
            latency: Latency::PerOperation,
            line_home: self.node.words("each thread"),
            bytes_per_iteration: Some(self.iteration_bytes()),
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn granule(&self) -> u64 {
        self.piece_bytes / self.element_bytes
    }

    fn part<'a>(&'a self, _thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        Ok(Box::new(self.walker(abort)?))
    }
}

/// A thread that walks over its own buffers.
pub struct Walker<'a> {
    access: &'a Access,
    first: Buffer,
    second: Option<Buffer>,
    /// Offset of the next piece.
    at: u64,
    abort: &'a Abort,
}

impl Part for Walker<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let Access { element_bytes, reads, piece_bytes, lap_bytes, walk, .. } = *self.access;
        // If the working set is one piece, one call makes several laps over it.
        let laps_max = if piece_bytes == lap_bytes { (PIECE_BYTES / piece_bytes).max(1) } else { 1 };
        let mut pieces = iterations * element_bytes / piece_bytes;
        while pieces > 0 {
            self.abort.check()?;
            let laps = pieces.min(laps_max);
            let from = self.first.at((reads * self.at) as usize);
            let to = self.second.as_ref().unwrap_or(&self.first).at(self.at as usize);
            // SAFETY: pieces are within the buffers, which only this thread uses.
            unsafe { walk(from, to, piece_bytes as usize, laps as usize) };
            self.at = if self.at + piece_bytes == lap_bytes { 0 } else { self.at + piece_bytes };
            pieces -= laps;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::walk::STORED;

    fn access(function: &str, size_bytes: u64, level_bytes: u64) -> Result<Access, Error> {
        let json = format!(
            r#"{{"function": "{function}", "cpus": [0], "size_bytes": {size_bytes}, "level_bytes": {level_bytes}}}"#
        );
        Access::new(&Request::parse(&json).unwrap())
    }

    #[test]
    fn a_lap_touches_the_whole_working_set() {
        for level_bytes in [512, 24 << 10, 3 << 20] {
            let access = access("store", 8, level_bytes).unwrap();
            assert!(access.lap_bytes <= level_bytes && access.lap_bytes > level_bytes - access.piece_bytes);
            let abort = Abort::default();
            let mut walker = access.walker(&abort).unwrap();
            walker.run(access.lap_bytes / 8).unwrap();
            // SAFETY: the address is within the buffer, which no other thread uses.
            let stored = (0..access.lap_bytes).all(|at| unsafe { *walker.first.at(at as usize) } == STORED);
            assert!(stored && walker.at == 0, "{level_bytes}");
        }
    }

    #[test]
    fn a_copy_counts_what_it_reads_and_what_it_writes() {
        let copy = access("copy", 16, 1 << 20).unwrap();
        assert_eq!(copy.what().bytes_per_iteration, Some(32));
        assert_eq!(copy.lap_bytes, 512 << 10);
        let fields = r#""function": "copy", "cpus": [0], "size_bytes": 16, "level_bytes": 1048576"#;
        let mixed = Request::parse(&format!(r#"{{{fields}, "reads_per_write": 3}}"#)).unwrap();
        let mixed = Access::new(&mixed).unwrap();
        assert_eq!((mixed.what().bytes_per_iteration, mixed.lap_bytes), (Some(64), 256 << 10));
        assert_eq!(access("load", 16, 1 << 20).unwrap().what().bytes_per_iteration, Some(16));
    }

    #[test]
    fn too_small_a_working_set_is_refused() {
        assert!(access("load", 8, 511).is_err() && access("copy", 8, 1023).is_err());
    }
}
