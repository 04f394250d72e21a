//! Which files can a program reach through paths, and which files are out of its reach?

use super::harness::{HERE, Outcome, Program, THERE};
use files::Reach;
use linux::errno::Errno;
use linux::vfs::flags::open;

/// The address of the second path argument of a system call.
const SECOND: u32 = 0x3000;
const CREATE: u32 = open::READ_WRITE | open::CREATE;

#[test]
fn nothing_outside_is_opened_made_or_removed() {
    let mut program = Program::new();
    std::os::unix::fs::symlink("../secret", program.host("work/link")).unwrap();
    std::os::unix::fs::symlink("..", program.host("work/up")).unwrap();
    let absolute = program.host("secret").to_str().unwrap().to_string();
    // The simulated /tmp has no files with these names. Other directories are forbidden.
    let refused = [Errno::EACCES, Errno::ENOENT];
    for path in ["../secret", "link", "up/secret", "../work/../secret", &absolute] {
        for flags in [0, open::WRITE_ONLY, open::TRUNCATE | open::READ_WRITE] {
            assert!(matches!(program.open(path, flags), Outcome::Failed(errno) if refused.contains(&errno)), "{path}");
        }
        program.text(path);
        assert!(refused.contains(&program.fails(195, [HERE, THERE])), "{path}");
        assert!(path == "link" || refused.contains(&program.fails(10, [HERE])), "{path}");
    }
    assert_eq!(std::fs::read_to_string(program.host("secret")).unwrap(), "secret");
}

#[test]
fn the_sysroot_is_read_only() {
    let mut program = Program::new();
    assert_eq!(program.contents("/lib/libc.so"), "libc");
    assert_eq!(program.open("/lib/libc.so", open::READ_WRITE), Outcome::Failed(Errno::EROFS));
    assert_eq!(program.open("/lib/new", CREATE), Outcome::Failed(Errno::EROFS));
    program.text("/lib/new");
    assert_eq!(program.fails(39, [HERE, 0o755]), Errno::EROFS);
}

#[test]
fn without_files_there_is_only_the_machine() {
    let mut program = Program::reaching(Reach::None, "ps3");
    assert_eq!(program.open("own", CREATE), Outcome::Failed(Errno::EROFS));
    assert!(program.contents("/proc/cpuinfo").contains("Cell Broadband Engine"));
    let file = program.opened("/tmp/file", CREATE);
    assert_eq!(program.write(file, b"x"), Outcome::Done(1));
}

#[test]
fn files_in_memory_are_files() {
    let mut program = Program::new();
    let file = program.opened("/dev/shm/a", CREATE | open::EXCLUSIVE);
    assert_eq!(program.open("/dev/shm/a", CREATE | open::EXCLUSIVE), Outcome::Failed(Errno::EEXIST));
    program.write(file, b"text");
    program.put(SECOND, b"/dev/shm/b\0");
    program.text("/dev/shm/a");
    program.done(9, [HERE, SECOND]);
    program.done(197, [file, 0x2000]);
    assert_eq!(program.word(0x2000 + 20), 2);
    program.done(10, [HERE]);
    assert_eq!(program.contents("/dev/shm/b"), "text");
    program.text("/dev/shm/a");
    program.done(38, [SECOND, HERE]);
    assert_eq!(program.names("/dev/shm"), [".", "..", "a"]);
    // A directory cannot be moved into another directory. A directory can be removed if it is empty.
    program.text("/tmp/d");
    program.done(39, [HERE, 0o700]);
    program.opened("/tmp/d/x", CREATE);
    assert_eq!(program.open("/tmp/d/x/y", CREATE), Outcome::Failed(Errno::ENOTDIR));
    program.text("/tmp/d");
    assert_eq!(program.fails(40, [HERE]), Errno::ENOTEMPTY);
    program.put(SECOND, b"/dev/shm/d\0");
    assert_eq!(program.fails(38, [HERE, SECOND]), Errno::EXDEV);
    program.text("/tmp/d/x");
    program.done(10, [HERE]);
    program.text("/tmp/d/");
    program.done(40, [HERE]);
}

#[test]
fn memory_for_files_has_an_end() {
    let mut program = Program::new();
    let file = program.opened("/tmp/large", CREATE);
    // The limit is half of the PS3's 200 MB, minus the space for the name.
    let most = 104_857_600 - 512;
    assert_eq!(program.fails(93, [file, most + 1]), Errno::ENOSPC);
    program.done(93, [file, most]);
    assert_eq!(program.open("/dev/shm/other", CREATE), Outcome::Failed(Errno::ENOSPC));
    program.text("/tmp/large");
    program.done(10, [HERE]);
    program.done(6, [file]);
    program.opened("/dev/shm/other", CREATE);
}

#[test]
fn links_between_files_and_machine_are_followed() {
    let mut program = Program::new();
    std::os::unix::fs::symlink("/dev/null", program.host("work/null")).unwrap();
    std::os::unix::fs::symlink("../proc/mounts", program.host("root/etc/mtab")).unwrap();
    let null = program.opened("null", open::READ_WRITE);
    assert_eq!(program.write(null, b"x"), Outcome::Done(1));
    assert!(program.contents("/etc/mtab").contains("spufs /spu spufs rw 0 0\n"));
    program.text("/proc/self");
    let count = program.done(85, [HERE, THERE, 100]) as usize;
    assert_eq!(program.bytes(THERE, count), b"1000");
    let file = program.opened("file", CREATE);
    program.write(file, b"again");
    assert_eq!(program.contents(&format!("/proc/self/fd/{file}")), "again");
    assert_eq!(program.open("/proc/self/fd/77", 0), Outcome::Failed(Errno::ENOENT));
    // A loop of symbolic links within simulated directories is an error.
    program.put(THERE, b"/tmp/b\0");
    program.text("/tmp/a");
    program.done(83, [HERE, THERE]);
    program.done(83, [THERE, HERE]);
    assert_eq!(program.open("/tmp/a", 0), Outcome::Failed(Errno::ELOOP));
}

#[test]
fn a_changed_file_has_the_simulated_time() {
    let mut program = Program::new();
    let file = program.opened("file", CREATE);
    program.memory.ticks = 79_800_000 * 5;
    program.write(file, b"x");
    program.done(197, [file, THERE]);
    // The two times are 2007-11-01 12:00:00 UTC and five seconds later.
    assert_eq!((program.word(THERE + 72), program.word(THERE + 80)), (1_193_918_400, 1_193_918_405));
    assert_eq!(program.word(THERE + 24), 1000);
}
