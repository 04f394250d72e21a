//! Tests reservations, alignment, and accesses that cannot complete.

use super::{SC, run};
use ppu::{Exit, Memory, Stop};

const LWARX_3: u32 = 0x7c60_2028; // lwarx r3,0,r4
const STWCX_5: u32 = 0x7ca0_212d; // stwcx. r5,0,r4
const STWCX_5_THERE: u32 = 0x7ca0_312d; // stwcx. r5,0,r6
const LDARX_3: u32 = 0x7c60_20a8; // ldarx r3,0,r4
const STDCX_5: u32 = 0x7ca0_21ad; // stdcx. r5,0,r4

#[test]
fn a_conditional_store_takes_a_reservation() {
    let words = [LWARX_3, STWCX_5, 0x4182_0008, SC, STWCX_5, SC];
    let (cpu, mut memory, _) = run(&words, |cpu, memory| {
        (cpu.gpr[4], cpu.gpr[5]) = (0x2000, 7);
        memory.store(0x2000, [0, 0, 0, 9]).expect("inside");
    });
    // The first conditional store succeeds. The second conditional store fails, because the first one has cleared the
    // reservation.
    assert_eq!((cpu.gpr[3], cpu.pc, cpu.cr_field(0)), (9, 0x1018, 0));
    assert_eq!(memory.load(0x2000), Ok([0, 0, 0, 7]));
}

#[test]
fn a_reservation_is_for_its_line() {
    let there = |ea| run(&[LWARX_3, STWCX_5_THERE, SC], |cpu, _| (cpu.gpr[4], cpu.gpr[6]) = (0x2000, ea)).0.cr_field(0);
    assert_eq!((there(0x207c), there(0x2080)), (2, 0));
}

#[test]
fn doublewords_may_be_reserved_too() {
    let (cpu, mut memory, _) = run(&[LDARX_3, STDCX_5, SC], |cpu, memory| {
        (cpu.gpr[4], cpu.gpr[5]) = (0x2008, 0x1122_3344_5566_7788);
        memory.store(0x2008, [8; 8]).expect("inside");
    });
    assert_eq!((cpu.gpr[3], cpu.cr_field(0)), (0x0808_0808_0808_0808, 2));
    assert_eq!(memory.load(0x2008), Ok([0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]));
}

#[test]
fn reservations_are_aligned() {
    let exit = |word: u32, ea| run(&[word, SC], |cpu, _| cpu.gpr[4] = ea).2;
    assert_eq!(exit(LWARX_3, 0x2002), Exit::Stop(Stop::Alignment { ea: 0x2002 }));
    assert_eq!(exit(LDARX_3, 0x2004), Exit::Stop(Stop::Alignment { ea: 0x2004 }));
    assert_eq!(exit(LWARX_3, 0x2004), Exit::SystemCall);
}

#[test]
fn an_access_that_is_not_done_leaves_all_registers() {
    // lwzu r3,4(r4); stwu r3,4(r4); lmw r30,0(r4); lswi r3,r4,8: each access reaches beyond the end of storage
    for (word, ea) in [(0x8464_0004, 0x3000), (0x9464_0004, 0x3000), (0xbbc4_0000, 0x2ffc), (0x7c64_44aa, 0x2ffc)] {
        let (cpu, _, exit) = run(&[word, SC], |cpu, _| cpu.gpr[4] = ea);
        let store = word == 0x9464_0004;
        assert!(matches!(exit, Exit::Stop(Stop::Fault { store: is, .. }) if is == store), "{word:x}");
        assert_eq!((cpu.gpr[3], cpu.gpr[4], cpu.gpr[30], cpu.pc), (0, ea, 0, 0x1000), "{word:x}");
    }
}

#[test]
fn zero_as_a_base_is_no_register() {
    // lwz r3,0x1000(0), and lwzx r3,0,r4, while r0 is not zero
    for word in [0x8060_1000, 0x7c60_202e] {
        let (cpu, ..) = run(&[word, SC], |cpu, _| (cpu.gpr[0], cpu.gpr[4]) = (0x1234, 0x1000));
        assert_eq!(cpu.gpr[3], u64::from(word));
    }
}
