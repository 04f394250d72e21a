//! SPU events: their causes, mask and acknowledgement.

use super::spu_queue::stalled_list;
use crate::common::{Check, LONG, Reports, board, ls_ea, ps3, reg_ea, wait, without_os_cost};
use cell::channel::{Channel, event};
use cell::coroutine::Spu;
use cell::ea::register;
use cell::units::ThreadId;

/// The events of `mask` that `cause` raises.
fn raised_by(mask: u32, cause: impl AsyncFnOnce(&Spu) + 'static) -> u32 {
    let ran = Check::on(&board())
        .spu(move |spu| async move {
            spu.write(Channel::WR_EVENT_MASK, mask).await;
            cause(&spu).await;
            spu.compute(LONG).await;
            if spu.count(Channel::RD_EVENT_STAT).await == 0 { 0 } else { spu.read(Channel::RD_EVENT_STAT).await }
        })
        .run();
    ran.code(0)
}

/// Causes an event with a `put` of four bytes to a register of the same SPE.
async fn put_to_register(spu: &Spu, offset: u32) {
    spu.ls().write_u32(0x200c, 1);
    spu.mfc_put(0x200c, reg_ea(&board(), 0, offset), 4, 0).await;
}

#[test]
fn every_cause_raises_its_own_event() {
    let status = event::TAG_STATUS | event::QUEUE_VACANCY;
    assert_eq!(raised_by(u32::MAX, async |_: &Spu| ()) & !event::DECREMENTER, 0);
    assert_eq!(raised_by(status, async |spu: &Spu| wait(spu, 0).await), event::TAG_STATUS);
    assert_eq!(raised_by(status, async |spu: &Spu| spu.mfc_get(0x2000, 0, 16, 0).await), 0);
    let full = async |spu: &Spu| {
        stalled_list(spu, 3).await;
        while spu.count(Channel::MFC_CMD).await > 0 {
            spu.mfc_getf(0x2000, 0, 16, 3).await;
        }
        spu.mfc_write_list_stall_ack(3).await;
    };
    assert_eq!(raised_by(status, full), event::QUEUE_VACANCY);
    assert_eq!(raised_by(event::MULTI_SOURCE, async |spu: &Spu| spu.write(Channel::WR_MS_SYNC_REQ, 0).await), 0x1000);
    let put = |offset| async move |spu: &Spu| put_to_register(spu, offset).await;
    let all = event::IN_MBOX | event::SIGNAL_1 | event::SIGNAL_2;
    assert_eq!(raised_by(all, put(register::SPU_IN_MBOX)), event::IN_MBOX);
    assert_eq!(raised_by(all, put(register::SPU_SIG_NOTIFY_1)), event::SIGNAL_1);
    assert_eq!(raised_by(all, put(register::SPU_SIG_NOTIFY_2)), event::SIGNAL_2);
    let stall = raised_by(event::LIST_STALL, async |spu: &Spu| {
        stalled_list(spu, 3).await;
        spu.mfc_write_list_stall_ack(3).await;
    });
    assert_eq!(stall, event::LIST_STALL);
}

#[test]
fn the_ppes_read_of_an_outbound_mailbox_raises_its_event() {
    let machine = without_os_cost(ps3());
    let mailboxes = [
        (Channel::WR_OUT_MBOX, register::SPU_OUT_MBOX, event::OUT_MBOX),
        (Channel::WR_OUT_INTR_MBOX, register::SPU_OUT_INTR_MBOX, event::OUT_INTR_MBOX),
    ];
    for (channel, offset, bits) in mailboxes {
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                spu.write(Channel::WR_EVENT_MASK, event::OUT_MBOX | event::OUT_INTR_MBOX).await;
                spu.write(channel, 1).await;
                spu.read(Channel::RD_EVENT_STAT).await
            })
            .ppe(move |ppe| async move {
                ppe.thread_create(ThreadId(0), 0).await;
                ppe.compute(LONG).await;
                ppe.load(reg_ea(&ps3(), 0, offset), 4).await;
                0
            })
            .run();
        assert_eq!(ran.code(0), bits);
        assert!(ran.record.threads[0].stopped_at_spu_cycle > LONG);
    }
}

#[test]
fn an_event_outside_the_mask_is_kept_but_not_reported() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board())
        .spu(move |spu| async move {
            spu.write(Channel::WR_EVENT_MASK, event::SIGNAL_2).await;
            put_to_register(&spu, register::SPU_SIG_NOTIFY_1).await;
            spu.compute(LONG).await;
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
            spu.write(Channel::WR_EVENT_MASK, event::SIGNAL_1).await;
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
            reports.push(spu.read(Channel::RD_EVENT_STAT).await);
            reports.push(spu.read(Channel::RD_EVENT_MASK).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [0, 1, event::SIGNAL_1, event::SIGNAL_1]);
}

#[test]
fn an_acknowledgement_clears_the_bits_it_names() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board())
        .spu(move |spu| async move {
            let both = event::SIGNAL_1 | event::SIGNAL_2;
            spu.write(Channel::WR_EVENT_MASK, both).await;
            put_to_register(&spu, register::SPU_SIG_NOTIFY_1).await;
            put_to_register(&spu, register::SPU_SIG_NOTIFY_2).await;
            spu.compute(LONG).await;
            reports.push(spu.read(Channel::RD_EVENT_STAT).await);
            spu.write(Channel::WR_EVENT_ACK, event::SIGNAL_1).await;
            reports.push(spu.read(Channel::RD_EVENT_STAT).await);
            spu.write(Channel::WR_EVENT_ACK, both).await;
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [event::SIGNAL_1 | event::SIGNAL_2, event::SIGNAL_2, 0]);
}

