//! Tests the cycle in which each instruction issues, against sequences counted by hand.

use super::{BYTES, CODE, SC};
use crate::common::Flat;
use cell::machine::{Machine, PpeCore, PpeMemory};
use ppu::{Code, Costs, Cpu, Exit, Memory};

/// An address of data.
pub(super) const DATA: u32 = CODE + 0x1000;

/// The instruction timings of a machine that CellStats ships.
pub(super) fn values() -> PpeCore {
    Machine::builtin("ps3").expect("a machine").ppe_core
}

pub(super) fn values_of_memory() -> PpeMemory {
    Machine::builtin("ps3").expect("a machine").ppe_memory
}

pub(super) fn costs() -> Costs {
    let machine = Machine::builtin("ps3").expect("a machine");
    Costs::new(&machine.ppe_core, &machine.ppe_memory)
}

pub(super) fn code(alternates: bool) -> Code {
    let mut code = Code::new(costs());
    code.pipelines.alternates = alternates;
    code
}

/// Number of cycles until `sc` issues, in turns of `budget` cycles. `sc` waits for all earlier instructions.
pub(super) fn cycles_in_turns(words: &[u32], alternates: bool, budget: u64) -> u64 {
    cycles_with(words, code(alternates), budget)
}

pub(super) fn cycles_with(words: &[u32], mut code: Code, budget: u64) -> u64 {
    let mut memory = Flat::new(CODE, BYTES);
    memory.put_code(CODE, words);
    memory.put_code(CODE + 4 * words.len() as u32, &[SC]);
    let mut cpu = Cpu { pc: CODE.into(), ..Cpu::default() };
    // Every register contains the address of `DATA`, and the word at `DATA` contains its own address.
    cpu.gpr = [DATA.into(); 32];
    memory.store(DATA.into(), DATA.to_be_bytes()).expect("inside");
    let mut cycles = 0;
    loop {
        let (spent, exit) = cpu.run(&mut memory, &mut code, budget);
        cycles += spent;
        match exit {
            Exit::Budget => (),
            Exit::SystemCall => return cycles,
            other => panic!("{other:?} at {:#x}", cpu.pc),
        }
    }
}

fn cycles(words: &[u32]) -> u64 {
    cycles_in_turns(words, false, u64::MAX)
}

/// Number of cycles per repetition when a sequence of words is repeated many times.
fn each_in_turns(words: &[u32], alternates: bool) -> u64 {
    let rounds = |n: usize| cycles_in_turns(&words.repeat(n), alternates, u64::MAX);
    let (few, many) = (rounds(10), rounds(20));
    assert_eq!((many - few) % 10, 0, "{few} {many}");
    (many - few) / 10
}

fn each(words: &[u32]) -> u64 {
    each_in_turns(words, false)
}

/// Encodes a D-form instruction, such as `addi rt,ra,value`.
pub(super) const fn d(primary: u32, rt: u32, ra: u32, value: u32) -> u32 {
    primary << 26 | rt << 21 | ra << 16 | value & 0xffff
}

/// Encodes an X-form instruction, such as `add rt,ra,rb`.
pub(super) const fn x(rt: u32, ra: u32, rb: u32, extended: u32) -> u32 {
    31 << 26 | rt << 21 | ra << 16 | rb << 11 | extended << 1
}

/// Encodes a floating-point A-form instruction.
pub(super) const fn a(rt: u32, ra: u32, rb: u32, rc: u32, extended: u32) -> u32 {
    63 << 26 | rt << 21 | ra << 16 | rb << 11 | rc << 6 | extended << 1
}

/// Encodes a VX-form instruction.
const fn vx(rt: u32, ra: u32, rb: u32, extended: u32) -> u32 {
    4 << 26 | rt << 21 | ra << 16 | rb << 11 | extended
}

pub(super) const fn addi(rt: u32, ra: u32) -> u32 {
    d(14, rt, ra, 0)
}

const fn lwz(rt: u32, ra: u32) -> u32 {
    d(32, rt, ra, 0)
}

pub(super) const NOP: u32 = d(24, 0, 0, 0);
const FADD: u32 = a(1, 1, 2, 0, 21);
const FDIV: u32 = a(3, 4, 5, 0, 18);

#[test]
fn arithmetic_waits_two_cycles_for_arithmetic() {
    assert_eq!(each(&[addi(3, 3)]), 2);
    // Two independent additions need the same unit.
    assert_eq!(each(&[addi(3, 3), addi(4, 4)]), 2);
    assert_eq!(each(&[addi(3, 3), addi(4, 4), addi(5, 5), addi(6, 6)]), 4);
    // An instruction waits for the carry as for any other result: addic r3,r3,0; addze r4,r5.
    assert_eq!(each(&[d(12, 3, 6, 0), x(4, 5, 0, 202)]), 2 + 1);
}

