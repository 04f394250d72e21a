//! Tests that the timing of code without a run is that of a run.

use super::common::{STOP, machine, profiled, store_with, word};
use proptest::prelude::*;
use spu::Opcode::{self, *};
use spu::core::Spu;
use spu::profile::{Cause, Profile, Record};

/// The profile of a walk over code from address 0 on, and the address of a word that is no instruction.
fn walked(code: &[u32]) -> (Profile, Option<u32>) {
    let machine = machine();
    let mut store = store_with(&machine, 0, code);
    let mut profile = Profile::new(machine.mfc.local_store_bytes);
    let end = Spu::new(&machine, 0).walk(&mut store, 4 * code.len() as u32, &mut profile);
    (profile, end)
}

fn assert_as_a_run(code: &[u32]) {
    let ((_, run), (walk, end)) = (profiled(code), walked(code));
    assert_eq!(end, None);
    // Only the walk's profile has been told to read the words.
    let counts = |(address, record): (u32, &Record)| {
        let Record { issues, dual_issues, first_spu_cycle, stalls_spu_cycles, waited_for, .. } = *record;
        (address, issues, dual_issues, first_spu_cycle, stalls_spu_cycles, waited_for)
    };
    let records = |profile: &Profile| profile.records().map(counts).collect::<Vec<_>>();
    assert_eq!(records(&walk), records(&run));
    assert_eq!(walk.totals(), run.totals());
}

/// An instruction that neither branches nor stores, and whose registers are `rt` to `rt + 3`.
fn instruction(opcode: Opcode, rt: i32) -> u32 {
    match opcode.definition().operands {
        "" => word(opcode, &[]),
        "t" => word(opcode, &[rt]),
        "t,a" => word(opcode, &[rt, rt + 1]),
        "t,a,b" => word(opcode, &[rt, rt + 1, rt + 2]),
        "t,a,b,c" => word(opcode, &[rt, rt + 1, rt + 2, rt + 3]),
        // Register 127 is 0 in a run.
        "t,d(a)" => word(opcode, &[rt, 0x2000, 127]),
        operands => panic!("{operands}: not for this test"),
    }
}

const OPCODES: [Opcode; 14] = [A, Selb, Rot, Sumb, Fma, Mpy, Fi, Shufb, Rotqby, Lqd, Stqd, Dfa, Lnop, Nop];

#[test]
fn straight_code_is_timed_as_it_runs() {
    let chain = [word(Lqd, &[3, 0, 127]), word(Ai, &[4, 3, 1]), word(Stqd, &[4, 0x1000, 127]), STOP];
    assert_as_a_run(&chain);
    // Three lines of loads leave no cycle for the fetch of the next line.
    assert_as_a_run(&[vec![word(Lqd, &[3, 0, 127]); 96], vec![STOP]].concat());
    // A branch that is not taken, a halt whose condition does not hold, and instructions that drain the pipelines.
    let not_taken = [word(Brnz, &[9, 64]), word(Heqi, &[0, 9, 1]), word(Dsync, &[]), word(Sync, &[]), chain[1], STOP];
    assert_as_a_run(&not_taken);
}

#[test]
fn hints_and_channels_have_their_own_time_only() {
    // A hint for a branch that is not taken would mislead.
    let (profile, _) = walked(&[word(Hbrr, &[40, 4]), word(Nop, &[0]), word(Brnz, &[9, -4]), STOP]);
    assert_eq!(profile.totals().stalls_spu_cycles[Cause::Mispredicted as usize], 0);
    let cycles = machine().spu.channel_read_spu_cycles;
    let (profile, _) = walked(&[word(Rdch, &[3, 29]), word(Ai, &[4, 3, 1]), STOP]);
    let second = profile.records().nth(1).map(|(_, record)| record.first_spu_cycle);
    assert_eq!(second, Some(cycles));
    assert_eq!(profile.totals().stalls_spu_cycles[Cause::Channel as usize], cycles - 1);
}

#[test]
fn a_word_that_is_no_instruction_ends_the_walk() {
    let (profile, end) = walked(&[word(Nop, &[0]), 0x0080_0000, word(Nop, &[0])]);
    assert_eq!((profile.records().count(), end), (1, Some(4)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_straight_code_is_timed_as_it_runs(
        code in prop::collection::vec((prop::sample::select(OPCODES.to_vec()), 1_i32..12), 1..200),
    ) {
        let mut words: Vec<u32> = code.into_iter().map(|(opcode, rt)| instruction(opcode, rt)).collect();
        words.push(STOP);
        assert_as_a_run(&words);
    }
}
