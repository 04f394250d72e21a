//! Which descriptors do `poll`, `select` and `epoll` report as ready, and how long does a call wait?

use super::harness::{HERE, Outcome, Program, THERE, request};
use linux::errno::Errno;
use linux::files::pipe::{ATOMIC_BYTES, PIPE_BYTES};
use linux::vfs::object::ready::{ERR, HUP, IN, NVAL, OUT};

const NOW: u32 = 0;
const EDGE: u32 = 1 << 31;
const ONCE: u32 = 1 << 30;
/// One millisecond in ticks of the PS3's time base.
const TICKS_PER_MS: u64 = 79_800;

/// Requests events of a descriptor with `poll`. Returns the events that `poll` reports without waiting.
fn poll(program: &mut Program, descriptor: u32, asked: u32) -> u32 {
    program.words(HERE, &[descriptor, asked << 16]);
    program.done(167, [HERE, 1, NOW]);
    program.word(HERE + 4) & 0xffff
}

#[test]
fn a_pipe_is_ready_from_the_first_byte_and_while_a_page_fits() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    assert_eq!((poll(&mut program, read, IN), poll(&mut program, write, OUT)), (0, OUT));
    program.write(write, &vec![0; PIPE_BYTES - ATOMIC_BYTES]);
    assert_eq!((poll(&mut program, read, IN | OUT), poll(&mut program, write, IN | OUT)), (IN, OUT));
    program.write(write, b"x");
    assert_eq!(poll(&mut program, write, OUT), 0);
    program.read(read, 1);
    assert_eq!(poll(&mut program, write, OUT), OUT);
    program.done(6, [write]);
    // The event is reported although it was not requested.
    assert_eq!(poll(&mut program, read, 0), HUP);
    let (read, write) = program.pipe(0);
    program.done(6, [read]);
    assert_eq!(poll(&mut program, write, 0), ERR);
    assert_eq!(poll(&mut program, 99, 0), NVAL);
    assert_eq!(poll(&mut program, u32::MAX, IN), 0);
}

#[test]
fn poll_waits_until_its_time_and_for_what_it_was_given() {
    let mut program = Program::new();
    let (first, _) = program.pipe(0);
    let (second, write) = program.pipe(0);
    program.words(HERE, &[first, IN << 16, second, IN << 16]);
    let mut call = request(167, [HERE, 2, 5]);
    let Outcome::Waits(wait) = program.attempt(&mut call) else { panic!() };
    assert_eq!((wait.until, wait.on.len()), (Some(5_000_000), 2));
    program.memory.ticks = 5 * TICKS_PER_MS - 1;
    assert!(matches!(program.attempt(&mut call), Outcome::Waits(_)));
    program.memory.ticks = 5 * TICKS_PER_MS;
    assert_eq!(program.attempt(&mut call), Outcome::Done(0));
    let mut call = request(167, [HERE, 2, u32::MAX]);
    let Outcome::Waits(wait) = program.attempt(&mut call) else { panic!() };
    assert_eq!(wait.until, None);
    program.write(write, b"x");
    assert_eq!(program.attempt(&mut call), Outcome::Done(1));
    assert_eq!((program.word(HERE + 4), program.word(HERE + 12)), (IN << 16, IN << 16 | IN));
}

#[test]
fn select_keeps_those_that_are_ready() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    let sets = |program: &mut Program| {
        program.words(HERE, &[1 << read, 0, 1 << write, 0]);
        program.words(THERE, &[0, 0]);
        program.done(142, [40, HERE, HERE + 8, 0, THERE])
    };
    assert_eq!(sets(&mut program), 1);
    assert_eq!((program.word(HERE), program.word(HERE + 8)), (0, 1 << write));
    program.put(HERE + 0x100, b"x");
    program.done(4, [write, HERE + 0x100, 1]);
    assert_eq!(sets(&mut program), 2);
    assert_eq!(program.word(HERE), 1 << read);
    program.words(HERE, &[0, 1]);
    assert_eq!(program.fails(142, [33, HERE, 0, 0, THERE]), Errno::EBADF);
    // Descriptors beyond the given count are not checked.
    assert_eq!(program.done(142, [32, HERE, 0, 0, THERE]), 0);
}

#[test]
fn select_leaves_what_is_left_of_its_time() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    program.words(HERE, &[1 << read]);
    program.words(THERE, &[1, 500_000]);
    let mut call = request(142, [read + 1, HERE, 0, 0, THERE]);
    assert!(matches!(program.attempt(&mut call), Outcome::Waits(wait) if wait.until == Some(1_500_000_000)));
    program.memory.ticks = 1000 * TICKS_PER_MS;
    program.put(THERE + 0x100, b"x");
    program.done(4, [write, THERE + 0x100, 1]);
    assert_eq!(program.attempt(&mut call), Outcome::Done(1));
    assert_eq!((program.word(THERE), program.word(THERE + 4)), (0, 500_000));
}

/// A new epoll instance.
fn list(program: &mut Program) -> u32 {
    program.done(315, [0])
}

fn control(program: &mut Program, list: u32, operation: u32, descriptor: u32, events: u32) -> Outcome {
    program.words(HERE, &[events, 0, 0, 1000 + descriptor]);
    program.call(237, [list, operation, descriptor, HERE])
}

fn add(program: &mut Program, list: u32, descriptor: u32, events: u32) {
    assert_eq!(control(program, list, 1, descriptor, events), Outcome::Done(0));
}

fn reported(program: &mut Program, list: u32, most: u32) -> Vec<(u32, u32)> {
    let count = program.done(238, [list, THERE, most, NOW]);
    (0..count).map(|n| (program.word(THERE + 16 * n), program.word(THERE + 16 * n + 12) - 1000)).collect()
}

