//! Tests the lists of callers where a process dies or waits for ever.

use super::toolchain::{Bits, Linked, compile, execute};
use crate::parts;
use std::path::Path;
use std::process::Command;

/// The reason for the end of a program.
fn line_of(program: &Path, arguments: &[&str]) -> String {
    let (outcome, _) = execute(program, arguments).unwrap_or_else(|refusal| panic!("{arguments:?}: {refusal}"));
    outcome.line.unwrap_or_default()
}

/// The functions in the list of callers.
fn callers(line: &str) -> Vec<String> {
    let Some((_, list)) = line.split_once(", called from ") else { return Vec::new() };
    list.split(", ").map(|place| place.split('+').next().unwrap_or_default().to_string()).collect()
}

/// Runs a check with the test's program in both widths.
fn in_both_widths(check: impl Fn(&Path)) {
    if !parts::is_there("powerpc") {
        return;
    }
    for bits in [Bits::B32, Bits::B64] {
        check(&compile("stacks", bits, Linked::Statically));
    }
}

#[test]
fn the_callers_of_a_leaf_begin_with_the_link_register() {
    in_both_widths(|program| {
        for how in ["leaf", "frame"] {
            let line = line_of(program, &[how]);
            assert!(line.contains(&format!(", {how}_function+0x")), "{line}");
            assert_eq!(callers(&line)[..3], ["middle", "outer", "main"], "{line}");
        }
    });
}

#[test]
fn after_a_call_the_link_register_is_no_caller() {
    in_both_widths(|program| {
        let line = line_of(program, &["call"]);
        assert!(line.contains(", after_a_call+0x"), "{line}");
        assert_eq!(callers(&line)[..3], ["middle", "outer", "main"], "{line}");
    });
}

#[test]
fn a_jump_to_nothing_comes_from_the_link_register() {
    if !parts::is_there("powerpc") {
        return;
    }
    // A 64-bit program fails before the jump, when it reads the descriptor.
    let line = line_of(&compile("stacks", Bits::B32, Linked::Statically), &["null"]);
    assert!(line.contains("a jump to 0x0, where nothing is mapped, at 0x0, called from"), "{line}");
    assert_eq!(callers(&line)[..3], ["middle", "outer", "main"], "{line}");
}

#[test]
fn at_most_eight_callers_are_listed() {
    in_both_widths(|program| {
        let line = line_of(program, &["recursion"]);
        assert_eq!(callers(&line), ["recurse"; 8], "{line}");
    });
}

#[test]
fn a_caller_without_a_symbol_is_an_address_and_does_not_end_the_list() {
    in_both_widths(|program| {
        let without = program.with_extension("without");
        let mut command = Command::new("powerpc-linux-gnu-objcopy");
        let done = command.arg("--strip-symbol=middle").arg(program).arg(&without).status().expect("binutils");
        assert!(done.success());
        let line = line_of(&without, &["call"]);
        let list = callers(&line);
        assert!(list[0].starts_with("0x100"), "{line}");
        assert_eq!(list[1..3], ["outer", "main"], "{line}");
    });
}

#[test]
fn a_hostile_stack_ends_the_list() {
    in_both_widths(|program| {
        // The back chain is the frame itself, goes downwards, is not aligned, is not mapped, and is the last address.
        for how in ["1", "2", "3", "4", "5"] {
            let line = line_of(program, &["smashed", how]);
            assert_eq!(callers(&line), ["middle"], "{how}: {line}");
        }
    });
}

#[test]
fn a_signal_that_ends_the_process_and_a_handler_have_callers() {
    in_both_widths(|program| {
        let line = line_of(program, &["abort"]);
        assert!(line.starts_with("ended by SIGABRT: Aborted, at 0x"), "{line}");
        let list = callers(&line);
        assert!(list.windows(4).any(|part| part == ["abort", "middle", "outer", "main"]), "{line}");
        // The handler's caller is the function that the signal interrupted.
        let list = callers(&line_of(program, &["signal"]));
        assert_eq!(list[0], "handle", "{list:?}");
        assert!(list[1].starts_with("a signal at ") && list.contains(&"raises".to_string()), "{list:?}");
        assert_eq!(list.iter().filter(|name| *name == "outer").count(), 1, "{list:?}");
    });
}

#[test]
fn a_deadlock_names_every_thread_with_its_callers() {
    in_both_widths(|program| {
        let line = line_of(program, &["deadlock"]);
        let (_, list) = line.split_once(": ").unwrap_or_default();
        let threads: Vec<&str> = list.split("; ").collect();
        assert!(threads[0].starts_with("thread 1000 waits in futex on the word at 0x"), "{line}");
        assert!(threads[0].contains(", main+0x"), "{line}");
        // One thread waits for its own lock, and two for the same lock at the same place.
        assert!(threads[1].starts_with("thread 1001 waits in futex") && threads[1].contains(", locks+0x"), "{line}");
        assert!(threads[2].starts_with("threads 1002-1003 wait in futex"), "{line}");
        assert_eq!(threads.len(), 3, "{line}");
    });
}
