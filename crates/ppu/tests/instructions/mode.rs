//! Tests 32-bit mode on 64-bit registers: conditions, carries and addresses use the right halves of registers.

use super::{SC, run};
use ppu::Exit;
use ppu::registers::{XER_CA, XER_OV, XER_SO};

#[test]
fn a_recorded_doubleword_is_judged_by_its_right_half() {
    // rldicl. r3,r4,0,0
    let (cpu, ..) = run(&[0x7883_0001, SC], |cpu, _| cpu.gpr[4] = 0x8000_0000_0000_0000);
    assert_eq!((cpu.gpr[3], cpu.cr_field(0)), (0x8000_0000_0000_0000, 2));
}

#[test]
fn a_carry_leaves_the_right_half() {
    // addc r3,r4,r5
    let addc = |a, b| run(&[0x7c64_2814, SC], |cpu, _| (cpu.gpr[4], cpu.gpr[5]) = (a, b)).0;
    assert_eq!((addc(0xffff_ffff, 1).gpr[3], addc(0xffff_ffff, 1).xer), (0x1_0000_0000, XER_CA));
    assert_eq!(addc(0xffff_ffff_0000_0000, 0xffff_ffff_0000_0000).xer, 0);
}

#[test]
fn an_overflow_is_one_of_the_right_half() {
    // addo r3,r4,r5
    let addo = |a, b| run(&[0x7c64_2e14, SC], |cpu, _| (cpu.gpr[4], cpu.gpr[5]) = (a, b)).0.xer;
    assert_eq!(addo(0x7fff_ffff, 1), XER_SO | XER_OV);
    assert_eq!(addo(0x7fff_ffff_ffff_ffff, 1), 0);
}

#[test]
fn an_address_wraps_at_32_bits() {
    // lbz r3,4(r4): the left half of r4 is ignored, and the address wraps around
    let (cpu, _, exit) = run(&[0x8864_0004, SC], |cpu, _| cpu.gpr[4] = 0x1234_5678_ffff_fffc);
    assert_eq!(exit, Exit::Stop(ppu::Stop::Fault { ea: 0, store: false }));
    assert_eq!(cpu.pc, 0x1000);
}

#[test]
fn the_count_has_32_bits() {
    // mtctr r3; bdz +8; sc: only the right half of the count register is decremented to zero
    let (cpu, ..) = run(&[0x7c69_03a6, 0x4240_0008, SC, SC], |cpu, _| cpu.gpr[3] = 0x1_0000_0001);
    assert_eq!((cpu.ctr, cpu.pc), (0, 0x1010));
}
