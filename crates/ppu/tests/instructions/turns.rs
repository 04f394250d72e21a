//! Tests how turns end, and how long they take. The length of turns does not affect results.

use super::{CODE, SC, run};
use crate::common::Flat;
use cell::machine::Machine;
use ppu::{Code, Costs, Cpu, Exit, Memory};

/// The instruction timings of a machine that CellStats ships.
fn costs() -> Costs {
    let machine = Machine::builtin("ps3").expect("a machine");
    Costs::new(&machine.ppe_core, &machine.ppe_memory)
}

#[test]
fn a_loop_counts_down_and_asks_the_system() {
    // li r3,0; li r4,5; mtctr r4; addi r3,r3,2; bdnz .-4; sc
    let words = [0x3860_0000, 0x3880_0005, 0x7c89_03a6, 0x3863_0002, 0x4200_fffc, SC];
    let (cpu, _, exit) = run(&words, |_, _| {});
    assert_eq!((cpu.word(3), cpu.pc, exit), (10, u64::from(CODE) + 24, Exit::SystemCall));
}

#[test]
fn a_trap_and_what_is_no_instruction_stay_where_they_are() {
    // twlgei r3,1 traps if r3 is at least 1
    let trap = |value| run(&[0x0ca3_0001, SC], |cpu, _| cpu.gpr[3] = value);
    assert_eq!((trap(1).2, trap(1).0.pc), (Exit::Trap, CODE.into()));
    assert_eq!(trap(0).2, Exit::SystemCall);
    let (cpu, _, exit) = run(&[0x3860_0001, 0x0000_0000], |_, _| {});
    assert_eq!((exit, cpu.pc, cpu.word(3)), (Exit::Illegal { word: 0 }, u64::from(CODE) + 4, 1));
}

#[test]
fn traps_compare_with_and_without_sign() {
    // tw TO,r3,r4 with r3 = -1 and r4 = 1: r3 is less in a signed comparison, and greater in an unsigned one
    let traps = |to: u32| {
        let word = 31 << 26 | to << 21 | 3 << 16 | 4 << 11 | 4 << 1;
        run(&[word, SC], |cpu, _| (cpu.gpr[3], cpu.gpr[4]) = (0xffff_ffff, 1)).2 == Exit::Trap
    };
    assert_eq!([16, 8, 4, 2, 1].map(traps), [true, false, false, false, true]);
}

#[test]
fn code_without_a_page_faults_as_a_load() {
    // branch to an address that has no storage
    let (cpu, _, exit) = run(&[0x4800_8000], |_, _| {});
    assert_eq!((exit, cpu.pc), (Exit::Stop(ppu::Stop::Fault { ea: 0x9000, store: false }), 0x9000));
}

#[test]
fn the_time_base_goes_on_within_a_turn() {
    // nop, mftb r3, nop, mftb r4, mftbu r5
    let words = [0x6000_0000, 0x7c6c_42e6, 0x6000_0000, 0x7c8c_42e6, 0x7cad_42e6, SC];
    let mut memory = Flat::new(CODE, 0x100);
    memory.ticks = 0x7_ffff_fff0;
    memory.put_code(CODE, &words);
    let mut cpu = Cpu { pc: CODE.into(), ..Cpu::default() };
    cpu.run(&mut memory, &mut Code::new(costs()), 1000);
    // The time base of `Flat` storage advances one tick per cycle. In each cycle, a nop and a move issue.
    assert_eq!((cpu.word(4) - cpu.word(3), cpu.word(5)), (1, 7));
}

#[test]
fn changed_code_is_executed_after_icbi() {
    // li r3,1; stw r5,0(r4); icbi 0,r4; isync; branch to the first instruction, which has become sc
    let words = [0x3860_0001, 0x90a4_0000, 0x7c00_27ac, 0x4c00_012c, 0x4bff_fff0];
    let (cpu, _, exit) = run(&words, |cpu, _| (cpu.gpr[4], cpu.gpr[5]) = (u64::from(CODE), u64::from(SC)));
    assert_eq!((exit, cpu.pc), (Exit::SystemCall, u64::from(CODE) + 4));
}