#[test]
fn a_read_waits_until_an_event_of_the_mask_occurs() {
    let machine = board();
    let (first, second) =
        (reg_ea(&machine, 1, register::SPU_SIG_NOTIFY_1), reg_ea(&machine, 1, register::SPU_SIG_NOTIFY_2));
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            spu.ls().write_u32(0x200c, 1);
            spu.mfc_sndsig(0x200c, first, 0).await;
            spu.compute(LONG).await;
            spu.mfc_sndsig(0x200c, second, 0).await;
            0
        })
        .spu(|spu| async move {
            spu.write(Channel::WR_EVENT_MASK, event::SIGNAL_2).await;
            spu.read(Channel::RD_EVENT_STAT).await
        })
        .run();
    assert_eq!(ran.code(1), event::SIGNAL_2);
    assert!(ran.record.threads[1].stopped_at_spu_cycle > LONG);
}

#[test]
fn a_transfer_into_the_local_store_raises_nothing() {
    let target = ls_ea(&board(), 1, 0x4000);
    let ran = Check::on(&board())
        .spu(move |spu| async move {
            spu.mfc_put(0x4000, target, 1024, 0).await;
            0
        })
        .spu(|spu| async move {
            spu.write(Channel::WR_EVENT_MASK, !event::DECREMENTER).await;
            spu.compute(LONG).await;
            spu.count(Channel::RD_EVENT_STAT).await
        })
        .run();
    assert_eq!(ran.code(1), 0);
}

/// Raises the event of signal 1 and waits for it.
async fn signal(spu: &Spu) {
    put_to_register(spu, register::SPU_SIG_NOTIFY_1).await;
    spu.compute(LONG).await;
}

/// The counts of `SPU_RdEventStat` that a program reports, while the event of signal 1 is enabled.
fn counts(program: impl AsyncFnOnce(&Spu, Reports<u32>) + 'static) -> Vec<u32> {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board())
        .spu(move |spu| async move {
            spu.write(Channel::WR_EVENT_MASK, event::SIGNAL_1).await;
            program(&spu, reports).await;
            0
        })
        .run();
    reported.take()
}

#[test]
fn a_read_clears_the_count_until_an_event_a_mask_or_an_acknowledgement() {
    type Then = (&'static str, Channel, u32, u32);
    let then: [Then; 5] = [
        ("mask that enables the event", Channel::WR_EVENT_MASK, event::SIGNAL_1, 1),
        ("mask without the event", Channel::WR_EVENT_MASK, event::SIGNAL_2, 0),
        ("acknowledgement of another event", Channel::WR_EVENT_ACK, event::SIGNAL_2, 1),
        ("acknowledgement of nothing", Channel::WR_EVENT_ACK, 0, 0),
        ("acknowledgement of the event", Channel::WR_EVENT_ACK, event::SIGNAL_1, 0),
    ];
    for (what, channel, value, count) in then {
        let reported = counts(async move |spu: &Spu, reports: Reports<u32>| {
            signal(spu).await;
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
            reports.push(spu.read(Channel::RD_EVENT_STAT).await);
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
            spu.write(channel, value).await;
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
        });
        assert_eq!(reported, [1, event::SIGNAL_1, 0, count], "{what}");
    }
    let again = counts(async move |spu: &Spu, reports: Reports<u32>| {
        signal(spu).await;
        spu.read(Channel::RD_EVENT_STAT).await;
        spu.read(Channel::RD_SIG_NOTIFY_1).await;
        signal(spu).await;
        reports.push(spu.read(Channel::RD_EVENT_STAT).await);
    });
    assert_eq!(again, [event::SIGNAL_1], "the event again, before its acknowledgement");
}

#[test]
fn an_event_that_is_gone_before_the_read_leaves_a_phantom() {
    for (channel, value) in [(Channel::WR_EVENT_ACK, event::SIGNAL_1), (Channel::WR_EVENT_MASK, 0)] {
        let reported = counts(async move |spu: &Spu, reports: Reports<u32>| {
            signal(spu).await;
            spu.write(channel, value).await;
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
            reports.push(spu.read(Channel::RD_EVENT_STAT).await);
            reports.push(spu.count(Channel::RD_EVENT_STAT).await);
        });
        assert_eq!(reported, [1, 0, 0], "{channel}");
    }
}
