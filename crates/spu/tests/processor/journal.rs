//! Tests that the journal tells where the program is in every cycle. The expected cycles were counted by hand.

use super::common::{STOP, machine, profiled, run_in_turns, store_with, word};
use cell::door::Position;
use spu::Opcode::*;
use spu::core::Spu;
use spu::journal::Journal;
use spu::profile::{Cause, Profile};

/// The positions of code at address 0, if the machine's SPU cycle 100 is the first of the program.
fn positions(code: &[u32], budget: u64) -> Vec<Position> {
    let machine = machine();
    let (mut spu, mut store) = (Spu::new(&machine, 0), store_with(&machine, 0, code));
    let mut journal = Journal::default();
    journal.begin(100, 0);
    run_in_turns(&mut spu, &mut store, budget, &mut journal);
    spu::profile::Probe::paused(&mut journal, &store);
    journal.take()
}

fn plain(positions: &[Position]) -> Vec<(u64, u32, Option<&'static str>)> {
    positions.iter().map(|position| (position.at, position.address, position.cause)).collect()
}

#[test]
fn an_instruction_waits_until_the_cycle_before_its_issue() {
    // The ai issues in cycle 0 and its result is ready in cycle 2. The lqd takes 6 cycles, and the stop waits for its
    // result.
    let code = [word(Ai, &[3, 127, 0]), word(Lqd, &[4, 0, 3]), STOP];
    let expected =
        [(100, 0, None), (101, 4, Some("dependency")), (102, 4, None), (103, 8, Some("drain")), (108, 8, None)];
    assert_eq!(plain(&positions(&code, u64::MAX)), expected);
    assert_eq!(positions(&code, u64::MAX)[1].word, code[1]);
}

#[test]
fn a_pair_issues_in_one_cycle() {
    let code = [word(Nop, &[0]), word(Lnop, &[]), STOP];
    assert_eq!(plain(&positions(&code, u64::MAX)), [(100, 0, None), (100, 4, None), (101, 8, None)]);
}

#[test]
fn turns_of_any_length_have_the_same_positions() {
    // A loop of three rounds with a load, whose branch is never hinted.
    let code = [
        word(Il, &[3, 3]),
        word(Lqd, &[4, 0, 1]),
        word(Ai, &[3, 3, -1]),
        word(A, &[5, 4, 4]),
        word(Brnz, &[3, -12]),
        STOP,
    ];
    let whole = positions(&code, u64::MAX);
    assert_eq!(whole.iter().filter(|position| position.cause == Some("branch")).count(), 2);
    for budget in [1, 2, 7] {
        assert_eq!(positions(&code, budget), whole, "turns of {budget} cycles");
    }
}

#[test]
fn the_profile_counts_what_the_journal_lists() {
    let code = [
        word(Il, &[3, 9]),
        word(Lqd, &[4, 0, 1]),
        word(Fm, &[6, 4, 4]),
        word(Fa, &[7, 6, 7]),
        word(Ai, &[3, 3, -1]),
        word(Brnz, &[3, -16]),
        STOP,
    ];
    let (_, profile) = profiled(&code);
    let listed = positions(&code, u64::MAX);
    let issues = |address: u32| listed.iter().filter(|one| one.address == address && one.cause.is_none()).count();
    for (address, record) in profile.records() {
        assert_eq!(record.issues, issues(address) as u64, "{address:#x}");
    }
    assert_eq!(lost(&listed), stalls(&profile));
}

/// The lost cycles by cause, in the order of [`Cause::ALL`].
fn lost(listed: &[Position]) -> Vec<u64> {
    let cycles = |cause: Cause| {
        let ends = listed.windows(2).filter(|pair| pair[0].cause == Some(cause.name()));
        ends.map(|pair| pair[1].at - pair[0].at).sum()
    };
    Cause::ALL.into_iter().map(cycles).collect()
}

fn stalls(profile: &Profile) -> Vec<u64> {
    profile.totals().stalls_spu_cycles.to_vec()
}
