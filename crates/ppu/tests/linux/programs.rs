//! Runs test programs that check their environment themselves.

use crate::parts;
use crate::toolchain::{Linked, compile, execute_on};

fn is_ok(name: &str) {
    is_ok_on("ps3", name);
}

fn is_ok_on(machine: &str, name: &str) {
    if !parts::is_there("powerpc") {
        return;
    }
    for linked in [Linked::Dynamically, Linked::Statically] {
        let program = compile(name, linked);
        let (outcome, text) =
            execute_on(machine, &program, &[], 1 << 34).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!((outcome.status, text.as_str(), &outcome.line), (Some(0), "ok\n", &None), "{name}, {linked:?}");
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
    is_ok_on("qs20", "processors");
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
fn contexts_reach_their_neighbours_whether_these_are_on_an_spe_or_not() {
    is_ok("neighbours");
}
