//! Tests main memory: loads return the stored values, each cache line is requested once, and page permissions are
//! enforced.

use super::{machine, run, run_to};
use crate::common::process::{CODE, DATA, DATA_BYTES};
use cell::door::PpeOp;
use cell::page_table::{Access, Mapping};
use ppu::{Exit, Stop};

/// Makes two passes over an array of r5 words at address r4. Each pass adds every word to r9, and then increments the
/// word.
const PASSES: [u32; 12] = [
    0x38e0_0002, // li r7,2
    0x7c86_2378, // mr r6,r4
    0x7ca9_03a6, // mtctr r5
    0x8106_0000, // lwz r8,0(r6)
    0x7d29_4214, // add r9,r9,r8
    0x3908_0001, // addi r8,r8,1
    0x9106_0000, // stw r8,0(r6)
    0x38c6_0004, // addi r6,r6,4
    0x4200_ffec, // bdnz
    0x38e7_ffff, // addi r7,r7,-1
    0x2c07_0000, // cmpwi r7,0
    0x4082_ffd8, // bne
];
const SC: u32 = 0x4400_0002;
const LINE: u32 = 128;

fn passes(words: u32) -> super::Outcome {
    let mut code = PASSES.to_vec();
    code.push(SC);
    run(&code, &[(4, DATA), (5, words)], |_| {})
}

#[test]
fn what_is_loaded_is_what_was_stored() {
    assert_eq!(passes(1000).cpu.word(9), 1000);
}

/// The requested operations, except fetches of instructions.
fn data(outcome: &super::Outcome) -> Vec<&PpeOp> {
    outcome.asked.iter().filter(|op| !matches!(op, PpeOp::Fetch { .. })).collect()
}

#[test]
fn each_line_is_asked_for_once() {
    // No other cache holds the line, so the load already acquires exclusive ownership.
    let loaded = passes(20 * LINE / 4);
    assert_eq!(data(&loaded).len(), 20);
    assert!(data(&loaded).iter().all(|op| matches!(op, PpeOp::Touch { store: false, .. })));
    // mtctr r5; stw r5,0(r4); stwu r5,64(r4); bdnz back
    let stored = run(&[0x7ca9_03a6, 0x90a4_0000, 0x94a4_0040, 0x4200_fff8, SC], &[(4, DATA), (5, 40)], |_| {});
    assert_eq!(data(&stored).len(), 21);
    assert!(data(&stored).iter().all(|op| matches!(op, PpeOp::Touch { store: true, .. })));
}

#[test]
fn each_line_of_instructions_is_fetched_once() {
    // mtctr r5; addi r6,r6,1, 94 times; bdnz to the first addi; sc. These instructions fill three lines and a word.
    let mut code = vec![0x7ca9_03a6];
    code.extend([0x38c6_0001; 94]);
    code.extend([0x4200_0000 | (-4 * 94i32) as u32 & 0xfffc, SC]);
    let outcome = run(&code, &[(5, 3)], |_| {});
    assert_eq!(outcome.cpu.word(6), 3 * 94);
    let fetched = outcome.asked.iter().filter(|op| matches!(op, PpeOp::Fetch { .. })).count();
    assert_eq!(fetched, 4);
}

#[test]
fn lines_that_do_not_fit_the_l1_are_asked_for_again() {
    let l1 = machine().ppe_memory.l1_bytes;
    let loads = |bytes: u32| {
        let outcome = passes(bytes / 4);
        outcome.asked.iter().filter(|op| matches!(op, PpeOp::Touch { store: false, .. })).count() as u32
    };
    assert_eq!(loads(l1 / 2), l1 / 2 / LINE);
    assert_eq!(loads(2 * l1), 2 * 2 * l1 / LINE);
}

#[test]
fn what_waits_for_a_line_takes_its_time_besides_that_of_instructions() {
    let (one, two) = (passes(32), passes(64));
    // Each additional cache line adds the wait for its request. The instructions take the same time for each line.
    let waited = |outcome: &super::Outcome| outcome.times.1 - outcome.times.0 - outcome.cycles;
    assert!(waited(&two) > waited(&one) && waited(&one) > 0);
}

#[test]
fn an_access_may_cross_lines_and_pages() {
    // stw r5,-2(r4); lwz r6,-2(r4); std r5,-3(r4); ldx r7,r4,r8, because the offset of ld must be a multiple of 4
    let words = [0x90a4_fffe, 0x80c4_fffe, 0x7ca4_412a, 0x7ce4_402a, SC];
    for at in [DATA + LINE, DATA + 4096] {
        let outcome = run(&words, &[(4, at), (5, 0x1122_3344), (8, -3_i32 as u32)], |_| {});
        assert_eq!((outcome.cpu.word(6), outcome.cpu.word(7)), (0x1122_3344, 0x1122_3344));
    }
}

#[test]
fn a_store_that_crosses_into_nothing_stores_nothing() {
    // stw r5,-2(r4)
    let end = DATA + DATA_BYTES;
    let outcome = run_to(&[0x90a4_fffe, SC], &[(4, end), (5, u32::MAX)], |_| {});
    assert_eq!(outcome.exit, Some(Exit::Stop(Stop::Fault { ea: end, store: true })));
    assert_eq!(outcome.cpu.pc, u64::from(CODE));
}

#[test]
fn pages_permit_what_they_do() {
    const READ_ONLY: u32 = 0x4000_0000;
    let map = |machine: &mut dyn cell::door::Supervisor| {
        machine.map(READ_ONLY, 4096, Mapping::Zero, Access { read: true, ..Access::NONE });
    };
    let (load, store, jump) = (0x80c4_0000, 0x90c4_0000, [0x7c89_03a6, 0x4e80_0420]);
    let exit = |words: &[u32], ea| run_to(words, &[(4, ea)], map).exit;
    assert_eq!(exit(&[load, SC], READ_ONLY), Some(Exit::SystemCall));
    let fault = |ea, store| Some(Exit::Stop(Stop::Fault { ea, store }));
    assert_eq!(exit(&[store, SC], READ_ONLY), fault(READ_ONLY, true));
    assert_eq!(exit(&[load, SC], READ_ONLY + 4096), fault(READ_ONLY + 4096, false));
    assert_eq!(exit(&jump, READ_ONLY), fault(READ_ONLY, false));
}

#[test]
fn the_time_base_is_that_of_the_machine() {
    // mftb r3; li r5,1000; mtctr r5; bdnz to itself; mftb r4; sc
    let outcome = run(&[0x7c6c_42e6, 0x38a0_03e8, 0x7ca9_03a6, 0x4200_0000, 0x7c8c_42e6, SC], &[], |_| {});
    let ticks = u64::from(outcome.cpu.word(4) - outcome.cpu.word(3));
    let chip = machine().chip;
    let expected = outcome.cycles * chip.timebase_hz / chip.processor_clock_hz;
    assert!(ticks.abs_diff(expected) <= 1 && ticks > 10, "{ticks} of {expected}");
}
