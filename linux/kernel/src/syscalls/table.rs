//! The table of all system calls, joined from the tables of the families.

use super::caller::SystemCall;
use super::{files, identity, ipc, memory, signals, spufs, threads, time};

/// Families of system calls.
const FAMILIES: &[&[SystemCall]] = &[
    memory::CALLS,
    threads::clone::CALLS,
    threads::exit::CALLS,
    threads::futex::CALLS,
    threads::sched::CALLS,
    signals::calls::CALLS,
    time::clocks::CALLS,
    time::timers::CALLS,
    identity::CALLS,
    files::attributes::CALLS,
    files::descriptors::CALLS,
    files::directories::CALLS,
    files::names::CALLS,
    files::opening::CALLS,
    files::seeking::CALLS,
    files::polling::CALLS,
    files::refused::CALLS,
    files::status::CALLS,
    files::transfer::CALLS,
    ipc::CALLS,
    spufs::CALLS,
];

/// Recent system calls that a kernel may lack. Libraries try these calls first, and then fall back to older calls.
pub const EXPECTED_ENOSYS: &[&str] = &[
    "clone3",
    "close_range",
    "copy_file_range",
    "epoll_pwait2",
    "faccessat2",
    "fsopen",
    "futex_waitv",
    "get_mempolicy",
    "io_uring_setup",
    "mbind",
    "membarrier",
    "memfd_create",
    "migrate_pages",
    "move_pages",
    "openat2",
    "pidfd_open",
    "pkey_alloc",
    "preadv2",
    "process_madvise",
    "pwritev2",
    "renameat2",
    "rseq",
    "set_mempolicy",
    "statx",
    "userfaultfd",
];

static ROWS: [Option<&SystemCall>; 512] = {
    let mut rows = [None; 512];
    let mut family = 0;
    while family < FAMILIES.len() {
        let calls = FAMILIES[family];
        let mut k = 0;
        while k < calls.len() {
            rows[calls[k].number as usize] = Some(&calls[k]);
            k += 1;
        }
        family += 1;
    }
    rows
};

/// Table row of the system call with this number.
pub fn row(number: u32) -> Option<&'static SystemCall> {
    ROWS.get(number as usize).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn every_row_has_the_kernels_name_for_its_number_and_stands_once() {
        let mut seen = std::collections::BTreeSet::new();
        for call in FAMILIES.iter().copied().flatten() {
            assert_eq!(names::name(call.number), Some(call.name));
            assert!(seen.insert(call.number), "{} twice", call.name);
            assert!(call.arguments <= 8);
        }
    }

    #[test]
    fn calls_that_are_expected_to_be_missing_are() {
        let rows = || FAMILIES.iter().copied().flatten();
        assert!(EXPECTED_ENOSYS.iter().all(|name| rows().all(|call| call.name != *name)));
    }
}
