//! Tests the cycle in which each instruction issues, against the issue rules without stored transitions.

use super::pipeline::{DATA, NOP, a, addi, code, costs, cycles_in_turns, cycles_with, d, values, values_of_memory, x};
use super::{BYTES, CODE, SC};
use crate::common::Flat;
use ppu::pipeline::{Learned, State};
use ppu::table::ROWS;
use ppu::{Class, Code, Costs, Cpu, Exit, Instruction, Memory, decode};
use proptest::prelude::*;
use std::collections::HashMap;

/// Cycles by which an instruction is late that would otherwise issue in cycle `at`, if it is among those of
/// [`loop_word`]. `stores` has the cycle in which each word was stored.
fn late(i: &Instruction, cpu: &Cpu, at: u64, stores: &mut HashMap<u32, u64>) -> u8 {
    let dividend = cpu.word(i.ra) as i32;
    let ea = cpu.word(i.ra).wrapping_add(i.displacement() as u32);
    match ROWS[usize::from(i.row)].mnemonic {
        "divw" => (32 - dividend.unsigned_abs().leading_zeros()) as u8,
        "stw" => {
            stores.insert(ea, at);
            0
        }
        "lwz" | "lha" | "lfd" => {
            let stored = stores.remove(&ea);
            stored.map_or(0, |stored| (stored + values_of_memory().load_hit_store_spu_cycles).saturating_sub(at) as u8)
        }
        _ => 0,
    }
}

/// Counts cycles by applying the issue rules, without stored transitions, to each instruction that a program executes.
fn cycles_by_the_rule(words: &[u32], alternates: bool) -> u64 {
    let (values, costs) = (values(), costs());
    let mut memory = Flat::new(CODE, BYTES);
    memory.put_code(CODE, words);
    memory.put_code(CODE + 4 * words.len() as u32, &[SC]);
    memory.store(DATA.into(), DATA.to_be_bytes()).expect("inside");
    let mut cpu = Cpu { pc: CODE.into(), gpr: [DATA.into(); 32], ..Cpu::default() };
    let mut one_by_one = Code::new(Costs::one_each());
    let mut state = State::empty(alternates);
    let mut history = vec![0_i32; words.len() + 1];
    let mut stores = HashMap::new();
    let mut cycles = 0;
    loop {
        let at = (cpu.pc as u32 - CODE) as usize / 4;
        let word = if at < words.len() { words[at] } else { SC };
        let i = decode(word, cpu.pc as u32);
        let issues_at = cycles + u64::from(state.clone().issue(&i, &costs));
        let late = late(&i, &cpu, issues_at, &mut stores);
        if late > 0 {
            cycles += u64::from(state.hold(&i, &costs)) + u64::from(state.late(late));
        }
        cycles += u64::from(state.issue(&i, &costs));
        if cpu.run(&mut memory, &mut one_by_one, 1).1 == Exit::SystemCall {
            return cycles;
        }
        let row = &ROWS[usize::from(i.row)];
        if row.class != Class::Branch {
            continue;
        }
        let taken = cpu.pc != u64::from(i.next());
        let predicted = history[at] >= 2;
        history[at] = (history[at] + if taken { 1 } else { -1 }).clamp(0, 3);
        let is_conditional = row.operands.contains('r') || row.operands.contains('c');
        let waits = match (is_conditional && taken != predicted, taken) {
            (true, _) => values.branch_mispredicted_spu_cycles,
            (false, true) => values.branch_taken_spu_cycles,
            (false, false) => 0,
        };
        if waits > 0 {
            cycles += u64::from(state.wait(waits as u8));
        }
    }
}

/// Generates the instructions of a loop: arithmetic, loads, stores and floating point on few registers, and forward
/// branches.
fn loop_word() -> impl Strategy<Value = u32> {
    let register = || 3_u32..7;
    let kinds = (0..13_u32, register(), register(), register());
    kinds.prop_map(|(kind, t, x1, y)| match kind {
        0 => addi(t, x1),
        1 => x(t, x1, y, 266) | 1,
        // Register 8 always contains an address.
        2 => d(32, t, 8, 4 * y),
        3 => d(36, t, 8, 4 * x1),
        4 => a(t, x1, y, 0, 21),
        5 => d(50, t, 8, 4 * y),
        6 => x(t, x1, y, 235),
        7 => d(42, t, 8, 4 * y),
        8 => d(11, 0, x1, t << 13),
        9 => a(t, x1, y, 0, 18),
        10 => x(t, x1, y, 138),
        11 => x(t, x1, y, 491),
        // bt or bf that skips one word
        _ => 16 << 26 | if t % 2 == 0 { 12 } else { 4 } << 21 | (x1 % 4) << 16 | 8,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn remembered_transitions_are_those_of_the_rule(
        body in prop::collection::vec(loop_word(), 1..40), alternates: bool, budget in 1..50_u64,
    ) {
        // li r7,20; mtctr r7; the body and two nops, 20 times
        let mut words = vec![d(14, 7, 0, 20), x(7, 9, 0, 467)];
        words.extend(&body);
        words.extend([NOP, NOP, 16 << 26 | 16 << 21 | (-4 * (body.len() as i32 + 2)) as u32 & 0xfffc]);
        let cycles = cycles_by_the_rule(&words, alternates);
        prop_assert_eq!(cycles_in_turns(&words, alternates, u64::MAX), cycles);
        prop_assert_eq!(cycles_in_turns(&words, alternates, budget), cycles);
        let mut forgetful = code(alternates);
        forgetful.pipelines.most_states = 4;
        prop_assert_eq!(cycles_with(&words, forgetful, budget), cycles);
    }
    /// The second pass takes all transitions from the table.
    #[test]
    fn services_take_as_long_as_by_the_rule(
        body in prop::collection::vec((loop_word(), prop::option::of((0..300_u64, 0..300_u64))), 1..40),
        alternates: bool,
    ) {
        let (mut code, costs) = (code(alternates), costs());
        let pipelines = &mut code.pipelines;
        for _ in 0..2 {
            let (mut left, mut state) = (0, State::empty(alternates));
            for ((word, service), pc) in body.iter().zip((CODE..).step_by(4)) {
                let mut i = decode(*word, pc);
                if let Some((cycles, delay)) = *service {
                    let number = pipelines.enter(left);
                    let (held, took) = pipelines.hold(&i, number);
                    prop_assert_eq!(took, state.hold(&i, &costs));
                    left = pipelines.resume(pipelines.leave(held), cycles, delay);
                    state.resume(cycles.min(255) as u8, delay.min(255) as u8);
                }
                pipelines.lines.insert(pc);
                let number = pipelines.enter(left);
                prop_assert_eq!(pipelines.learn(&mut i, number), Learned::Transition);
                prop_assert_eq!(i.transition.cycles, state.issue(&i, &costs));
                left = pipelines.leave(i.transition.next);
            }
        }
    }
}
