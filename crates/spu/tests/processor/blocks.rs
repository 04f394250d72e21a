//! Tests whether blocks and the plain pipeline agree after every turn, even if code changes or DMA occupies the
//! local-store port.
//!
//! With an active probe, the processor runs every instruction on the plain pipeline.

use super::common::{machine, put, store_with, word};
use cell::store::LocalStore;
use proptest::prelude::*;
use spu::Opcode::*;
use spu::core::{Exit, Spu};
use spu::profile::{Cause, Issuing, Probe};

/// The address of the data. The code is below the data, and begins at address 0.
const DATA: i32 = 0x4000;
/// Two groups of registers: those that hold quadwords of code, and those that hold addresses of code.
const CODE_REGISTERS: std::ops::Range<i32> = 8..11;
const ADDRESS_REGISTERS: std::ops::Range<i32> = 11..14;
const ENABLE_INTERRUPTS: u32 = 0x10 << 14;

/// A probe that ignores all notifications. Its presence forces the plain pipeline.
struct Plain;

impl Probe for Plain {
    const ON: bool = true;

    fn issued(&mut self, _: u32, _: u64, _: u64, _: Option<u8>, _: Issuing) {}

    fn lost(&mut self, _: u32, _: Cause, _: u64, _: u64) {}
}

/// Plain computations, loads and stores that use only a few registers.
fn computes() -> impl Strategy<Value = u32> {
    let register = || 0..8i32;
    let three = prop::sample::select(vec![A, Rot, Sumb, Fa, Mpy, Fi, Dfa, Rotqby]);
    prop_oneof![
        4 => (three, register(), register(), register()).prop_map(|(op, t, a, b)| word(op, &[t, a, b])),
        2 => (prop::sample::select(vec![Shufb, Selb, Fma]), register(), register(), register())
            .prop_map(|(op, t, a, b)| word(op, &[t, a, b, t])),
        2 => (register(), -3..4i32).prop_map(|(t, by)| word(Ai, &[t, t, by])),
        2 => (register(), 0..8i32).prop_map(|(t, at)| word(Lqa, &[t, DATA + 16 * at])),
        1 => (register(), -8..8i32).prop_map(|(t, at)| word(Lqr, &[t, 16 * at])),
        2 => (register(), 0..8i32).prop_map(|(t, at)| word(Stqa, &[t, DATA + 16 * at])),
        1 => prop::sample::select(vec![word(Nop, &[0]), word(Lnop, &[])]),
    ]
}

/// Other instructions: branches, hints, channel reads, synchronisation, and stores to code.
fn does_more(words: i32) -> impl Strategy<Value = u32> {
    let (register, code, address) = (|| 0..8i32, || CODE_REGISTERS, || ADDRESS_REGISTERS);
    let conditional = prop::sample::select(vec![Brz, Brnz, Brhz, Brhnz]);
    prop_oneof![
        6 => (conditional, register(), -20..20i32).prop_map(|(op, t, by)| word(op, &[t, 4 * by])),
        1 => (-20..20i32).prop_map(|by| word(Br, &[4 * by])),
        1 => (-20..20i32, address()).prop_map(|(by, t)| word(Brsl, &[t, 4 * by])),
        2 => (address(), 0..words).prop_map(|(t, at)| word(Ila, &[t, 4 * at])),
        1 => (address(), prop::sample::select(vec![0, ENABLE_INTERRUPTS])).prop_map(|(a, e)| word(Bi, &[a]) | e),
        1 => (register(), address()).prop_map(|(t, a)| word(Biz, &[t, a])),
        3 => (4..30i32, -30..30i32).prop_map(|(branch, target)| word(Hbrr, &[4 * branch, 4 * target])),
        1 => (4..30i32, 0..words).prop_map(|(branch, target)| word(Hbra, &[4 * branch, 4 * target])),
        1 => (4..30i32, address()).prop_map(|(branch, target)| word(Hbr, &[4 * branch, target])),
        1 => prop::sample::select(vec![word(Dsync, &[]), word(Sync, &[])]),
        1 => (register(), 0..32i32).prop_map(|(t, channel)| word(Rdch, &[t, channel])),
        1 => (code(), 0..words / 4).prop_map(|(t, at)| word(Lqa, &[t, 16 * at])),
        1 => (code(), 0..words / 4).prop_map(|(t, at)| word(Stqa, &[t, 16 * at])),
    ]
}

