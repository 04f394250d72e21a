//! Tests the channel operations of each function of `spu_mfcio.h`.

use crate::common::{Check, Reports, pattern, ps3, wait};
use cell::channel::Channel;
use cell::coroutine::{Spu, spu_program};
use cell::door::{Op, Step, Turn};
use cell::spu_mfcio::*;
use cell::store::LocalStore;
use std::future::Future;

const LS: u32 = 0x1230;
const EA: u64 = 0x12_3456_7890;
const LIST: u32 = 0x4560;
const SIZE: u32 = 0x70;
const TAG: u32 = 7;

/// The operations that a program requests if every answer is 5.
fn asks<F: Future<Output = ()> + 'static>(body: impl FnOnce(Spu) -> F + 'static) -> Vec<Op> {
    let mut program = spu_program(move |spu| async move {
        body(spu).await;
        0
    });
    let (mut asked, mut answer, mut ls) = (Vec::new(), 0, LocalStore::new(1 << 18, 1 << 12));
    loop {
        let turn = Turn { answer, time: 0, lookahead: 0, line_at: None, event: false, traced: false };
        match program.resume(turn, &mut ls).expect("a program that goes on") {
            Step::Ask(op) => asked.push(op),
            Step::Stop(_) => return asked,
            Step::Mark { .. } => panic!("no iterations here"),
        }
        answer = 5;
    }
}

/// The operations of one function.
macro_rules! asked_by {
    ($name:ident($($argument:expr),*)) => {
        asks(|spu| async move {
            let _ = spu.$name($($argument),*).await;
        })
    };
}

/// The channel writes of a command with a 64-bit address.
fn command(ls: u32, ea: u64, size: u32, opcode: u32, tag: u32) -> Vec<Op> {
    let parameters = [
        (Channel::MFC_LSA, ls),
        (Channel::MFC_EAH, (ea >> 32) as u32),
        (Channel::MFC_EAL, ea as u32),
        (Channel::MFC_SIZE, size),
        (Channel::MFC_TAG_ID, tag),
        (Channel::MFC_CMD, opcode),
    ];
    parameters.into_iter().map(|(channel, value)| Op::Write(channel, value)).collect()
}

#[test]
fn transfers_write_their_opcode_and_all_parameters() {
    macro_rules! rows {
        ($($name:ident $opcode:literal)*) => {
            $(assert_eq!(asked_by!($name(LS, EA, SIZE, TAG)), command(LS, EA, SIZE, $opcode, TAG), stringify!($name));)*
        };
    }
    rows! { mfc_put 0x20 mfc_putb 0x21 mfc_putf 0x22 mfc_get 0x40 mfc_getb 0x41 mfc_getf 0x42 }
}

#[test]
fn lists_write_the_address_of_the_list_as_the_low_half_of_theirs() {
    let ea = EA & !0xffff_ffff | u64::from(LIST);
    macro_rules! rows {
        ($($name:ident $opcode:literal)*) => {
            $(assert_eq!(asked_by!($name(LS, EA, LIST, SIZE, TAG)), command(LS, ea, SIZE, $opcode, TAG), stringify!($name));)*
        };
    }
    rows! { mfc_putl 0x24 mfc_putlb 0x25 mfc_putlf 0x26 mfc_getl 0x44 mfc_getlb 0x45 mfc_getlf 0x46 }
}

#[test]
fn lock_line_commands_have_the_size_of_a_line() {
    macro_rules! rows {
        ($($name:ident $opcode:literal)*) => {
            $(assert_eq!(asked_by!($name(LS, EA)), command(LS, EA, 128, $opcode, 0), stringify!($name));)*
        };
    }
    rows! { mfc_getllar 0xd0 mfc_putllc 0xb4 mfc_putlluc 0xb0 }
    assert_eq!(asked_by!(mfc_putqlluc(LS, EA, TAG)), command(LS, EA, 128, 0xb8, TAG));
}

