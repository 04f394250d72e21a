//! The decrementer and its event, against the time base.

use crate::common::{Check, Notes, board, ps3, without_os_cost};
use cell::channel::{Channel, event};
use cell::machine::Machine;
use cell::units::ThreadId;

/// Ticks in so many SPU cycles.
fn ticks(machine: &Machine, spu_cycles: u64) -> u64 {
    spu_cycles * machine.chip.timebase_hz / machine.chip.processor_clock_hz
}

#[test]
fn it_counts_down_at_the_rate_of_the_time_base() {
    for machine in [ps3(), board()] {
        for start in [u32::MAX, 1_000_000, 5] {
            let notes = Notes::new();
            let told = notes.clone();
            let cycles = 10_000_000;
            Check::on(&machine)
                .spu(move |spu| async move {
                    spu.spu_write_decrementer(start).await;
                    spu.compute(cycles).await;
                    told.push(start.wrapping_sub(spu.spu_read_decrementer().await));
                    0
                })
                .run();
            let (passed, expected) = (u64::from(notes.take()[0]), ticks(&machine, cycles));
            assert!(passed.abs_diff(expected) <= 1, "{passed} ticks passed, {expected} were to");
        }
    }
}

#[test]
fn it_counts_as_the_ppes_time_base_does() {
    let machine = without_os_cost(ps3());
    let notes = Notes::new();
    let told = notes.clone();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            spu.spu_write_decrementer(u32::MAX).await;
            spu.compute(50_000_000).await;
            u32::MAX - spu.spu_read_decrementer().await
        })
        .ppe(move |ppe| async move {
            let before = ppe.time_base().await;
            ppe.compute(50_000_000).await;
            told.push(ppe.time_base().await - before);
            ppe.thread_create(ThreadId(0), 0).await;
            0
        })
        .run();
    assert!(u64::from(ran.code(0)).abs_diff(notes.take()[0]) <= 1);
}

/// Ticks, by the decrementer itself, until its event comes, when it starts at `start`.
fn ticks_to_event(start: u32) -> u64 {
    let notes = Notes::new();
    let told = notes.clone();
    let ran = Check::on(&board())
        .spu(move |spu| async move {
            // What went before is of no interest.
            spu.spu_write_decrementer(start).await;
            spu.write(Channel::WR_EVENT_ACK, event::DECREMENTER).await;
            spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
            told.push(spu.read(Channel::RD_EVENT_STAT).await);
            0
        })
        .limit(u64::MAX)
        .run();
    assert_eq!(notes.take(), [event::DECREMENTER]);
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
fn from_a_negative_value_it_first_has_to_become_positive() {
    for start in [0x8000_0000, 0xffff_ffff] {
        let passed = ticks_to_event(start);
        assert!(passed.abs_diff(u64::from(start) + 1) <= 1, "{passed} ticks from {start}");
    }
}

#[test]
fn a_new_value_calls_the_old_ones_event_off() {
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

/// What is pending behind two writes of the mask, after so many SPU cycles and an acknowledgement.
fn pending_when_wanted_again(start: Option<u32>, spu_cycles: u64, acknowledged: u32) -> [u32; 2] {
    let notes = Notes::new();
    let told = notes.clone();
    Check::on(&board())
        .spu(move |spu| async move {
            if let Some(start) = start {
                spu.spu_write_decrementer(start).await;
            }
            spu.compute(spu_cycles).await;
            for _ in 0..2 {
                spu.write(Channel::WR_EVENT_MASK, event::DECREMENTER).await;
                told.push(spu.count(Channel::RD_EVENT_STAT).await);
                spu.write(Channel::WR_EVENT_ACK, acknowledged).await;
                spu.write(Channel::WR_EVENT_MASK, 0).await;
            }
            0
        })
        .run();
    notes.take().try_into().expect("two answers")
}

#[test]
fn its_event_is_kept_until_it_is_acknowledged_and_comes_once() {
    // Never written; not negative yet; since long, unwanted; and the same, acknowledged.
    assert_eq!(pending_when_wanted_again(None, 10_000, 0), [0, 0]);
    assert_eq!(pending_when_wanted_again(Some(1000), 10_000, 0), [0, 0]);
    assert_eq!(pending_when_wanted_again(Some(10), 10_000, 0), [1, 1]);
    assert_eq!(pending_when_wanted_again(Some(10), 10_000, event::DECREMENTER), [1, 0]);
}
