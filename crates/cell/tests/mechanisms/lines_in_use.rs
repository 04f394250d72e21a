//! Tests of cache lines in memory that several units access at once.

use crate::common::{Check, Ran, board, wait};
use cell::machine::Machine;

const LINE: u64 = 0x10_0000;

/// A machine on which a read occupies a line of memory for `read` bus cycles, and a write for `write` bus cycles.
fn dealing(read: u64, write: u64) -> Machine {
    let mut machine = board();
    (machine.eib.line_read_bus_cycles, machine.eib.line_write_bus_cycles) = (read, write);
    machine.mic.refresh_bus_cycles = 0;
    machine
}

/// Runs six SPEs, each of which gets or puts one cache line. Threads with higher numbers start later.
fn six(machine: &Machine, put: bool, apart: u64) -> Ran {
    (0..6u64)
        .fold(Check::on(machine).recording_transfers(), |check, thread| {
            check.spu(move |spu| async move {
                spu.compute(40 * thread).await;
                let ea = LINE + apart * thread;
                if put {
                    spu.mfc_put(0x8000, ea, 128, 1).await;
                } else {
                    spu.mfc_get(0x8000, ea, 128, 1).await;
                }
                wait(&spu, 1).await;
                0
            })
        })
        .run()
}

#[test]
fn gets_of_one_line_are_as_far_apart_as_memory_takes_for_each() {
    for cycles in [150, 151, 700] {
        let ran = six(&dealing(cycles, 0), false, 0);
        let starts: Vec<u64> = ran.record.transfers.iter().flatten().map(|transfer| transfer.granted_at).collect();
        assert!(starts.windows(2).all(|pair| pair[1] - pair[0] == cycles), "{cycles}: {starts:?}");
        let command = &ran.record.counters.command;
        assert_eq!((command.waits_line_in_use, command.retries_address_match, command.ordered), (5, 0, 6));
    }
}

#[test]
fn puts_to_one_line_have_a_time_of_their_own() {
    let cycles = |read, write| six(&dealing(read, write), true, 0).record.bus_cycles;
    assert_eq!(cycles(0, 501) - cycles(0, 500), 5);
    assert_eq!(cycles(999, 500), cycles(0, 500));
}

#[test]
fn unconditional_puts_of_a_lock_line_are_as_far_apart_as_writes() {
    let cycles = |read, write| {
        let ran = (0..6)
            .fold(Check::on(&dealing(read, write)), |check, _| {
                check.spu(|spu| async move {
                    spu.mfc_putlluc(0x8000, LINE).await;
                    spu.mfc_read_atomic_status().await;
                    0
                })
            })
            .run();
        let command = &ran.record.counters.command;
        assert_eq!((command.waits_line_in_use, command.retries_address_match, command.ordered), (5, 0, 6));
        ran.record.bus_cycles
    };
    assert_eq!(cycles(0, 501) - cycles(0, 500), 5);
    assert_eq!(cycles(999, 500), cycles(0, 500));
}

#[test]
fn the_first_to_come_is_served_first() {
    let machine = dealing(700, 0);
    let ran = six(&machine, false, 0);
    let to: Vec<u8> = ran.record.transfers.iter().flatten().map(|transfer| transfer.to).collect();
    let ramp = |spe: &u32| machine.eib.ring.iter().position(|name| *name == format!("SPE{spe}")).expect("an SPE") as u8;
    assert_eq!(to, machine.chip.spes[..6].iter().map(ramp).collect::<Vec<_>>());
}

#[test]
fn commands_to_other_lines_do_not_wait() {
    let ran = six(&dealing(700, 700), false, 128);
    assert_eq!(ran.record.counters.command.waits_line_in_use, 0);
    assert_eq!(ran.record.bus_cycles, six(&dealing(0, 0), false, 128).record.bus_cycles);
}

#[test]
fn a_command_that_has_received_retry_often_enough_waits_for_its_line() {
    let mut machine = board();
    machine.eib.cached_match_bus_cycles = 900;
    let mut waits_and_retries = |most| {
        machine.eib.most_retries = most;
        let ran = (0..3u64)
            .fold(Check::on(&machine), |check, thread| {
                check.spu(move |spu| async move {
                    // The first has the line in its atomic unit before the others ask for it.
                    spu.compute(8_000 * u64::from(thread > 0) + 200 * thread).await;
                    spu.mfc_getllar(0x8000, LINE).await;
                    spu.mfc_read_atomic_status().await;
                    if thread == 0 {
                        spu.mfc_putllc(0x8000, LINE).await;
                        spu.mfc_read_atomic_status().await;
                    }
                    0
                })
            })
            .run();
        let command = &ran.record.counters.command;
        (command.waits_line_in_use, command.retries_address_match)
    };
    let (waits, needed) = waits_and_retries(255);
    assert!(waits == 0 && needed > 2, "{needed}");
    assert_eq!(waits_and_retries(needed as u32), (0, needed));
    assert_eq!(waits_and_retries(needed as u32 - 1), (1, needed - 1));
}
