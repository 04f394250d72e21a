//! Two PPEs, one on each chip of a blade: the windows that each of them reaches, and lines of memory that both of them
//! cache or reserve.

use super::supervisor::Os;
use crate::common::{Check, LONG, Ran, Reports};
use cell::door::{PpeOp, PpeProgram, PpeTurn, Supervisor};
use cell::ea::{memory_base, register, register_ea};
use cell::machine::Machine;
use cell::units::SpeId;

fn blade() -> Machine {
    Machine::builtin("qs20").expect("a machine that comes with the simulator")
}

/// A program that asks for some operations, and reports the answer to each of them and its duration in processor cycles.
fn program(ops: &[PpeOp], answers: &Reports<(u64, u64)>) -> Box<dyn PpeProgram> {
    let (ops, answers, mut asked_at) = (ops.to_vec(), answers.clone(), 0);
    Box::new(Os(0, move |nth, turn: PpeTurn, _: &mut dyn Supervisor| {
        if nth > 0 {
            answers.push((turn.answer, turn.time - asked_at));
        }
        asked_at = turn.time;
        ops.get(nth as usize).copied()
    }))
}

/// Runs the operations of a thread of the first PPE and of a thread of the second PPE. Returns their answers.
fn run(first: &[PpeOp], second: &[PpeOp]) -> (Ran, [Vec<(u64, u64)>; 2]) {
    let answers = [Reports::new(), Reports::new(), Reports::new()];
    // The second program runs on the other thread of the first PPE.
    let programs = [first, &[], second].into_iter().zip(&answers).map(|(ops, answers)| program(ops, answers));
    let ran = programs.fold(Check::on(&blade()), Check::ppe_program).run();
    let [first, _, second] = answers.map(|answers| answers.take());
    (ran, [first, second])
}

/// Address of a word in the first chip's memory.
const REAL: u64 = 0x1_0000;

fn ea() -> u64 {
    memory_base(&blade(), 0) + REAL
}

fn store(value: u64) -> PpeOp {
    PpeOp::Store { ea: ea(), bytes: 4, value }
}

fn load() -> PpeOp {
    PpeOp::Load { ea: ea(), bytes: 4 }
}

const RESERVE: PpeOp = PpeOp::LoadReserved { real: REAL, bytes: 4 };

fn store_conditional(value: u64) -> PpeOp {
    PpeOp::StoreConditional { real: REAL, bytes: 4, value }
}

#[test]
fn each_ppe_is_as_near_to_its_chips_spes_as_the_other_ppe_to_its_own() {
    let window = |spe| [PpeOp::Load { ea: register_ea(SpeId(spe), register::SPU_MBOX_STAT), bytes: 4 }];
    let (near, far) = (run(&window(0), &window(8)).1, run(&window(8), &window(0)).1);
    assert_eq!(near[0], near[1]);
    assert!(far[0][0].1 > near[0][0].1 && far[1][0].1 > near[1][0].1, "{near:?}, {far:?}");
}

#[test]
fn a_line_that_one_l2_has_changed_comes_from_there_and_is_shared_afterwards() {
    let later = PpeOp::Compute(LONG);
    let (ran, [_, second]) =
        run(&[store(7), PpeOp::Compute(2 * LONG), store(8)], &[later, load(), PpeOp::Compute(LONG)]);
    assert_eq!(second[1].0, 7);
    let counters = &ran.record.counters;
    let reads: u64 = counters.mics.iter().map(|mic| mic.reads).sum();
    assert_eq!((reads, counters.ppe.l2_load_misses), (1, 1), "memory supplies the line once, for the first store");
    assert_eq!(
        (counters.command.claims_with_data, counters.command.claims),
        (1, 1),
        "the second store claims it again"
    );
}

#[test]
fn a_line_that_the_other_l2_has_taken_misses() {
    let (ran, [first, _]) = run(&[load(), PpeOp::Compute(2 * LONG), load()], &[PpeOp::Compute(LONG), store(9)]);
    assert_eq!((first[0].0, first[2].0), (0, 9));
    assert_eq!(ran.record.counters.ppe.l2_load_misses, 2);
}

#[test]
fn a_store_of_one_ppe_takes_the_reservation_of_the_other() {
    let first = [RESERVE, PpeOp::Compute(2 * LONG), store_conditional(5)];
    for (second, stored) in [(load(), 1), (store(9), 0)] {
        let (_, [answers, _]) = run(&first, &[PpeOp::Compute(LONG), second]);
        assert_eq!(answers[2].0, stored, "{second:?}");
    }
}

/// A program that increments the word by load with reservation and conditional store.
fn increments(mut left: u32) -> Box<dyn PpeProgram> {
    Box::new(Os(0, move |nth, turn: PpeTurn, _: &mut dyn Supervisor| {
        if nth % 2 == 1 {
            return Some(store_conditional(turn.answer + 1));
        }
        left -= u32::from(turn.answer == 1);
        (left > 0).then_some(RESERVE)
    }))
}

#[test]
fn no_increment_of_four_threads_is_lost() {
    const EACH: u32 = 50;
    let ran = (0..4).map(|_| increments(EACH)).fold(Check::on(&blade()), Check::ppe_program).run();
    assert_eq!(ran.memory.read_u32(REAL), 4 * EACH);
}

#[test]
fn a_fifth_program_has_no_thread() {
    let answers = Reports::new();
    (0..5).map(|_| program(&[load()], &answers)).fold(Check::on(&blade()), Check::ppe_program).run();
    assert_eq!(answers.take().len(), 4);
}
