//! The table of channels: counts at reset, directions, reserved numbers, and reads that would never
//! return.

use crate::common::{Check, Reports, ps3};
use cell::channel::{Channel, Direction};
use cell::door::Op;
use cell::error::RunError;

/// Reserved numbers below 31. All channel numbers from 31 are reserved.
const RESERVED: [u8; 3] = [5, 6, 10];

/// The rule that an operation breaks, as `(command, rule)`.
fn broken(op: Op) -> (String, String) {
    let error = Check::on(&ps3())
        .spu(move |spu| async move {
            match op {
                Op::Read(channel) => spu.read(channel).await,
                Op::Count(channel) => spu.count(channel).await,
                Op::Write(channel, value) => {
                    spu.write(channel, value).await;
                    0
                }
                Op::Compute(_) => 0,
            }
        })
        .error();
    let RunError::Rule { spe, command, rule, .. } = error else { panic!("{error}") };
    assert_eq!(spe.map(|spe| spe.0), Some(0));
    (command.to_string(), rule.to_string())
}

#[test]
fn counts_at_reset_are_those_of_the_architecture() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            for number in (0..31).filter(|number| !RESERVED.contains(number)) {
                reports.push((number, spu.count(Channel(number)).await));
            }
            0
        })
        .run();
    let mfc = ps3().mfc;
    let expected = |number| match number {
        0 | 3 | 4 | 24 | 25 | 27 | 29 => 0,
        21 => mfc.spu_queue_entries,
        28 => mfc.outbound_mailbox_entries,
        30 => mfc.outbound_interrupt_mailbox_entries,
        _ => 1,
    };
    for (number, count) in reported.take() {
        assert_eq!(count, expected(number), "{}", Channel(number));
    }
}

#[test]
fn each_channel_has_one_direction() {
    let reads = [0, 3, 4, 8, 11, 12, 13, 15, 24, 25, 27, 29];
    for channel in (0..31).filter(|number| !RESERVED.contains(number)).map(Channel) {
        let name = channel.name().expect("a channel with a name");
        if reads.contains(&channel.0) {
            assert_eq!(channel.direction(), Some(Direction::Read), "{name}");
            let expected = (format!("write of 0x7 to {name}"), "the channel can only be read".to_string());
            assert_eq!(broken(Op::Write(channel, 7)), expected);
        } else {
            assert_eq!(channel.direction(), Some(Direction::Write), "{name}");
            let expected = (format!("read of {name}"), "the channel can only be written".to_string());
            assert_eq!(broken(Op::Read(channel)), expected);
        }
    }
}

#[test]
fn reserved_channels_have_no_value_and_a_count_of_0() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            let mut count = 0;
            for number in (0..128).filter(|number| RESERVED.contains(number) || *number > 30) {
                count += spu.count(Channel(number)).await;
            }
            count
        })
        .run();
    assert_eq!(ran.code(0), 0);
    for number in RESERVED.into_iter().chain([31, 32, 74, 127, 128, 255]) {
        let (channel, rule) = (Channel(number), format!("channel {number} is reserved"));
        assert_eq!(broken(Op::Read(channel)), (format!("read of channel {number}"), rule.clone()));
        assert_eq!(broken(Op::Write(channel, 0)), (format!("write of 0x0 to channel {number}"), rule));
    }
}

#[test]
fn reads_that_would_never_return_are_errors() {
    let reads = [
        (Channel::RD_EVENT_STAT, "no event is enabled (write SPU_WrEventMask first): it can never answer"),
        (Channel::RD_TAG_STAT, "no tag status was asked for (write MFC_WrTagUpdate first): it can never answer"),
        (Channel::RD_LIST_STALL_STAT, "no list command is in the queue: it can never answer"),
        (Channel::RD_ATOMIC_STAT, "no atomic command was given: it can never answer"),
    ];
    for (channel, rule) in reads {
        assert_eq!(broken(Op::Read(channel)), (format!("read of {channel}"), rule.to_string()));
    }
}

#[test]
fn srr0_and_machine_status_can_be_read() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            // SRR0 keeps the address of an instruction in the local store.
            spu.write(Channel::WR_SRR0, 0x1234).await;
            assert_eq!(spu.read(Channel::RD_SRR0).await, 0x1234);
            spu.write(Channel::WR_SRR0, u32::MAX).await;
            spu.read(Channel::RD_SRR0).await + spu.read(Channel::RD_MACH_STAT).await
        })
        .run();
    assert_eq!(ran.code(0), 0x3fffc);
}

#[test]
fn a_second_multi_source_synchronisation_waits_for_the_first() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.write(Channel::WR_MS_SYNC_REQ, 0).await;
            assert_eq!(spu.count(Channel::WR_MS_SYNC_REQ).await, 0);
            spu.write(Channel::WR_MS_SYNC_REQ, 0).await;
            0
        })
        .run();
    assert_eq!(ran.record.counters.spes[0].channel_stalls, 1);
}

#[test]
fn channel_operations_take_their_time() {
    let machine = ps3();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            for _ in 0..10 {
                spu.write(Channel::MFC_LSA, 0).await;
                spu.read(Channel::RD_TAG_MASK).await;
                spu.count(Channel::MFC_CMD).await;
            }
            spu.compute(1000).await;
            0
        })
        .run();
    let (write, read) = (machine.spu.channel_write_spu_cycles, machine.spu.channel_read_spu_cycles);
    assert_eq!(ran.record.threads[0].stopped_at_spu_cycle, 10 * write + 20 * read + 1000);
}