#[test]
fn two_instructions_of_different_units_issue_in_one_cycle() {
    assert_eq!(each(&[addi(3, 7), lwz(4, 8)]), 1);
    assert_eq!(each(&[lwz(4, 8), addi(3, 7)]), 1);
    assert_eq!(each(&[lwz(3, 8), lwz(4, 8)]), 2);
    // crand 0,1,2; addi: condition register logic has its own unit.
    let crand = 19 << 26 | 1 << 16 | 2 << 11 | 257 << 1;
    assert_eq!(each(&[crand, addi(3, 7)]), 1);
    // The second instruction needs the result of the first.
    assert_eq!(each(&[addi(3, 7), d(36, 3, 8, 0)]), 3);
}

#[test]
fn a_pair_is_an_aligned_doubleword() {
    assert_eq!(cycles(&[addi(3, 7), lwz(4, 8), NOP]), cycles(&[addi(3, 7), lwz(4, 8)]));
    assert_eq!(cycles(&[NOP, addi(3, 7), lwz(4, 8), NOP]), cycles(&[addi(3, 7), lwz(4, 8)]) + 2);
}

#[test]
fn the_vector_unit_pairs_by_its_halves() {
    let (lvx, lfd) = (x(9, 0, 8, 103), d(50, 9, 8, 0));
    let vand = vx(1, 2, 3, 1028);
    let vspltb = vx(4, 0, 5, 524);
    assert_eq!(each(&[vand, vx(6, 2, 3, 1028)]), 2);
    assert_eq!(each(&[vand, vspltb]), 1);
    // Vector loads issue every other cycle (ppe_memory.vector_load_spu_cycles); they pair.
    assert_eq!(each(&[vand, lvx, vx(6, 2, 3, 1028), addi(3, 7)]), 2);
    assert_eq!(each(&[lvx, vspltb]), 2);
    assert_eq!(each(&[a(6, 1, 2, 0, 21), lfd]), 1);
    assert_eq!(each(&[vand, addi(3, 7)]), 1);
    // General-register loads pair with neither half of the vector unit.
    assert_eq!(each(&[vand, lwz(3, 8)]), 2);
    assert_eq!(each(&[lwz(3, 8), vspltb]), 2);
}

#[test]
fn addresses_are_needed_early() {
    // A load whose address is the previous load's result, and a load whose address is computed.
    assert_eq!(each(&[lwz(3, 3)]), 6);
    assert_eq!(each(&[addi(4, 7), lwz(3, 4)]), 6);
    // A load, and an addition that needs the loaded value.
    assert_eq!(each(&[lwz(3, 8), addi(4, 3)]), 4);
    // A store needs its data no earlier than an addition needs its operands.
    assert_eq!(each(&[addi(3, 7), d(36, 3, 8, 0), NOP, NOP]), 5);
    // lwzu updates its address register by an addition, and the next lwzu needs the register as its address.
    assert_eq!(each(&[d(33, 3, 8, 0)]), 5);
}

#[test]
fn microcode_takes_seven_cycles_more_and_no_pair() {
    let lha = d(42, 3, 8, 0);
    assert_eq!(each(&[lha]), 12);
    assert_eq!(each(&[lha, addi(4, 7)]), 13);
    // slw r3,r5,r6; rlwinm. r3,r5,1,0,31; mulld. r3,r5,r6
    assert_eq!(each(&[x(5, 3, 6, 24)]), 9);
    assert_eq!(each(&[21 << 26 | 5 << 21 | 3 << 16 | 1 << 11 | 31 << 1 | 1]), 9);
    assert_eq!(each(&[x(3, 5, 6, 233) | 1]), 22);
    // The recording instructions `add.` and `andi.` are not microcoded.
    assert_eq!(each(&[x(3, 5, 6, 266) | 1]), 1);
    // lmw r20,0(r8): twelve registers
    let values = values();
    assert_eq!(each(&[d(46, 20, 8, 0)]), values.microcode_spu_cycles + 12 * values.microcode_register_spu_cycles);
}

