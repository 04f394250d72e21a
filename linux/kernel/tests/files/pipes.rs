//! When does a system call on a pipe or an event counter complete, and when does it wait?

use super::harness::{HERE, Outcome, Program, THERE, request};
use linux::errno::Errno;
use linux::files::pipe::{ATOMIC_BYTES, PIPE_BYTES};
use linux::vfs::flags::open;

fn waits(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Waits(wait) if !wait.on.is_empty() && wait.until.is_none())
}

/// Writes `count` bytes to a pipe.
fn fill(program: &mut Program, end: u32, count: usize) {
    assert_eq!(program.write(end, &vec![7; count]), Outcome::Done(count as u32));
}

#[test]
fn a_pipe_takes_as_much_as_it_holds_and_not_a_byte_more() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    fill(&mut program, write, PIPE_BYTES - 1);
    assert_eq!(program.write(write, b"x"), Outcome::Done(1));
    assert!(waits(&program.write(write, b"y")));
    program.read(read, 1);
    assert_eq!(program.write(write, b"y"), Outcome::Done(1));
}

#[test]
fn what_is_short_is_written_at_once_or_not_at_all() {
    let mut program = Program::new();
    let (read, write) = program.pipe(open::NONBLOCK);
    fill(&mut program, write, PIPE_BYTES - ATOMIC_BYTES + 1);
    assert_eq!(program.write(write, &[1; ATOMIC_BYTES]), Outcome::Failed(Errno::EAGAIN));
    // A longer write transfers only the bytes that fit into the pipe.
    assert_eq!(program.write(write, &[1; ATOMIC_BYTES + 1]), Outcome::Done(ATOMIC_BYTES as u32 - 1));
    program.read(read, ATOMIC_BYTES as u32);
    assert_eq!(program.write(write, &[1; ATOMIC_BYTES]), Outcome::Done(ATOMIC_BYTES as u32));
}

#[test]
fn a_call_that_waits_goes_on_where_it_was() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    let text: Vec<u8> = (0..PIPE_BYTES + 10).map(|n| (n % 251) as u8).collect();
    program.put(THERE, &text);
    let mut call = request(4, [write, THERE, text.len() as u32]);
    assert!(waits(&program.attempt(&mut call)));
    assert!(waits(&program.attempt(&mut call)));
    let count = program.done(3, [read, 0x8_0000, 100_000]) as usize;
    assert_eq!(program.bytes(0x8_0000, count), text[..PIPE_BYTES]);
    assert_eq!(program.attempt(&mut call), Outcome::Done(text.len() as u32));
    assert_eq!(program.read(read, 100), text[PIPE_BYTES..]);
}

#[test]
fn a_signal_ends_a_call_with_what_it_has_done() {
    let mut program = Program::new();
    let (_, write) = program.pipe(0);
    let mut call = request(4, [write, THERE, PIPE_BYTES as u32 + 10]);
    assert!(waits(&program.attempt(&mut call)));
    call.interrupted = true;
    assert_eq!(program.attempt(&mut call), Outcome::Done(PIPE_BYTES as u32));
}

#[test]
fn a_pipe_without_writers_ends_and_one_without_readers_breaks() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    assert!(waits(&program.call(3, [read, THERE, 1])));
    let twin = program.done(41, [write]);
    program.done(6, [write]);
    // The duplicate descriptor is still open for writing.
    assert!(waits(&program.call(3, [read, THERE, 1])));
    fill(&mut program, twin, 2);
    program.done(6, [twin]);
    assert_eq!(program.read(read, 10), [7, 7]);
    assert!(program.read(read, 10).is_empty());
    let (read, write) = program.pipe(0);
    program.done(6, [read]);
    assert_eq!(program.write(write, b"x"), Outcome::Failed(Errno::EPIPE));
}

#[test]
fn a_pipe_that_was_opened_again_by_its_number_stays_open() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    let again = program.opened(&format!("/proc/self/fd/{write}"), open::WRITE_ONLY);
    program.done(6, [again]);
    assert!(waits(&program.call(3, [read, THERE, 1])));
    program.done(6, [write]);
    assert_eq!(program.done(3, [read, THERE, 1]), 0);
}

#[test]
fn whoever_waits_is_woken_by_the_other_end() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    let Outcome::Waits(reader) = program.call(3, [read, THERE, 1]) else { panic!() };
    program.kernel.wakes.take();
    fill(&mut program, write, 1);
    assert!(program.kernel.wakes.take().iter().any(|woken| reader.on.contains(woken)));
}

#[test]
fn ends_do_what_they_are_for() {
    let mut program = Program::new();
    let (read, write) = program.pipe(0);
    assert_eq!(program.write(read, b"x"), Outcome::Failed(Errno::EBADF));
    assert_eq!(program.fails(3, [write, THERE, 1]), Errno::EBADF);
    assert_eq!(program.fails(19, [read, 0, 0]), Errno::ESPIPE);
    assert_eq!(program.fails(317, [HERE, open::APPEND]), Errno::EINVAL);
    assert_eq!(program.fails(317, [0xffff_0000, 0]), Errno::EFAULT);
    // The kernel closes a new pipe if it cannot return the pipe's descriptors to the program.
    assert_eq!(program.pipe(0), (write + 1, write + 2));
}

#[test]
fn a_counter_gives_all_or_one() {
    let mut program = Program::new();
    let number = |program: &mut Program, file| {
        let bytes = program.read(file, 8);
        u64::from_be_bytes(bytes.try_into().unwrap())
    };
    let all = program.done(314, [3, 0]);
    assert_eq!(program.write(all, &4_u64.to_be_bytes()), Outcome::Done(8));
    assert_eq!(number(&mut program, all), 7);
    assert!(waits(&program.call(3, [all, THERE, 8])));
    assert_eq!(program.fails(3, [all, THERE, 7]), Errno::EINVAL);
    let one = program.done(314, [2, 1]);
    assert_eq!((number(&mut program, one), number(&mut program, one)), (1, 1));
    assert!(waits(&program.call(3, [one, THERE, 8])));
    let most = u64::MAX - 1;
    assert_eq!(program.write(all, &u64::MAX.to_be_bytes()), Outcome::Failed(Errno::EINVAL));
    assert_eq!(program.write(all, &most.to_be_bytes()), Outcome::Done(8));
    assert!(waits(&program.write(all, &1_u64.to_be_bytes())));
}
