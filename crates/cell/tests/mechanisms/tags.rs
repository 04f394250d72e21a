//! Tag groups and their status.

use super::spu_queue::stalled_list;
use crate::common::{Check, LONG, Reports, ps3, wait};
use cell::channel::{Channel, event};
use cell::error::RunError;

#[test]
fn immediate_status_reports_the_idle_groups_of_the_mask() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            stalled_list(&spu, 7).await;
            for mask in [0, 1 << 7, 1 << 8, 1 << 7 | 1 << 8, u32::MAX] {
                spu.mfc_write_tag_mask(mask).await;
                reports.push(spu.mfc_read_tag_status_immediate().await);
            }
            spu.mfc_write_list_stall_ack(7).await;
            wait(&spu, 7).await;
            reports.push(spu.mfc_read_tag_status_immediate().await);
            0
        })
        .run();
    assert_eq!(reported.take(), [0, 0, 1 << 8, 1 << 8, !(1 << 7), 1 << 7]);
}

#[test]
fn any_answers_with_the_first_group_and_all_with_the_whole_mask() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            stalled_list(&spu, 7).await;
            spu.mfc_get(0x4000, 0x10000, 128, 8).await;
            spu.mfc_write_tag_mask(1 << 7 | 1 << 8).await;
            reports.push(spu.mfc_read_tag_status_immediate().await);
            reports.push(spu.mfc_read_tag_status_any().await);
            spu.mfc_write_list_stall_ack(7).await;
            reports.push(spu.mfc_read_tag_status_all().await);
            0
        })
        .run();
    assert_eq!(reported.take(), [0, 1 << 8, 1 << 7 | 1 << 8]);
}

#[test]
fn all_waits_for_the_last_group() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            stalled_list(&spu, 7).await;
            spu.mfc_get(0x4000, 0x10000, 128, 8).await;
            spu.mfc_write_tag_mask(1 << 7 | 1 << 8).await;
            spu.write(Channel::WR_TAG_UPDATE, 2).await;
            spu.compute(LONG).await;
            reports.push(spu.count(Channel::RD_TAG_STAT).await);
            reports.push(spu.count(Channel::WR_TAG_UPDATE).await);
            spu.mfc_write_list_stall_ack(7).await;
            spu.compute(LONG).await;
            reports.push(spu.count(Channel::RD_TAG_STAT).await);
            reports.push(spu.count(Channel::WR_TAG_UPDATE).await);
            reports.push(spu.read(Channel::RD_TAG_STAT).await);
            reports.push(spu.count(Channel::RD_TAG_STAT).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [0, 1, 1, 1, 1 << 7 | 1 << 8, 0]);
}

#[test]
fn all_groups_of_an_empty_mask_are_complete_at_once() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            stalled_list(&spu, 7).await;
            spu.mfc_write_tag_mask(0).await;
            let status = spu.mfc_read_tag_status_all().await;
            spu.mfc_write_list_stall_ack(7).await;
            status
        })
        .run();
    assert_eq!(ran.code(0), 0);
}

#[test]
fn any_group_of_an_empty_mask_waits_for_a_mask() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            spu.write(Channel::WR_EVENT_MASK, event::TAG_STATUS).await;
            spu.mfc_write_tag_mask(0).await;
            spu.write(Channel::WR_TAG_UPDATE, 1).await;
            spu.compute(LONG).await;
            reports.push(spu.count(Channel::RD_TAG_STAT).await + spu.count(Channel::RD_EVENT_STAT).await);
            spu.mfc_write_tag_mask(1 << 3).await;
            reports.push(spu.count(Channel::RD_TAG_STAT).await + spu.count(Channel::RD_EVENT_STAT).await);
            reports.push(spu.read(Channel::RD_TAG_STAT).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [0, 2, 1 << 3]);
}

#[test]
fn a_request_replaces_the_pending_one_and_leaves_the_unread_status() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            spu.mfc_write_tag_mask(1 << 7 | 1 << 8).await;
            spu.write(Channel::WR_TAG_UPDATE, 0).await;
            stalled_list(&spu, 7).await;
            // The request for all groups waits for the list. The status of the first request can still be read.
            spu.write(Channel::WR_TAG_UPDATE, 2).await;
            spu.compute(LONG).await;
            reports.push(spu.read(Channel::RD_TAG_STAT).await);
            reports.push(spu.count(Channel::RD_TAG_STAT).await);
            // An immediate request replaces the request that waits, which then never completes.
            spu.write(Channel::WR_TAG_UPDATE, 0).await;
            reports.push(spu.read(Channel::RD_TAG_STAT).await);
            spu.mfc_write_list_stall_ack(7).await;
            spu.compute(LONG).await;
            reports.push(spu.count(Channel::RD_TAG_STAT).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [1 << 7 | 1 << 8, 0, 1 << 8, 0]);
}

#[test]
fn every_completed_request_raises_the_event() {
    for (update, mask) in [(0, 0), (0, 1), (1, 1), (2, 0), (2, 1)] {
        let ran = Check::on(&ps3())
            .spu(move |spu| async move {
                spu.write(Channel::WR_EVENT_MASK, event::TAG_STATUS).await;
                spu.mfc_write_tag_mask(mask).await;
                spu.write(Channel::WR_TAG_UPDATE, update).await;
                spu.count(Channel::RD_EVENT_STAT).await
            })
            .run();
        assert_eq!(ran.code(0), 1, "request {update}, mask {mask}");
    }
}

#[test]
fn the_mask_can_be_read_back() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.mfc_write_tag_mask(0xdead_beef).await;
            spu.read(Channel::RD_TAG_MASK).await
        })
        .run();
    assert_eq!(ran.code(0), 0xdead_beef);
}

#[test]
fn a_group_is_busy_until_its_last_command_has_ended() {
    let ran = Check::on(&ps3())
        .memory(0x10000, &[1; 16 * 1024])
        .spu(|spu| async move {
            for nth in 0..16 {
                spu.mfc_get(0x8000 + 1024 * nth, 0x10000 + 1024 * u64::from(nth), 1024, 3).await;
            }
            wait(&spu, 3).await;
            // All bytes have arrived when the status reports the group as complete.
            u32::from(spu.ls().bytes(0x8000, 16 * 1024).iter().all(|byte| *byte == 1))
        })
        .run();
    assert_eq!(ran.code(0), 1);
}

#[test]
fn unknown_update_codes_are_refused() {
    let error = Check::on(&ps3())
        .spu(|spu| async move {
            spu.write(Channel::WR_TAG_UPDATE, 3).await;
            0
        })
        .error();
    let RunError::Rule { command, rule, .. } = error else { panic!("{error}") };
    assert_eq!(command.to_string(), "write of 0x3 to MFC_WrTagUpdate");
    assert_eq!(rule.to_string(), "tag update code 3 is not 0 (immediate), 1 (any) or 2 (all)");
}
