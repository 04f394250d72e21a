//! Tests the cycle in which each instruction issues. The expected cycles were counted by hand. The first cycle is 0,
//! and `stop` waits for every result.

use super::common::{STOP, profiled, profiled_beside_dma, word};
use spu::Opcode::{self, *};
use spu::profile::{Cause, Profile};

/// For each instruction, the cycle in which it first issues.
fn issues(code: &[u32]) -> Vec<u64> {
    let (_, profile) = profiled(code);
    profile.records().map(|(_, record)| record.first_spu_cycle).collect()
}

fn stalls(profile: &Profile, cause: Cause) -> u64 {
    profile.totals().stalls_spu_cycles[cause as usize]
}

fn nop() -> u32 {
    word(Nop, &[0])
}

fn lnop() -> u32 {
    word(Lnop, &[])
}

/// An instruction that reads only register 127 and writes `rt`.
fn independent(opcode: Opcode, rt: i32) -> u32 {
    let operands: Vec<i32> = match opcode.definition().operands {
        "t,a" => vec![rt, 127],
        "t,a,b" => vec![rt, 127, 127],
        "t,a,b,c" => vec![rt, 127, 127, 127],
        "t,d(a)" => vec![rt, 0, 127],
        operands => panic!("{operands}: not for this test"),
    };
    word(opcode, &operands)
}

#[test]
fn an_aligned_pair_of_even_and_odd_issues_together() {
    // The pairs (nop, lnop) at addresses 0 and 8 take one cycle each, and the stop takes another cycle.
    assert_eq!(issues(&[nop(), lnop(), nop(), lnop(), STOP]), [0, 0, 1, 1, 2]);
    // The two instructions of a pair issue one by one if their order is wrong or if they use the same pipeline.
    assert_eq!(issues(&[lnop(), nop(), lnop(), nop(), STOP]), [0, 1, 2, 3, 4]);
    assert_eq!(issues(&[nop(), nop(), lnop(), lnop(), STOP]), [0, 1, 2, 3, 4]);
    // Because of the alignment, the pairs are (lnop, nop) and (lnop, stop).
    assert_eq!(issues(&[lnop(), nop(), lnop(), STOP]), [0, 1, 2, 3]);
}

#[test]
fn a_dependent_partner_waits_for_the_first_of_its_pair() {
    // The ai issues in cycle 0 and its result is ready in cycle 2, so the lqd issues in cycle 2. The lqd takes 6
    // cycles, and the stop waits for its result.
    let code = [word(Ai, &[3, 127, 0]), word(Lqd, &[4, 0, 3]), STOP];
    assert_eq!(issues(&code), [0, 2, 8]);
    // Two instructions that write the same register do not issue together.
    let code = [word(Ai, &[3, 127, 0]), word(Lqd, &[3, 0, 127]), STOP];
    assert_eq!(issues(&code)[..2], [0, 1]);
    // Each instruction waits only for its own operands: the first of a pair does not wait for the operands of the
    // second.
    let code = [nop(), word(Lqd, &[3, 0, 127]), word(Ai, &[5, 127, 0]), word(Lqd, &[4, 0, 3]), STOP];
    assert_eq!(issues(&code), [0, 0, 1, 6, 12]);
}

#[test]
fn every_class_has_its_latency() {
    // Two dependent instructions that cannot issue together. The second instruction issues when the result of the first
    // is ready.
    for (opcode, latency) in [
        (A, 2),
        (Selb, 2),
        (Rot, 4),
        (Sumb, 4),
        (Fma, 6),
        (Mpy, 7),
        (Fi, 7),
        (Shufb, 4),
        (Rotqby, 4),
        (Frest, 4),
        (Lqd, 6),
        (Dfa, 13),
    ] {
        let code = [independent(opcode, 3), word(Ori, &[4, 3, 0]), STOP];
        assert_eq!(issues(&code)[1], latency, "{opcode:?}");
    }
    // The result of a brsl instruction is the return address. The brsl at address 0 branches to the next instruction
    // and is mispredicted, so the next instruction issues in cycle 19, although the return address is ready in cycle 4.
    let code = [word(Brsl, &[3, 4]), word(Ori, &[4, 3, 0]), STOP];
    assert_eq!(issues(&code)[1], 19);
}

