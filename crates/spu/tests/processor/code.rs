//! Tests whether the processor always executes the current contents of the local store, regardless of whether the
//! program or DMA wrote them.

use super::common::{STOP, machine, put, run_in_turns, store_with, word};
use spu::Opcode::*;
use spu::core::{Exit, Fault, FaultKind, Spu};
use spu::{Opcode, Quadword};

/// `ai r, r, by`, at an even word.
fn add(register: i32, by: i32) -> u32 {
    word(Ai, &[register, register, by])
}

fn preferred(spu: &Spu, register: u8) -> u32 {
    spu.registers().get(register).preferred()
}

#[test]
fn code_that_a_program_changes_is_executed_as_changed() {
    let machine = machine();
    // The quadword at 0x20 is a loop of two iterations. The first iteration replaces that whole quadword with the
    // quadword at 0x40.
    let mut store = store_with(&machine, 0, &[word(Lqa, &[5, 0x40]), word(Il, &[80, 2]), word(Br, &[0x18])]);
    let round = |by| [add(3, by), word(Stqa, &[5, 0x20]), add(80, -1), word(Brnz, &[80, -12])];
    put(&mut store, 0x20, &round(1));
    put(&mut store, 0x30, &[STOP]);
    put(&mut store, 0x40, &round(100));
    let mut spu = Spu::new(&machine, 0);
    assert_eq!(run_in_turns(&mut spu, &mut store, u64::MAX, &mut ()).1, Exit::Stop { code: 1 });
    assert_eq!(preferred(&spu, 3), 101);
}

#[test]
fn a_store_right_before_the_instruction_it_changes_is_in_time() {
    let machine = machine();
    let mut store = store_with(&machine, 0, &[word(Lqa, &[5, 0x40]), word(Nop, &[0]), word(Nop, &[0])]);
    put(&mut store, 0xc, &[word(Stqa, &[5, 0x10]), add(3, 1), STOP]);
    put(&mut store, 0x40, &[add(3, 7), STOP]);
    let mut spu = Spu::new(&machine, 0);
    run_in_turns(&mut spu, &mut store, u64::MAX, &mut ());
    assert_eq!(preferred(&spu, 3), 7);
}

#[test]
fn an_overlay_that_a_dma_brings_between_turns_is_executed() {
    let machine = machine();
    // The program calls a subroutine at 0x1000, writes to a channel, and calls the subroutine again.
    let call = |at: i32| word(Brasl, &[0, at]);
    let mut store = store_with(&machine, 0, &[call(0x1000), word(Wrch, &[21, 0]), call(0x1000), STOP]);
    let back = word(Bi, &[0]);
    put(&mut store, 0x1000, &[add(3, 1), back]);
    let mut spu = Spu::new(&machine, 0);
    let (_, exit) = run_in_turns(&mut spu, &mut store, u64::MAX, &mut ());
    assert!(matches!(exit, Exit::Write { channel: 21, .. }));
    // Like DMA, the copy writes line by line from another local store.
    let mut other = store.clone();
    put(&mut other, 0x1000, &[add(3, 50), back]);
    cell::store::copy(&other, 0x1000, &mut store, 0x1000, 128);
    spu.answer(0);
    assert_eq!(run_in_turns(&mut spu, &mut store, u64::MAX, &mut ()).1, Exit::Stop { code: 1 });
    assert_eq!(preferred(&spu, 3), 51);
}

#[test]
fn addresses_go_on_at_the_start_behind_the_end() {
    let machine = machine();
    let end = machine.mfc.local_store_bytes;
    let mut store = store_with(&machine, end - 8, &[add(3, 1), add(3, 1)]);
    put(&mut store, 0, &[add(3, 1), STOP]);
    let mut spu = Spu::new(&machine, end - 8);
    assert_eq!(run_in_turns(&mut spu, &mut store, u64::MAX, &mut ()).1, Exit::Stop { code: 1 });
    assert_eq!((preferred(&spu, 3), spu.pc(), spu.instructions()), (3, 8, 4));
}

