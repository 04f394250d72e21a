//! Signal-notification registers.

use crate::common::{Check, LONG, Reports, board, ps3, reg_ea, wait};
use cell::channel::Channel;
use cell::channels::Channels;
use cell::ea::register;
use cell::units::ThreadId;

const CHANNELS: [(u32, Channel); 2] =
    [(register::SPU_SIG_NOTIFY_1, Channel::RD_SIG_NOTIFY_1), (register::SPU_SIG_NOTIFY_2, Channel::RD_SIG_NOTIFY_2)];

#[test]
fn in_overwrite_mode_the_last_write_wins_and_the_count_never_exceeds_one() {
    for (offset, channel) in CHANNELS {
        let machine = board();
        let ea = reg_ea(&machine, 1, offset);
        let reported = Reports::new();
        let reports = reported.clone();
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                for value in [1, 2, 4] {
                    spu.ls().write_u32(0x200c, value);
                    spu.mfc_sndsig(0x200c, ea, 0).await;
                    wait(&spu, 0).await;
                }
                0
            })
            .spu(move |spu| async move {
                spu.compute(LONG).await;
                reports.push(spu.count(channel).await);
                reports.push(spu.read(channel).await);
                reports.push(spu.count(channel).await);
                0
            })
            .run();
        assert_eq!(reported.take(), [1, 4, 0]);
        assert_eq!(ran.record.counters.spes[machine.chip.spes[1] as usize].signals, 3);
    }
}

#[test]
fn a_read_waits_for_a_signal_and_takes_it() {
    for (offset, channel) in CHANNELS {
        let machine = board();
        let ea = reg_ea(&machine, 1, offset);
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                spu.ls().write_u32(0x200c, 0xabcd);
                spu.compute(LONG).await;
                spu.mfc_sndsig(0x200c, ea, 0).await;
                0
            })
            .spu(move |spu| async move { spu.read(channel).await })
            .run();
        assert_eq!(ran.code(1), 0xabcd);
        assert!(ran.record.threads.iter().all(|thread| thread.stopped_at_spu_cycle > LONG));
    }
}

#[test]
fn the_two_registers_are_independent() {
    let machine = board();
    let (first, second) = (reg_ea(&machine, 1, CHANNELS[0].0), reg_ea(&machine, 1, CHANNELS[1].0));
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            spu.ls().write_u32(0x200c, 1);
            spu.ls().write_u32(0x201c, 2);
            spu.mfc_sndsig(0x200c, first, 0).await;
            spu.mfc_sndsig(0x201c, second, 0).await;
            0
        })
        .spu(|spu| async move { spu.spu_read_signal2().await << 16 | spu.spu_read_signal1().await })
        .run();
    assert_eq!(ran.code(1), 2 << 16 | 1);
}

#[test]
fn in_or_mode_writes_are_collected_until_the_read() {
    let mut channels = Channels::new(&ps3());
    let signal = &mut channels.signals[0];
    signal.or_mode = true;
    for value in [1, 2, 4] {
        signal.write(value);
    }
    assert_eq!(signal.count(), 1);
    assert_eq!((signal.read(), signal.read()), (Some(7), None));
    signal.write(8);
    assert_eq!(signal.read(), Some(8), "the read cleared the register");
}

#[test]
fn the_ppe_sets_the_mode_of_each_register() {
    let ran = Check::on(&board())
        .spu(|spu| async move {
            // All four writes to the signal register happen before the first read.
            spu.compute(10_000_000).await;
            spu.spu_read_signal1().await << 8 | spu.spu_read_signal2().await
        })
        .ppe(|ppe| async move {
            let thread = ThreadId(0);
            ppe.spe_signal_type(thread, 1, true).await;
            ppe.thread_create(thread, 0).await;
            for value in [1, 4] {
                ppe.spe_signal_write(thread, 1, value).await;
                ppe.spe_signal_write(thread, 2, value).await;
            }
            ppe.thread_join(thread).await
        })
        .run();
    assert_eq!(ran.code(0), 5 << 8 | 4);
}
