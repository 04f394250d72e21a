//! The decrementer and its event, against the time base.

use crate::common::{Check, Reports, board, ps3, without_os_cost};
use cell::channel::{Channel, event};
use cell::machine::Machine;
use cell::units::ThreadId;

/// Number of ticks in `spu_cycles` SPU cycles.
fn ticks(machine: &Machine, spu_cycles: u64) -> u64 {
    (u128::from(spu_cycles) * u128::from(machine.chip.timebase_hz) / u128::from(machine.chip.processor_clock_hz)) as u64
}

#[test]
fn it_counts_down_at_the_rate_of_the_time_base() {
    for machine in [ps3(), board()] {
        for start in [u32::MAX, 1_000_000, 5] {
            let reported = Reports::new();
            let reports = reported.clone();
            let cycles = 10_000_000;
            Check::on(&machine)
                .spu(move |spu| async move {
                    spu.spu_write_decrementer(start).await;
                    spu.compute(cycles).await;
                    reports.push(start.wrapping_sub(spu.spu_read_decrementer().await));
                    0
                })
                .run();
            let (passed, expected) = (u64::from(reported.take()[0]), ticks(&machine, cycles));
            assert!(passed.abs_diff(expected) <= 1, "{passed} ticks passed, {expected} were to");
        }
    }
}

#[test]
fn it_counts_as_the_ppes_time_base_does() {
    let machine = without_os_cost(ps3());
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            spu.spu_write_decrementer(u32::MAX).await;
            spu.compute(50_000_000).await;
            u32::MAX - spu.spu_read_decrementer().await
        })
        .ppe(move |ppe| async move {
            let before = ppe.time_base().await;
            ppe.compute(50_000_000).await;
            reports.push(ppe.time_base().await - before);
            ppe.thread_create(ThreadId(0), 0).await;
            0
        })
        .run();
    assert!(u64::from(ran.code(0)).abs_diff(reported.take()[0]) <= 1);
}

/// Ticks from a write of `start` to the decrementer until its event.
fn ticks_to_event(start: u32) -> u64 {
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(&board())
        .spu(move |spu| async move {
            // Acknowledge earlier events, so that they do not matter. This also stops the decrementer.
            spu.write(Channel::WR_EVENT_ACK, event::DECREMENTER).await;
            spu.spu_write_decrementer(start).await;
            spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
            reports.push(spu.read(Channel::RD_EVENT_STAT).await);
            0
        })
        .limit(u64::MAX)
        .run();
    assert_eq!(reported.take(), [event::DECREMENTER]);
    let machine = board();
    ran.record.threads[0].stopped_at_spu_cycle * machine.chip.timebase_hz / machine.chip.processor_clock_hz
}

#[test]
fn its_event_comes_when_it_turns_negative() {
    for start in [0, 1, 1000, 0x7fff_ffff] {
        let passed = ticks_to_event(start);
        assert!(passed.abs_diff(u64::from(start) + 1) <= 1, "{passed} ticks from {start}");
    }
}

#[test]
fn a_negative_value_first_has_to_become_positive() {
    for start in [0x8000_0000, 0xffff_ffff] {
        let passed = ticks_to_event(start);
        assert!(passed.abs_diff(u64::from(start) + 1) <= 1, "{passed} ticks from {start}");
    }
}

#[test]
fn a_new_value_cancels_the_old_ones_event() {
    let ran = Check::on(&board())
        .spu(|spu| async move {
            spu.spu_write_decrementer(100).await;
            spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
            spu.spu_write_decrementer(1_000_000).await;
            let cycles = 128 * 1000;
            spu.compute(cycles).await;
            spu.count(Channel::RD_EVENT_STAT).await
        })
        .run();
    assert_eq!(ran.code(0), 0);
}

/// Numbers of pending events after each of two writes of the event mask. The first write comes after `spu_cycles` SPU
/// cycles, and the second after an acknowledgement.
fn pending_when_wanted_again(start: Option<u32>, spu_cycles: u64, acknowledged: u32) -> [u32; 2] {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board())
        .spu(move |spu| async move {
            if let Some(start) = start {
                spu.spu_write_decrementer(start).await;
            }
            spu.compute(spu_cycles).await;
            for _ in 0..2 {
                spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
                let count = spu.count(Channel::RD_EVENT_STAT).await;
                reports.push(count);
                if count != 0 {
                    assert_eq!(spu.read(Channel::RD_EVENT_STAT).await, event::DECREMENTER);
                }
                spu.write(Channel::WR_EVENT_ACK, acknowledged).await;
                spu.write(Channel::WR_EVENT_MASK, 0).await;
            }
            0
        })
        .run();
    reported.take().try_into().expect("two answers")
}

#[test]
fn its_event_is_kept_until_it_is_acknowledged() {
    // The decrementer is never written, is not yet negative, or has long been negative with the event disabled. The
    // fourth case is the third case with an acknowledgement.
    assert_eq!(pending_when_wanted_again(None, 10_000, 0), [0, 0]);
    assert_eq!(pending_when_wanted_again(Some(1000), 10_000, 0), [0, 0]);
    assert_eq!(pending_when_wanted_again(Some(10), 10_000, 0), [1, 1]);
    assert_eq!(pending_when_wanted_again(Some(10), 10_000, event::DECREMENTER), [1, 0]);
}

#[test]
fn an_acknowledgement_of_its_disabled_event_stops_it_until_the_next_write() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board())
        .spu(move |spu| async move {
            for mask in [event::DECREMENTER, 0] {
                spu.spu_write_decrementer(1000).await;
                spu.write(Channel::WR_EVENT_MASK, mask).await;
                spu.write(Channel::WR_EVENT_ACK, event::DECREMENTER).await;
                let before = spu.spu_read_decrementer().await;
                spu.compute(1_000_000).await;
                reports.push(u32::from(spu.spu_read_decrementer().await == before));
                spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
                reports.push(spu.count(Channel::RD_EVENT_STAT).await);
                if mask != 0 {
                    spu.read(Channel::RD_EVENT_STAT).await;
                }
            }
            0
        })
        .run();
    assert_eq!(reported.take(), [0, 1, 1, 0]);
}

#[test]
fn its_event_recurs_when_it_has_gone_round() {
    let ran = Check::on(&board())
        .spu(|spu| async move {
            spu.spu_write_decrementer(5).await;
            spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
            for acknowledged in [0, event::DECREMENTER] {
                assert_eq!(spu.read(Channel::RD_EVENT_STAT).await, event::DECREMENTER);
                spu.write(Channel::WR_EVENT_ACK, acknowledged).await;
            }
            spu.read(Channel::RD_EVENT_STAT).await
        })
        .limit(u64::MAX)
        .run();
    let machine = board();
    assert_eq!(ran.code(0), event::DECREMENTER);
    let passed = ticks(&machine, ran.record.threads[0].stopped_at_spu_cycle);
    assert!(passed.abs_diff((2 << 32) + 6) <= 1, "{passed} ticks");
}
