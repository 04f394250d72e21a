//! PPE programs that outnumber the hardware threads and share them.

use crate::common::{Check, Reports, ps3, without_os_cost};
use cell::coroutine::{Ppe, ppe_program};
use cell::door::{PpeProgram, SpeEvents};
use cell::ppe_threads::share;
use cell::units::ThreadId;
use std::future::Future;

const LONG_SPU_CYCLES: u64 = 1_000_000;

/// A run of programs on all hardware threads of the PPE. Each program receives its number.
fn check<F: Future<Output = u32> + 'static>(spes: u8, programs: usize, main: impl Fn(Ppe, u8) -> F) -> Check {
    let mut check = Check::on(&without_os_cost(ps3()));
    for thread in 0..spes {
        check = check.spu(move |spu| async move {
            spu.compute(LONG_SPU_CYCLES).await;
            spu.spu_write_out_intr_mbox(u32::from(thread)).await;
            u32::from(thread) + 100
        });
    }
    let programs: Vec<Box<dyn PpeProgram>> =
        (0..programs).map(|number| ppe_program(|ppe| main(ppe, number as u8))).collect();
    share(programs, &ps3()).into_iter().fold(check, Check::ppe_program)
}

#[test]
fn six_programs_each_wait_for_a_thread_and_all_threads_run_at_once() {
    let codes = Reports::new();
    let seen = codes.clone();
    let ran = check(6, 6, move |ppe, number| {
        let seen = seen.clone();
        async move {
            ppe.thread_create(ThreadId(number), 0).await;
            seen.push((number, ppe.thread_join(ThreadId(number)).await));
            0
        }
    })
    .run();
    let mut codes = codes.take();
    codes.sort_unstable();
    assert_eq!(codes, (0..6).map(|number| (number, u32::from(number) + 100)).collect::<Vec<_>>());
    let cycles = ran.record.bus_cycles * 2;
    assert!((LONG_SPU_CYCLES..LONG_SPU_CYCLES + 10_000).contains(&cycles), "{cycles}");
}

#[test]
fn programs_that_work_share_two_hardware_threads() {
    let ran = check(0, 5, |ppe, _| async move {
        for _ in 0..10 {
            ppe.compute(10_000).await;
        }
        0
    })
    .run();
    // Five programs of 100,000 cycles each share two hardware threads, in time slices of 10,000 cycles.
    assert_eq!(ran.record.bus_cycles * 2, 250_000);
}

#[test]
fn a_program_that_polls_does_not_block_the_others() {
    let reported = Reports::new();
    let seen = reported.clone();
    check(1, 4, move |ppe, number| {
        let seen = seen.clone();
        async move {
            if number == 3 {
                ppe.thread_create(ThreadId(0), 0).await;
                let wanted = SpeEvents { out_intr_mbox: 1, ..SpeEvents::default() };
                seen.push(ppe.spe_event_wait(wanted, None).await.to_word());
                // This store ends the polling loop of the other programs.
                ppe.store(0x1000, 4, 1).await;
            } else {
                while ppe.load(0x1000, 4).await == 0 {
                    ppe.compute(100).await;
                }
            }
            0
        }
    })
    .run();
    assert_eq!(reported.take(), [1]);
}

#[test]
fn of_two_programs_that_wait_for_one_message_one_gets_it_and_the_other_keeps_waiting() {
    let reported = Reports::new();
    let seen = reported.clone();
    let error = check(1, 3, move |ppe, number| {
        let seen = seen.clone();
        async move {
            if number == 2 {
                ppe.thread_create(ThreadId(0), 0).await;
                return 0;
            }
            let wanted = SpeEvents { out_intr_mbox: 1, ..SpeEvents::default() };
            ppe.spe_event_wait(wanted, None).await;
            seen.push((number, ppe.spe_out_intr_mbox_read(ThreadId(0)).await));
            ppe.spe_event_wait(wanted, None).await;
            0
        }
    })
    .error()
    .to_string();
    assert_eq!(reported.take().iter().filter(|(_, message)| *message == Some(0)).count(), 1);
    assert!(error.contains("PPE program 0 waits for events of threads"), "{error}");
    assert!(error.contains("PPE program 1 waits for events of threads"), "{error}");
}

#[test]
fn a_wait_for_events_ends_with_its_time() {
    let reported = Reports::new();
    let seen = reported.clone();
    check(1, 3, move |ppe, number| {
        let seen = seen.clone();
        async move {
            let wanted = SpeEvents { stopped: 1, ..SpeEvents::default() };
            let events = ppe.spe_event_wait(wanted, Some(1000 * u64::from(3 - number))).await;
            assert_eq!(events, SpeEvents::default());
            seen.push((number, ppe.time_base().await));
            0
        }
    })
    .run();
    // 1, 2 and 3 us are 80, 160 and 240 ticks at 79.8 MHz.
    let reported = reported.take();
    assert_eq!(reported.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 1, 0]);
    for ((_, ticks), expected) in reported.iter().zip([80, 160, 240]) {
        assert!((expected..expected + 3).contains(ticks), "{ticks} {expected}");
    }
}

#[test]
fn runs_are_reproducible() {
    let once = || {
        check(6, 9, |ppe, number| async move {
            if number < 6 {
                ppe.thread_create(ThreadId(number), 0).await;
                ppe.thread_join(ThreadId(number)).await;
            }
            for _ in 0..number {
                ppe.compute(777).await;
                ppe.store(0x1000 + 8 * u64::from(number), 8, 1).await;
            }
            0
        })
        .run()
        .record
        .to_json()
    };
    assert_eq!(once(), once());
}