#[test]
fn what_cannot_go_on_says_where_and_why() {
    let machine = machine();
    let no_instruction = 0x0080_0000;
    assert!(spu::decode(no_instruction).is_none());
    let faults = |code: &[u32]| {
        let mut store = store_with(&machine, 0x100, code);
        match run_in_turns(&mut Spu::new(&machine, 0x100), &mut store, u64::MAX, &mut ()).1 {
            Exit::Fault(fault) => fault,
            exit => panic!("{exit:?}"),
        }
    };
    let fault = |address, word, kind| Fault { address, word, kind };
    assert_eq!(faults(&[no_instruction]), fault(0x100, no_instruction, FaultKind::NoInstruction));
    let nops = [word(Nop, &[0]); 31];
    // The invalid instruction is the last word of a line in the first case, and the first word of a line in the second.
    assert_eq!(faults(&[&nops[..], &[no_instruction]].concat()).address, 0x100 + 31 * 4);
    assert_eq!(faults(&[&nops[..], &[nops[0], no_instruction]].concat()).address, 0x100 + 32 * 4);
    let halt = word(Heqi, &[0, 3, 0]);
    assert_eq!(faults(&[nops[0], halt]), fault(0x104, halt, FaultKind::Halt));
    assert_eq!(faults(&[word(Heqi, &[0, 3, 1]), no_instruction]).address, 0x104);
}

/// A program enables interrupts and waits for an interrupt. The handler then reads the address at which the program was
/// interrupted.
#[test]
fn an_interrupt_goes_to_address_zero_and_comes_back() {
    const ENABLE: u32 = 0x10 << 14;
    const DISABLE: u32 = 0x20 << 14;
    let machine = machine();
    let rdch = |opcode: Opcode, register: i32, channel: i32| word(opcode, &[register, channel]);
    // The handler copies SRR0 and the machine status into registers, and returns with interrupts
    // enabled.
    let handler = [rdch(Rdch, 5, 15), rdch(Rdch, 6, 13), word(Iret, &[0]) | ENABLE];
    let mut store = store_with(&machine, 0, &handler);
    // The main program enables interrupts by a branch to the next instruction, reads the status,
    // and spins.
    let main = [word(Ila, &[4, 0x108]), word(Bi, &[4]) | ENABLE, rdch(Rdch, 7, 13), word(Br, &[0])];
    put(&mut store, 0x100, &main);
    let mut spu = Spu::new(&machine, 0x100);
    spu.interrupt();
    assert_eq!(spu.pc(), 0x100, "interrupts are disabled at first");
    // The turn ends when the program enables interrupts, so that the machine can check for pending events.
    assert_eq!(spu.run(&mut store, u64::MAX, &mut ()).1, Exit::Enabled);
    assert!(spu.interrupts_enabled());
    spu.run(&mut store, 100, &mut ());
    assert_eq!((spu.pc(), preferred(&spu, 7)), (0x10c, 1));
    spu.interrupt();
    assert_eq!((spu.pc(), spu.interrupts_enabled()), (0, false));
    spu.run(&mut store, u64::MAX, &mut ());
    assert_eq!((spu.pc(), spu.interrupts_enabled()), (0x10c, true));
    assert_eq!((preferred(&spu, 5), preferred(&spu, 6)), (0x10c, 0));
    // `bisled` reads the count of the event channel, and branches if the count is not zero.
    put(&mut store, 0x200, &[word(Bisled, &[8, 9]) | DISABLE, STOP]);
    for (count, next) in [(0, 0x204), (1, 0x300)] {
        spu.set_pc(0x200);
        spu.registers_mut().set(9, Quadword::splat(0x300));
        assert_eq!(spu.run(&mut store, 1000, &mut ()).1, Exit::Count { channel: 0 });
        spu.answer(count);
        assert_eq!((spu.pc(), preferred(&spu, 8)), (next, 0x204));
    }
    assert!(!spu.interrupts_enabled());
}
