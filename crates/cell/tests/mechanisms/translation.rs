//! Translations that miss: when a page or segment is no longer held, who waits, and for how long.

use super::supervisor::{BUFFER, Os, SLEEP, SPE};
use crate::common::{Check, Reports, board, wait};
use cell::coroutine::{Spu, spu_program};
use cell::door::Supervisor;
use cell::machine::Machine;
use cell::page_table::{Access, Mapping};

const WALK: u64 = 1_000;
/// The size of a segment.
const SEGMENT: u64 = 1 << 28;

/// A machine with pages of 4 KB, on which only a walk of the page table takes time.
fn walking(walk: u64) -> Machine {
    let mut machine = board();
    let values = &mut machine.translation;
    (values.page_bytes, values.function_page_bytes) = (4096, 4096);
    (values.segment_fault_ns, values.storage_fault_ns, values.mfc_walk_bus_cycles) = (0, 0, walk);
    machine.mic.refresh_bus_cycles = 0;
    machine
}

/// Gets a line from each of `count` places, one after another.
async fn lap(spu: &Spu, first: u64, count: u64, apart: u64) {
    for nth in 0..count {
        spu.mfc_get(0x8000, first + nth * apart, 128, 0).await;
        wait(spu, 0).await;
    }
}

/// Duration of the last of three laps over `count` places, in bus cycles.
fn last_lap(machine: &Machine, count: u64, apart: u64) -> u64 {
    let laps = |laps: u64| {
        let program = move |spu: Spu| async move {
            for _ in 0..laps {
                lap(&spu, 0, count, apart).await;
            }
            0
        };
        Check::on(machine).spu(program).run().record.bus_cycles
    };
    laps(3) - laps(2)
}

#[test]
fn as_many_pages_as_the_tlb_holds_never_miss_again_and_one_more_misses_in_its_set() {
    let extra = |pages| last_lap(&walking(WALK), pages, 4096) - last_lap(&walking(0), pages, 4096);
    assert_eq!(extra(256), 0);
    // The first set now has five pages for its four entries.
    assert_eq!(extra(257), 5 * WALK);
}

#[test]
fn larger_pages_cover_more_memory() {
    let mut machine = walking(WALK);
    machine.chip.main_memory_bytes = 1 << 30;
    let large = |machine: &Machine, bytes| {
        let mut machine = machine.clone();
        machine.translation.function_page_bytes = bytes;
        last_lap(&machine, 1024, 1 << 16)
    };
    let [small, medium, huge] = [1 << 12, 1 << 16, 1 << 24].map(|bytes| large(&machine, bytes));
    assert_eq!([small - huge, medium - huge], [1024 * WALK; 2]);
    let within = last_lap(&machine, 64, 1 << 12);
    assert_eq!(within, last_lap(&walking(0), 64, 1 << 12));
}

#[test]
fn random_lines_over_64_mb_come_sooner_with_larger_pages() {
    let cycles = |page_bytes| {
        let mut machine = board();
        machine.translation.function_page_bytes = page_bytes;
        let program = |spu: Spu| async move {
            let mut random = 1u32;
            for _ in 0..2_000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // The high bits are the random ones.
                spu.mfc_get(0x8000, u64::from(random >> 6) / 128 * 128, 128, 0).await;
            }
            wait(&spu, 0).await;
            0
        };
        Check::on(&machine).spu(program).run().record.bus_cycles
    };
    let [small, medium, huge] = [1 << 12, 1 << 16, 1 << 24].map(cycles);
    assert!(small > medium && medium > 2 * huge, "{small}, {medium}, {huge}");
}

#[test]
fn as_many_segments_as_the_mfc_holds_never_miss_again() {
    // Additional time of a lap if each interrupt takes 2 us, of two laps or of three.
    let extra = |segments: u32, laps: u32| {
        let cycles = |fault| {
            let mut machine = walking(0);
            machine.translation.segment_fault_ns = fault;
            process_of_laps(&machine, laps, segments, SEGMENT, Mapping::Zero).run().record.bus_cycles
        };
        cycles(2_000) - cycles(0)
    };
    let fault = board().bus_cycles_in_ns(2_000);
    assert_eq!([extra(8, 2), extra(8, 3)], [8 * fault; 2]);
    assert_eq!([extra(9, 2), extra(9, 3)], [18 * fault, 27 * fault]);
}

#[test]
fn a_command_whose_page_misses_lets_others_pass_and_waits_for_its_walk() {
    for (walk, first) in [(0, 1 << 1), (WALK, 1 << 2)] {
        let program = move |spu: Spu| async move {
            lap(&spu, 0, 1, 0).await;
            spu.mfc_get(0x8000, 0x1000, 128, 1).await;
            spu.mfc_get(0xc000, 0x100, 128, 2).await;
            spu.mfc_write_tag_mask(0b110).await;
            spu.mfc_read_tag_status_any().await & first
        };
        assert_eq!(Check::on(&walking(walk)).spu(program).run().code(0), first);
    }
}

