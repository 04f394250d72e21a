//! The PPE's calls of the SPE runtime library beyond mailboxes and signals: stops that return.

use crate::common::{Check, Notes, ps3, without_os_cost};
use cell::units::ThreadId;

const THREAD: ThreadId = ThreadId(0);

#[test]
fn a_program_goes_on_behind_its_stop_when_the_ppe_says_so() {
    let machine = without_os_cost(ps3());
    let codes = Notes::new();
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
            // Who is not told to go on has stopped, for whoever asks.
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
fn only_a_thread_that_has_stopped_and_not_ended_can_go_on() {
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
