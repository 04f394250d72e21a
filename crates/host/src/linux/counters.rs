//! Hardware counters of a thread, which the kernel reads (`perf_event_open`): cycles, instructions, cache misses.
//!
//! The events form a group, so the kernel counts all of them at the same time or none. A kernel may refuse to count,
//! and a processor may lack events; that is never an error of a measurement.

use super::os::{current_cpu, numbers};
use crate::answer::{Counted, Counts};
use std::array::from_fn;
use std::fs::{File, read_to_string};
use std::io::{Error, Read, Result as IoResult};
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::from_ref;

/// `struct perf_event_attr` in its first version, which all kernels understand.
#[derive(Clone, Copy)]
#[repr(C)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint_kind: u32,
    breakpoint_address: u64,
}

// Values of Linux's include/uapi/linux/perf_event.h.
const HARDWARE: u32 = 0;
const HARDWARE_CACHE: u32 = 3;
const CPU_CYCLES: (u32, u64) = (HARDWARE, 0);
const INSTRUCTIONS: (u32, u64) = (HARDWARE, 1);
const CACHE_MISSES: (u32, u64) = (HARDWARE, 3);
/// Last-level cache (2), misses (1) of reads (0).
const LAST_LEVEL_READ_MISSES: (u32, u64) = (HARDWARE_CACHE, 2 | 1 << 16);
const DISABLED: u64 = 1 << 0;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
/// A read returns the number of events, two times, and the values of the group.
const READ_GROUP: u64 = 1 << 0 | 1 << 1 | 1 << 3;
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
const ENABLE: libc::c_ulong = 0x2400;
const WHOLE_GROUP: libc::c_ulong = 1;

const EVENTS: usize = 3;

#[cfg(not(test))]
const OPEN: Open = perf_event_open;
/// Virtual machines have no hardware events. In tests, all teams count software events in their place.
#[cfg(test)]
const OPEN: Open = tests::stand_in;
type Open = fn(&Attributes, Option<&File>) -> IoResult<File>;

/// The counters of the thread that opened them.
pub struct Counters {
    /// Cycles, which lead the group, instructions and cache misses; `None` for events that the processor lacks.
    events: [Option<File>; EVENTS],
    counted: Counted,
    start: Reading,
    /// The fewest events that reading the counters has caused; they are subtracted.
    own: Option<[u64; EVENTS]>,
}

/// The totals of a group: the nanoseconds in which it was enabled and in which it ran, and its events.
#[derive(Clone, Copy, Default)]
struct Reading {
    enabled_ns: u64,
    running_ns: u64,
    events: [u64; EVENTS],
}

impl Counters {
    /// Opens counters for this thread. Without permission to count in the kernel, they count
    /// in user space only.
    pub fn open() -> Result<Counters, Counted> {
        Counters::open_by(OPEN)
    }

    fn open_by(open: impl Fn(&Attributes, Option<&File>) -> IoResult<File>) -> Result<Counters, Counted> {
        let unit = unit_of(current_cpu(), |path| read_to_string(path).unwrap_or_default());
        let attributes = |(kind, event), flags| Attributes {
            kind,
            size: size_of::<Attributes>() as u32,
            config: unit << 32 | event,
            sample_period: 0,
            sample_type: 0,
            read_format: READ_GROUP,
            flags,
            wakeup: 0,
            breakpoint_kind: 0,
            breakpoint_address: 0,
        };
        let (mut flags, mut counted) = (0, Counted::UserAndKernel);
        let mut cycles = open(&attributes(CPU_CYCLES, DISABLED | flags), None);
        if matches!(&cycles, Err(error) if error.raw_os_error() == Some(libc::EACCES)) {
            (flags, counted) = (EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR, Counted::User);
            cycles = open(&attributes(CPU_CYCLES, DISABLED | flags), None);
        }
        let cycles = cycles.map_err(|error| refusal(&error))?;
        let other = |event| open(&attributes(event, flags), Some(&cycles)).ok();
        let (instructions, misses) = (other(INSTRUCTIONS), other(last_level_misses()));
        // The group begins to count when it is complete.
        // SAFETY: the request takes a number, and accesses no memory of this process.
        unsafe { libc::ioctl(cycles.as_raw_fd(), ENABLE as _, WHOLE_GROUP) };
        let events = [Some(cycles), instructions, misses];
        Ok(Counters { events, counted, start: Reading::default(), own: None })
    }

    /// What these counters count.
    pub fn counted(&self) -> Counted {
        self.counted
    }

    /// Counts from now on.
    pub fn start(&mut self) {
        self.start = self.read().unwrap_or_default();
    }

    /// Stops at once, to learn the events of reading the counters.
    pub fn stop_empty(&mut self) {
        if let Some(counts) = self.since_start() {
            let own = self.own.unwrap_or(counts);
            self.own = Some(from_fn(|event| own[event].min(counts[event])));
        }
    }

