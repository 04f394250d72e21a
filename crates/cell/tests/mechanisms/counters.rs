//! The machine's counters: commands by kind, and the occupancy of queues and rings.

use super::spu_queue::stalled_list;
use crate::common::{Check, LONG, Ran, board, ls_ea, ps3, reg_ea, spe_of, wait};
use cell::coroutine::spu_program;
use cell::ea::register;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use cell::units::ThreadId;

#[test]
fn each_command_counts_as_its_kind_of_its_unit_to_its_target() {
    let machine = ps3();
    let (other, signal) = (ls_ea(&machine, 1, 0x8000), reg_ea(&machine, 1, register::SPU_SIG_NOTIFY_1));
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            spu.mfc_get(0x8000, 0x1_0000, 384, 1).await;
            spu.mfc_put(0x8000, other, 256, 1).await;
            spu.mfc_sndsig(0x800c, signal, 1).await;
            spu.mfc_sync(1).await;
            wait(&spu, 1).await;
            spu.mfc_getllar(0x1000, 0x2_0000).await;
            spu.mfc_read_atomic_status().await;
            spu.mfc_putlluc(0x1000, 0x3_0000).await;
            spu.mfc_read_atomic_status().await;
            0
        })
        .spu(|spu| async move { spu.spu_read_signal1().await })
        .run();
    let command = &ran.record.counters.command;
    assert_eq!((command.reads, command.writes, command.syncs), (3, 2 + 1, 1));
    assert_eq!((command.line_reads, command.claims_with_data, command.claims), (1, 1, 0));
    assert_eq!((command.from_mfcs, command.from_atomic_units, command.from_ppe), (7, 2, 0));
    assert_eq!((command.to_memory, command.to_local_stores, command.to_registers), (5, 2, 1));
    assert_eq!(command.ordered, 9);
}

#[test]
fn a_command_is_in_its_queue_from_its_issue_to_its_end() {
    let mut machine = ps3();
    machine.mic.refresh_bus_cycles = 0;
    let held = |spu_cycles: u64| {
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                stalled_list(&spu, 3).await;
                spu.compute(spu_cycles).await;
                spu.mfc_write_list_stall_ack(3).await;
                wait(&spu, 3).await;
                spu.compute(LONG).await;
                0
            })
            .run();
        let spe = &ran.record.counters.spes[0];
        assert_eq!((spe.spu_queue_commands_max, spe.proxy_queue_commands_max, spe.outstanding_lines_max), (1, 0, 1));
        spe.spu_queue_command_bus_cycles
    };
    assert_eq!(held(LONG + 2000) - held(LONG), 1000);
}

#[test]
fn the_greatest_length_of_a_queue_is_noted() {
    for commands in [1, 7, 16] {
        let mut machine = ps3();
        machine.mic.read_latency_bus_cycles = 10_000;
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                for nth in 0..commands {
                    spu.mfc_get(0x4000 + 128 * nth, 0x1_0000 + 128 * u64::from(nth), 128, nth).await;
                }
                spu.mfc_write_tag_mask(u32::MAX).await;
                spu.mfc_read_tag_status_all().await;
                spu.mfc_get(0x4000, 0x1_0000, 128, 0).await;
                wait(&spu, 0).await;
                0
            })
            .run();
        let spe = &ran.record.counters.spes[0];
        assert_eq!(spe.spu_queue_commands_max, u64::from(commands));
        assert_eq!(spe.outstanding_lines_max, u64::from(commands));
    }
}

/// Wait times in bus cycles at the concentrator and at the second SPE's on-ramp. The measured section begins with a
/// `get` from the second SPE's local store, and ends before the `get` has made progress.
fn waits_when_a_section_ends_early(machine: &Machine) -> (u64, u64) {
    let from = ls_ea(machine, 1, 0x8000);
    let mut system = System::new(machine, Placement::default_of(machine));
    let program = move |_| {
        spu_program(move |spu| async move {
            spu.spu_write_decrementer(u32::MAX).await;
            spu.mfc_get(0x4000, from, 128, 0).await;
            spu.compute(5000).await;
            spu.spu_read_decrementer().await;
            wait(&spu, 0).await;
            0
        })
    };
    system.load(ThreadId(0), Box::new(program));
    system.count_measured_part(1);
    let counters = system.run(u64::MAX, || true).expect("a run that ends well").counters;
    let second = usize::from(spe_of(machine, 1).0);
    (counters.command.command_wait_bus_cycles, counters.spes[second].data_wait_bus_cycles)
}

#[test]
fn lines_still_on_their_way_at_the_end_of_a_measured_section_have_not_waited() {
    let mut slow_commands = ps3();
    slow_commands.eib.command_issue_bus_cycles = 10_000;
    assert_eq!(waits_when_a_section_ends_early(&slow_commands), (0, 0));
    let mut slow_local_stores = ps3();
    slow_local_stores.mfc.local_store_read_bus_cycles = 10_000;
    assert_eq!(waits_when_a_section_ends_early(&slow_local_stores), (0, 0));
}