#[test]
fn signals_have_four_bytes() {
    macro_rules! rows {
        ($($name:ident $opcode:literal)*) => {
            $(assert_eq!(asked_by!($name(LS, EA, TAG)), command(LS, EA, 4, $opcode, TAG), stringify!($name));)*
        };
    }
    rows! { mfc_sndsig 0xa0 mfc_sndsigb 0xa1 mfc_sndsigf 0xa2 }
}

#[test]
fn cache_line_commands_have_no_local_store_address() {
    macro_rules! rows {
        ($($name:ident $opcode:literal)*) => {
            $(assert_eq!(asked_by!($name(EA, SIZE, TAG)), command(0, EA, SIZE, $opcode, TAG), stringify!($name));)*
        };
    }
    rows! { mfc_sdcrt 0x80 mfc_sdcrtst 0x81 mfc_sdcrz 0x89 mfc_sdcrst 0x8d mfc_sdcrf 0x8f }
}

#[test]
fn commands_that_only_order_leave_the_high_half_of_the_address_alone() {
    let parameters = |opcode| {
        let mut parameters = command(0, 0, 0, opcode, TAG);
        parameters.remove(1);
        parameters
    };
    macro_rules! rows {
        ($($name:ident $opcode:literal)*) => {
            $(assert_eq!(asked_by!($name(TAG)), parameters($opcode), stringify!($name));)*
        };
    }
    rows! { mfc_barrier 0xc0 mfc_eieio 0xc8 mfc_sync 0xcc }
}

#[test]
fn channels_are_read_written_and_counted_by_their_number() {
    macro_rules! rows {
        ($($way:ident $name:ident($($argument:expr)?) $channel:literal;)*) => {
            $(assert_eq!(asked_by!($name($($argument)?)), [Op::$way(Channel($channel) $(, $argument)?)], stringify!($name));)*
        };
    }
    rows! {
        Read spu_read_event_status() 0;
        Count spu_stat_event_status() 0;
        Write spu_write_event_mask(9) 1;
        Write spu_write_event_ack(9) 2;
        Read spu_read_event_mask() 11;
        Read spu_read_signal1() 3;
        Count spu_stat_signal1() 3;
        Read spu_read_signal2() 4;
        Count spu_stat_signal2() 4;
        Write spu_write_decrementer(9) 7;
        Read spu_read_decrementer() 8;
        Read spu_read_machine_status() 13;
        Write spu_write_srr0(9) 14;
        Read spu_read_srr0() 15;
        Write spu_write_out_mbox(9) 28;
        Count spu_stat_out_mbox() 28;
        Read spu_read_in_mbox() 29;
        Count spu_stat_in_mbox() 29;
        Write spu_write_out_intr_mbox(9) 30;
        Count spu_stat_out_intr_mbox() 30;
        Count mfc_stat_cmd_queue() 21;
        Write mfc_write_tag_mask(9) 22;
        Read mfc_read_tag_mask() 12;
        Write mfc_write_tag_update(2) 23;
        Count mfc_stat_tag_update() 23;
        Read mfc_read_tag_status() 24;
        Count mfc_stat_tag_status() 24;
        Read mfc_read_list_stall_status() 25;
        Count mfc_stat_list_stall_status() 25;
        Write mfc_write_list_stall_ack(9) 26;
        Read mfc_read_atomic_status() 27;
        Count mfc_stat_atomic_status() 27;
        Count mfc_stat_multi_src_sync_request() 9;
    }
    assert_eq!(asked_by!(mfc_write_multi_src_sync_request()), [Op::Write(Channel(9), 0)]);
}

#[test]
fn a_tag_status_is_asked_for_and_then_read() {
    let (update, status) = (|code| Op::Write(Channel(23), code), Op::Read(Channel(24)));
    assert_eq!(asked_by!(mfc_write_tag_update_immediate()), [update(0)]);
    assert_eq!(asked_by!(mfc_write_tag_update_any()), [update(1)]);
    assert_eq!(asked_by!(mfc_write_tag_update_all()), [update(2)]);
    assert_eq!(asked_by!(mfc_read_tag_status_immediate()), [update(0), status]);
    assert_eq!(asked_by!(mfc_read_tag_status_any()), [update(1), status]);
    assert_eq!(asked_by!(mfc_read_tag_status_all()), [update(2), status]);
    assert_eq!(asked_by!(mfcstat(1)), [update(1), status]);
    assert_eq!(asked_by!(mfc_wait_for_tags(9)), [Op::Write(Channel(22), 9), update(2), status]);
}

