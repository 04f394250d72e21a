//! The possible ends of a run (success, deadlock, limit, interrupt), and the messages about them.

use crate::common::{Check, LONG, Reports, board, ps3, without_os_cost};
use cell::channel::event;
use cell::coroutine::spu_program;
use cell::door::{Program, Step, Turn};
use cell::error::RunError;
use cell::placement::Placement;
use cell::store::LocalStore;
use cell::system::System;
use cell::trace::{Trigger, Window};
use cell::units::ThreadId;

#[test]
fn a_run_without_programs_ends_at_once() {
    let ran = Check::on(&ps3()).run();
    assert_eq!((ran.record.bus_cycles, ran.record.threads.len()), (0, 0));
}

#[test]
fn the_record_names_every_thread_with_its_spe_and_its_stop_code() {
    let machine = board();
    let ran = Check::on(&machine)
        .spu(|_| async { 7 })
        .spu(|spu| async move {
            spu.compute(1001).await;
            0x3fff
        })
        .run();
    let rows: Vec<_> =
        ran.record.threads.iter().map(|row| (row.thread, row.spe, row.stop_code, row.stopped_at_spu_cycle)).collect();
    let spes = machine.chip.spes;
    assert_eq!(rows, [(0, spes[0] as u8, 7, 0), (1, spes[1] as u8, 0x3fff, 1001)]);
    assert_eq!(ran.record.machine, "eval-board");
}

#[test]
fn the_run_is_as_long_as_its_longest_program() {
    let machine = ps3();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            spu.compute(1_000_000).await;
            0
        })
        .run();
    assert_eq!(ran.record.bus_cycles, 1_000_000 / machine.chip.processor_cycles_per_bus_cycle);
}

#[test]
fn a_deadlock_names_who_waits_for_what() {
    let machine = without_os_cost(board());
    let error = Check::on(&machine)
        .spu(|spu| async move { spu.spu_read_in_mbox().await })
        .spu(|spu| async move {
            for value in 0..9 {
                spu.spu_write_out_mbox(value).await;
            }
            0
        })
        .spu(|_| async { 0 })
        .ppe(|ppe| async move {
            for thread in 0..3 {
                ppe.thread_create(ThreadId(thread), 0).await;
            }
            ppe.thread_join(ThreadId(0)).await
        })
        .error();
    let RunError::Deadlock { bus_cycle, ref waiting } = error else { panic!("{error}") };
    let spe = |thread| machine.chip.spes[thread];
    let expected = [
        "PPE waits for thread 0 to stop".to_string(),
        format!("SPE {} waits to read SPU_RdInMbox", spe(0)),
        format!("SPE {} waits to write SPU_WrOutMbox", spe(1)),
    ];
    assert_eq!(waiting.iter().collect::<std::collections::BTreeSet<_>>(), expected.iter().collect());
    assert_eq!(error.to_string(), format!("deadlock at bus cycle {bus_cycle}: {}", waiting.join("; ")));
}

#[test]
fn a_program_that_does_not_end_is_stopped_at_the_limit() {
    let error = Check::on(&ps3())
        .spu(|spu| async move {
            loop {
                spu.mfc_get(0x1000, 0x10000, 16, 0).await;
                crate::common::wait(&spu, 0).await;
            }
        })
        .limit(100_000)
        .error();
    let RunError::Limit { limit_bus_cycles, ref waiting } = error else { panic!("{error}") };
    assert_eq!((limit_bus_cycles, waiting.len()), (100_000, 1));
    assert!(error.to_string().starts_with("not finished after 100000 bus cycles: SPE 0 "), "{error}");
}

#[test]
fn a_program_that_only_computes_is_stopped_at_the_limit_too() {
    let error = Check::on(&ps3())
        .spu(|spu| async move {
            loop {
                spu.compute(1_000_000_000).await;
            }
        })
        .limit(100_000)
        .error();
    assert!(matches!(error, RunError::Limit { .. }), "{error}");
}

#[test]
fn a_run_that_takes_longer_than_its_limit_is_an_error_however_little_happens_in_it() {
    let result = Check::on(&ps3())
        .spu(|spu| async move {
            for _ in 0..10 {
                spu.compute(1_000_000).await;
                spu.mfc_get(0x1000, 0x10000, 16, 0).await;
                crate::common::wait(&spu, 0).await;
            }
            0
        })
        .limit(100_000)
        .result();
    assert!(matches!(result.map(|_| ()), Err(RunError::Limit { limit_bus_cycles: 100_000, .. })));
}

#[test]
fn a_run_does_not_wait_for_the_decrementer_of_a_program_that_has_ended() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.spu_write_event_mask(event::DECREMENTER).await;
            spu.spu_write_decrementer(u32::MAX / 2).await;
            7
        })
        .limit(100_000)
        .run();
    assert_eq!(ran.code(0), 7);
}

#[test]
fn the_caller_can_interrupt_a_run() {
    let machine = ps3();
    let mut system = System::new(&machine, Placement::default_of(&machine));
    system.load(
        ThreadId(0),
        Box::new(|_| {
            spu_program(|spu| async move {
                loop {
                    spu.mfc_get(0x1000, 0x10000, 16, 0).await;
                    crate::common::wait(&spu, 0).await;
                }
            })
        }),
    );
    let mut asked = 0;
    let result = system.run(u64::MAX, || {
        asked += 1;
        asked < 3
    });
    assert_eq!(result.map(|_| ()), Err(RunError::Interrupted));
    assert_eq!(RunError::Interrupted.to_string(), "interrupted");
}