#[test]
fn what_is_not_pipelined_blocks_the_thread_or_its_unit() {
    // mulli, mullw, mulld, mfcr
    let alone = [d(7, 3, 5, 2), x(3, 5, 6, 235), x(3, 5, 6, 233), x(3, 0, 0, 19)];
    assert_eq!(alone.map(|word| each(&[word])), [6, 9, 15, 34]);
    // A load may pair with a following multiplication, but no instruction issues in the same cycle after a
    // multiplication.
    assert_eq!(each(&[lwz(4, 8), x(3, 5, 6, 235)]), 9);
    assert_eq!(each(&[x(3, 5, 6, 235), lwz(4, 8)]), 10);
    // A floating-point division blocks only its own unit.
    assert_eq!(each(&[FDIV]), 74);
    assert_eq!(each(&[a(3, 0, 5, 0, 22)]), 84);
    let mut beside = vec![FDIV];
    beside.extend([addi(3, 7), addi(4, 7)].repeat(15));
    assert_eq!(each(&beside), 74);
    assert_eq!(each(&[FDIV, vx(1, 2, 3, 1028)]), 74);
    assert_eq!(each(&[FDIV, a(6, 1, 2, 0, 21)]), 75);
}

#[test]
fn a_division_takes_a_cycle_for_each_significant_bit_of_its_dividend() {
    let [divw, divwu, divd, divdu] = [491, 459, 489, 457].map(|extended| x(3, 5, 6, extended));
    // li r5,dividend; nop; the division; nop
    let takes = |word: u32, dividend: i32| {
        let with = |word: u32| cycles(&[d(14, 5, 0, dividend as u32), NOP, word, NOP]);
        with(word) - with(NOP) + 1
    };
    for (dividend, bits) in [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (0x7fff, 15)] {
        assert_eq!([divw, divwu, divd, divdu].map(|word| takes(word, dividend)), [6 + bits; 4], "{dividend}");
    }
    assert_eq!([divw, divd].map(|word| takes(word, -4)), [6 + 3; 2]);
    assert_eq!([divwu, divdu].map(|word| takes(word, -4)), [6 + 32, 6 + 64]);
    // A load may pair with a following division: lwz r4,0(r8); divw r3,r5,r6
    assert_eq!(each(&[lwz(4, 8), divw]), each(&[divw]));
    // Of two threads, each issues in every second cycle.
    assert_eq!(each_in_turns(&[divw], true), 2 + 14 + 6);
}

#[test]
fn a_load_waits_until_an_earlier_store_to_its_address_has_left() {
    let wait = values_of_memory().load_hit_store_spu_cycles;
    let stw = |displacement: u32| d(36, 3, 8, displacement);
    // stw r3,0(r8) and a nop in one cycle, pairs of nops in two cycles each, then a load and an addition.
    let takes = |load: u32, pairs: usize| {
        let words = [&[stw(0), NOP][..], &[NOP, NOP].repeat(pairs), &[load, addi(4, 5)]].concat();
        cycles(&words)
    };
    for load in [lwz(5, 8), d(40, 5, 8, 2), d(50, 5, 8, 0)] {
        for pairs in [0, 1, 19, 20] {
            let waits = wait.saturating_sub(2 * pairs as u64 + 1);
            assert_eq!(takes(load, pairs) - takes(load + 4, pairs), waits, "{load:x} after {pairs}");
        }
    }
    // A counter in memory: lwz r3,0(r8); addi r3,r3,0; stw r3,0(r8)
    let counts = [lwz(3, 8), addi(3, 3), stw(0)];
    assert_eq!(each(&counts), wait + 3 + 2);
    // The cycles of two threads are even.
    assert_eq!(each_in_turns(&counts, true), wait + 4 + 2);
}

#[test]
fn results_of_the_vector_and_scalar_unit_have_their_latencies() {
    // fadd, vand, vspltb, vmuleub, vaddfp, vrefp; each instruction needs the result of its previous repetition
    let words = [FADD, vx(1, 1, 3, 1028), vx(1, 0, 1, 524), vx(1, 1, 3, 520), vx(1, 1, 3, 10), vx(1, 0, 1, 266)];
    assert_eq!(words.map(|word| each(&[word])), [10, 4, 4, 10, 12, 14]);
    assert_eq!(each(&[FADD, a(6, 2, 2, 0, 21), a(7, 2, 2, 0, 21), a(8, 2, 2, 0, 21)]), 10);
    assert_eq!(each(&[a(1, 2, 2, 0, 21), a(6, 2, 2, 0, 21)]), 2);
    // lfd f2,0(r8); fadd f1,f2,f2
    assert_eq!(cycles(&[d(50, 2, 8, 0), a(1, 2, 2, 0, 21)]) - cycles(&[a(1, 2, 2, 0, 21)]), 1);
    // mffs waits for all earlier instructions.
    assert_eq!(each(&[FADD, a(9, 0, 0, 18, 7)]), 10 + values().float_status_spu_cycles);
}