    /// The events of `operations` operations since the start, or `None` if the processor's counters were in use.
    pub fn stop(&mut self, operations: u64) -> Option<Counts> {
        let (counts, own) = (self.since_start()?, self.own.unwrap_or_default());
        let of = |event: usize| self.events[event].as_ref().map(|_| counts[event].saturating_sub(own[event]));
        Some(Counts { operations, cycles: of(0)?, instructions: of(1), llc_misses: of(2) })
    }

    fn since_start(&mut self) -> Option<[u64; EVENTS]> {
        let (start, now) = (self.start, self.read()?);
        let (enabled_ns, running_ns) = (now.enabled_ns - start.enabled_ns, now.running_ns - start.running_ns);
        let scaled = |event: usize| scaled(now.events[event] - start.events[event], enabled_ns, running_ns);
        (running_ns > 0).then(|| from_fn(scaled))
    }

    fn read(&mut self) -> Option<Reading> {
        let mut bytes = [0; size_of::<u64>() * (3 + EVENTS)];
        let length = self.events[0].as_mut()?.read(&mut bytes).ok()?;
        // The chunks have the size of a word.
        let words = bytes[..length].chunks_exact(size_of::<u64>());
        let mut words = words.map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
        let (_, enabled_ns, running_ns) = (words.next()?, words.next()?, words.next()?);
        let events = self.events.each_ref().map(|event| event.as_ref().and_then(|_| words.next()).unwrap_or(0));
        Some(Reading { enabled_ns, running_ns, events })
    }
}

/// What a measurement on this computer will count, or why it will not.
pub fn probe() -> Counted {
    Counters::open().map_or_else(|refused| refused, |counters| counters.counted())
}

/// Estimates a count over the whole time in which the counter was enabled. The counter ran for only a part of this
/// time if the kernel shared the processor's counters among programs.
fn scaled(count: u64, enabled_ns: u64, running_ns: u64) -> u64 {
    (u128::from(count) * u128::from(enabled_ns) / u128::from(running_ns)) as u64
}

/// The type of the unit that counts the events of a CPU if its processor has several kinds of cores and thus of units;
/// otherwise 0.
fn unit_of(cpu: usize, read: impl Fn(&str) -> String) -> u64 {
    let read = |kind: &str, name| read(&format!("/sys/bus/event_source/devices/{kind}/{name}"));
    let kinds = ["cpu_core", "cpu_atom", "cpu_lowpower"];
    let own = kinds.iter().find(|kind| numbers(&read(kind, "cpus")).contains(&(cpu as u32)));
    own.and_then(|kind| read(kind, "type").trim().parse().ok()).unwrap_or(0)
}

/// The event that counts misses of the last-level cache. Linux's `cache-misses` are such misses only on Intel; on other
/// processors, they are misses of an inner cache. The other event counts only loads, and on Intel not those of
/// prefetchers.
fn last_level_misses() -> (u32, u64) {
    if is_intel() { CACHE_MISSES } else { LAST_LEVEL_READ_MISSES }
}

#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe)] // newer compilers know that the instruction is safe
fn is_intel() -> bool {
    // SAFETY: every x86-64 processor has the instruction.
    let id = unsafe { std::arch::x86_64::__cpuid(0) };
    [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes).as_flattened() == b"GenuineIntel"
}

#[cfg(not(target_arch = "x86_64"))]
fn is_intel() -> bool {
    false
}

/// The reason why the kernel does not open a counter.
fn refusal(error: &Error) -> Counted {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::ENXIO) => Counted::NoEvents,
        Some(libc::EACCES) => Counted::NotAllowed,
        Some(libc::EPERM) => Counted::Filtered,
        Some(libc::ENOSYS) => Counted::NoSystemCall,
        _ => Counted::Failed,
    }
}

