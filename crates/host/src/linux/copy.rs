//! Copies between a thread's own buffer and memory, in place of a DMA between local store and memory.
//!
//! A thread's own buffer is small and stays in the caches. The region of memory is larger than the caches. A thread
//! walks over the region block by block, or visits the elements of a list in a scattered order.

use super::abort::Abort;
use super::blocks::Blocks;
use super::buffers::Buffer;
use super::order::Order;
use super::primitive::{Part, Primitive};
use super::walk::fence;
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Function, Node, Request};
use std::sync::OnceLock;

/// Threads that copy between their own buffers and memory.
pub struct MemoryCopy {
    blocks: Blocks,
    threads: usize,
    private: bool,
    region_bytes: u64,
    node: Node,
    /// The region that all threads share, if they have no private regions.
    shared: OnceLock<Buffer>,
}

impl MemoryCopy {
    /// The primitive for the threads of a request. In hot-spot traffic, each thread has its own region.
    pub fn new(request: &Request) -> Result<MemoryCopy, Error> {
        let blocks = Blocks::new(request)?;
        let private = request.private || request.function == Function::HotSpot;
        let (threads, span_bytes) = (request.cpus.len(), blocks.span_bytes());
        if request.level_bytes == 0 {
            return usage("no working set: say how much memory each thread walks over");
        }
        let share = if private { 1 } else { threads as u64 };
        let region_bytes = request.level_bytes.saturating_mul(share).max(span_bytes);
        let node = request.memory_node;
        Ok(MemoryCopy { blocks, threads, private, region_bytes, node, shared: OnceLock::new() })
    }
}

impl Primitive for MemoryCopy {
    fn what(&self) -> What {
        let whose = if self.private { "that each thread has for itself" } else { "that all threads share" };
        let owner = if self.private { "each thread" } else { "thread 0" };
        What {
            operation: self.blocks.words(&format!("the next place in {} bytes {whose}", self.region_bytes)),
            latency: Latency::PerOperation,
            line_home: format!("memory, {}", self.node.words(owner)),
            bytes_per_iteration: Some(self.blocks.bytes_per_iteration()),
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        Ok(Box::new(self.copying(thread, abort)?))
    }
}

impl MemoryCopy {
    fn copying<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Copying<'a>, Error> {
        let region = || Buffer::new(self.region_bytes as usize, self.node, abort);
        if !self.private && thread == 0 {
            let region = region()?;
            self.shared.get_or_init(|| region);
        }
        Ok(Copying {
            copy: self,
            // A thread's own buffer is near the thread, even if the region is on another NUMA node.
            own: Buffer::new(self.blocks.own_bytes() as usize, Node::FirstTouch, abort)?,
            private: if self.private { Some(region()?) } else { None },
            order: self.blocks.order(self.region_bytes, thread),
            abort,
        })
    }
}

struct Copying<'a> {
    copy: &'a MemoryCopy,
    own: Buffer,
    private: Option<Buffer>,
    order: Order,
    abort: &'a Abort,
}

impl Part for Copying<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let blocks = &self.copy.blocks;
        let shared = || self.copy.shared.get().expect("made before the threads first meet");
        let region = self.private.as_ref().unwrap_or_else(shared);
        let own = self.own.at(0);
        for done in 1..=iterations {
            self.abort.check()?;
            // SAFETY: the thread's own buffer holds the bytes of an iteration, and the order stays within the region.
            unsafe { blocks.iteration(own, |_| region.at(self.order.next_offset() as usize)) };
            blocks.end_iteration(done);
        }
        fence();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &str) -> Result<MemoryCopy, Error> {
        MemoryCopy::new(&Request::parse(&format!(r#"{{"cpus": [0], "level_bytes": 65536, {fields}}}"#)).unwrap())
    }

    fn fill(buffer: &Buffer, value: impl Fn(usize) -> u8) {
        // SAFETY: the address is within the buffer, which no other thread uses.
        (0..buffer.bytes()).for_each(|at| unsafe { buffer.at(at).write_volatile(value(at)) });
    }

    fn byte(buffer: &Buffer, at: usize) -> u8 {
        // SAFETY: as above.
        unsafe { buffer.at(at).read_volatile() }
    }

    #[test]
    fn a_get_brings_the_bytes_of_its_block_and_of_no_other() {
        for (fields, block) in [
            (r#""function": "dmaget", "size_bytes": 1000"#, 1000),
            (r#""function": "dmaget", "size_bytes": 1024, "non_temporal": true, "private": true"#, 1024),
        ] {
            let (copy, abort) = (of(fields).unwrap(), Abort::default());
            let mut part = copy.copying(0, &abort).unwrap();
            let region = part.private.as_ref().or(copy.shared.get()).unwrap();
            fill(region, |at| (at / block) as u8 + 1);
            part.run(3).unwrap();
            assert!((0..block).all(|at| byte(&part.own, at) == 3) && byte(&part.own, block) == 0, "{fields}");
        }
    }

    #[test]
    fn puts_reach_every_place_of_the_region_once_a_lap() {
        for fields in [
            r#""function": "dmaput", "size_bytes": 1024"#,
            r#""function": "dmalistput", "size_bytes": 64, "list_elements": 16, "private": true"#,
            r#""function": "hotspot", "op": "put", "size_bytes": 1024, "non_temporal": true"#,
        ] {
            let (copy, abort) = (of(fields).unwrap(), Abort::default());
            let mut part = copy.copying(0, &abort).unwrap();
            fill(&part.own, |at| (at % 64) as u8 | 1);
            part.run(64).unwrap();
            let region = part.private.as_ref().or(copy.shared.get()).unwrap();
            assert!((0..65536).all(|at| byte(region, at) == (at % 64) as u8 | 1), "{fields}");
        }
    }

    #[test]
    fn elements_of_a_list_are_as_far_apart_as_asked() {
        let (copy, abort) = (
            of(r#""function": "dmalistput", "size_bytes": 64, "stride_bytes": 256, "list_elements": 256"#).unwrap(),
            Abort::default(),
        );
        let mut part = copy.copying(0, &abort).unwrap();
        fill(&part.own, |_| 1);
        part.run(1).unwrap();
        let region = copy.shared.get().unwrap();
        assert!((0..65536).all(|at| byte(region, at) == u8::from(at % 256 < 64)));
    }

    #[test]
    fn what_cannot_be_is_said_in_one_line() {
        for (fields, said) in [
            (r#""function": "dmaget""#, "give 1 to"),
            (r#""function": "dmalistget", "size_bytes": 4, "list_elements": 0"#, "give 1 to"),
            (r#""function": "dmaget", "size_bytes": 100, "non_temporal": true"#, "give a multiple"),
            (r#""function": "dmaget", "size_bytes": 18446744073709551615"#, "give 1 to"),
            (r#""function": "dmalistget", "size_bytes": 8, "stride_bytes": 18446744073709551615"#, "bytes apart"),
        ] {
            match of(fields) {
                Err(Error::Usage(line)) => assert!(line.contains(said) && !line.contains('\n'), "{line}"),
                _ => panic!("{fields} is not refused"),
            }
        }
    }
}
