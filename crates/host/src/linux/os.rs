//! Safe functions for system calls: a thread's CPU and usage, waiting and waking, and memory.
//!
//! No other file makes system calls directly, except `counters`. Errors are one line.

use crate::error::Error;
use crate::request::Pages;
use std::fs::File;
use std::io::Error as IoError;
use std::mem::{size_of, zeroed};
use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr::null_mut;
use std::sync::atomic::AtomicU32;

/// Number of CPUs in an affinity mask; a kernel supports at most 8192.
const CPUS_MAX: usize = 8192;

const MASK_WORDS: usize = CPUS_MAX / libc::c_ulong::BITS as usize;

type Mask = [libc::c_ulong; MASK_WORDS];

/// The CPUs that this thread may run on, in ascending order: the CPUs in its affinity mask, which cgroups have already
/// narrowed.
pub fn allowed_cpus() -> Result<Vec<usize>, Error> {
    let mut mask: Mask = [0; MASK_WORDS];
    // SAFETY: the kernel writes at most the number of bytes passed, which is the size of the mask.
    let written = unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, size_of::<Mask>(), mask.as_mut_ptr()) };
    if written < 0 {
        return Err(failed("the affinity mask cannot be read"));
    }
    let bits = libc::c_ulong::BITS as usize;
    Ok((0..CPUS_MAX).filter(|cpu| mask[cpu / bits] >> (cpu % bits) & 1 == 1).collect())
}

/// Whether the kernel found that the counters of all CPUs agree: it then offers the counter as a clock. On AArch64, all
/// CPUs read one counter of the system.
pub fn counters_agree() -> bool {
    let clocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    let offered = || std::fs::read_to_string(clocks).unwrap_or_default();
    cfg!(target_arch = "aarch64") || offered().split_whitespace().any(|clock| clock == "tsc")
}

/// Lets this thread run only on one CPU, and moves the thread there.
pub fn pin(cpu: usize) -> Result<(), Error> {
    let mut mask: Mask = [0; MASK_WORDS];
    let bits = libc::c_ulong::BITS as usize;
    mask[cpu / bits] |= 1 << (cpu % bits);
    // SAFETY: the kernel reads the number of bytes passed, which is the size of the mask.
    let status = unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, size_of::<Mask>(), mask.as_ptr()) };
    if status == 0 { Ok(()) } else { Err(failed(&format!("a thread cannot be pinned to CPU {cpu}"))) }
}

/// The CPU on which this thread is running.
pub fn current_cpu() -> usize {
    // SAFETY: the call takes no arguments and accesses no memory of this process.
    usize::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(usize::MAX)
}

/// The kernel's counters of events that disturbed a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Number of times that the thread went to sleep.
    pub voluntary_switches: u64,
    /// Number of times that the thread was preempted.
    pub involuntary_switches: u64,
    /// Number of pages that the thread touched for the first time.
    pub minor_faults: u64,
}

impl Usage {
    /// The values of the counters since this thread began.
    pub fn now() -> Usage {
        // SAFETY: a structure of numbers may be all zeros, and the call fills it in.
        let counted = unsafe {
            let mut counted: libc::rusage = zeroed();
            libc::getrusage(libc::RUSAGE_THREAD, &mut counted);
            counted
        };
        Usage {
            voluntary_switches: counted.ru_nvcsw as u64,
            involuntary_switches: counted.ru_nivcsw as u64,
            minor_faults: counted.ru_minflt as u64,
        }
    }

    /// The counts since `earlier`.
    pub fn since(&self, earlier: &Usage) -> Usage {
        Usage {
            voluntary_switches: self.voluntary_switches - earlier.voluntary_switches,
            involuntary_switches: self.involuntary_switches - earlier.involuntary_switches,
            minor_faults: self.minor_faults - earlier.minor_faults,
        }
    }
}

/// Yields this CPU to other runnable threads.
pub fn yield_now() {
    std::thread::yield_now();
}

/// Sleeps on a word until woken; returns at once if the word is not `expected` any more. May also return spuriously.
pub fn futex_wait(word: &AtomicU32, expected: u32) {
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    let forever = std::ptr::null::<libc::timespec>();
    // SAFETY: the word outlives the call, and the kernel only reads it.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, expected, forever) };
}