/// Opens a counter of this thread on any CPU, as a member of a group if there is one.
fn perf_event_open(attributes: &Attributes, group: Option<&File>) -> IoResult<File> {
    let (this_thread, any_cpu) = (0 as libc::pid_t, -1 as libc::c_int);
    let leader = group.map_or(-1, AsRawFd::as_raw_fd);
    let attributes = from_ref(attributes);
    // SAFETY: the kernel only reads the attributes, whose size they contain.
    let opened =
        unsafe { libc::syscall(libc::SYS_perf_event_open, attributes, this_thread, any_cpu, leader, CLOSE_ON_EXEC) };
    if opened < 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the descriptor was just opened, and has no other owner.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(opened as libc::c_int) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::os::Mapping;
    use std::cell::RefCell;

    const SOFTWARE: u32 = 1;
    const TASK_CLOCK: (u32, u64) = (SOFTWARE, 1);
    const PAGE_FAULTS: (u32, u64) = (SOFTWARE, 2);

    /// Opens events of the kernel in place of hardware events: the thread's time in nanoseconds for cycles, and page
    /// faults for cache misses. There are no instructions.
    pub fn stand_in(attributes: &Attributes, group: Option<&File>) -> IoResult<File> {
        let (kind, config) = match (attributes.kind, u64::from(attributes.config as u32)) {
            CPU_CYCLES => TASK_CLOCK,
            INSTRUCTIONS => return Err(Error::from_raw_os_error(libc::ENOENT)),
            _ => PAGE_FAULTS,
        };
        perf_event_open(&Attributes { kind, config, ..*attributes }, group)
    }

    fn touch(pages: usize) {
        const PAGE_BYTES: usize = 4096;
        let mapping = Mapping::new(pages * PAGE_BYTES).unwrap();
        for page in 0..pages {
            // SAFETY: the address is within the mapping, which no other thread uses.
            unsafe { mapping.start().add(page * PAGE_BYTES).write_volatile(1) };
        }
    }

    #[test]
    fn only_what_happens_between_start_and_stop_is_counted() {
        // Where a container forbids the call, there is nothing to test.
        let Ok(mut counters) = Counters::open() else { return };
        touch(50);
        counters.start();
        touch(7);
        let counts = counters.stop(7).unwrap();
        assert!((1..1_000_000_000).contains(&counts.cycles), "{counts:?}");
        assert_eq!((counts.operations, counts.instructions), (7, None));
        // A huge page may take the place of several pages.
        assert!(counts.llc_misses.is_some_and(|faults| (1..50).contains(&faults)), "{counts:?}");
    }

    #[test]
    fn each_kind_of_core_has_its_unit() {
        let hybrid = |path: &str| match path.rsplit_once("devices/").unwrap().1 {
            "cpu_core/cpus" => "0-15\n",
            "cpu_core/type" => "4\n",
            "cpu_atom/cpus" => "16-23\n",
            "cpu_atom/type" => "10\n",
            _ => "",
        };
        assert_eq!([3, 15, 16, 24].map(|cpu| unit_of(cpu, |path| hybrid(path).to_string())), [4, 4, 10, 0]);
        assert_eq!(unit_of(0, |_| String::new()), 0);
    }

    #[test]
    fn reading_the_counters_is_not_counted() {
        let Ok(mut counters) = Counters::open() else { return };
        let fewest_ns = |counters: &mut Counters| {
            let empty = (0..20).filter_map(|_| {
                counters.start();
                counters.stop(1)
            });
            empty.map(|counts| counts.cycles).min().unwrap()
        };
        let before_ns = fewest_ns(&mut counters);
        for _ in 0..20 {
            counters.start();
            counters.stop_empty();
        }
        let after_ns = fewest_ns(&mut counters);
        assert!(before_ns > 0 && after_ns <= before_ns / 2, "{before_ns} ns, then {after_ns} ns");
    }

    #[test]
    fn a_count_is_scaled_to_the_whole_time() {
        assert_eq!(scaled(1000, 50, 50), 1000);
        assert_eq!(scaled(1000, 100, 25), 4000);
        assert_eq!(scaled(u64::MAX / 2, 2_000_000_000, 1_000_000_000), u64::MAX - 1);
    }

    #[test]
    fn every_refusal_of_the_kernel_has_its_reason() {
        for (code, reason) in [
            (libc::ENOENT, Counted::NoEvents),
            (libc::EOPNOTSUPP, Counted::NoEvents),
            (libc::ENODEV, Counted::NoEvents),
            (libc::EACCES, Counted::NotAllowed),
            (libc::EPERM, Counted::Filtered),
            (libc::ENOSYS, Counted::NoSystemCall),
            (libc::EMFILE, Counted::Failed),
        ] {
            let refused = Counters::open_by(|_, _| Err(Error::from_raw_os_error(code)));
            assert_eq!(refused.err(), Some(reason));
        }
    }

    #[test]
    fn without_permission_for_the_kernel_only_user_space_is_counted() {
        let seen = RefCell::new(Vec::new());
        let opened = Counters::open_by(|attributes, _| {
            seen.borrow_mut().push(attributes.flags & EXCLUDE_KERNEL != 0);
            if attributes.flags & EXCLUDE_KERNEL == 0 {
                return Err(Error::from_raw_os_error(libc::EACCES));
            }
            File::open("/dev/null")
        });
        assert_eq!(opened.map(|counters| counters.counted()).ok(), Some(Counted::User));
        assert_eq!(*seen.borrow(), [false, true, true, true]);
    }

    #[test]
    fn counters_that_never_ran_have_no_counts() {
        // A read of this file returns nothing, as does a read of a group that the processor cannot count.
        let opened = Counters::open_by(|_, _| File::open("/dev/null"));
        assert_eq!(opened.ok().and_then(|mut counters| counters.stop(1)), None);
    }

    #[test]
    fn this_computer_counts_or_says_why_not() {
        match Counters::open_by(perf_event_open) {
            Ok(mut counters) => {
                counters.start();
                touch(10);
                let counts = counters.stop(1);
                assert!(counts.is_none_or(|counts| counts.cycles > 0), "{counts:?}");
            }
            Err(reason) => assert!(!reason.any()),
        }
    }
}
