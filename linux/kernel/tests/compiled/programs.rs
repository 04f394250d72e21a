//! Runs test programs that check their environment themselves.

use super::toolchain::{Bits, Linked, compile, execute_on};
use crate::parts;

fn is_ok(name: &str) {
    is_ok_on("ps3", &[Bits::B32, Bits::B64], name);
}

fn is_ok_on(machine: &str, widths: &[Bits], name: &str) {
    for bits in widths.iter().copied() {
        if !parts::is_there("powerpc") {
            continue;
        }
        for linked in [Linked::Dynamically, Linked::Statically] {
            let program = compile(name, bits, linked);
            let (outcome, text) =
                execute_on(machine, &program, &[], 1 << 34).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            assert_eq!(
                (outcome.status, text.as_str(), &outcome.line),
                (Some(0), "ok\n", &None),
                "{name}, {bits:?}, {linked:?}"
            );
        }
    }
}

#[test]
fn memory_is_mapped_protected_moved_and_given_back() {
    is_ok("memory");
}

#[test]
fn files_are_mapped() {
    is_ok("mapped_files");
}

#[test]
fn segments_are_shared_until_the_last_mapping_is_gone() {
    is_ok("shared_memory");
}

#[test]
fn semaphores_count_and_wait() {
    is_ok("semaphores");
}

#[test]
fn signals_come_when_they_should_and_leave_no_trace() {
    is_ok("signals");
}

#[test]
fn threads_share_and_wait_for_each_other() {
    is_ok("threads");
}

#[test]
fn two_hardware_threads_issue_in_turn() {
    is_ok("alternating");
}

#[test]
fn a_blade_has_four_processors_on_two_ppes() {
    // This program calls code that it writes, without a descriptor.
    is_ok_on("qs20", &[Bits::B32], "processors");
}

#[test]
fn clocks_and_timers_follow_simulated_time() {
    is_ok("times");
}

#[test]
fn calls_that_wait_are_woken_interrupted_and_made_again() {
    is_ok("waiting");
}

#[test]
fn the_process_reads_its_identity() {
    is_ok("identity");
}

#[test]
fn names_of_contexts_last_as_long_as_their_descriptors() {
    is_ok("contexts");
}

#[test]
fn contexts_reach_their_neighbours_whether_these_are_on_an_spe_or_not() {
    // The SPE program of this test has addresses of 32 bits.
    is_ok_on("ps3", &[Bits::B32], "neighbours");
}