#[test]
fn double_precision_keeps_both_pipes_for_itself() {
    // The first dfa issues in cycle 0. After six cycles in which no instruction issues, the lnop issues in cycle 7, and
    // the second dfa issues in cycle 8.
    let code = [independent(Dfa, 3), lnop(), independent(Dfa, 4), lnop(), STOP];
    let (spu_cycles, profile) = profiled(&code);
    // After issues in cycles 0, 7, 8 and 15, the stop waits for the second result until cycle 8 + 13 = 21, and takes
    // one cycle itself.
    assert_eq!(issues(&code), [0, 7, 8, 15, 21]);
    assert_eq!((spu_cycles, stalls(&profile, Cause::Double), stalls(&profile, Cause::Drain)), (22, 12, 5));
}

/// A loop that executes `body` and ends with a branch. Register 80 counts the iterations.
fn counted_loop(rounds: i32, before: &[u32], body: &[u32]) -> Vec<u32> {
    let mut code = vec![word(Il, &[80, rounds]), lnop()];
    code.extend(before);
    code.extend([word(Ai, &[80, 80, -1]), lnop()]);
    code.extend(body);
    code.extend([nop(), word(Brnz, &[80, -4 * (body.len() as i32 + 3)]), STOP]);
    code
}

#[test]
fn a_taken_branch_without_hint_is_missed_and_one_not_taken_is_free() {
    // An iteration takes 5 cycles, one for each pair: ai and lnop, three times nop and lnop, nop and brnz. Each of the
    // 9 taken branches costs 18 more cycles.
    let (spu_cycles, profile) = profiled(&counted_loop(10, &[], &[nop(), lnop(), nop(), lnop(), nop(), lnop()]));
    assert_eq!(stalls(&profile, Cause::Branch), 9 * 18);
    // The total consists of two cycles until the count is ready, 10 iterations, 9 taken branches, and the stop.
    assert_eq!(spu_cycles, 2 + 10 * 5 + 9 * 18 + 1);
}

#[test]
fn a_hinted_loop_loses_time_only_at_its_end() {
    // The hbrr hint is at address 12. The hinted branch is at address 16 + 8 + 6 * 4 + 4 = 52, and its target is at
    // address 16.
    let body: Vec<u32> = [nop(), lnop()].repeat(3);
    let hint = [nop(), word(Hbrr, &[40, 4])];
    let (spu_cycles, profile) = profiled(&counted_loop(10, &hint, &body));
    // There are 9 instructions between hint and branch. The hint issues in cycle 1. The first branch could issue in
    // cycle 6, together with the nop before it. The branch waits until cycle 17, so that 15 cycles are between hint and
    // branch. No instruction issues in cycles 7 to 16.
    assert_eq!(stalls(&profile, Cause::Hint), 10);
    assert_eq!((stalls(&profile, Cause::Branch), stalls(&profile, Cause::Mispredicted)), (0, 18));
    assert_eq!(spu_cycles, 2 + 10 * 5 + 11 + 18 + 1);
}

/// The number of cycles of a loop iteration that would take `cycles` cycles without stalls. If `hinted` is set, a hint
/// issues in the iteration's first cycle.
fn round_spu_cycles(cycles: usize, hinted: bool) -> u64 {
    let total = |rounds: i32| {
        // The pair of il and lnop issues in cycle 0. The iteration then consists of its first pair, the pair with ai,
        // other pairs, and the pair with the branch.
        let branch_words = 2 * (cycles as i32 - 1);
        let first = if hinted { word(Hbrr, &[4 * branch_words, -4]) } else { lnop() };
        let mut code = vec![word(Il, &[80, rounds]), lnop(), nop(), first, word(Ai, &[80, 80, -1]), lnop()];
        code.extend([nop(), lnop()].repeat(cycles - 3));
        code.extend([nop(), word(Brnz, &[80, -4 * (2 * cycles as i32 - 1)]), STOP]);
        profiled(&code).0
    };
    (total(20) - total(10)) / 10
}

#[test]
fn fifteen_cycles_lie_between_a_hint_and_its_branch_and_then_the_branch_takes_its_own() {
    // As on hardware, an iteration of 12 cycles takes 17 cycles with a hint and 30 cycles without a hint.
    assert_eq!((round_spu_cycles(12, true), round_spu_cycles(12, false)), (17, 30));
    // An iteration with a hint takes at least 17 cycles: the hint, 15 cycles and the branch. A longer iteration is not
    // delayed.
    for (cycles, taken) in [(11, 17), (16, 17), (17, 17), (18, 18), (20, 20)] {
        assert_eq!(round_spu_cycles(cycles, true), taken, "{cycles}");
    }
}

