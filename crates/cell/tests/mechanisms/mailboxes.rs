//! Mailboxes, used by the SPU and by other units.

use crate::common::{Check, LONG, Reports, board, ps3, reg_ea, without_os_cost};
use cell::channel::Channel;
use cell::ea::register;
use cell::units::ThreadId;

const THREAD: ThreadId = ThreadId(0);

/// Capacities of the three mailboxes: inbound, outbound, outbound interrupt.
fn depths() -> [u32; 3] {
    let mfc = ps3().mfc;
    [mfc.inbound_mailbox_entries, mfc.outbound_mailbox_entries, mfc.outbound_interrupt_mailbox_entries]
}

#[test]
fn a_write_to_a_full_inbound_mailbox_replaces_the_entry_written_last() {
    let machine = without_os_cost(ps3());
    let places = depths()[0];
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            spu.compute(LONG).await;
            while spu.spu_stat_in_mbox().await > 0 {
                reports.push((spu.spu_stat_in_mbox().await, spu.spu_read_in_mbox().await));
            }
            0
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            for value in 1..=places + 2 {
                ppe.store(reg_ea(&ps3(), 0, register::SPU_IN_MBOX), 4, u64::from(value)).await;
            }
            0
        })
        .run();
    let mut expected: Vec<(u32, u32)> = (1..=places).map(|value| (places + 1 - value, value)).collect();
    expected[places as usize - 1].1 = places + 2;
    assert_eq!(reported.take(), expected);
    assert_eq!(ran.record.counters.spes[0].mailbox_entries, u64::from(places + 2));
}

#[test]
fn a_read_of_an_empty_inbound_mailbox_waits_for_an_entry() {
    let machine = without_os_cost(ps3());
    let ran = Check::on(&machine)
        .spu(|spu| async move { spu.spu_read_in_mbox().await })
        .ppe(|ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            ppe.compute(LONG).await;
            ppe.mmio_in_mbox_write(cell::units::SpeId(0), 77).await;
            0
        })
        .run();
    assert_eq!(ran.code(0), 77);
    assert!(ran.record.threads[0].stopped_at_spu_cycle > LONG);
    assert_eq!(ran.record.counters.spes[0].channel_stalls, 1);
}

#[test]
fn another_spe_writes_the_inbound_mailbox_by_dma() {
    let machine = board();
    let mailbox = reg_ea(&machine, 1, register::SPU_IN_MBOX);
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            for value in [5, 6, 7] {
                spu.ls().write_u32(0x200c, value);
                spu.mfc_put(0x200c, mailbox, 4, 0).await;
                crate::common::wait(&spu, 0).await;
            }
            0
        })
        .spu(|spu| async move {
            let mut all = 0;
            for _ in 0..3 {
                all = 10 * all + spu.spu_read_in_mbox().await;
            }
            all
        })
        .run();
    assert_eq!(ran.code(1), 567);
}

/// Writes one entry too many to an outbound mailbox, and reads the mailbox through the registers. Returns the count in
/// the status register before each read, and the value read.
fn overfull(channel: Channel, offset: u32, count_shift: u32) -> Vec<(u64, u64)> {
    let machine = without_os_cost(ps3());
    let places = if channel == Channel::WR_OUT_MBOX { depths()[1] } else { depths()[2] };
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            for value in 0..=places {
                assert_eq!(spu.count(channel).await, places - value);
                spu.write(channel, 10 + value).await;
            }
            0
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            ppe.compute(LONG).await;
            assert_eq!(
                ppe.load(reg_ea(&ps3(), 0, register::SPU_STATUS), 4).await,
                9,
                "the SPU waits, it has not stopped"
            );
            for _ in 0..=places {
                let stat = ppe.load(reg_ea(&ps3(), 0, register::SPU_MBOX_STAT), 4).await;
                reports.push((stat >> count_shift & 0xff, ppe.load(reg_ea(&ps3(), 0, offset), 4).await));
                ppe.compute(LONG).await;
            }
            ppe.thread_join(THREAD).await
        })
        .run();
    assert_eq!(ran.record.counters.spes[0].channel_stalls, 1);
    reported.take()
}

#[test]
fn a_write_to_a_full_outbound_mailbox_waits_until_an_entry_is_read() {
    assert_eq!(overfull(Channel::WR_OUT_MBOX, register::SPU_OUT_MBOX, 0), [(1, 10), (1, 11)]);
}

#[test]
fn the_interrupting_mailbox_is_another_one_of_the_same_kind() {
    assert_eq!(overfull(Channel::WR_OUT_INTR_MBOX, register::SPU_OUT_INTR_MBOX, 16), [(1, 10), (1, 11)]);
}

#[test]
fn the_status_register_shows_counts_and_free_entries() {
    let machine = without_os_cost(ps3());
    let [inbound, ..] = depths();
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu(|spu| async move {
            spu.write(Channel::WR_OUT_MBOX, 1).await;
            spu.write(Channel::WR_OUT_INTR_MBOX, 2).await;
            0
        })
        .ppe(move |ppe| async move {
            let stat = reg_ea(&ps3(), 0, register::SPU_MBOX_STAT);
            reports.push(ppe.load(stat, 4).await);
            ppe.store(reg_ea(&ps3(), 0, register::SPU_IN_MBOX), 4, 9).await;
            ppe.thread_create(THREAD, 0).await;
            ppe.thread_join(THREAD).await;
            reports.push(ppe.load(stat, 4).await);
            0
        })
        .run();
    let inbound = u64::from(inbound);
    assert_eq!(reported.take(), [inbound << 8, 1 << 16 | (inbound - 1) << 8 | 1]);
}

#[test]
fn a_read_of_an_empty_outbound_mailbox_answers_zero() {
    let ran = Check::on(&without_os_cost(ps3())).ppe(|ppe| async move {
        assert_eq!(ppe.load(reg_ea(&ps3(), 0, register::SPU_OUT_MBOX), 4).await, 0);
        0
    });
    ran.run();
}