#[test]
fn forgotten_code_is_fetched_again() {
    let mut memory = Flat::new(CODE, 0x2000);
    let mut code = Code::new(Costs::one_each());
    // The code spans two pages: li r3,1 is at the end of the first page, li r4,1 and sc are in the second.
    memory.put_code(0x1ffc, &[0x3860_0001, 0x3880_0001, SC]);
    let results = |memory: &mut Flat, code: &mut Code| {
        let mut cpu = Cpu { pc: 0x1ffc, ..Cpu::default() };
        assert_eq!(cpu.run(memory, code, 100).1, Exit::SystemCall);
        (cpu.word(3), cpu.word(4))
    };
    assert_eq!(results(&mut memory, &mut code), (1, 1));
    memory.put_code(0x1ffc, &[0x3860_0002, 0x3880_0002]);
    assert_eq!(results(&mut memory, &mut code), (1, 1));
    code.forget(0x2000, 0x1000);
    assert_eq!(results(&mut memory, &mut code), (1, 2));
    code.forget(0x1ff0, 0x11);
    assert_eq!(results(&mut memory, &mut code), (2, 2));
    code.forget(0xffff_fff0, 0xffff_ffff);
}

#[test]
fn where_turns_end_changes_nothing() {
    // A loop of loads, stores, and forward and backward branches. The program ends with sc.
    let words = [
        0x3860_0400, // li r3,1024
        0x3880_2000, // li r4,0x2000
        0x7069_0003, // andi. r9,r3,3
        0x4182_000c, // beq +12
        0x9064_0000, // stw r3,0(r4)
        0x80a4_0000, // lwz r5,0(r4)
        0x7ca6_2a14, // add r5,r6,r5
        0x3463_ffff, // addic. r3,r3,-1
        0x4082_ffe8, // bne back
        SC,
    ];
    type Run = fn(&mut Cpu, &mut Flat, &mut Code, u64) -> (u64, Exit);
    let outcome_of = |run: Run, budget: u64| {
        let mut memory = Flat::new(CODE, 0x2000);
        memory.put_code(CODE, &words);
        let mut cpu = Cpu { pc: CODE.into(), ..Cpu::default() };
        let mut code = Code::new(costs());
        let mut cycles = 0;
        loop {
            let before = code.instructions;
            let (spent, exit) = run(&mut cpu, &mut memory, &mut code, budget);
            assert!(budget > 0 || code.instructions == before + 1);
            cycles += spent;
            if exit != Exit::Budget {
                return (cycles, exit, cpu, memory.load::<4>(0x2000), code.instructions);
            }
        }
    };
    let outcome = |budget| outcome_of(Cpu::run, budget);
    let whole = outcome(u64::MAX);
    // One in four of the 1024 iterations skips the store and the load.
    assert_eq!((whole.1, whole.4), (Exit::SystemCall, 2 + 768 * 7 + 256 * 5 + 1));
    for budget in [1, 2, 3, 7, 100, 1001] {
        assert_eq!(outcome(budget), whole, "{budget}");
    }
    // One instruction in each turn, even if two of them issue in one cycle.
    assert_eq!(outcome_of(|cpu, memory, code, _| cpu.step(memory, code), 0), whole);
}

#[test]
fn a_step_ends_after_one_instruction_of_any_kind() {
    // icbi 0,r4; b +8; (skipped); sc
    let mut memory = Flat::new(CODE, 0x100);
    memory.put_code(CODE, &[0x7c00_27ac, 0x4800_0008, 0, SC]);
    let (mut cpu, mut code) = (Cpu { pc: CODE.into(), ..Cpu::default() }, Code::new(costs()));
    let places = [4, 12, 16].map(|offset| u64::from(CODE) + offset);
    for (place, exit) in places.into_iter().zip([Exit::Budget, Exit::Budget, Exit::SystemCall]) {
        assert_eq!((cpu.step(&mut memory, &mut code).1, cpu.pc), (exit, place));
    }
}
