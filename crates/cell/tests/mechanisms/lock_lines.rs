//! Lock-line commands and the atomic cache.

use crate::common::{Check, LONG, Reports, board, pattern, ps3, wait};
use cell::channel::Channel;
use cell::coroutine::Spu;
use cell::machine::Machine;

const LINE: u64 = 0x10000;
const BUFFER: u32 = 0x1000;

const PUTLLC_SUCCESS: u32 = 0;
const PUTLLC_FAILURE: u32 = 1;
const PUTLLUC_SUCCESS: u32 = 2;
const GETLLAR_SUCCESS: u32 = 4;

/// Issues `getllar` and returns its status.
async fn getllar(spu: &Spu, ea: u64) -> u32 {
    spu.mfc_getllar(BUFFER, ea).await;
    spu.mfc_read_atomic_status().await
}

/// Issues `putllc` and returns its status.
async fn putllc(spu: &Spu, ea: u64) -> u32 {
    spu.mfc_putllc(BUFFER, ea).await;
    spu.mfc_read_atomic_status().await
}

#[test]
fn every_command_has_its_status() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            reports.push(getllar(&spu, LINE).await);
            reports.push(putllc(&spu, LINE).await);
            spu.mfc_putlluc(BUFFER, LINE).await;
            reports.push(spu.mfc_read_atomic_status().await);
            reports.push(spu.count(Channel::RD_ATOMIC_STAT).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [GETLLAR_SUCCESS, PUTLLC_SUCCESS, PUTLLUC_SUCCESS, 0]);
}

#[test]
fn a_queued_put_has_no_status_but_a_tag() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.ls().write(u64::from(BUFFER), &pattern(1, 128));
            spu.mfc_putqlluc(BUFFER, LINE, 6).await;
            wait(&spu, 6).await;
            spu.count(Channel::RD_ATOMIC_STAT).await
        })
        .run();
    assert_eq!(ran.code(0), 0);
    assert_eq!(ran.memory.bytes(LINE, 128), pattern(1, 128));
}

#[test]
fn a_line_comes_whole_and_goes_whole() {
    let ran = Check::on(&ps3())
        .memory(LINE - 128, &pattern(1, 384))
        .spu(|spu| async move {
            getllar(&spu, LINE).await;
            assert_eq!(spu.ls().bytes(u64::from(BUFFER), 128), pattern(1, 384)[128..256]);
            spu.ls().write(u64::from(BUFFER), &pattern(2, 128));
            putllc(&spu, LINE).await
        })
        .run();
    assert_eq!(ran.code(0), PUTLLC_SUCCESS);
    let expected = [&pattern(1, 384)[..128], &pattern(2, 128), &pattern(1, 384)[256..]].concat();
    assert_eq!(ran.memory.bytes(LINE - 128, 384), expected);
}

#[test]
fn a_conditional_put_without_a_reservation_fails_and_writes_nothing() {
    let ran = Check::on(&ps3()).memory(LINE, &pattern(1, 128)).spu(|spu| async move { putllc(&spu, LINE).await }).run();
    assert_eq!(ran.code(0), PUTLLC_FAILURE);
    assert_eq!(ran.memory.bytes(LINE, 128), pattern(1, 128));
    assert_eq!(ran.record.counters.spes[0].putllc_failures, 1);
}

#[test]
fn there_is_one_reservation_and_the_last_getllar_has_it() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            getllar(&spu, LINE).await;
            getllar(&spu, LINE + 128).await;
            reports.push(putllc(&spu, LINE).await);
            getllar(&spu, LINE).await;
            getllar(&spu, LINE + 128).await;
            reports.push(putllc(&spu, LINE + 128).await);
            reports.push(putllc(&spu, LINE + 128).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [PUTLLC_FAILURE, PUTLLC_SUCCESS, PUTLLC_FAILURE]);
}

/// The number of cache hits in the atomic unit of an SPE that reserves these lines in order.
fn hits(machine: &Machine, lines: Vec<u64>) -> u64 {
    let ran = Check::on(machine)
        .spu(move |spu| async move {
            for line in lines {
                getllar(&spu, LINE + 128 * line).await;
            }
            0
        })
        .run();
    ran.record.counters.spes[0].getllar_hits
}

#[test]
fn the_atomic_cache_has_the_machines_capacity_and_evicts_the_oldest_line() {
    for lines in [1, 2, u64::from(ps3().atomic.cache_lines)] {
        let mut machine = ps3();
        machine.atomic.cache_lines = lines as u32;
        let fill = 0..lines;
        assert_eq!(hits(&machine, fill.clone().chain(fill.clone()).collect()), lines, "all of {lines} lines stay");
        assert_eq!(hits(&machine, fill.chain([lines, 0]).collect()), 0, "the first of {} lines goes", lines + 1);
    }
}

#[test]
fn a_line_that_is_used_again_stays() {
    let lines = u64::from(ps3().atomic.cache_lines);
    let fill = 0..lines;
    assert_eq!(hits(&ps3(), fill.chain([0, lines, 0]).collect()), 2);
}

