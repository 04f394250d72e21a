//! Tests local stores and problem-state registers that are mapped into a process.

use super::run;
use cell::coroutine::{Spu, spu_program};
use cell::door::{PpeOp, Supervisor};
use cell::page_table::{Access, Mapping};
use cell::units::SpeId;

const SPE: SpeId = SpeId(3);
const WINDOW: u32 = 0xf000_0000;
const SC: u32 = 0x4400_0002;
const SYNC: u32 = 0x7c00_04ac;

fn local_store(machine: &mut dyn Supervisor) {
    machine.map(WINDOW, 0x4_0000, Mapping::LocalStore(SPE, 0), Access::DATA);
}

#[test]
fn a_local_store_is_storage_of_any_width() {
    let words = [
        0x90a4_0000, // stw r5,0(r4)
        0x94a4_0004, // stwu r5,4(r4)
        0x80c4_fffc, // lwz r6,-4(r4)
        0x80e4_0000, // lwz r7,0(r4)
        0xbf84_0020, // stmw r28,0x20(r4)
        0xba84_0020, // lmw r20,0x20(r4)
        0xb0a4_0041, // sth r5,0x41(r4)
        0xa104_0041, // lhz r8,0x41(r4)
        0xf8a4_0080, // std r5,0x80(r4)
        0xe924_0080, // ld r9,0x80(r4)
        0x3940_01fc, // li r10,0x1fc
        0x7c04_57ec, // dcbz r4,r10
        0x8164_01fc, // lwz r11,0x1fc(r4)
        SYNC,
        SC,
    ];
    let registers = [(4, WINDOW), (5, 0x1122_3344), (28, 28), (29, 29), (30, 30), (31, 31)];
    let outcome = run(&words, &registers, |machine| {
        local_store(machine);
        machine.local_store(SPE).write(0x180, &[7; 0x100]);
    });
    let word = |n| outcome.cpu.word(n);
    assert_eq!([4, 6, 7, 8, 9, 11].map(word), [WINDOW + 4, 0x1122_3344, 0x1122_3344, 0x3344, 0x1122_3344, 0]);
    assert_eq!([20, 21, 22, 23].map(word), [28, 29, 30, 31]);
    // Store requests: two for word stores, four for `stmw`, two for byte stores, two for a doubleword, 16 for a cache
    // line. Load requests: two for word loads, twelve for `lmw`, two for byte loads, two for a doubleword, one for the
    // last word.
    let asked = |wanted: fn(&PpeOp) -> bool| outcome.asked.iter().filter(|op| wanted(op)).count();
    assert_eq!(asked(|op| matches!(op, PpeOp::Store { .. })), 2 + 4 + 2 + 2 + 16);
    assert_eq!(asked(|op| matches!(op, PpeOp::Load { .. })), 2 + 12 + 2 + 2 + 1);
    assert_eq!(asked(|op| matches!(op, PpeOp::Sync)), 1);
}

#[test]
fn a_register_is_read_and_written_once_by_each_instruction() {
    let words = [
        0x90a4_400c, // stw r5,SPU_In_Mbox
        SYNC,
        0x80c4_4014, // lwz r6,SPU_Mbox_Stat
        0x70c6_00ff, // andi. r6,r6,0xff
        0x4182_fff8, // beq back to the lwz
        0x80e4_4004, // lwz r7,SPU_Out_Mbox
        0x8104_4014, // lwz r8,SPU_Mbox_Stat
        SC,
    ];
    let outcome = run(&words, &[(4, WINDOW), (5, 41)], |machine| {
        machine.map(WINDOW, 0x2_0000, Mapping::Registers(SPE, 0), Access::DATA);
        machine.start(
            SPE,
            spu_program(|spu: Spu| async move {
                let word = spu.spu_read_in_mbox().await;
                spu.compute(5_000).await;
                spu.spu_write_out_mbox(word + 1).await;
                0
            }),
        );
    });
    assert_eq!((outcome.cpu.word(7), outcome.cpu.word(8) & 0xff), (42, 0));
    let stores = outcome.asked.iter().filter(|op| matches!(op, PpeOp::Store { .. })).count();
    assert_eq!(stores, 1);
}

#[test]
fn a_loop_of_one_load_reads_anew_each_time() {
    // lwz r6,0(r4); bdnz back; sc
    let words = [0x80c4_0000, 0x4200_fffc, SC];
    let mut loads = Vec::new();
    for rounds in [1, 5] {
        let mut set = super::cpu(&[(4, WINDOW)]);
        set.ctr = rounds;
        let process = super::Process::new(&words, set, super::code(), local_store);
        let outcome = super::run_all(vec![process]).remove(0);
        loads.push(outcome.asked.iter().filter(|op| !matches!(op, PpeOp::Fetch { .. })).count());
    }
    assert_eq!(loads, [1, 5]);
}

#[test]
fn storage_that_is_not_cached_has_no_reservations() {
    // lwarx r3,0,r4
    let outcome = super::run_to(&[0x7c60_2028, SC], &[(4, WINDOW)], local_store);
    assert_eq!(outcome.exit, Some(ppu::Exit::Stop(ppu::Stop::Alignment { ea: WINDOW })));
}