#[test]
fn a_range_becomes_zeros_and_only_that_range() {
    let before = pattern(3, 512);
    let ran = Check::on(&ps3())
        .memory(0x10000, &before)
        .spu(|spu| async move {
            spu.mfc_sdcrt(0x10000, 512, TAG).await;
            spu.mfc_sdcrtst(0x10000, 512, TAG).await;
            spu.mfc_sdcrz(0x10080, 128, TAG).await;
            spu.mfc_sdcrst(0x10000, 512, TAG).await;
            spu.mfc_sdcrf(0x10000, 512, TAG).await;
            wait(&spu, TAG).await;
            0
        })
        .run();
    assert_eq!(ran.memory.bytes(0x10000, 128), before[..128]);
    assert_eq!(ran.memory.bytes(0x10080, 128), [0; 128]);
    assert_eq!(ran.memory.bytes(0x10100, 256), before[256..]);
}

#[test]
fn lock_line_commands_end_with_their_status() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            spu.mfc_getllar(0x1000, 0x10000).await;
            reports.push(spu.mfc_read_atomic_status().await);
            spu.mfc_putllc(0x1000, 0x10000).await;
            reports.push(spu.mfc_read_atomic_status().await);
            spu.mfc_putllc(0x1000, 0x10000).await;
            reports.push(spu.mfc_read_atomic_status().await);
            spu.mfc_putlluc(0x1000, 0x10000).await;
            reports.push(spu.mfc_read_atomic_status().await);
            0
        })
        .run();
    assert_eq!(reported.take(), [MFC_GETLLAR_STATUS, 0, MFC_PUTLLC_STATUS, MFC_PUTLLUC_STATUS]);
}

#[test]
fn tags_are_reserved_from_the_lowest_and_released() {
    asks(|spu| async move {
        assert_eq!((spu.mfc_tag_reserve(), spu.mfc_multi_tag_reserve(4), spu.mfc_tag_reserve()), (0, 1, 5));
        assert_eq!(spu.mfc_multi_tag_release(1, 4), MFC_TAG_VALID);
        assert_eq!(spu.mfc_multi_tag_release(1, 4), MFC_TAG_INVALID, "the tags are already free");
        assert_eq!(spu.mfc_multi_tag_reserve(5), 6, "only four tags are free in between");
        assert_eq!((spu.mfc_tag_release(0), spu.mfc_tag_release(0)), (MFC_TAG_VALID, MFC_TAG_INVALID));
        assert_eq!(spu.mfc_multi_tag_reserve(5), 0);
        for tags in [0, 22, 33, u32::MAX] {
            assert_eq!(spu.mfc_multi_tag_reserve(tags), MFC_TAG_INVALID, "{tags}");
        }
        assert_eq!(spu.mfc_multi_tag_reserve(21), 11, "up to the last");
        assert_eq!(spu.mfc_tag_reserve(), MFC_TAG_INVALID);
        assert_eq!(spu.mfc_tag_release(32), MFC_TAG_INVALID);
        assert_eq!(spu.mfc_multi_tag_release(0, 32), MFC_TAG_VALID);
        assert_eq!(spu.clone().mfc_multi_tag_reserve(32), 0);
        assert_eq!(spu.mfc_tag_reserve(), MFC_TAG_INVALID, "clones share the tags");
    });
}

#[test]
fn addresses_are_split_and_joined() {
    assert_eq!((mfc_ea2h(EA), mfc_ea2l(EA), mfc_hl2ea(0x12, 0x3456_7890)), (0x12, 0x3456_7890, EA));
    assert_eq!([0, 1, 128, 129].map(mfc_ceil128), [0, 128, 128, 256]);
}