#[test]
fn a_changed_line_is_written_back_when_it_is_evicted() {
    let lines = u64::from(ps3().atomic.cache_lines);
    let ran = Check::on(&ps3())
        .spu(move |spu| async move {
            for line in 0..=lines {
                getllar(&spu, LINE + 128 * line).await;
                putllc(&spu, LINE + 128 * line).await;
            }
            0
        })
        .run();
    assert_eq!(ran.record.counters.mics[0].writes, 1);
}

#[test]
fn a_line_changed_in_one_cache_is_seen_by_all() {
    let machine = board();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            getllar(&spu, LINE).await;
            spu.ls().write(u64::from(BUFFER), &pattern(9, 128));
            putllc(&spu, LINE).await
        })
        .spu(|spu| async move {
            getllar(&spu, LINE).await;
            spu.compute(LONG).await;
            getllar(&spu, LINE).await
        })
        .spu(|spu| async move {
            spu.compute(LONG).await;
            spu.mfc_get(BUFFER, LINE, 128, 0).await;
            wait(&spu, 0).await;
            0
        })
        .run();
    assert_eq!(ran.local_stores[1].bytes(u64::from(BUFFER), 128), pattern(9, 128));
    assert_eq!(ran.local_stores[2].bytes(u64::from(BUFFER), 128), pattern(9, 128));
}

/// A machine on which an atomic unit keeps a line for `keep` bus cycles, and a `putllc` uses it for `put`.
fn keeping(keep: u64, put: u64) -> Machine {
    let mut machine = board();
    (machine.atomic.keep_bus_cycles, machine.eib.cached_match_bus_cycles) = (keep, put);
    machine.mic.refresh_bus_cycles = 0;
    machine
}

/// The bus cycles of a run in which an SPE reserves a line that another SPE has changed, and perhaps puts it. A third
/// SPE reserves the line shortly after the second.
fn bus_cycles_of_three(machine: &Machine, puts: bool) -> u64 {
    let ran = Check::on(machine)
        .spu(|spu| async move {
            getllar(&spu, LINE).await;
            putllc(&spu, LINE).await
        })
        .spu(move |spu| async move {
            spu.compute(LONG).await;
            getllar(&spu, LINE).await;
            if puts { putllc(&spu, LINE).await } else { 0 }
        })
        .spu(|spu| async move {
            spu.compute(LONG + 20).await;
            getllar(&spu, LINE).await;
            0
        })
        .run();
    assert_eq!((ran.code(0), ran.code(1)), (PUTLLC_SUCCESS, PUTLLC_SUCCESS));
    assert_eq!(ran.record.counters.command.waits_line_in_use, 1);
    assert_eq!(ran.record.counters.command.retries_address_match, 0);
    ran.record.bus_cycles
}

#[test]
fn another_unit_waits_as_long_as_an_atomic_unit_keeps_a_line() {
    let cycles = |keep| bus_cycles_of_three(&keeping(keep, 0), false);
    assert_eq!([cycles(501) - cycles(500), cycles(900) - cycles(500)], [1, 400]);
}

#[test]
fn a_conditional_put_ends_the_time_for_which_a_line_is_kept() {
    let cycles = |keep, put| bus_cycles_of_three(&keeping(keep, put), true);
    assert_eq!(cycles(900, 500), cycles(500, 500));
    assert_eq!(cycles(500, 501) - cycles(500, 500), 1);
}

#[test]
fn an_spe_that_polls_its_own_line_loses_it_to_an_spe_that_waits() {
    let ran = Check::on(&keeping(1_000, 0))
        .spu(|spu| async move {
            putllc_after_getllar(&spu).await;
            for _ in 0..100 {
                getllar(&spu, LINE).await;
            }
            0
        })
        .spu(|spu| async move {
            spu.compute(LONG / 100).await;
            putllc_after_getllar(&spu).await;
            0
        })
        .run();
    let [polls, changes] = [0, 1].map(|spe| &ran.record.counters.spes[spe]);
    assert!((1..100).contains(&polls.getllar_hits), "{}", polls.getllar_hits);
    assert_eq!(changes.putllc_failures, 0);
}

/// Reserves a line and puts it.
async fn putllc_after_getllar(spu: &Spu) {
    getllar(spu, LINE).await;
    putllc(spu, LINE).await;
}

#[test]
fn atomic_additions_by_all_spes_are_all_counted() {
    let machine = board();
    let spes = machine.chip.spes.len() as u32;
    let mut check = Check::on(&machine);
    for _ in 0..spes {
        check = check.spu(|spu| async move {
            for _ in 0..25 {
                spu.atomic_update(BUFFER, LINE + 4, 10, |old| old + 1).await;
            }
            0
        });
    }
    let ran = check.run();
    assert_eq!(ran.memory.read_u32(LINE + 4), 25 * spes);
    assert_eq!((ran.memory.read_u32(LINE), ran.memory.read_u32(LINE + 8)), (0, 0));
    let counters = &ran.record.counters.spes;
    let attempts: u64 = counters.iter().map(|spe| spe.atomic_commands / 2 - spe.putllc_failures).sum();
    assert_eq!(attempts, u64::from(25 * spes));
}