#[test]
fn an_interrupted_run_goes_on_as_if_nothing_had_happened() {
    let machine = ps3();
    let system = || {
        let mut system = System::new(&machine, Placement::default_of(&machine));
        system.load(
            ThreadId(0),
            Box::new(|_| {
                spu_program(|spu| async move {
                    for _ in 0..40_000 {
                        spu.mfc_get(0x1000, 0x10000, 16, 0).await;
                        crate::common::wait(&spu, 0).await;
                    }
                    0
                })
            }),
        );
        system
    };
    let whole = system().run(u64::MAX, || true);
    let mut system = system();
    system.keep_last_transfers(3);
    let mut record = system.run(u64::MAX, || false);
    let mut stops = 0;
    while record == Err(RunError::Interrupted) {
        stops += 1;
        assert!(system.look(|machine| machine.transfers().len()) <= 3);
        record = system.go_on(|| false);
    }
    assert!(stops > 0);
    assert_eq!(record, whole);
}

#[test]
fn the_caller_can_interrupt_a_trace_however_little_happens_in_it() {
    let machine = ps3();
    let mut system = System::new(&machine, Placement::default_of(&machine));
    let computes = |_| {
        spu_program(|spu| async move {
            for _ in 0..100 {
                spu.compute(1_000_000).await;
            }
            0
        })
    };
    system.load(ThreadId(0), Box::new(computes));
    let window = Window { trigger: Trigger::Decrementer, skip_bus_cycles: 0, bus_cycles: 1 };
    assert_eq!(system.run_window(window, || false), Err(RunError::Interrupted));
}

#[test]
fn a_run_that_is_traced_ends_with_the_window_or_with_its_programs() {
    let machine = ps3();
    let traced = |window: Window, limit: u64| {
        let mut system = System::new(&machine, Placement::default_of(&machine));
        let transfers = |_| {
            spu_program(|spu| async move {
                spu.compute(1000).await;
                for tag in [3, 5] {
                    spu.mfc_get(0, 0, 128, tag).await;
                }
                spu.mfc_write_tag_mask(1 << 3 | 1 << 5).await;
                spu.mfc_read_tag_status_all().await;
                spu.compute(100_000).await;
                0
            })
        };
        system.load(ThreadId(0), Box::new(transfers));
        system.run_and_trace(limit, window, || true)
    };
    let window = |skip_bus_cycles, bus_cycles| Window { trigger: Trigger::Command, skip_bus_cycles, bus_cycles };
    let (whole, all) = traced(window(0, 1 << 40), 1 << 40).expect("no error");
    let all = all.expect("the window has begun");
    let first = &all.commands[0];
    // The first command opens the window, regardless of its tag group.
    assert_eq!((first.tag, first.enqueued_at), (3, all.triggered_at));
    assert_eq!((all.from, all.to, all.commands.len()), (all.triggered_at, whole.bus_cycles, 2));
    let (record, cut) = traced(window(10, 50), 1 << 40).expect("no error");
    let cut = cut.expect("the window has begun");
    assert_eq!((cut.from, cut.to), (all.from + 10, all.from + 60));
    assert!(record.bus_cycles < whole.bus_cycles);
    assert_eq!(traced(window(1 << 30, 1), 1 << 40), Ok((whole, None)));
    assert!(matches!(traced(window(0, 1 << 40), 1000), Err(RunError::Limit { limit_bus_cycles: 1000, .. })));
}

/// A program that fails.
struct Failing;

impl Program for Failing {
    fn resume(&mut self, _: Turn, _: &mut LocalStore) -> Result<Step, String> {
        Err("ValueError: no such thing".to_string())
    }
}

#[test]
fn a_failing_program_ends_the_run_with_its_own_words() {
    let error = Check::on(&ps3()).program(Box::new(Failing)).error();
    assert_eq!(error.to_string(), "SPE 0, bus cycle 0, program: ValueError: no such thing");
}

#[test]
fn a_program_sees_its_local_store_as_it_is_when_its_own_time_has_come() {
    // Thread 1 writes its line at once. Thread 0 first computes for much longer, and then reads the line.
    let machine = board();
    let target = crate::common::ls_ea(&machine, 0, 0x4000);
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu(move |spu| async move {
            spu.compute(LONG).await;
            reports.push(spu.ls().read_u32(0x4000));
            0
        })
        .spu(move |spu| async move {
            spu.ls().write_u32(0x4000, 0x600d);
            spu.mfc_put(0x4000, target, 128, 0).await;
            crate::common::wait(&spu, 0).await;
            0
        })
        .run();
    assert_eq!(reported.take(), [0x600d]);
}

#[test]
fn an_earlier_put_does_not_see_writes_after_a_long_computation() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.ls().write_u32(0x4000, 1);
            spu.mfc_put(0x4000, 0x10000, 16, 0).await;
            spu.compute(LONG).await;
            spu.ls().write_u32(0x4000, 2);
            crate::common::wait(&spu, 0).await;
            0
        })
        .run();
    assert_eq!(ran.memory.read_u32(0x10000), 1);
}
