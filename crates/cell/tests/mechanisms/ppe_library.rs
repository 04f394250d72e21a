//! The PPE's calls to the SPE runtime library, except mailboxes and signals: stops of threads, proxy commands, events.

use crate::common::{Check, Reports, pattern, ps3, without_os_cost};
use cell::command::Command;
use cell::coroutine::Ppe;
use cell::door::{SpeEvents, TagUpdate};
use cell::units::ThreadId;

const THREAD: ThreadId = ThreadId(0);
/// `put` and `get`.
const PUT: u32 = 0x20;
const GET: u32 = 0x40;

#[test]
fn a_program_continues_after_its_stop_when_the_ppe_resumes_it() {
    let machine = without_os_cost(ps3());
    let codes = Reports::new();
    let seen = codes.clone();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            spu.ls().write_u32(0x100, 1);
            spu.stop(0x1234).await;
            let kept = spu.ls().read_u32(0x100);
            spu.stop(0x1235).await;
            kept
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            seen.push(ppe.thread_join(THREAD).await);
            // A thread that is not resumed stays stopped, so each later join returns the same stop.
            seen.push(ppe.thread_join(THREAD).await);
            ppe.compute(100_000).await;
            for _ in 0..2 {
                ppe.thread_continue(THREAD).await;
                seen.push(ppe.thread_join(THREAD).await);
            }
            0
        })
        .run();
    assert_eq!(codes.take(), [0x1234, 0x1234, 0x1235, 1]);
    assert_eq!(ran.code(0), 1);
    assert!(ran.record.threads[0].stopped_at_spu_cycle >= 100_000);
}

#[test]
fn only_a_thread_that_has_stopped_but_not_ended_can_be_resumed() {
    let never = Check::on(&ps3())
        .ppe(|ppe| async move {
            ppe.thread_continue(THREAD).await;
            0
        })
        .error();
    assert!(never.to_string().ends_with("thread_continue: thread 0 was never created"), "{never}");
    let ended = Check::on(&without_os_cost(ps3()))
        .spu(|_| async { 0 })
        .ppe(|ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            ppe.thread_join(THREAD).await;
            ppe.thread_continue(THREAD).await;
            0
        })
        .error();
    assert!(ended.to_string().contains("thread 0 has ended, and cannot go on"), "{ended}");
    let runs = Check::on(&without_os_cost(ps3()))
        .spu(|spu| async move { spu.spu_read_in_mbox().await })
        .ppe(|ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            ppe.compute(10_000).await;
            ppe.thread_continue(THREAD).await;
            0
        })
        .error();
    assert!(runs.to_string().contains("thread 0 has not stopped"), "{runs}");
}

#[test]
fn the_ppe_issues_more_commands_than_a_threads_proxy_queue_holds() {
    const PIECES: u32 = 20;
    let bytes = pattern(1, PIECES as usize * 1024);
    let kept = bytes.clone();
    let ran = Check::on(&without_os_cost(ps3()))
        .spu(|_| async { 0 })
        .memory(0x10_0000, &bytes)
        .ppe(|ppe| async move {
            for nth in 0..PIECES {
                let (lsa, ea, tag) = (0x4000 + 1024 * nth, 0x10_0000 + 1024 * u64::from(nth), nth % 3);
                ppe.spe_mfcio(THREAD, Command { opcode: GET, lsa, ea, size: 1024, tag }).await;
            }
            assert_eq!(ppe.spe_mfcio_tag_status_read(THREAD, 0b111, TagUpdate::All).await, 0b111);
            for nth in 0..PIECES {
                let (lsa, ea) = (0x4000 + 1024 * nth, 0x20_0000 + 1024 * u64::from(nth));
                ppe.spe_mfcio(THREAD, Command { opcode: PUT, lsa, ea, size: 1024, tag: 5 }).await;
            }
            // Tag group 5 was used after the last report. The other tag groups have already been reported.
            assert_eq!(ppe.spe_mfcio_tag_status_read(THREAD, 0, TagUpdate::Immediate).await, 0);
            assert_eq!(ppe.spe_mfcio_tag_status_read(THREAD, 0, TagUpdate::Any).await, 1 << 5);
            assert_eq!(ppe.spe_mfcio_tag_status_read(THREAD, 0, TagUpdate::All).await, 0);
            ppe.thread_create(THREAD, 0).await;
            0
        })
        .run();
    assert_eq!(ran.local_stores[0].bytes(0x4000, kept.len()), kept);
    assert_eq!(ran.memory.bytes(0x20_0000, kept.len()), kept);
}

