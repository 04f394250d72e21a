//! Does every system call complete, whatever its arguments, and leave all files outside the current directory
//! unchanged?

use super::harness::{HERE, MEMORY_BYTES, Program, THERE, request};
use linux::request::NotDone;
use linux::syscalls::caller::Caller;
use linux::syscalls::files::{
    attributes, descriptors, directories, names, opening, polling, refused, seeking, status, transfer,
};
use linux::syscalls::signals::calls;
use linux::syscalls::threads::{futex, sched};
use linux::syscalls::time::{clocks, timers};
use linux::syscalls::{identity, ipc, memory};
use linux::tid::Tid;
use proptest::prelude::*;

/// Paths to existing and missing files.
const PATHS: &[&str] = &[
    ".",
    "..",
    "file",
    "inner",
    "inner/file",
    "link",
    "../secret",
    "/",
    "/tmp",
    "/tmp/x",
    "/tmp/y/",
    "/dev/shm/z",
    "/dev/zero",
    "/dev/urandom",
    "/proc/self/fd/3",
    "/proc/self/maps",
    "/proc/mounts",
    "/lib/libc.so",
    "/sys",
    "",
    "./inner/../link",
    "/dev/fd/0",
    "inner/",
    "/proc/self/fd",
    "/dev/full",
    "loop",
    "up/secret",
];

const IPC: u32 = 117;

fn numbers() -> Vec<u32> {
    let families = [
        attributes::CALLS,
        descriptors::CALLS,
        directories::CALLS,
        names::CALLS,
        opening::CALLS,
        seeking::CALLS,
        polling::CALLS,
        refused::CALLS,
        status::CALLS,
        transfer::CALLS,
        ipc::CALLS,
    ];
    // `ipc` ends the run if the program uses message queues.
    families.iter().copied().flatten().map(|call| call.number).filter(|number| *number != IPC).collect()
}

/// System call arguments: small numbers, addresses, paths, sizes, and arbitrary words.
fn argument() -> impl Strategy<Value = u32> {
    let path = (0..PATHS.len() as u32).prop_map(|n| HERE + 64 * n);
    let flags =
        prop::sample::select(vec![0, 1, 2, 0o100, 0o101, 0o102, 0o2102, 0o4000, 0o40000, 0o1102, -100_i32 as u32]);
    let sizes = prop::sample::select(vec![0, 1, 8, 100, 4096, 70_000, 1 << 20, i32::MAX as u32, u32::MAX]);
    // Structures at these addresses reach beyond the last address, or beyond the memory.
    let ends = (prop::sample::select(vec![0, 1 << 31, MEMORY_BYTES as u32]), 1_u32..48);
    let ends = ends.prop_map(|(end, before)| end.wrapping_sub(before));
    prop_oneof![4 => 0_u32..10, 6 => path, 2 => Just(THERE), 3 => flags, 2 => sizes, 2 => ends, 1 => any::<u32>()]
}

fn calls() -> impl Strategy<Value = Vec<(u32, [u32; 6])>> {
    let call = (prop::sample::select(numbers()), prop::array::uniform6(argument()));
    prop::collection::vec(call, 1..60)
}

fn program() -> Program {
    let mut program = Program::new();
    for (n, path) in PATHS.iter().enumerate() {
        program.put(HERE + 64 * n as u32, path.as_bytes());
    }
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, program.host("work").join(name)).unwrap();
    link("../secret", "link");
    link("loop", "loop");
    link("..", "up");
    std::fs::create_dir(program.host("work/inner")).unwrap();
    std::fs::write(program.host("work/inner/file"), "text").unwrap();
    program
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_calls_end_and_nothing_outside_changes(calls in calls()) {
        let mut program = program();
        let attributes = |program: &Program| {
            ["secret", "root/lib/libc.so", "root/lib"].map(|path| {
                let known = std::fs::metadata(program.host(path)).unwrap();
                (known.permissions(), known.modified().unwrap())
            })
        };
        let before = attributes(&program);
        for (number, arguments) in calls {
            let mut request = request(number, arguments);
            program.try_call(&mut request);
        }
        let names = |path: &str| {
            let mut names: Vec<_> =
                std::fs::read_dir(program.host(path)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        prop_assert_eq!(std::fs::read_to_string(program.host("secret")).unwrap(), "secret");
        prop_assert_eq!(std::fs::read_to_string(program.host("root/lib/libc.so")).unwrap(), "libc");
        prop_assert_eq!(names(""), ["root", "secret", "work"]);
        prop_assert_eq!(names("root/lib"), ["libc.so"]);
        prop_assert_eq!(attributes(&program), before);
    }
}

#[test]
fn every_call_takes_addresses_that_end_beyond_the_last() {
    let more = [identity::CALLS, memory::CALLS, sched::CALLS, futex::CALLS, timers::CALLS, clocks::CALLS, calls::CALLS];
    let more = more.iter().copied().flatten().map(|call| call.number);
    for number in numbers().into_iter().chain(more) {
        let mut program = program();
        for (position, others) in (0..6).flat_map(|position| (0..16).map(move |others| (position, others))) {
            for before in [1, 8, 20] {
                let mut arguments = [others; 6];
                arguments[position] = 0_u32.wrapping_sub(before);
                program.try_call(&mut request(number, arguments));
            }
        }
    }
}

impl Program {
    /// Attempts a system call and ignores its outcome.
    fn try_call(&mut self, request: &mut linux::request::Request) {
        let call = linux::syscalls::table::row(request.number).unwrap();
        let mut caller =
            Caller { kernel: &mut self.kernel, hardware: &mut self.memory, tid: Tid(1000), request: request.clone() };
        let answer = (call.attempt)(&mut caller);
        assert!(!matches!(answer, Err(NotDone::Broken(_))), "{answer:?}");
    }
}
