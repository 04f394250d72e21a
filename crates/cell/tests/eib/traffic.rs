//! Checks that random traffic over random buses follows every rule of the rings.

use super::checker::{check, most_at_once};
use crate::common::machines::any_bus;
use crate::common::{Check, Ran, board, ls_ea};
use cell::machine::Machine;
use proptest::prelude::*;

/// One transfer of a program: the partner (a thread, or memory for `None`), the number of bytes, and the direction.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    other: Option<u8>,
    bytes: u32,
    get: bool,
}

fn transfers() -> impl Strategy<Value = Vec<Transfer>> {
    let bytes = prop_oneof![Just(16), Just(128), Just(640), Just(2048), Just(4096)];
    let one = (proptest::option::weighted(0.7, 0..16u8), bytes, any::<bool>());
    proptest::collection::vec(one.prop_map(|(other, bytes, get)| Transfer { other, bytes, get }), 0..12)
}

/// Runs one thread for each program. The transfers of a thread overlap.
fn run(machine: &Machine, programs: Vec<Vec<Transfer>>) -> Ran {
    let spes = machine.chip.spes.len();
    let mut check = Check::on(machine).recording_transfers();
    for program in programs.into_iter().take(spes) {
        let addressed: Vec<(Transfer, u64)> = program
            .into_iter()
            .map(|transfer| match transfer.other {
                Some(thread) => (transfer, ls_ea(machine, thread % spes as u8, 0x8000)),
                None => (transfer, 0x10000),
            })
            .collect();
        check = check.spu(move |spu| async move {
            for (nth, (transfer, ea)) in addressed.into_iter().enumerate() {
                let (tag, bytes) = (nth as u32 % 32, transfer.bytes);
                if transfer.get {
                    spu.mfc_get(0x4000, ea, bytes, tag).await;
                } else {
                    spu.mfc_put(0x4000, ea, bytes, tag).await;
                }
            }
            spu.mfc_write_tag_mask(u32::MAX).await;
            spu.mfc_read_tag_status_all().await;
            0
        });
    }
    check.run()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_traffic_over_any_bus_keeps_every_rule(
        machine in any_bus(),
        programs in proptest::collection::vec(transfers(), 1..=16),
    ) {
        let record = run(&machine, programs).record;
        check(&machine, record.transfers.as_deref().unwrap_or_default());
    }

    #[test]
    fn twelve_ramps_carry_three_transfers_a_ring_at_most(
        programs in proptest::collection::vec(transfers(), 8),
    ) {
        let machine = board();
        let record = run(&machine, programs).record;
        let transfers = record.transfers.unwrap_or_default();
        check(&machine, &transfers);
        prop_assert!(most_at_once(&machine, &transfers) <= 3);
    }
}

#[test]
fn the_record_has_a_row_for_every_line_and_the_counters_agree() {
    let all = Transfer { other: None, bytes: 4096, get: true };
    let ran = run(&board(), vec![vec![all], vec![Transfer { other: Some(0), get: false, ..all }]]);
    let transfers = ran.record.transfers.unwrap_or_default();
    assert_eq!(transfers.len(), 64);
    assert_eq!(transfers.iter().map(|transfer| u64::from(transfer.bytes)).sum::<u64>(), 2 * 4096);
    for (ring, counters) in ran.record.counters.rings.iter().enumerate() {
        let on_ring: Vec<_> = transfers.iter().filter(|transfer| usize::from(transfer.ring) == ring).collect();
        assert_eq!(counters.grants, on_ring.len() as u64);
        let busy: u64 = on_ring.iter().map(|t| (t.arrived_at - t.granted_at - 8) * 8).sum();
        assert_eq!(counters.segment_busy_bus_cycles, busy / board().eib.hop_bus_cycles);
    }
}

#[test]
fn a_partial_line_takes_a_whole_train_of_beats() {
    let one = Transfer { other: Some(1), bytes: 16, get: false };
    let ran = run(&board(), vec![vec![one]]);
    let transfers = ran.record.transfers.unwrap_or_default();
    assert_eq!(transfers.len(), 1);
    assert_eq!(transfers[0].bytes, 16);
    check(&board(), &transfers);
}