/// Wakes all threads that sleep on the word.
pub fn futex_wake(word: &AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel uses the address as a key and does not dereference it.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, i32::MAX) };
}

/// Makes an error from the failed action and the text of errno.
pub fn failed(what: &str) -> Error {
    Error::Run(format!("{what}: {}", IoError::last_os_error()))
}

/// Creates an eventfd: a counter in the kernel, to which a write adds and which a read resets to 0.
pub fn eventfd() -> Result<File, Error> {
    // SAFETY: the call takes only numbers.
    let descriptor = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(failed("an eventfd cannot be created"));
    }
    // SAFETY: the descriptor was just opened, and has no other owner.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(descriptor) }))
}

/// Pages of this process, which are unmapped on drop.
pub struct Mapping {
    start: *mut u8,
    bytes: usize,
    /// Number of mapped bytes before the start, and after the end, which are not used.
    margins: (usize, usize),
}

// SAFETY: a mapping is only an address and a length; code that dereferences the address must handle races.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `bytes` zeroed bytes, which are not placed on any NUMA node yet.
    pub fn new(bytes: usize) -> Result<Mapping, Error> {
        Mapping::within(bytes, (0, 0))
    }

    /// Maps `bytes` zeroed bytes that shall receive these pages. With huge pages, the number of bytes is rounded up.
    pub fn with_pages(bytes: usize, pages: Pages) -> Result<Mapping, Error> {
        match pages {
            Pages::Ordinary => Mapping::new(bytes),
            Pages::Small => {
                let mapping = Mapping::new(bytes)?;
                // A kernel without huge pages refuses the advice, and has small pages anyhow.
                let _ = mapping.advise(libc::MADV_NOHUGEPAGE);
                Ok(mapping)
            }
            Pages::Huge => {
                let huge_bytes = huge_page_bytes();
                // Unused memory on both sides lets the mapping begin at a huge page, and keeps the kernel from joining
                // the mapping with others.
                let mut mapping = Mapping::within(bytes.next_multiple_of(huge_bytes), (huge_bytes, huge_bytes))?;
                let past = mapping.start as usize % huge_bytes;
                mapping.start = mapping.start.wrapping_sub(past);
                mapping.margins = (huge_bytes - past, huge_bytes + past);
                mapping.advise(libc::MADV_HUGEPAGE)?;
                Ok(mapping)
            }
        }
    }

    fn within(bytes: usize, margins: (usize, usize)) -> Result<Mapping, Error> {
        let all = margins.0 + bytes + margins.1;
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address that the kernel chooses does not change existing memory.
        let start = unsafe { libc::mmap(null_mut(), all, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(failed(&format!("{bytes} bytes cannot be allocated")));
        }
        Ok(Mapping { start: start.cast::<u8>().wrapping_add(margins.0), bytes, margins })
    }

    fn advise(&self, advice: libc::c_int) -> Result<(), Error> {
        // SAFETY: the range is this mapping, and these pieces of advice do not change its content.
        let status = unsafe { libc::madvise(self.start.cast(), self.bytes, advice) };
        if status == 0 { Ok(()) } else { Err(failed("this kernel has no transparent huge pages")) }
    }

    /// Number of bytes on huge pages, for a mapping that was asked to have some.
    pub fn on_huge_pages(&self) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let own = format!("{:x}-", self.start as usize);
        let lines = maps.lines().skip_while(|line| !line.starts_with(&own));
        let size = lines.take(SMAPS_LINES_MAX).find_map(|line| line.strip_prefix("AnonHugePages:"));
        let kilobytes = size.and_then(|size| size.trim().strip_suffix("kB")?.trim().parse::<usize>().ok());
        kilobytes.unwrap_or(0) << 10
    }

    /// The first byte.
    pub fn start(&self) -> *mut u8 {
        self.start
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Binds all pages that are touched from now on to these NUMA nodes.
    pub fn bind(&self, nodes: &[u32]) -> Result<(), Error> {
        self.policy(libc::MPOL_BIND, nodes)
    }

    /// Interleaves all pages that are touched from now on over these NUMA nodes.
    pub fn interleave(&self, nodes: &[u32]) -> Result<(), Error> {
        self.policy(libc::MPOL_INTERLEAVE, nodes)
    }

    fn policy(&self, policy: libc::c_int, nodes: &[u32]) -> Result<(), Error> {
        let bits = libc::c_ulong::BITS;
        let mut mask = [0 as libc::c_ulong; NODES_MAX / libc::c_ulong::BITS as usize];
        for node in nodes {
            mask[(node / bits) as usize] |= 1 << (node % bits);
        }
        // The mask has one bit more than the number of nodes, because the kernel ignores the last bit.
        let (start, bits) = (self.start, NODES_MAX + 1);
        // SAFETY: the range is this mapping, and the mask has as many bits as the call passes.
        let status = unsafe { libc::syscall(libc::SYS_mbind, start, self.bytes, policy, mask.as_ptr(), bits, 0) };
        // The call fails if the kernel lacks NUMA or a container forbids the call. This failure does not matter if
        // there is only one node.
        if status == 0 || nodes.len() == 1 && memory_nodes().len() == 1 {
            return Ok(());
        }
        Err(failed("memory cannot be placed on the chosen node"))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let (before, after) = self.margins;
        let start = self.start.wrapping_sub(before);
        // SAFETY: this value owns the mapping with its margins, and all borrows of it have ended.
        unsafe { libc::munmap(start.cast(), before + self.bytes + after) };
    }
}

