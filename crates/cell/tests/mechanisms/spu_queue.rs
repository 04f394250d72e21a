//! The MFC's queue for the SPU's own commands.

use crate::common::{Check, LONG, Reports, pattern, ps3, wait};
use cell::channel::Channel;
use cell::coroutine::Spu;

const LIST: u32 = 0x3000;

/// Issues a list of two elements that stalls after the first element. The tag group stays busy until the stall is
/// acknowledged.
pub async fn stalled_list(spu: &Spu, tag: u32) {
    spu.ls().write_u64(u64::from(LIST), 1 << 63 | 16 << 32 | 0x8000);
    spu.ls().write_u64(u64::from(LIST) + 8, 16 << 32 | 0x8010);
    spu.mfc_getl(0x2000, 0, LIST, 16, tag).await;
    spu.mfc_read_list_stall_status().await;
}

#[test]
fn a_command_for_a_full_queue_waits_until_one_ends() {
    for entries in [1, 3, ps3().mfc.spu_queue_entries] {
        let mut machine = ps3();
        machine.mfc.spu_queue_entries = entries;
        // Memory is so slow that all commands are in the queue before the first command ends.
        machine.mic.read_latency_bus_cycles = 10_000;
        let reported = Reports::new();
        let reports = reported.clone();
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                spu.mfc_write_tag_mask(u32::MAX).await;
                for nth in 0..entries {
                    reports.push(spu.mfc_stat_cmd_queue().await);
                    spu.mfc_get(0x4000 + 128 * nth, 0x10000, 128, nth).await;
                }
                reports.push(spu.mfc_stat_cmd_queue().await);
                reports.push(spu.mfc_read_tag_status_immediate().await & ((1u32 << entries) - 1));
                spu.mfc_get(0x4000, 0x10000, 128, 31).await;
                reports.push((spu.mfc_read_tag_status_immediate().await & ((1u32 << entries) - 1)).min(1));
                0
            })
            .run();
        let mut expected: Vec<u32> = (0..=entries).rev().collect();
        // No tag group is idle before the last command, which must wait. After the last command, at least one tag
        // group is idle.
        expected.extend([0, 1]);
        assert_eq!(reported.take(), expected, "{entries} entries");
        assert_eq!(ran.record.counters.spes[0].channel_stalls, 1);
        assert_eq!(ran.record.counters.spes[0].dma_commands, u64::from(entries) + 1);
    }
}

#[test]
fn a_list_takes_one_entry_however_many_elements_it_has() {
    let entries = ps3().mfc.spu_queue_entries;
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            stalled_list(&spu, 3).await;
            reports.push(spu.mfc_stat_cmd_queue().await);
            spu.mfc_write_list_stall_ack(3).await;
            wait(&spu, 3).await;
            reports.push(spu.mfc_stat_cmd_queue().await);
            0
        })
        .run();
    assert_eq!(reported.take(), [entries - 1, entries]);
}

#[test]
fn a_lock_line_command_needs_an_entry_but_does_not_queue_behind_others() {
    let entries = ps3().mfc.spu_queue_entries;
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(1, 128))
        .spu(move |spu| async move {
            stalled_list(&spu, 0).await;
            for _ in 2..entries {
                spu.mfc_getf(0x2000, 0x8000, 16, 0).await;
            }
            spu.compute(LONG).await;
            assert_eq!(spu.mfc_stat_cmd_queue().await, 1);
            spu.mfc_getllar(0x1000, 0x10000).await;
            assert_eq!(spu.mfc_read_atomic_status().await, 4);
            spu.mfc_write_list_stall_ack(0).await;
            0
        })
        .run();
    assert_eq!(ran.local_stores[0].bytes(0x1000, 128), pattern(1, 128));
}

#[test]
fn a_lock_line_command_waits_while_the_queue_is_full() {
    let entries = ps3().mfc.spu_queue_entries;
    let mut machine = ps3();
    machine.mic.read_latency_bus_cycles = 10_000;
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            for nth in 0..entries {
                spu.mfc_get(0x4000, 0x10000, 16, nth).await;
            }
            spu.mfc_putlluc(0x1000, 0x20000).await;
            spu.mfc_write_tag_mask((1 << entries) - 1).await;
            let idle = spu.mfc_read_tag_status_immediate().await;
            spu.mfc_read_atomic_status().await;
            idle.min(1)
        })
        .run();
    assert_eq!(ran.code(0), 1, "a command had ended before the lock-line command was taken");
}

#[test]
fn an_empty_transfer_ends_and_moves_nothing() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.mfc_get(0x1000, 0x10000, 0, 5).await;
            spu.mfc_put(0x1000, 0x10000, 0, 5).await;
            spu.mfc_getl(0x1000, 0, LIST, 0, 5).await;
            wait(&spu, 5).await;
            spu.count(Channel::MFC_CMD).await
        })
        .run();
    assert_eq!(ran.code(0), ps3().mfc.spu_queue_entries);
    let counters = &ran.record.counters.spes[0];
    assert_eq!((counters.dma_commands, counters.get_lines, counters.put_lines), (3, 0, 0));
}