#[test]
fn one_instruction_of_the_vector_and_scalar_unit_waits_behind_its_issue() {
    let (add, load, additions) = (a(6, 3, 2, 0, 21), d(50, 7, 8, 0), [addi(3, 7), addi(4, 7)].repeat(40));
    // fadd f6,f3,f2 waits for the quotient, and takes 10 cycles. Meanwhile, 80 additions issue.
    let takes = |words: &[u32]| cycles(&[&[FDIV], words, &additions].concat());
    assert_eq!(cycles(&[FDIV, add]), 1 + 74 + 10);
    assert_eq!(takes(&[add]), cycles(&[FDIV, add]));
    // Another instruction of the unit stalls the thread until the sum begins: lfd f7,0(r8); vspltb v4,v5,0
    for another in [load, vx(4, 0, 5, 524), a(8, 2, 2, 0, 21)] {
        assert_eq!(takes(&[add, another]), 1 + 74 + 80 + 2, "{another:x}");
    }
    // A store waits for its data: stfd f3,0(r8)
    assert_eq!(takes(&[d(54, 3, 8, 0)]), 1 + 74 + 80 + 2);
}

#[test]
fn branches_wait_for_conditions_and_addresses() {
    // bso skips one word; the branch is not taken, as predicted.
    let branch = 16 << 26 | 12 << 21 | 3 << 16 | 8;
    let (compare, fcmpu) = (d(11, 0, 7, 1), a(0, 1, 2, 0, 0));
    assert_eq!(cycles(&[NOP, compare, branch]) - cycles(&[NOP, NOP, branch]), 0);
    assert_eq!(cycles(&[NOP, fcmpu, branch]) - cycles(&[NOP, NOP, branch]), 6 - 2);
    // The condition that `add.` records is ready at the same time as the sum.
    assert_eq!(cycles(&[NOP, x(3, 5, 6, 266) | 1, branch]) - cycles(&[NOP, NOP, branch]), 1);
    // bctr branches to sc, whose address is in CTR and in register 9.
    let (mtctr, mfctr, bctr) = (x(9, 9, 0, 467), x(4, 9, 0, 339), 19 << 26 | 20 << 21 | 528 << 1);
    let with_target = |words: &[u32]| {
        let mut memory = Flat::new(CODE, BYTES);
        memory.put_code(CODE, words);
        memory.put_code(CODE + 0x100, &[SC]);
        let mut cpu = Cpu { pc: CODE.into(), ctr: u64::from(CODE + 0x100), ..Cpu::default() };
        cpu.set_word(9, CODE + 0x100);
        cpu.run(&mut memory, &mut code(false), u64::MAX).0
    };
    assert_eq!(with_target(&[mfctr, bctr]), 1 + 1 + 2 + 1);
    assert_eq!(with_target(&[mtctr, bctr]), 1 + 10 + 2 + 1);
    assert_eq!(cycles(&[mtctr, mfctr]), 1 + 1 + 1);
}

#[test]
fn a_misprediction_costs_23_cycles() {
    let values = values();
    let bdnz_to_itself = |count: u32| {
        let mut memory = Flat::new(CODE, BYTES);
        memory.put_code(CODE, &[0x4200_0000, SC]);
        let mut cpu = Cpu { pc: CODE.into(), ctr: u64::from(count), ..Cpu::default() };
        cpu.run(&mut memory, &mut code(false), u64::MAX).0
    };
    let (taken, missed) = (values.branch_taken_spu_cycles, values.branch_mispredicted_spu_cycles);
    assert_eq!(missed, 23);
    // The first two branches, which are taken, and the last branch, which is not taken, are mispredicted. sc issues at
    // the end.
    assert_eq!(bdnz_to_itself(1), 1 + 1);
    assert_eq!(bdnz_to_itself(2), 2 + missed + 1);
    assert_eq!(bdnz_to_itself(10), 10 + 7 * taken + 3 * missed + 1);
    // b +8 skips one word.
    assert_eq!(cycles(&[0x4800_0008, 0]), 1 + taken + 1);
}

#[test]
fn two_threads_issue_in_turn() {
    let alternating = |words: &[u32]| each_in_turns(words, true);
    assert_eq!(alternating(&[addi(3, 3)]), 2);
    assert_eq!(alternating(&[addi(3, 7), addi(4, 7)]), 4);
    assert_eq!(alternating(&[addi(3, 7), lwz(4, 8)]), 2);
    // Times are rounded up to an even number of cycles: from 5 to 6, and the 11 after an algebraic load issued to 12.
    assert_eq!(alternating(&[d(33, 3, 8, 0)]), 6);
    assert_eq!(alternating(&[d(42, 3, 8, 0)]), 2 + 12);
}

#[test]
fn results_are_written_in_order() {
    // fadd f1,f1,f2; lfd f1: the load waits until the sum is written, and the next fadd waits for the load.
    assert_eq!(each(&[FADD, d(50, 1, 8, 0)]), 10);
}