/// Largest number of lines that describe one mapping in `/proc/self/smaps`.
const SMAPS_LINES_MAX: usize = 40;

/// Size of a huge page that the kernel gives without being configured for it.
fn huge_page_bytes() -> usize {
    const USUAL: usize = 2 << 20;
    let size = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").unwrap_or_default();
    size.trim().parse().ok().filter(|size: &usize| size.is_power_of_two()).unwrap_or(USUAL)
}

/// Maximum number of NUMA nodes for which a kernel can be built.
const NODES_MAX: usize = 1024;

/// The NUMA nodes that have memory and that this process may use.
pub fn memory_nodes() -> Vec<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Mems_allowed_list:")).unwrap_or("0");
    let has = std::fs::read_to_string("/sys/devices/system/node/has_memory").unwrap_or_else(|_| "0".to_string());
    let (allowed, has) = (numbers(allowed), numbers(&has));
    has.into_iter().filter(|node| allowed.contains(node)).collect()
}

/// Parses a list of numbers in the kernel's format, such as `0-3,8`.
pub fn numbers(list: &str) -> Vec<u32> {
    let parts = list.trim().split(',').filter_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?.min(NODES_MAX as u32 - 1))
    });
    parts.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_is_on_its_cpu() {
        for cpu in allowed_cpus().unwrap() {
            std::thread::spawn(move || {
                pin(cpu).unwrap();
                assert_eq!(current_cpu(), cpu);
                assert_eq!(allowed_cpus().unwrap(), [cpu]);
            })
            .join()
            .unwrap();
        }
    }

    #[test]
    fn a_cpu_that_there_is_not_is_refused_in_one_line() {
        let line = std::thread::spawn(|| pin(CPUS_MAX - 1).unwrap_err().to_string()).join().unwrap();
        assert!(line.contains("cannot be pinned") && !line.contains('\n'), "{line}");
    }

    #[test]
    fn lists_of_the_kernel_are_understood() {
        assert_eq!(numbers("0-2,5\n"), [0, 1, 2, 5]);
        assert_eq!(numbers("\n"), [0; 0]);
    }

    #[test]
    fn what_a_thread_touches_is_counted() {
        let before = Usage::now();
        let mapping = Mapping::new(1 << 20).unwrap();
        for offset in (0..mapping.bytes()).step_by(4096) {
            // SAFETY: the address is within the mapping, which no other thread uses.
            unsafe { mapping.start().add(offset).write_volatile(1) };
        }
        assert!(Usage::now().since(&before).minor_faults > 0);
    }
}