/// Runs `spes` SPEs. All SPEs except the first read a line from the first SPE's local store.
fn gets_from_one(machine: &Machine, spes: u8) -> Ran {
    let from = ls_ea(machine, 0, 0x8000);
    let mut check = Check::on(machine).recording_transfers().spu(|_| async { 0 });
    for _ in 1..spes {
        check = check.spu(move |spu| async move {
            spu.mfc_get(0x8000, from, 128, 1).await;
            wait(&spu, 1).await;
            0
        });
    }
    check.run()
}

#[test]
fn a_line_waits_for_others_at_its_on_ramp() {
    let machine = board();
    let one = &gets_from_one(&machine, 2).record.counters.spes[0];
    assert_eq!((one.data_wait_bus_cycles, one.data_waiting_max), (0, 1));
    let ran = gets_from_one(&machine, 4);
    let all = &ran.record.counters.spes[0];
    assert!(all.data_waiting_max > 1, "{all:?}");
    // All lines leave the same on-ramp one after another, so the distance between starts is at least the number of
    // beats in a line.
    let starts: Vec<u64> = ran.record.transfers.iter().flatten().map(|transfer| transfer.granted_at).collect();
    let beats = 128 / u64::from(machine.eib.beat_bytes);
    assert!(starts.windows(2).all(|pair| pair[1] >= pair[0] + beats));
    assert!(all.data_wait_bus_cycles >= beats - 2, "{all:?}");
    assert!(all.data_wait_bus_cycles <= 3 * (starts[2] - starts[0]), "{all:?}");
}

#[test]
fn commands_that_arrive_together_wait_for_each_other() {
    let machine = board();
    let one = gets_from_one(&machine, 2).record.counters.command;
    assert_eq!((one.command_wait_bus_cycles, one.commands_waiting_max), (0, 1));
    let three = gets_from_one(&machine, 4).record.counters.command;
    assert_eq!((three.command_wait_bus_cycles, three.commands_waiting_max), (1 + 2, 3));
}

#[test]
fn a_ring_is_busy_while_any_of_its_segments_is() {
    let machine = board();
    let mut check = Check::on(&machine).recording_transfers();
    for thread in 0..8u8 {
        let from = ls_ea(&machine, (thread + 3) % 8, 0x8000);
        check = check.spu(move |spu| async move {
            for nth in 0..40 {
                spu.mfc_get(0x8000, from, 1024, 1).await;
                spu.compute(u64::from(thread) * nth).await;
            }
            wait(&spu, 1).await;
            0
        });
    }
    let record = check.run().record;
    let transfers = record.transfers.unwrap_or_default();
    for (ring, counters) in record.counters.rings.iter().enumerate() {
        let mut busy = vec![false; record.bus_cycles as usize];
        for transfer in transfers.iter().filter(|transfer| usize::from(transfer.ring) == ring) {
            let last = transfer.arrived_at - machine.eib.hop_bus_cycles;
            busy[transfer.granted_at as usize..last as usize].fill(true);
        }
        assert_eq!(counters.busy_bus_cycles, busy.iter().filter(|busy| **busy).count() as u64, "ring {ring}");
    }
    assert!(record.counters.rings.iter().filter(|ring| ring.busy_bus_cycles > 0).count() > 1);
}

#[test]
fn a_read_that_finds_the_memory_idle_does_not_wait_in_its_queue() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.mfc_get(0x8000, 0x1_0000, 128, 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    let even = &ran.record.counters.mic_channels[0];
    assert_eq!((even.read_queue_entries_max, even.read_queue_entry_bus_cycles), (1, 0));
}

#[test]
fn the_memorys_queues_are_counted_by_channel() {
    let machine = ps3();
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            // All these cache lines have even numbers, so they belong to the same channel, and also to the same bank.
            for nth in 0..16u32 {
                let ea = 0x10_0000 + u64::from(nth) * 128 * 16;
                spu.mfc_get(0x8000, ea, 128, 1).await;
            }
            wait(&spu, 1).await;
            spu.mfc_put(0x8000, 0x10_0080, 128, 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    let [even, odd] = &ran.record.counters.mic_channels[..] else { panic!("two channels") };
    assert!(even.read_queue_entries_max > 1 && even.read_queue_entry_bus_cycles > 15 * 10, "{even:?}");
    assert_eq!((even.write_queue_entries_max, even.write_queue_entry_bus_cycles), (0, 0));
    assert_eq!((odd.read_queue_entries_max, odd.write_queue_entries_max), (0, 1));
    assert!(odd.write_queue_entry_bus_cycles > 0);
}