#[test]
fn a_hint_too_near_is_not_used() {
    // The hbrr at address 12 is followed by the seven instructions ai, lnop, nop, lnop, nop, lnop and nop. The eighth
    // instruction is the brnz at address 44.
    let body: Vec<u32> = [nop(), lnop()].repeat(2);
    let near = [nop(), word(Hbrr, &[32, 4])];
    let (_, profile) = profiled(&counted_loop(3, &near, &body));
    // The first iteration mispredicts. In the second iteration, 15 instructions have issued between hint and branch.
    assert_eq!((stalls(&profile, Cause::Branch), stalls(&profile, Cause::Hint)), (18, 0));
    assert_eq!(stalls(&profile, Cause::Mispredicted), 18);
    // With one more pair between hint and branch, the hint is used from the first iteration on.
    let far = [nop(), word(Hbrr, &[40, 4])];
    let (_, profile) = profiled(&counted_loop(3, &far, &[nop(), lnop()].repeat(3)));
    assert_eq!(stalls(&profile, Cause::Branch), 0);
}

#[test]
fn loads_in_every_cycle_starve_the_fetch_until_one_slot_is_free() {
    let load = independent(Lqd, 3);
    let straight = |code: &mut Vec<u32>| {
        code.push(STOP);
        stalls(&profiled(code).1, Cause::Fetch)
    };
    // The first two lines are buffered from the start. While the second line executes, 32 loads leave no cycle for
    // fetching the third line. The third line is fetched after the loads and arrives 8 cycles later.
    assert_eq!(straight(&mut vec![load; 64]), 8);
    let mut relieved = vec![load; 64];
    relieved[48] = word(Hbr, &[0, 0]) | 0x40 << 14;
    assert_eq!(straight(&mut relieved), 0);
    // If two instructions issue in each cycle and one of the two is a load, the stall is the same.
    assert_eq!(straight(&mut [nop(), load].repeat(32)), 8);
    assert_eq!(straight(&mut [nop(), lnop()].repeat(320)), 0);
}

#[test]
fn a_line_of_dma_takes_a_cycle_from_a_load_that_would_issue_then() {
    let loads = [[independent(Lqd, 3)].repeat(8), vec![STOP]].concat();
    let cycles = |line_at: Option<u64>| {
        let (spu_cycles, profile) = profiled_beside_dma(&loads, line_at);
        assert_eq!(profile.totals().spu_cycles, spu_cycles);
        (spu_cycles, stalls(&profile, Cause::Port))
    };
    let (undisturbed, _) = cycles(None);
    // One load issues in each cycle from 0 to 7.
    for at in 0..8 {
        assert_eq!(cycles(Some(at)), (undisturbed + 1, 1), "{at}");
    }
    assert_eq!(cycles(Some(8)), (undisturbed, 0));
}

#[test]
fn only_the_cycle_of_the_line_is_lost_to_the_port() {
    // The second load needs the result of the first load, which is ready in cycle 6. In one of the cases, DMA occupies
    // the port in that cycle.
    let code = [word(Lqd, &[3, 0x1000, 127]), word(Lqd, &[4, 0, 3]), STOP];
    let lost = |line_at| {
        let (spu_cycles, profile) = profiled_beside_dma(&code, line_at);
        assert_eq!(profile.totals().spu_cycles, spu_cycles);
        [Cause::Dependency, Cause::Port].map(|cause| stalls(&profile, cause))
    };
    assert_eq!(lost(None), [5, 0]);
    assert_eq!(lost(Some(6)), [5, 1]);
}

#[test]
fn every_cycle_is_accounted_for() {
    let body = [
        independent(Dfa, 3),
        independent(Lqd, 4),
        word(Ai, &[5, 4, 1]),
        word(Shufb, &[6, 5, 5, 5]),
        word(Mpy, &[7, 6, 6]),
        word(Stqd, &[7, 0x1000, 127]),
    ];
    for hint in [[nop(), lnop()], [nop(), word(Hbrr, &[40, 4])]] {
        let (spu_cycles, profile) = profiled(&counted_loop(7, &hint, &body));
        assert_eq!(profile.totals().spu_cycles, spu_cycles);
    }
}