/// A hinted branch over some words. The hint may be so late that the branch is delayed, or that the code line after the
/// branch has not been fetched in time.
fn hinted_branch() -> impl Strategy<Value = Vec<u32>> {
    (4..8, 1..24).prop_map(|(pairs, over)| {
        let pair = [word(Nop, &[0]), word(Lnop, &[])];
        let behind = 8 * pairs + 8;
        let mut code = vec![word(Lnop, &[]), word(Hbrr, &[behind - 4, behind - 4 + 4 * over])];
        code.extend(pair.repeat(pairs as usize));
        code.extend([pair[0], word(Br, &[4 * over])]);
        code.extend(pair.repeat(over as usize / 2));
        code
    })
}

/// Code that loops for ever.
fn any_code() -> impl Strategy<Value = Vec<u32>> {
    (20..150i32).prop_flat_map(|words| {
        let one = |word: u32| vec![word];
        let part = prop_oneof![
            50 => computes().prop_map(one),
            10 => does_more(words).prop_map(one),
            2 => hinted_branch(),
        ];
        prop::collection::vec(part, words as usize).prop_map(|parts| {
            let mut code = parts.concat();
            code.push(word(Br, &[-4 * code.len() as i32]));
            code
        })
    })
}

/// The external events before a turn, and the maximum duration of the turn.
#[derive(Clone, Debug)]
struct Outside {
    budget: u64,
    line_at: Option<u64>,
    interrupts: bool,
    /// Two quadwords of code, given by number: DMA copies the first quadword onto the second.
    dma: Option<(u32, u32)>,
}

fn any_outside() -> impl Strategy<Value = Outside> {
    let budget = prop_oneof![1..60u64, 1..3000u64];
    let dma = prop::option::weighted(0.1, (0..50u32, 0..50u32));
    (budget, prop::option::weighted(0.3, 0..40u64), any::<bool>(), dma)
        .prop_map(|(budget, line_at, interrupts, dma)| Outside { budget, line_at, interrupts, dma })
}

/// Runs one processor's turn. Returns the processor state after the turn, for comparison.
fn turn<P: Probe>(spu: &mut Spu, store: &mut LocalStore, outside: &Outside, probe: &mut P) -> (u64, Exit, String) {
    if let Some((from, to)) = outside.dma {
        let bytes = store.bytes(u64::from(16 * from), 16);
        store.write(u64::from(16 * to), &bytes);
    }
    if outside.interrupts {
        spu.interrupt();
    }
    outside.line_at.into_iter().for_each(|at| spu.line_at(at));
    let (spu_cycles, exit) = spu.run(store, outside.budget, probe);
    let counts = (spu.pc(), spu.spu_cycles(), spu.instructions());
    if let Exit::Read { channel } | Exit::Count { channel } = exit {
        spu.answer(u32::from(channel) * 77);
    }
    (spu_cycles, exit, format!("{counts:x?} {:?} {:?}", spu.registers(), spu.fpscr()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn blocks_do_what_the_plain_pipeline_does(
        code in any_code(),
        outside in prop::collection::vec(any_outside(), 1..60),
    ) {
        let machine = machine();
        let store = || {
            let mut store = store_with(&machine, 0, &code);
            // The conditional branches depend on these data.
            put(&mut store, DATA as u32, &(0..32).map(|k| k % 3).collect::<Vec<_>>());
            store
        };
        let (mut store_of_blocks, mut plain_store) = (store(), store());
        let (mut blocks, mut plain) = (Spu::new(&machine, 0), Spu::new(&machine, 0));
        for (number, outside) in outside.iter().enumerate() {
            let expected = turn(&mut plain, &mut plain_store, outside, &mut Plain);
            prop_assert_eq!(&turn(&mut blocks, &mut store_of_blocks, outside, &mut ()), &expected, "turn {}", number);
            prop_assert_eq!(store_of_blocks.bytes(0, 0x4200), plain_store.bytes(0, 0x4200), "turn {}", number);
            if matches!(expected.1, Exit::Fault(_)) {
                break;
            }
        }
    }
}
