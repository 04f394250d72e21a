//! Dependencies between commands: fences, barriers and the commands that only order other commands.
//!
//! In each test, a stalled list command is the slow earlier command. Dependent commands stay blocked until the program
//! acknowledges the stall.

use super::spu_queue::stalled_list;
use crate::common::{Check, LONG, Reports, ps3, wait};
use cell::coroutine::Spu;

const TAG: u32 = 4;
const OTHER_TAG: u32 = 9;

/// Number of commands that stay blocked behind a stalled list, not counting the list. The commands are `first`, then a
/// plain `put` in the same tag group, and a plain `put` in another tag group.
fn held_up(first: impl AsyncFnOnce(&Spu) + 'static) -> u32 {
    let entries = ps3().mfc.spu_queue_entries;
    let ran = Check::on(&ps3())
        .spu(move |spu| async move {
            stalled_list(&spu, TAG).await;
            first(&spu).await;
            spu.mfc_put(0x5000, 0x15000, 16, TAG).await;
            spu.mfc_put(0x6000, 0x16000, 16, OTHER_TAG).await;
            spu.compute(LONG).await;
            let held = entries - spu.mfc_stat_cmd_queue().await - 1;
            spu.mfc_write_list_stall_ack(TAG).await;
            spu.mfc_write_tag_mask(1 << TAG | 1 << OTHER_TAG).await;
            spu.mfc_read_tag_status_all().await;
            assert_eq!(spu.mfc_stat_cmd_queue().await, entries, "no command stays blocked for ever");
            held
        })
        .run();
    ran.code(0)
}

/// Number of commands that stay blocked after a command with this opcode and legal parameters.
fn held_up_by(opcode: u32, tag: u32) -> u32 {
    held_up(async move |spu| match opcode & 0x0f {
        // This is a list of one element, which moves no bytes.
        4..=6 => spu.mfcdma64(0x4000, 0x3800, 8, tag, opcode).await,
        _ => spu.mfcdma64(0x4000, 0x14000, 128, tag, opcode).await,
    })
}

#[test]
fn plain_commands_wait_for_no_other() {
    for opcode in [0x20, 0x24, 0x30, 0x34, 0x40, 0x44, 0x80, 0x81] {
        assert_eq!(held_up_by(opcode, TAG), 0, "{opcode:#x}");
    }
}

#[test]
fn a_fence_blocks_its_own_command_and_no_later_one() {
    for opcode in [0x22, 0x26, 0x32, 0x36, 0x42, 0x46, 0xb8] {
        assert_eq!(held_up_by(opcode, TAG), 1, "{opcode:#x}");
    }
}

#[test]
fn a_barrier_blocks_its_own_command_and_later_ones_of_its_tag_group() {
    for opcode in [0x21, 0x25, 0x31, 0x35, 0x41, 0x45] {
        assert_eq!(held_up_by(opcode, TAG), 2, "{opcode:#x}");
    }
}

#[test]
fn cache_line_commands_are_barriers_of_their_tag_group() {
    for opcode in [0x89, 0x8d, 0x8f] {
        assert_eq!(held_up_by(opcode, TAG), 2, "{opcode:#x}");
    }
}

#[test]
fn signals_have_fences_and_barriers_too() {
    let ea = crate::common::reg_ea(&ps3(), 1, cell::ea::register::SPU_SIG_NOTIFY_1);
    for (opcode, held) in [(0xa0, 0), (0xa2, 1), (0xa1, 2)] {
        assert_eq!(held_up(async move |spu| spu.mfcdma64(0x400c, ea, 4, TAG, opcode).await), held, "{opcode:#x}");
    }
}

