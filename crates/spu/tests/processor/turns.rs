//! Tests that a program is affected neither by the ends of its turns nor by a probe, and that the pipelines issue each
//! instruction in the same cycle as the plain model.

use super::common::{STOP, machine, run_in_turns, store_with, word};
use super::plain_pipeline::PlainPipeline;
use proptest::prelude::*;
use spu::Opcode::*;
use spu::core::{Exit, Spu};
use spu::profile::{Cause, Issuing, Probe, Profile};

/// The address of the data. Code lies below.
const DATA: i32 = 0x1000;
/// The register that counts loop iterations. Random instructions do not use this register.
const COUNT: i32 = 80;

/// A random instruction. All instructions use the same few registers, so that they depend on each other.
fn any_instruction() -> impl Strategy<Value = u32> {
    let register = || 0..8i32;
    let three = prop::sample::select(vec![A, Rot, Sumb, Fa, Mpy, Fi, Dfa, Rotqby, Shlqbi]);
    prop_oneof![
        6 => (three, register(), register(), register()).prop_map(|(op, t, a, b)| word(op, &[t, a, b])),
        2 => (prop::sample::select(vec![Shufb, Selb, Fma]), register(), register(), register())
            .prop_map(|(op, t, a, b)| word(op, &[t, a, b, t])),
        3 => (register(), 0..8i32).prop_map(|(t, at)| word(Lqa, &[t, DATA + 16 * at])),
        2 => (register(), 0..8i32).prop_map(|(t, at)| word(Stqa, &[t, DATA + 16 * at])),
        1 => Just(word(Nop, &[0])),
        1 => Just(word(Lnop, &[])),
        1 => Just(word(Dsync, &[])),
        // A forward branch that skips at least one instruction, so that the result shows whether the branch was taken.
        2 => (prop::sample::select(vec![Brz, Brhnz]), register(), 2..4i32).prop_map(|(op, t, by)| word(op, &[t, 4 * by])),
        // A hint for a later branch, which may not exist. The target is never the instruction after the branch.
        1 => (4..30i32, 0..29i32)
            .prop_map(|(branch, target)| word(Hbrr, &[4 * branch, 4 * (target + i32::from(target > branch))])),
        1 => (register(), 0..32i32).prop_map(|(t, channel)| word(Rdch, &[t, channel])),
    ]
}

/// A sequence of loops, some of them hinted.
fn any_program() -> impl Strategy<Value = Vec<u32>> {
    let a_loop = (1..6i32, any::<bool>(), prop::collection::vec(any_instruction(), 1..60));
    prop::collection::vec(a_loop, 1..4).prop_map(|loops| {
        let mut code = Vec::new();
        for (rounds, hinted, body) in loops {
            let length = body.len() as i32;
            // A forward branch at the end of the body may skip beyond the body, into these instructions.
            let end = [word(Nop, &[0]), word(Nop, &[0]), word(Ai, &[COUNT, COUNT, -1])];
            code.push(word(Il, &[COUNT, rounds]));
            if hinted {
                code.push(word(Hbrr, &[4 * (length + 4), 4]));
            }
            code.extend(body);
            code.extend(end);
            code.push(word(Brnz, &[COUNT, -4 * (length + 3)]));
        }
        code.extend([word(Nop, &[0]), word(Nop, &[0]), word(Nop, &[0]), STOP]);
        code
    })
}

/// The machine of the other tests, or the same machine with fetches that take no time.
fn machine_with(fetch: bool) -> cell::machine::Machine {
    let mut machine = machine();
    if !fetch {
        machine.spu_pipeline.fetch_spu_cycles = 0;
    }
    machine
}

/// The complete result of a program: time, number of instructions, registers and data.
fn outcome<P: Probe>(code: &[u32], fetch: bool, budgets: &[u64], probe: &mut P) -> (u64, u64, String, Vec<u8>) {
    let machine = machine_with(fetch);
    let mut store = store_with(&machine, 0, code);
    let mut spu = Spu::new(&machine, 0);
    let (mut sum, mut turn) = (0, 0);
    loop {
        let (spu_cycles, exit) = spu.run(&mut store, budgets[turn % budgets.len()], probe);
        (sum, turn) = (sum + spu_cycles, turn + 1);
        match exit {
            Exit::Budget | Exit::Enabled => {}
            Exit::Read { channel } => spu.answer(u32::from(channel) * 77),
            Exit::Stop { code: 1 } => break,
            exit => panic!("{exit:?}"),
        }
    }
    (sum, spu.instructions(), format!("{:?}", spu.registers()), store.bytes(DATA as u64, 128))
}

/// A probe that records the issue cycle of each instruction.
#[derive(Default)]
struct Issues(Vec<(u32, u64)>);

impl Probe for Issues {
    const ON: bool = true;

    fn issued(&mut self, address: u32, _: u64, now: u64, _: Option<u8>, _: Issuing) {
        self.0.push((address, now));
    }

    fn lost(&mut self, _: u32, _: Cause, _: u64, _: u64) {}
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn where_turns_end_changes_nothing(code in any_program(), budgets in prop::collection::vec(1..200u64, 1..20)) {
        let whole = outcome(&code, true, &[u64::MAX], &mut ());
        prop_assert_eq!(&whole, &outcome(&code, true, &budgets, &mut ()));
        let mut profile = Profile::new(machine().mfc.local_store_bytes);
        prop_assert_eq!(&whole, &outcome(&code, true, &budgets, &mut profile));
        prop_assert_eq!(profile.totals().instructions, whole.1);
    }

    #[test]
    fn instructions_issue_when_the_plain_pipeline_issues_them(code in any_program()) {
        let mut issues = Issues::default();
        outcome(&code, false, &[u64::MAX], &mut issues);
        let mut plain = PlainPipeline::new(&machine_with(false));
        for (index, (address, now)) in issues.0.iter().enumerate() {
            let next = issues.0.get(index + 1).map(|(address, _)| *address);
            prop_assert_eq!(plain.issue(&code, *address, next), *now, "at {:#x}", address);
        }
    }
}

#[test]
fn an_endless_loop_gives_the_machine_its_turns() {
    let machine = machine();
    let mut store = store_with(&machine, 0, &[word(Br, &[0])]);
    let (spu_cycles, exit) = Spu::new(&machine, 0).run(&mut store, 1000, &mut ());
    assert_eq!(exit, Exit::Budget);
    // An iteration of the loop consists of a mispredicted branch and takes 19 cycles.
    assert!((1000..1019).contains(&spu_cycles), "{spu_cycles}");
    // Code that fills the whole local store and has no branch also runs in turns.
    let nops = vec![word(Nop, &[0]); machine.mfc.local_store_bytes as usize / 4];
    let mut store = store_with(&machine, 0, &nops);
    let mut spu = Spu::new(&machine, 0);
    let (spu_cycles, _) = spu.run(&mut store, 200_000, &mut ());
    assert!((200_000..200_033).contains(&spu_cycles), "{spu_cycles}");
    assert_eq!(run_in_turns(&mut Spu::new(&machine, 0), &mut store_with(&machine, 0, &[STOP]), 1, &mut ()).0, 1);
}
