//! Tests the exit status and the message at the end of a process.

use super::toolchain::{Bits, Linked, compile, execute};
use crate::parts;

#[test]
fn the_end_of_a_process_is_reported_in_one_line() {
    if !parts::is_there("powerpc") {
        return;
    }
    let program = compile("deaths", Bits::B32, Linked::Statically);
    let deaths = [
        ("store", 139, "SIGSEGV: a store to 0x10, where nothing is mapped, at 0x", "(stw r"),
        ("constant", 139, "SIGSEGV: a store to 0x", "where nothing may be written"),
        ("jump", 139, "SIGSEGV: a jump to 0x", "where nothing may be executed"),
        ("recursion", 139, "SIGSEGV: a store to 0x", "below the stack, which ends at 8 MB"),
        ("instruction", 132, "SIGILL: 0x00000000 is no instruction", "main"),
        ("trap", 133, "SIGTRAP: a trap", "main"),
        ("abort", 134, "ended by SIGABRT", ""),
        ("kill", 137, "ended by SIGKILL", ""),
        ("memory", 137, "out of memory: all 200 MB of the machine are in use", ""),
    ];
    for (how, status, beginning, part) in deaths {
        let (outcome, _) = execute(&program, &[how]).unwrap_or_else(|refusal| panic!("{how}: {refusal}"));
        let line = outcome.line.unwrap_or_default();
        assert_eq!(outcome.status, Some(status), "{how}: {line}");
        assert!(line.starts_with(beginning) && line.contains(part) && !line.contains('\n'), "{how}: {line}");
    }
}

#[test]
fn a_status_is_what_a_shell_would_show() {
    if !parts::is_there("powerpc") {
        return;
    }
    let program = compile("deaths", Bits::B32, Linked::Statically);
    for (how, status) in [("status", 44), ("thread", 45), ("handler", 46)] {
        let (outcome, _) = execute(&program, &[how]).unwrap_or_else(|refusal| panic!("{how}: {refusal}"));
        assert_eq!((outcome.status, outcome.line), (Some(status), None), "{how}");
    }
}

#[test]
fn what_is_not_there_is_named() {
    if !parts::is_there("powerpc") {
        return;
    }
    let program = compile("deaths", Bits::B32, Linked::Statically);
    let lines = [
        ("fork", "the program starts another process (clone); only threads of one process are simulated"),
        ("execve", "the program starts another process (execve); only threads of one process are simulated"),
        ("uring", "the system call io_uring_register (427) is not there"),
        ("nothing", "there is no system call 4000"),
    ];
    for (how, line) in lines {
        let (outcome, _) = execute(&program, &[how]).unwrap_or_else(|refusal| panic!("{how}: {refusal}"));
        assert_eq!((outcome.status, outcome.failure()), (None, Some(line)), "{how}");
        assert!(outcome.ppe.instructions > 0 && outcome.record.bus_cycles > 0, "{how}: {outcome:?}");
    }
}

#[test]
fn a_program_that_waits_for_ever_names_what_it_waits_for() {
    if !parts::is_there("powerpc") {
        return;
    }
    let program = compile("deaths", Bits::B32, Linked::Statically);
    let (outcome, _) = execute(&program, &["deadlock"]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let line = outcome.failure().unwrap_or_default();
    assert!(line.starts_with("deadlock") && line.contains(": thread 1000 waits in futex on the word at 0x"), "{line}");
}