#[test]
fn functions_order_as_their_opcodes_do() {
    let ea = crate::common::reg_ea(&ps3(), 1, cell::ea::register::SPU_SIG_NOTIFY_1);
    assert_eq!(held_up(async move |spu| spu.mfc_sndsig(0x400c, ea, TAG).await), 0);
    assert_eq!(held_up(async move |spu| spu.mfc_sndsigf(0x400c, ea, TAG).await), 1);
    assert_eq!(held_up(async move |spu| spu.mfc_sndsigb(0x400c, ea, TAG).await), 2);
    assert_eq!(held_up(async |spu| spu.mfc_sdcrt(0x14000, 128, TAG).await), 0);
    assert_eq!(held_up(async |spu| spu.mfc_sdcrtst(0x14000, 128, TAG).await), 0);
    assert_eq!(held_up(async |spu| spu.mfc_sdcrz(0x14000, 128, TAG).await), 2);
    assert_eq!(held_up(async |spu| spu.mfc_sdcrst(0x14000, 128, TAG).await), 2);
    assert_eq!(held_up(async |spu| spu.mfc_sdcrf(0x14000, 128, TAG).await), 2);
}

#[test]
fn fences_and_barriers_mean_nothing_to_other_tag_groups() {
    for opcode in [0x21, 0x22, 0x41, 0x42, 0x25, 0x46, 0xb8, 0x89] {
        assert_eq!(held_up_by(opcode, OTHER_TAG), 0, "{opcode:#x}");
    }
}

#[test]
fn barrier_and_storage_ordering_commands_block_commands_of_every_tag_group() {
    for opcode in [0xc0, 0xc8, 0xcc] {
        for tag in [TAG, OTHER_TAG, 31] {
            assert_eq!(held_up_by(opcode, tag), 3, "{opcode:#x}, tag {tag}");
        }
    }
}

#[test]
fn a_command_blocked_by_a_fence_has_no_effect_yet_and_an_unblocked_one_has() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .spu(move |spu| async move {
            for (lsa, word) in [(0x4000, 1), (0x5000, 2)] {
                spu.ls().write_u32(lsa, word);
            }
            stalled_list(&spu, TAG).await;
            spu.mfc_putf(0x4000, 0x14000, 16, TAG).await;
            spu.mfc_put(0x5000, 0x15000, 16, TAG).await;
            spu.compute(LONG).await;
            reports.push(words(&spu).await);
            spu.mfc_write_list_stall_ack(TAG).await;
            wait(&spu, TAG).await;
            reports.push(words(&spu).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [(0, 2), (1, 2)]);
}

/// The words at 0x14000 and 0x15000 of main memory, read by atomic commands that bypass the queue.
async fn words(spu: &Spu) -> (u32, u32) {
    let mut words = [0; 2];
    for (word, ea) in words.iter_mut().zip([0x14000, 0x15000]) {
        spu.mfc_getllar(0x1000, ea).await;
        spu.mfc_read_atomic_status().await;
        *word = spu.ls().read_u32(0x1000);
    }
    (words[0], words[1])
}

#[test]
fn a_chain_of_fenced_commands_keeps_its_order() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            for i in 0..64 {
                spu.ls().write_u32(0x4000 + 16 * i, i as u32 + 1);
            }
            for i in 0..64 {
                // Each `putf` overwrites the previous value. The following `getf` copies the value to another address.
                spu.mfc_putf(0x4000 + 16 * i, 0x14000, 16, TAG).await;
                spu.mfc_getf(0x8000 + 16 * i, 0x14000, 16, TAG).await;
            }
            wait(&spu, TAG).await;
            0
        })
        .run();
    let came_back: Vec<u32> = (0..64).map(|i| ran.local_stores[0].read_u32(0x8000 + 16 * i)).collect();
    assert_eq!(came_back, (1..=64).collect::<Vec<u32>>());
}

#[test]
fn a_queued_lock_line_put_waits_for_the_puts_of_its_tag_group() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.ls().write_u32(0x4000, 1);
            spu.ls().write_u32(0x5000, 2);
            spu.mfc_put(0x4000, 0x14000, 16384, TAG).await;
            spu.mfc_putqlluc(0x5000, 0x14000, TAG).await;
            wait(&spu, TAG).await;
            0
        })
        .run();
    assert_eq!(ran.memory.read_u32(0x14000), 2);
}
