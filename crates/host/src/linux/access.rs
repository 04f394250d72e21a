//! Loads, stores and copies of single elements, over a working set that fits the measured level of memory.
//!
//! Each thread walks over its private memory, lap after lap.  A copy reads one half of the working set and writes the
//! other.  The byte count is the same as in STREAM: loaded bytes plus stored bytes, without the lines that ordinary
//! stores read first.

use super::abort::Abort;
use super::buffers::Buffer;
use super::primitive::{Part, Primitive};
use super::walk::{Kind, STEP_BYTES, Walk, walk};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Function, Level, Node, Request};

/// Size of the pieces into which a larger working set is divided, so that a sample can be shorter than a lap.
const PIECE_BYTES: u64 = 256 << 10;

/// Threads that load, store or copy.
pub struct Access {
    kind: Kind,
    walk: Walk,
    how: &'static str,
    threads: usize,
    element_bytes: u64,
    /// Size of each buffer; a copy has two buffers, and other operations have one.
    lap_bytes: u64,
    piece_bytes: u64,
    level: Option<Level>,
    node: Node,
}

impl Access {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Access, Error> {
        let (kind, buffers) = match request.function {
            Function::Load => (Kind::Load, 1),
            Function::Store => (Kind::Store, 1),
            _ => (Kind::Copy, 2),
        };
        let (walk, how) = walk(kind, request.size_bytes, request.non_temporal)?;
        let least = buffers * STEP_BYTES as u64;
        if request.level_bytes < least {
            return usage(format!(
                "a working set of {} bytes is too small; give {least} at least",
                request.level_bytes
            ));
        }
        let share_bytes = request.level_bytes / buffers;
        let piece_bytes = if share_bytes <= 4 * PIECE_BYTES { whole_steps(share_bytes) } else { PIECE_BYTES };
        Ok(Access {
            kind,
            walk,
            how,
            threads: request.cpus.len(),
            element_bytes: request.size_bytes,
            lap_bytes: share_bytes / piece_bytes * piece_bytes,
            piece_bytes,
            level: request.level,
            node: request.memory_node,
        })
    }
}

fn whole_steps(bytes: u64) -> u64 {
    bytes / STEP_BYTES as u64 * STEP_BYTES as u64
}

impl Primitive for Access {
    fn what(&self) -> What {
        let (kind, buffers) = match self.kind {
            Kind::Load => ("loads", 1),
            Kind::Store => ("stores", 1),
            Kind::Copy => ("copies", 2),
        };
        let set_bytes = buffers * self.lap_bytes;
        let meant = match self.level {
            Some(level) => format!(", meant for {}", format!("{level:?}").replace("Memory", "memory")),
            None => String::new(),
        };
        What {
            operation: format!(
                "{kind} of {} bytes, {}, one after the other over {set_bytes} bytes of each thread's own{meant}",
                self.element_bytes, self.how
            ),
            latency: Latency::PerOperation,
            line_home: self.node.words("each thread"),
            bytes_per_iteration: Some(buffers * self.element_bytes),
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn granule(&self) -> u64 {
        self.piece_bytes / self.element_bytes
    }

    fn part<'a>(&'a self, _thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let buffer = || Buffer::new(self.lap_bytes as usize, self.node, abort);
        let second = if self.kind == Kind::Copy { Some(buffer()?) } else { None };
        Ok(Box::new(Walker { access: self, first: buffer()?, second, at: 0, abort }))
    }
}

struct Walker<'a> {
    access: &'a Access,
    first: Buffer,
    second: Option<Buffer>,
    /// Offset of the next piece.
    at: u64,
    abort: &'a Abort,
}

impl Part for Walker<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let Access { element_bytes, piece_bytes, lap_bytes, walk, .. } = *self.access;
        // If the working set is one piece, one call makes several laps over it.
        let laps_max = if piece_bytes == lap_bytes { (PIECE_BYTES / piece_bytes).max(1) } else { 1 };
        let mut pieces = iterations * element_bytes / piece_bytes;
        while pieces > 0 {
            self.abort.check()?;
            let laps = pieces.min(laps_max);
            let from = self.first.at(self.at as usize);
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
            let mut walker = Walker {
                access: &access,
                first: Buffer::new(level_bytes as usize, Node::FirstTouch, &Abort::default()).unwrap(),
                second: None,
                at: 0,
                abort: &abort,
            };
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
        assert_eq!(access("load", 16, 1 << 20).unwrap().what().bytes_per_iteration, Some(16));
    }

    #[test]
    fn too_small_a_working_set_is_refused() {
        assert!(access("load", 8, 511).is_err() && access("copy", 8, 1023).is_err());
    }
}
