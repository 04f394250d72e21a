//! Tests descriptors and open files: numbers, flags and offsets.

use super::harness::{HERE, Outcome, Program, THERE};
use linux::errno::Errno;
use linux::vfs::flags::{at, open};

const CREATE: u32 = open::READ_WRITE | open::CREATE;

#[test]
fn flags_have_the_numbers_of_powerpc() {
    let mut program = Program::new();
    program.opened("file", CREATE);
    // On PowerPC, this bit is O_DIRECTORY. On most other architectures, the bit is O_DIRECT.
    assert_eq!(program.open("file", 0o40000), Outcome::Failed(Errno::ENOTDIR));
    std::os::unix::fs::symlink("file", program.host("work/link")).unwrap();
    assert_eq!(program.open("link", 0o100_000), Outcome::Failed(Errno::ELOOP));
    program.opened("link", 0o400_000);
    program.opened("link", 0o200_000);
}

#[test]
fn the_lowest_free_number_is_given() {
    let mut program = Program::new();
    let (first, second) = (program.opened("a", CREATE), program.opened("b", CREATE));
    assert_eq!((first, second), (0, 1));
    assert_eq!(program.done(41, [first]), 2);
    program.done(6, [first]);
    assert_eq!(program.done(55, [second, 0, 1]), 3);
    assert_eq!(program.done(41, [second]), 0);
    assert_eq!(program.done(63, [second, 50]), 50);
    assert_eq!(program.fails(63, [second, 1024]), Errno::EBADF);
    assert_eq!(program.done(63, [second, 1023]), 1023);
    assert_eq!(program.fails(55, [second, 0, 1024]), Errno::EINVAL);
    assert_eq!(program.fails(55, [second, 0, 1023]), Errno::EMFILE);
    assert_eq!(program.fails(316, [second, second, 0]), Errno::EINVAL);
}

#[test]
fn duplicates_share_an_offset_and_others_do_not() {
    let mut program = Program::new();
    let file = program.opened("file", CREATE);
    program.write(file, b"hello");
    let twin = program.done(41, [file]);
    assert_eq!(program.done(19, [twin, 0, 1]), 5);
    let other = program.opened("file", 0);
    assert_eq!(program.read(other, 2), b"he");
    // The close-on-exec flag belongs to one descriptor. Duplicates of a descriptor share the other flags.
    program.done(55, [twin, 2, 1]);
    assert_eq!((program.done(55, [twin, 1]), program.done(55, [file, 1])), (1, 0));
    program.done(55, [twin, 4, open::APPEND | open::NONBLOCK]);
    assert_eq!(program.done(55, [file, 3]), open::READ_WRITE | open::APPEND | open::NONBLOCK);
    program.done(19, [file, 0, 0]);
    program.write(file, b"!");
    assert_eq!(program.contents("file"), "hello!");
}

#[test]
fn offsets_stay_within_a_word() {
    let mut program = Program::new();
    let file = program.opened("file", CREATE);
    assert_eq!(program.done(19, [file, 0x7fff_ffff, 0]), 0x7fff_ffff);
    assert_eq!(program.fails(19, [file, 1, 1]), Errno::EOVERFLOW);
    assert_eq!(program.fails(19, [file, u32::MAX, 0]), Errno::EINVAL);
    assert_eq!(program.fails(19, [file, 0, 9]), Errno::EINVAL);
    program.done(140, [file, 1, 2, THERE, 0]);
    assert_eq!(program.bytes(THERE, 8), [0, 0, 0, 1, 0, 0, 0, 2]);
    // A 64-bit offset is passed in an aligned pair of registers, after an unused register.
    assert_eq!(program.done(180, [file, HERE, 1, 0, 0, 9]), 1);
    assert_eq!(program.done(179, [file, HERE, 5, 0, 0, 8]), 2);
    assert_eq!(program.fails(179, [file, HERE, 5, 0, 0x8000_0000, 0]), Errno::EINVAL);
    program.done(194, [file, 0, 1, 0]);
    program.text("file");
    assert_eq!(program.fails(106, [HERE, THERE]), Errno::EOVERFLOW);
    assert_eq!(program.done(195, [HERE, THERE]), 0);
    assert_eq!(program.bytes(THERE + 48, 8), [0, 0, 0, 1, 0, 0, 0, 0]);
}

#[test]
fn vectors_are_moved_one_after_the_other() {
    let mut program = Program::new();
    let file = program.opened("file", CREATE);
    program.put(THERE, b"abcdef");
    program.words(HERE, &[THERE + 4, 2, 0, 0, THERE, 3]);
    assert_eq!(program.done(146, [file, HERE, 3]), 5);
    assert_eq!(program.contents("file"), "efabc");
    program.words(HERE, &[THERE, u32::MAX]);
    assert_eq!(program.fails(146, [file, HERE, 1]), Errno::EINVAL);
    assert_eq!(program.fails(146, [file, HERE, 1025]), Errno::EINVAL);
    // The elements of the vector before the bad address are transferred.
    program.words(HERE, &[THERE, 2, 0xffff_0000, 2]);
    program.done(19, [file, 0, 0]);
    assert_eq!(program.done(145, [file, HERE, 2]), 2);
    assert_eq!(program.fails(3, [file, 0xffff_0000, 2]), Errno::EFAULT);
}

#[test]
fn directories_are_read_in_pieces_and_from_the_beginning_again() {
    let mut program = Program::new();
    for n in 0..50 {
        program.opened(&format!("file{n:02}"), CREATE);
    }
    let names = program.names(".");
    assert_eq!(names.len(), 52);
    assert_eq!((names[0].as_str(), names[1].as_str(), names[51].as_str()), (".", "..", "file49"));
    let directory = program.opened(".", 0);
    // The directory entry for `.` takes 24 bytes.
    assert_eq!(program.fails(202, [directory, THERE, 23]), Errno::EINVAL);
    assert_eq!(program.done(202, [directory, THERE, 24]), 24);
    program.text("file07");
    program.done(10, [HERE]);
    program.done(19, [directory, 0, 0]);
    assert_eq!(program.names(".").len(), 51);
    assert_eq!(program.fails(3, [directory, THERE, 1]), Errno::EISDIR);
}

#[test]
fn the_current_directory_and_open_ones_start_paths() {
    let mut program = Program::new();
    program.text("inner");
    program.done(39, [HERE, 0o755]);
    let inner = program.opened("inner", open::DIRECTORY);
    program.text("file");
    let file = program.done(286, [inner, HERE, CREATE, 0o644]);
    assert!(program.host("work/inner/file").exists());
    assert_eq!(program.fails(286, [file, HERE, 0, 0]), Errno::ENOTDIR);
    program.done(133, [inner]);
    let length = program.done(182, [THERE, 4096]) as usize;
    let path = program.host("work/inner");
    assert_eq!(program.bytes(THERE, length - 1), path.to_str().unwrap().as_bytes());
    assert_eq!(program.fails(182, [THERE, length as u32 - 1]), Errno::ERANGE);
    program.opened("../inner/file", 0);
    assert_eq!(program.fails(291, [at::CURRENT, HERE, THERE, 1]), Errno::EINVAL);
}