#[test]
fn a_list_tells_what_is_ready_as_long_as_it_is() {
    let mut program = Program::new();
    let ((read, write), epoll) = (program.pipe(0), list(&mut program));
    add(&mut program, epoll, read, IN);
    add(&mut program, epoll, write, OUT);
    assert_eq!(reported(&mut program, epoll, 9), [(OUT, write)]);
    program.write(write, b"x");
    assert_eq!(reported(&mut program, epoll, 9), [(IN, read), (OUT, write)]);
    assert_eq!(poll(&mut program, epoll, IN), IN);
    // Successive calls with space for one event report the ready descriptors one after another.
    assert_eq!(reported(&mut program, epoll, 1), [(IN, read)]);
    assert_eq!(reported(&mut program, epoll, 1), [(OUT, write)]);
    program.done(6, [write]);
    assert_eq!(reported(&mut program, epoll, 9), [(IN | HUP, read)]);
}

#[test]
fn an_edge_is_reported_once_for_each_arrival() {
    let mut program = Program::new();
    let ((read, write), epoll) = (program.pipe(0), list(&mut program));
    add(&mut program, epoll, read, IN | EDGE);
    add(&mut program, epoll, write, OUT | EDGE);
    assert_eq!(reported(&mut program, epoll, 9), [(OUT, write)]);
    program.write(write, b"xy");
    assert_eq!(reported(&mut program, epoll, 9), [(IN, read)]);
    assert_eq!(reported(&mut program, epoll, 9), []);
    program.write(write, b"z");
    assert_eq!(reported(&mut program, epoll, 9), [(IN, read)]);
    // Space freed in the pipe is an event for the writer, but not for the reader that freed it.
    program.read(read, 1);
    assert_eq!(reported(&mut program, epoll, 9), [(OUT, write)]);
    assert_eq!(control(&mut program, epoll, 3, read, IN | EDGE), Outcome::Done(0));
    assert_eq!(reported(&mut program, epoll, 9), [(IN, read)]);
}

#[test]
fn a_one_shot_event_is_silent_until_it_is_changed() {
    let mut program = Program::new();
    let ((read, write), epoll) = (program.pipe(0), list(&mut program));
    add(&mut program, epoll, read, IN | ONCE);
    program.write(write, b"x");
    assert_eq!(reported(&mut program, epoll, 9), [(IN, read)]);
    program.write(write, b"x");
    program.done(6, [write]);
    assert_eq!(reported(&mut program, epoll, 9), []);
    assert_eq!(control(&mut program, epoll, 3, read, IN | ONCE), Outcome::Done(0));
    assert_eq!(reported(&mut program, epoll, 9), [(IN | HUP, read)]);
}

#[test]
fn lists_refuse_what_cannot_be_in_them() {
    let mut program = Program::new();
    let (epoll, outer) = (list(&mut program), list(&mut program));
    let (read, _) = program.pipe(0);
    let file = program.opened("file", 0o100);
    add(&mut program, epoll, read, IN);
    let failed = |errno| Outcome::Failed(errno);
    assert_eq!(control(&mut program, epoll, 1, read, IN), failed(Errno::EEXIST));
    assert_eq!(control(&mut program, epoll, 1, file, IN), failed(Errno::EPERM));
    assert_eq!(control(&mut program, epoll, 1, epoll, IN), failed(Errno::EINVAL));
    assert_eq!(control(&mut program, epoll, 1, 99, IN), failed(Errno::EBADF));
    assert_eq!(control(&mut program, epoll, 2, file, IN), failed(Errno::ENOENT));
    assert_eq!(control(&mut program, epoll, 9, read, IN), failed(Errno::EINVAL));
    assert_eq!(control(&mut program, file, 1, read, IN), failed(Errno::EINVAL));
    add(&mut program, outer, epoll, IN);
    assert_eq!(control(&mut program, epoll, 1, outer, IN), failed(Errno::ELOOP));
    assert_eq!(program.fails(238, [epoll, THERE, 0, NOW]), Errno::EINVAL);
}

#[test]
fn lists_lie_in_one_another_five_deep_from_either_side() {
    let mut program = Program::new();
    let lists: Vec<u32> = (0..6).map(|_| list(&mut program)).collect();
    for pair in lists[..5].windows(2) {
        add(&mut program, pair[0], pair[1], IN);
    }
    assert_eq!(control(&mut program, lists[4], 1, lists[5], IN), Outcome::Failed(Errno::ELOOP));
    assert_eq!(control(&mut program, lists[5], 1, lists[0], IN), Outcome::Failed(Errno::ELOOP));
    let wide = list(&mut program);
    for _ in 0..8 {
        let inner = list(&mut program);
        add(&mut program, wide, inner, IN);
    }
    let ninth = list(&mut program);
    assert_eq!(control(&mut program, wide, 1, ninth, IN), Outcome::Failed(Errno::ELOOP));
}

#[test]
fn a_list_in_a_list_is_woken_by_what_is_inside() {
    let mut program = Program::new();
    let (epoll, outer) = (list(&mut program), list(&mut program));
    let (read, write) = program.pipe(0);
    add(&mut program, epoll, read, IN);
    add(&mut program, outer, epoll, IN);
    let Outcome::Waits(wait) = program.call(238, [outer, THERE, 1, u32::MAX]) else { panic!() };
    program.kernel.wakes.take();
    program.write(write, b"x");
    assert!(program.kernel.wakes.take().iter().any(|woken| wait.on.contains(woken)));
    assert_eq!(reported(&mut program, outer, 9), [(IN, epoll)]);
}
