//! When is a `put` to memory complete for its unit?

use crate::common::{Check, board, ls_ea, wait};
use cell::machine::Machine;

const LINE: u64 = 0x10_0000;

#[derive(Clone, Copy)]
enum Dma {
    Get,
    Put,
    PutToLocalStore,
}

/// A machine on which a `put` is complete `cycles` bus cycles after its data have arrived.
fn completing_after(cycles: u64) -> Machine {
    let mut machine = board();
    (machine.mic.refresh_bus_cycles, machine.mic.write_complete_bus_cycles) = (0, cycles);
    machine
}

/// Time between the grants of two DMAs of one line each, of which the second waits for the first.
fn time_of_one(machine: &Machine, dma: Dma) -> u64 {
    let local = ls_ea(machine, 1, 0x4000);
    let check = Check::on(machine).recording_transfers().spu(move |spu| async move {
        for nth in 0..2 {
            let ea = LINE + 128 * nth;
            match dma {
                Dma::Get => spu.mfc_get(0x8000, ea, 128, 1).await,
                Dma::Put => spu.mfc_put(0x8000, ea, 128, 1).await,
                Dma::PutToLocalStore => spu.mfc_put(0x8000, local, 128, 1).await,
            }
            wait(&spu, 1).await;
        }
        0
    });
    let ran = check.spu(|_| async { 0 }).run();
    let granted: Vec<u64> = ran.record.transfers.iter().flatten().map(|transfer| transfer.granted_at).collect();
    granted[1] - granted[0]
}

#[test]
fn a_put_to_memory_is_complete_exactly_so_much_later_and_other_dmas_are_not_later() {
    let at_once = completing_after(0);
    for cycles in [1, 2, 93, 94] {
        let machine = completing_after(cycles);
        let later = |dma| time_of_one(&machine, dma) - time_of_one(&at_once, dma);
        assert_eq!([Dma::Get, Dma::Put, Dma::PutToLocalStore].map(later), [0, cycles, 0], "{cycles}");
    }
}

#[test]
fn further_writes_of_a_put_do_not_wait_for_its_completion() {
    let between = |cycles| {
        let mut machine = completing_after(cycles);
        machine.mfc.outstanding_writes = 1;
        let check = Check::on(&machine).recording_transfers().spu(|spu| async move {
            spu.mfc_put(0x8000, LINE, 256, 1).await;
            wait(&spu, 1).await;
            0
        });
        let ran = check.run();
        let granted: Vec<u64> = ran.record.transfers.iter().flatten().map(|transfer| transfer.granted_at).collect();
        granted[1] - granted[0]
    };
    assert_eq!(between(94), between(0));
}
