//! Checks that every machine transfers data correctly, even with unusual values.

use crate::common::machines::{any_machine, board_with};
use crate::common::{Check, ls_ea, pattern, wait};
use cell::machine::Machine;
use proptest::prelude::*;

const SOURCE: u64 = 0x10_0000;
const TARGET: u64 = 0x20_0000;
const COUNTER: u64 = 0x30_0004;
const BYTES: u32 = 0x2000;

/// Moves bytes from memory to the first SPE, from each SPE to the next, and from the last SPE back to memory. Each SPE
/// waits for a flag, which its predecessor writes after the bytes. All SPEs increment a counter atomically.
fn bucket_chain(machine: &Machine) {
    let spes = machine.chip.spes.len() as u8;
    let mut check = Check::on(machine).memory(SOURCE, &pattern(1, BYTES as usize));
    for thread in 0..spes {
        let next = (thread + 1 < spes).then(|| ls_ea(machine, thread + 1, 0x4000));
        check = check.spu(move |spu| async move {
            spu.atomic_update(0x1000, COUNTER, 10, |old| old + 1).await;
            if thread == 0 {
                spu.mfc_get(0x4000, SOURCE, BYTES, 0).await;
                wait(&spu, 0).await;
            } else {
                while spu.ls().read_u32(0x4000 + u64::from(BYTES)) == 0 {
                    spu.compute(100).await;
                    spu.count(cell::channel::Channel::MFC_CMD).await;
                }
            }
            spu.ls().write_u32(0x3000, 1);
            match next {
                Some(ea) => {
                    spu.mfc_put(0x4000, ea, BYTES, 1).await;
                    spu.mfc_putf(0x3000, ea + u64::from(BYTES), 16, 1).await;
                }
                None => spu.mfc_put(0x4000, TARGET, BYTES, 1).await,
            }
            wait(&spu, 1).await;
            0
        });
    }
    let ran = check.limit(20_000_000).run();
    assert!(ran.memory.bytes(TARGET, BYTES as usize) == pattern(1, BYTES as usize));
    assert_eq!(ran.memory.read_u32(COUNTER), u32::from(spes));
}

#[test]
fn memory_may_be_faster_than_the_combined_response() {
    let machine = board_with(&[
        ("eib.command_response_bus_cycles", "200".into()),
        ("eib.data_request_bus_cycles", "0".into()),
        ("eib.command_credits", "3".into()),
        ("mic.read_latency_bus_cycles", "1".into()),
    ]);
    bucket_chain(&machine);
}

#[test]
fn one_credit_is_enough_for_dma_and_lock_lines_together() {
    bucket_chain(&board_with(&[("eib.command_credits", "1".into()), ("atomic.cache_lines", "1".into())]));
    let machine = board_with(&[("eib.command_credits", "1".into())]);
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            for nth in 0..200 {
                spu.mfc_get(0x4000, SOURCE, 512, nth % 8).await;
                spu.compute(u64::from(37 * nth % 101)).await;
                spu.atomic_update(0x1000, COUNTER + 128 * u64::from(nth % 9), 10, |old| old + 1).await;
            }
            spu.mfc_write_tag_mask(u32::MAX).await;
            spu.mfc_read_tag_status_all().await;
            0
        })
        .run();
    assert_eq!((0..9).map(|line| ran.memory.read_u32(COUNTER + 128 * line)).sum::<u32>(), 200);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_chain_of_spes_passes_bytes_on_and_counts_itself(machine in any_machine()) {
        bucket_chain(&machine);
    }
}
