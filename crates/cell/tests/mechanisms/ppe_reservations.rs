//! Reservations of the PPE's threads, and those of SPEs that the PPE's stores take.

use super::supervisor::{BUFFER, Os, PAGE, SLEEP, SPE, compute, os};
use crate::common::{Check, LONG, Reports, ps3};
use cell::coroutine::{Spu, spu_program};
use cell::door::{PpeOp, PpeTurn, Supervisor};
use cell::ea::{Target, register};
use cell::machine::Machine;
use cell::page_table::{Access, AccessKind, Mapping};
use cell::units::LINE_BYTES;

/// Maps a line of main memory and returns its number. An SPE can access the line at BUFFER.
fn line(machine: &mut dyn Supervisor) -> u64 {
    machine.map(BUFFER, PAGE, Mapping::Zero, Access::DATA);
    let Ok(Target::Memory(real)) = machine.pages().translate(BUFFER, AccessKind::Store) else { panic!("main memory") };
    real / LINE_BYTES
}

#[test]
fn a_putllc_takes_the_reservation_of_a_ppe_thread() {
    for puts in [false, true] {
        os(move |nth, _, machine| match nth {
            0 => Some(PpeOp::LoadReserved { real: line(machine) * LINE_BYTES, bytes: 4 }),
            1 => {
                machine.start(
                    SPE,
                    spu_program(move |spu: Spu| async move {
                        spu.mfc_getllar(0x4000, u64::from(BUFFER)).await;
                        spu.mfc_read_atomic_status().await;
                        if puts {
                            spu.mfc_putllc(0x4000, u64::from(BUFFER)).await;
                            assert_eq!(spu.mfc_read_atomic_status().await, 0);
                        }
                        0
                    }),
                );
                SLEEP
            }
            2 => {
                assert_eq!(machine.take_end(SPE), Some(Ok(0)));
                Some(conditional(machine, 7))
            }
            3 => {
                assert_eq!(word(machine), if puts { 0 } else { 7 });
                Some(conditional(machine, 8))
            }
            _ => {
                assert_ne!(word(machine), 8, "a reservation serves one store only");
                None
            }
        })
        .run();
    }
}

/// The processor cycles of a conditional store, and the number of Retry responses.
fn conditional_store(machine: &Machine, reserved_by_spe: bool) -> (u64, u64) {
    let times = Reports::new();
    let noted = times.clone();
    let turns = move |nth, turn: PpeTurn, machine: &mut dyn Supervisor| {
        noted.push(turn.time);
        match nth {
            0 => Some(PpeOp::LoadReserved { real: line(machine) * LINE_BYTES, bytes: 4 }),
            1 if reserved_by_spe => {
                machine.start(
                    SPE,
                    spu_program(move |spu: Spu| async move {
                        spu.mfc_getllar(0x4000, u64::from(BUFFER)).await;
                        spu.mfc_read_atomic_status().await
                    }),
                );
                SLEEP
            }
            1 => compute(LONG),
            2 => Some(conditional(machine, 7)),
            _ => {
                assert_eq!((turn.answer, word(machine)), (1, 7));
                None
            }
        }
    };
    let ran = Check::on(machine).ppe_program(Box::new(Os(0, turns))).run();
    let times = times.take();
    (times[3] - times[2], ran.record.counters.command.retries_address_match)
}

#[test]
fn a_conditional_store_takes_as_long_as_the_l2_if_the_l2_owns_the_line() {
    let machine = ps3();
    let l2 = machine.ppe_memory.l2_load_spu_cycles + machine.ppe_memory.replay_spu_cycles;
    assert_eq!(conditional_store(&machine, false), (l2, 0));
}

#[test]
fn the_l2_claims_a_line_that_an_spe_has_reserved_and_is_refused_as_often_as_the_machine_says() {
    let mut machine = ps3();
    let mut cycles = |most| {
        machine.atomic.l2_claim_retries = most;
        let (cycles, retries) = conditional_store(&machine, true);
        assert_eq!(retries, u64::from(most));
        cycles
    };
    let times = [0, 1, 2].map(&mut cycles);
    let eib = &ps3().eib;
    let again = eib.command_response_bus_cycles + eib.retry_bus_cycles;
    assert!(times[0] > 2 * eib.command_response_bus_cycles);
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 2 * again), "{times:?}");
}

fn real_address(machine: &mut dyn Supervisor) -> u64 {
    let Ok(Target::Memory(real)) = machine.pages().translate(BUFFER, AccessKind::Load) else { panic!("main memory") };
    real
}

fn conditional(machine: &mut dyn Supervisor, value: u64) -> PpeOp {
    PpeOp::StoreConditional { real: real_address(machine), bytes: 4, value }
}

fn word(machine: &mut dyn Supervisor) -> u32 {
    let real = real_address(machine);
    machine.memory().read_u32(real)
}

#[test]
fn a_store_of_the_ppe_takes_the_reservation_of_an_spe() {
    os(|nth, _, machine| match nth {
        0 => {
            line(machine);
            machine.start(
                SPE,
                spu_program(move |spu: Spu| async move {
                    spu.mfc_getllar(0x4000, u64::from(BUFFER)).await;
                    spu.mfc_read_atomic_status().await;
                    spu.spu_write_out_intr_mbox(0).await;
                    spu.spu_read_in_mbox().await;
                    spu.mfc_putllc(0x4000, u64::from(BUFFER)).await;
                    spu.mfc_read_atomic_status().await
                }),
            );
            SLEEP
        }
        1 => {
            let line = real_address(machine) / LINE_BYTES;
            assert_eq!([line, line + 1].map(|line| machine.is_of_others(line)), [true, false]);
            machine.store(line * LINE_BYTES, &[1]);
            machine.write_register(SPE, register::SPU_IN_MBOX, 0).unwrap();
            compute(LONG)
        }
        _ => {
            assert_eq!(machine.take_end(SPE), Some(Ok(1)), "putllc fails");
            None
        }
    })
    .run();
}

/// Turns of a thread that repeats a load with reservation, a conditional store of one line and a branch until it has
/// stored. The thread waits `cycles` before it begins, and begins with a store, which fails, if `stores_first`.
fn exchange(cycles: u64, stores_first: bool) -> impl FnMut(u32, PpeTurn, &mut dyn Supervisor) -> Option<PpeOp> {
    const REAL: u64 = 0x40000;
    move |nth, turn, _| match (nth, (nth + u32::from(stores_first)) % 3) {
        (0, _) => compute(cycles),
        (_, 1) => Some(PpeOp::LoadReserved { real: REAL, bytes: 4 }),
        (_, 2) => Some(PpeOp::StoreConditional { real: REAL, bytes: 4, value: 1 }),
        _ if turn.answer == 1 => None,
        _ => compute(20),
    }
}

#[test]
fn a_load_gets_the_line_that_a_store_without_reservation_does_not_need() {
    // One thread loads the line that the other claims for a store that fails. Both would go on like that for ever.
    for cycles in 1..100 {
        os(exchange(1, true)).ppe_program(Box::new(Os(0, exchange(cycles, false)))).limit(1_000_000).run();
    }
}
