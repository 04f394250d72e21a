//! Huge pages: files in `/huge`, and anonymous mappings.

use super::harness::{Outcome, Program};
use cell::page_table::Mapping;
use linux::errno::Errno;
use linux::vfs::flags::open;

const MMAP: u32 = 90;
const HUGE: u32 = 1 << 24;
const READ_AND_WRITE: u32 = 3;
const SHARED: u32 = 1;
const PRIVATE: u32 = 2;
const FIXED: u32 = 0x10;
const ANONYMOUS: u32 = 0x20;
const HUGETLB: u32 = 0x4_0000;

fn program() -> Program {
    let mut program = Program::new();
    program.memory.free_bytes = (3 * HUGE).into();
    program
}

/// Maps memory, and returns the new mapping.
fn map(program: &mut Program, wish: u32, bytes: u32, flags: u32, file: u32) -> Result<(u32, u32, Mapping), Outcome> {
    match program.call(MMAP, [wish, bytes, READ_AND_WRITE, flags, file, 0]) {
        Outcome::Done(start) => {
            let mapping = program.memory.mapped.pop().expect("a mapping");
            assert_eq!((mapping.0, start % HUGE), (start, 0));
            Ok(mapping)
        }
        outcome => Err(outcome),
    }
}

#[test]
fn a_file_in_huge_is_mapped_in_huge_pages() {
    let mut program = program();
    let file = program.opened("/huge/a", open::CREATE | open::READ_WRITE);
    let (start, bytes, mapping) = map(&mut program, 0, 2 * HUGE, SHARED, file).unwrap();
    assert_eq!((bytes, mapping), (2 * HUGE, Mapping::HugeZero));
    let (other, ..) = map(&mut program, 0, HUGE, SHARED, file).unwrap();
    assert!(other + HUGE <= start || start + 2 * HUGE <= other);
    assert_eq!(map(&mut program, 0, HUGE + 4096, SHARED, file), Err(Outcome::Failed(Errno::EINVAL)));
}

#[test]
fn anonymous_memory_is_rounded_up_to_huge_pages() {
    let mut program = program();
    let flags = PRIVATE | ANONYMOUS | HUGETLB;
    let (_, bytes, mapping) = map(&mut program, 0, HUGE + 1, flags, u32::MAX).unwrap();
    assert_eq!((bytes, mapping), (2 * HUGE, Mapping::HugeZero));
    let (start, ..) = map(&mut program, 0x5000_0000, HUGE, flags | FIXED, u32::MAX).unwrap();
    assert_eq!(start, 0x5000_0000);
    assert_eq!(map(&mut program, 0x5000_1000, HUGE, flags | FIXED, u32::MAX), Err(Outcome::Failed(Errno::EINVAL)));
}

#[test]
fn huge_pages_must_fit_into_free_memory() {
    let mut program = program();
    let flags = PRIVATE | ANONYMOUS | HUGETLB;
    assert!(map(&mut program, 0, 3 * HUGE, flags, u32::MAX).is_ok());
    program.memory.free_bytes -= 1;
    assert_eq!(map(&mut program, 0, 3 * HUGE, flags, u32::MAX), Err(Outcome::Failed(Errno::ENOMEM)));
}