#[test]
fn walks_follow_one_another_and_a_page_is_walked_once() {
    let cycles = |walk, places: &'static [u64]| {
        let program = move |spu: Spu| async move {
            for place in places {
                spu.mfc_get(0x8000, *place, 128, 0).await;
            }
            wait(&spu, 0).await;
            0
        };
        Check::on(&walking(walk)).spu(program).run().record.bus_cycles
    };
    // The commands are issued during the first walk.
    let added = |places| cycles(2 * WALK, places) - cycles(WALK, places);
    assert_eq!(added(&[0, 0x80, 0x100]), WALK);
    assert_eq!(added(&[0, 0x1000, 0x80]), 2 * WALK);
    assert_eq!(added(&[0, 0x1000, 0x2000]), 3 * WALK);
}

#[test]
fn a_lock_line_waits_for_the_walk_of_its_page() {
    let cycles = |walk, queued| {
        let program = move |spu: Spu| async move {
            if queued {
                spu.mfc_putqlluc(0x8000, 0x1000, 0).await;
                wait(&spu, 0).await;
            } else {
                spu.mfc_getllar(0x8000, 0x1000).await;
                spu.mfc_read_atomic_status().await;
            }
            0
        };
        Check::on(&walking(walk)).spu(program).run().record.bus_cycles
    };
    for queued in [false, true] {
        assert_eq!(cycles(WALK + 1, queued) - cycles(1, queued), WALK, "queued: {queued}");
    }
}

/// Ticks of the SPU's decrementer for the third lap over `pages` pages of a Linux-like process.
fn ticks_of_lap(mapping: Mapping, pages: u32) -> u32 {
    let ticks = Reports::new();
    let report = ticks.clone();
    let os = Os(0, move |nth, _, machine: &mut dyn Supervisor| {
        if nth > 0 {
            return None;
        }
        machine.map(BUFFER, 1 << 24, mapping, Access::DATA);
        let report = report.clone();
        machine.start(
            SPE,
            spu_program(move |spu: Spu| async move {
                lap(&spu, BUFFER.into(), pages.into(), 4096).await;
                lap(&spu, BUFFER.into(), pages.into(), 4096).await;
                spu.spu_write_decrementer(u32::MAX).await;
                lap(&spu, BUFFER.into(), pages.into(), 4096).await;
                report.push(u32::MAX - spu.spu_read_decrementer().await);
                0
            }),
        );
        SLEEP
    });
    Check::on(&walking(100_000)).ppe_program(Box::new(os)).run();
    ticks.take()[0]
}

#[test]
fn huge_pages_of_a_process_cover_more_memory() {
    // A walk takes more ticks than a lap without walks.
    let walk = 1_500;
    assert!(ticks_of_lap(Mapping::Zero, 256) < walk, "no walk");
    assert!(ticks_of_lap(Mapping::Zero, 257) > 5 * walk);
    assert!(ticks_of_lap(Mapping::HugeZero, 257) < walk, "no walk");
}

/// A process of an operating system whose SPE program makes laps over `count` places.
fn process_of_laps(machine: &Machine, laps: u32, count: u32, apart: u64, mapping: Mapping) -> Check {
    let os = Os(0, move |nth, _, machine: &mut dyn Supervisor| {
        (nth == 0).then(|| {
            for place in 0..u64::from(count) {
                machine.map(BUFFER + (place * apart) as u32, 1 << 12, mapping, Access::DATA);
            }
            let program = move |spu: Spu| async move {
                for _ in 0..laps {
                    lap(&spu, BUFFER.into(), count.into(), apart).await;
                }
                0
            };
            machine.start(SPE, spu_program(program));
            SLEEP.expect("an operation")
        })
    });
    Check::on(machine).ppe_program(Box::new(os))
}

#[test]
fn the_first_use_of_a_page_by_dma_interrupts_and_a_huge_page_has_one_first_use() {
    let cycles = |mapping, fault: u64, pages: u32| {
        let mut machine = walking(0);
        machine.translation.storage_fault_ns = fault;
        process_of_laps(&machine, 2, pages, 4096, mapping).run().record.bus_cycles
    };
    let fault = walking(0).bus_cycles_in_ns(1_000);
    assert_eq!(cycles(Mapping::Zero, 1_000, 3) - cycles(Mapping::Zero, 0, 3), 3 * fault);
    assert_eq!(cycles(Mapping::HugeZero, 1_000, 3) - cycles(Mapping::HugeZero, 0, 3), fault);
}
