//! Tests reservations of PPE threads that compete with each other and with SPEs.

use super::{code, cpu, run_all};
use crate::common::process::{DATA, Process};
use cell::coroutine::{Spu, spu_program};
use cell::door::Supervisor;
use cell::units::SpeId;

/// Increments the word at the address in r4 as many times as r3 states, then waits until the word equals r7.
const COUNT: [u32; 11] = [
    0x7ca0_2028, // lwarx r5,0,r4
    0x38a5_0001, // addi r5,r5,1
    0x7ca0_212d, // stwcx. r5,0,r4
    0x40a2_fff4, // bne- back
    0x3463_ffff, // addic. r3,r3,-1
    0x4082_ffec, // bne back
    0x7c00_04ac, // sync
    0x80c4_0000, // lwz r6,0(r4)
    0x7c06_3800, // cmpw r6,r7
    0x4082_fff8, // bne back to the lwz
    0x4400_0002, // sc
];
const ROUNDS: u32 = 200;

/// Runs threads and SPEs that increment one word until the word equals the total number of increments. If an increment
/// is lost, the run never ends.
fn count(threads: u32, spes: u8) {
    let start = move |machine: &mut dyn Supervisor| {
        for spe in 0..spes {
            let program = spu_program(|spu: Spu| async move {
                for _ in 0..ROUNDS {
                    spu.atomic_update(0x1000, DATA.into(), 20, |value| value + 1).await;
                }
                0
            });
            machine.start(SpeId(spe), program);
        }
    };
    let total = (threads + u32::from(spes)) * ROUNDS;
    let registers = cpu(&[(3, ROUNDS), (4, DATA), (7, total)]);
    let mut processes = vec![Process::new(&COUNT, registers.clone(), code(), start)];
    processes.extend((1..threads).map(|_| Process::beside(registers.clone(), code())));
    for outcome in run_all(processes) {
        assert_eq!(outcome.cpu.word(6), total);
    }
}

#[test]
fn one_thread_counts() {
    count(1, 0);
}

#[test]
fn no_count_of_two_threads_is_lost() {
    count(2, 0);
}

#[test]
fn no_count_of_a_thread_and_an_spe_is_lost() {
    count(1, 1);
}

#[test]
fn no_count_of_both_threads_and_six_spes_is_lost() {
    count(2, 6);
}