#[test]
fn two_threads_of_the_ppe_do_not_take_one_message_twice() {
    let taken = Reports::new();
    let read = |ppe: Ppe, taken: Reports<u32>| async move {
        let wanted = event(|events| &mut events.out_intr_mbox, 1);
        loop {
            // The event wakes both programs at once.
            ppe.spe_event_wait(wanted, None).await;
            match ppe.spe_out_intr_mbox_read(THREAD).await {
                Some(20) => return 0,
                Some(message) => taken.push(message),
                None => (),
            }
        }
    };
    let (one, other) = (taken.clone(), taken.clone());
    Check::on(&without_os_cost(ps3()))
        .spu(|spu| async move {
            // Each of the last two messages ends one of the reading threads.
            for message in (0..20).chain([20, 20]) {
                spu.spu_write_out_intr_mbox(message).await;
                spu.compute(20_000).await;
            }
            0
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            read(ppe, one).await
        })
        .ppe(move |ppe| read(ppe, other))
        .run();
    assert_eq!(taken.take(), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_proxy_command_that_breaks_a_rule_is_refused_with_it() {
    let error = Check::on(&ps3())
        .ppe(|ppe| async move {
            ppe.spe_mfcio(THREAD, Command { opcode: GET, lsa: 8, ea: 0x1000, size: 16, tag: 0 }).await;
            0
        })
        .error();
    assert!(error.to_string().contains("local-store address 0x8 is not a multiple of 16"), "{error}");
}

/// An event of the given threads, for which a test waits.
fn event(of: impl Fn(&mut SpeEvents) -> &mut u16, threads: u16) -> SpeEvents {
    let mut events = SpeEvents::default();
    *of(&mut events) = threads;
    events
}

#[test]
fn events_wake_whoever_waits_for_one_of_them() {
    let machine = without_os_cost(ps3());
    let seen = Reports::new();
    let reported = seen.clone();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            spu.compute(50_000).await;
            spu.spu_write_out_intr_mbox(7).await;
            spu.spu_read_in_mbox().await
        })
        .spu(|spu| async move {
            spu.compute(100_000).await;
            3
        })
        .ppe(move |ppe| async move {
            for thread in [0, 1] {
                ppe.thread_create(ThreadId(thread), 0).await;
            }
            let wanted = SpeEvents { out_intr_mbox: 0b11, stopped: 0b11, ..SpeEvents::default() };
            reported.push(ppe.spe_event_wait(wanted, None).await);
            assert_eq!(ppe.spe_out_intr_mbox_read(THREAD).await, Some(7));
            reported.push(ppe.spe_event_wait(wanted, None).await);
            // The mailbox has room from the start. Four entries fill the mailbox.
            let room = event(|events| &mut events.in_mbox, 0b10);
            reported.push(ppe.spe_event_wait(room, None).await);
            let command = Command { opcode: PUT, lsa: 0, ea: 0x1000, size: 16_384, tag: 9 };
            ppe.spe_mfcio(THREAD, command).await;
            let tags = event(|events| &mut events.tag_group, 0b01);
            reported.push(ppe.spe_event_wait(tags, None).await);
            assert_eq!(ppe.spe_mfcio_tag_status_read(THREAD, 0, TagUpdate::Immediate).await, 1 << 9);
            ppe.spe_in_mbox_write(THREAD, 5).await;
            0
        })
        .run();
    let expected = [
        event(|events| &mut events.out_intr_mbox, 0b01),
        event(|events| &mut events.stopped, 0b10),
        event(|events| &mut events.in_mbox, 0b10),
        event(|events| &mut events.tag_group, 0b01),
    ];
    assert_eq!(seen.take(), expected);
    assert_eq!((ran.code(0), ran.code(1)), (5, 3));
}

#[test]
fn room_in_a_full_mailbox_is_an_event_and_a_wait_ends_with_its_time() {
    let machine = without_os_cost(ps3());
    Check::on(&machine)
        .spu(|spu| async move {
            spu.compute(200_000).await;
            spu.spu_read_in_mbox().await
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            for value in 1..=4 {
                ppe.spe_in_mbox_write(THREAD, value).await;
            }
            let room = event(|events| &mut events.in_mbox, 1);
            let before = ppe.time_base().await;
            assert_eq!(ppe.spe_event_wait(room, Some(10_000)).await, SpeEvents::default());
            // 10 us are 798 ticks at 79.8 MHz.
            let waited = ppe.time_base().await - before;
            assert!((798..=800).contains(&waited), "{waited}");
            assert_eq!(ppe.spe_event_wait(room, None).await, room);
            ppe.thread_join(THREAD).await;
            0
        })
        .run();
}

#[test]
fn events_that_cannot_come_are_a_deadlock_and_threads_without_an_spe_are_refused() {
    let waits = |threads| {
        Check::on(&ps3())
            .ppe(move |ppe| async move {
                ppe.spe_event_wait(event(|events| &mut events.stopped, threads), None).await;
                0
            })
            .error()
            .to_string()
    };
    assert!(waits(1).ends_with("PPE waits for events of threads"), "{}", waits(1));
    assert!(waits(1 << 6).contains("thread 6 has no SPE"), "{}", waits(1 << 6));
}

#[test]
fn events_survive_packing_into_one_word() {
    let events = SpeEvents { out_intr_mbox: 1, in_mbox: 0x8000, tag_group: 0x1234, stopped: 0xffff };
    assert_eq!(SpeEvents::from_word(events.to_word()), events);
    assert_eq!(events.to_word(), 0xffff_1234_8000_0001);
}
