//! Two PPEs, one on each chip of a blade: the windows that each of them reaches, and lines of memory that both of them
//! cache or reserve.

use crate::common::{Check, LONG, Ran, Reports};
use cell::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor};
use cell::ea::{memory_base, register, register_ea};
use cell::machine::Machine;
use cell::units::SpeId;

fn blade() -> Machine {
    Machine::builtin("qs20").expect("a machine that comes with the simulator")
}

/// A program that asks for some operations, and notes the answer to each of them and its duration in processor cycles.
struct Ops {
    ops: Vec<PpeOp>,
    next: usize,
    asked_at: u64,
    answers: Reports<(u64, u64)>,
}

impl PpeProgram for Ops {
    fn resume(&mut self, turn: PpeTurn, _: &mut dyn Supervisor) -> Result<PpeStep, String> {
        if self.next > 0 {
            self.answers.push((turn.answer, turn.time - self.asked_at));
        }
        let op = self.ops.get(self.next).copied();
        (self.next, self.asked_at) = (self.next + 1, turn.time);
        Ok(op.map_or(PpeStep::Stop(0), PpeStep::Ask))
    }
}

/// Runs the operations of a thread of the first PPE and of a thread of the second PPE.  Returns their answers.
fn run(first: &[PpeOp], second: &[PpeOp]) -> (Ran, [Vec<(u64, u64)>; 2]) {
    let mut check = Check::on(&blade()).recording_transfers();
    let answers = [Reports::new(), Reports::new(), Reports::new()];
    // The second program runs on the other thread of the first PPE.
    for (ops, answers) in [first, &[], second].into_iter().zip(&answers) {
        let ops = Ops { ops: ops.to_vec(), next: 0, asked_at: 0, answers: answers.clone() };
        check = check.ppe_program(Box::new(ops));
    }
    let ran = check.run();
    let [first, _, second] = answers.map(|answers| answers.take());
    (ran, [first, second])
}

/// A word of memory, as far from both chips' PPEs as the address says.
fn word() -> u64 {
    memory_base(&blade(), 0) + 0x1_0000
}

fn store(value: u64) -> PpeOp {
    PpeOp::Store { ea: word(), bytes: 4, value }
}

fn load() -> PpeOp {
    PpeOp::Load { ea: word(), bytes: 4 }
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
    let real = 0x1_0000;
    let conditional = PpeOp::StoreConditional { real, bytes: 4, value: 5 };
    let first = [PpeOp::LoadReserved { real, bytes: 4 }, PpeOp::Compute(2 * LONG), conditional];
    for (second, stored) in [(load(), 1), (store(9), 0)] {
        let (_, [answers, _]) = run(&first, &[PpeOp::Compute(LONG), second]);
        assert_eq!(answers[2].0, stored, "{second:?}");
    }
}

/// A program that increments a word by load with reservation and conditional store.
struct Increments {
    left: u32,
    loads: bool,
}

impl PpeProgram for Increments {
    fn resume(&mut self, turn: PpeTurn, _: &mut dyn Supervisor) -> Result<PpeStep, String> {
        const REAL: u64 = 0x1_0000;
        self.loads = !self.loads;
        if !self.loads {
            return Ok(PpeStep::Ask(PpeOp::StoreConditional { real: REAL, bytes: 4, value: turn.answer + 1 }));
        }
        self.left -= u32::from(turn.answer == 1);
        Ok(if self.left == 0 { PpeStep::Stop(0) } else { PpeStep::Ask(PpeOp::LoadReserved { real: REAL, bytes: 4 }) })
    }
}

#[test]
fn no_increment_of_four_threads_is_lost() {
    const EACH: u32 = 50;
    let programs = (0..4).map(|_| Increments { left: EACH, loads: false });
    let ran = programs.fold(Check::on(&blade()), |check, program| check.ppe_program(Box::new(program))).run();
    assert_eq!(ran.memory.read_u32(0x1_0000), 4 * EACH);
}

#[test]
fn a_fifth_program_has_no_thread() {
    let (machine, answers) = (blade(), Reports::new());
    let one = |_| Ops { ops: vec![load()], next: 0, asked_at: 0, answers: answers.clone() };
    let check = (0..5).map(one).fold(Check::on(&machine), |check, ops| check.ppe_program(Box::new(ops)));
    check.run();
    assert_eq!(answers.take().len(), 4);
}
