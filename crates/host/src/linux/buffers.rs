//! Buffers of whole pages, on the node of the allocating thread or on a requested node. Every page is touched before
//! anything is measured.
//!
//! Unless a request says otherwise, huge pages are neither requested nor refused: buffers receive the same pages as a
//! program that calls `malloc`.

use super::abort::Abort;
use super::os::{self, Mapping};
use crate::error::{Error, usage};
use crate::request::{Node, Pages};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// The smallest page size of Linux. Larger pages are touched several times.
const PAGE_BYTES: usize = 4096;

/// Zeroed memory that any thread may use through pointers and atomics. No plain Rust reference to these bytes ever
/// exists.
pub struct Buffer {
    mapping: Mapping,
}

impl Buffer {
    /// A buffer of `bytes`, rounded up to pages. The calling thread touches every page, which takes a while for a
    /// large buffer.
    pub fn new(bytes: usize, node: Node, abort: &Abort) -> Result<Buffer, Error> {
        Buffer::with_pages(bytes, node, Pages::Ordinary, abort)
    }

    /// The same on requested pages. Huge pages are an error if the kernel gives none.
    pub fn with_pages(bytes: usize, node: Node, pages: Pages, abort: &Abort) -> Result<Buffer, Error> {
        let mapping = Mapping::with_pages(bytes.max(1).next_multiple_of(PAGE_BYTES), pages)?;
        match node {
            Node::FirstTouch => {}
            Node::Number(number) => mapping.bind(&[number])?,
            Node::Interleave => mapping.interleave(&os::memory_nodes())?,
        }
        let buffer = Buffer { mapping };
        for offset in (0..buffer.bytes()).step_by(PAGE_BYTES) {
            abort.check()?;
            // SAFETY: the offset is within the mapping, which no other thread can access yet.
            unsafe { buffer.at(offset).write_volatile(0) };
        }
        if pages == Pages::Huge && buffer.mapping.on_huge_pages() < buffer.bytes() / 10 * 9 {
            return Err(Error::Run(format!(
                "the kernel gave {} of {} MB on huge pages: there are too few, or \
                 /sys/kernel/mm/transparent_hugepage/enabled is neither madvise nor always",
                buffer.mapping.on_huge_pages() >> 20,
                buffer.bytes() >> 20
            )));
        }
        Ok(buffer)
    }

    /// Length of the buffer.
    pub fn bytes(&self) -> usize {
        self.mapping.bytes()
    }

    /// The address of a byte. Callers must stay within the buffer, and expect that other threads write to the buffer.
    pub fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.bytes(), "byte {offset} of {}", self.bytes());
        self.mapping.start().wrapping_add(offset)
    }

    /// The 32-bit word at an offset, which must be a multiple of 4.
    pub fn word(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4));
        // SAFETY: the word is aligned, is within the mapping, lives as long as the mapping, and has no plain
        // references.
        unsafe { AtomicU32::from_ptr(self.at(offset).cast()) }
    }

    /// The 64-bit word at an offset, which must be a multiple of 8. Callers use each word with one size only.
    pub fn long_word(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8));
        // SAFETY: as for `word`.
        unsafe { AtomicU64::from_ptr(self.at(offset).cast()) }
    }
}

/// Returns an error for a NUMA node that does not exist or that this process may not use.
pub fn check_node(node: Node) -> Result<(), Error> {
    let nodes = os::memory_nodes();
    match node {
        Node::Number(number) if !nodes.contains(&number) => {
            let known = nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            usage(format!("no memory node {number}; there are {known}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn it_is_all_there_zeroed_and_on_whole_pages() {
        let buffer = Buffer::new(10_000, Node::FirstTouch, &Abort::default()).unwrap();
        assert_eq!(buffer.bytes(), 12_288);
        assert!((buffer.at(0) as usize).is_multiple_of(PAGE_BYTES));
        assert_eq!(buffer.word(12_284).fetch_add(5, Ordering::Relaxed), 0);
        assert_eq!(buffer.word(12_284).load(Ordering::Relaxed), 5);
    }

    #[test]
    fn the_nodes_that_there_are_can_be_asked_for() {
        let node = Node::Number(os::memory_nodes()[0]);
        check_node(node).unwrap();
        Buffer::new(1, node, &Abort::default()).unwrap();
        Buffer::new(1, Node::Interleave, &Abort::default()).unwrap();
        assert!(check_node(Node::Number(60_000)).is_err());
    }
}
