//! Two chips: the chip to which an address belongs, data that cross between the chips, and commands that both chips
//! must see.

use crate::common::{Check, Ran, board, ls_ea, pattern, ps3, wait};
use cell::ea::{
    INTERLEAVED_BASE, Target, decode, interleaved_bytes, local_store_ea, memory_base, register, register_ea,
};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::record::TransferRecord;
use cell::units::SpeId;

/// A blade on which walks of the page table take no time.
fn blade() -> Machine {
    let mut machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
    machine.translation.mfc_walk_bus_cycles = 0;
    machine
}

/// A blade on which only the interface between the chips causes delays.
fn free_blade() -> Machine {
    let mut machine = blade();
    machine.bif.reflection_bus_cycles = 0;
    machine.bif.outstanding_lines = 1024;
    machine.eib.command_credits = 256;
    (machine.mfc.outstanding_reads, machine.mfc.outstanding_writes) = (64, 64);
    machine
}

/// The ramp of an element on a chip.
fn ramp(machine: &Machine, chip: u8, element: &str) -> u8 {
    let ring = &machine.eib.ring;
    let position = ring.iter().position(|name| name == element).expect("an element of the ring");
    chip * ring.len() as u8 + position as u8
}

/// A run in which one SPE gets or puts `bytes` at `ea` with one command.
fn one_dma(machine: &Machine, spe: u32, put: bool, ea: u64, bytes: u32) -> Ran {
    Check::on(machine)
        .placed(Placement::new(&[spe], machine).expect("an SPE of the machine"))
        .memory(memory_base(machine, 0) + 0x10_0000, &pattern(1, 0x4000))
        .recording_transfers()
        .spu(move |spu| async move {
            if put {
                spu.mfc_put(0x8000, ea, bytes, 1).await
            } else {
                spu.mfc_get(0x8000, ea, bytes, 1).await
            }
            wait(&spu, 1).await;
            0
        })
        .run()
}

fn transfers(ran: &Ran) -> &[TransferRecord] {
    ran.record.transfers.as_deref().expect("a run that records them")
}

fn ends(ran: &Ran) -> Vec<(u8, u8)> {
    transfers(ran).iter().map(|transfer| (transfer.from, transfer.to)).collect()
}

#[test]
fn each_chip_has_half_of_memory_and_interleaved_pages_take_turns() {
    let machine = blade();
    let half = machine.chip.main_memory_bytes / 2;
    assert_eq!([half - 1, half].map(|address| machine.home_of(address)), [0, 1]);
    assert_eq!((memory_base(&machine, 0), memory_base(&machine, 1)), (0, half));
    let page = u64::from(machine.bif.interleave_page_bytes);
    let at = |place| match decode(&machine, INTERLEAVED_BASE + place, 16) {
        Some(Target::Memory(address)) => address,
        other => panic!("{other:?} at {place:#x}"),
    };
    assert_eq!([0, page, 2 * page, 3 * page + 32].map(at), [0, half, page, half + page + 32]);
    let last = interleaved_bytes(&machine) - 16;
    assert!(at(last) < 2 * half);
    assert_eq!(decode(&machine, INTERLEAVED_BASE + last + 16, 16), None);
    assert_eq!(decode(&ps3(), INTERLEAVED_BASE, 16), None);
}

#[test]
fn of_three_interleaved_pages_the_last_is_at_the_second_chip_and_no_two_share_an_address() {
    let mut machine = blade();
    (machine.bif.interleave_pages, machine.bif.interleave_page_bytes) = (3, 256);
    let places = (0..interleaved_bytes(&machine)).step_by(1 << 20).chain(0..4096);
    let addresses: Vec<u64> = places
        .map(|place| match decode(&machine, INTERLEAVED_BASE + place, 1) {
            Some(Target::Memory(address)) => {
                assert_eq!(machine.home_of(address) == 1, place / 256 % 3 == 2);
                address
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let mut distinct = addresses[addresses.len() - 4096..].to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 4096);
}

#[test]
fn a_line_crosses_only_to_the_other_chip_and_takes_a_ring_of_each() {
    let machine = blade();
    let (mic, spe, link) = (ramp(&machine, 0, "MIC"), ramp(&machine, 0, "SPE3"), ramp(&machine, 0, "IOIF0"));
    let (far_spe, far_link) = (ramp(&machine, 1, "SPE3"), ramp(&machine, 1, "IOIF0"));
    assert_eq!(ends(&one_dma(&machine, 3, false, 0, 128)), [(mic, spe)]);
    assert_eq!(ends(&one_dma(&machine, 11, false, 0, 128)), [(mic, link), (far_link, far_spe)]);
    assert_eq!(ends(&one_dma(&machine, 11, true, 0, 128)), [(far_spe, far_link), (link, mic)]);
    let local_store = local_store_ea(SpeId(3), 0x8000);
    assert_eq!(ends(&one_dma(&machine, 11, false, local_store, 128)), [(spe, link), (far_link, far_spe)]);
    assert_eq!(ends(&one_dma(&machine, 11, true, local_store, 128)), [(far_spe, far_link), (link, spe)]);
}

#[test]
fn counters_distinguish_the_memories_and_directions() {
    let machine = blade();
    let far = memory_base(&machine, 1);
    for (put, ea, mics) in [(false, 0, [(8, 0), (0, 0)]), (true, far, [(0, 0), (0, 8)])] {
        let counters = one_dma(&machine, 0, put, ea, 1024).record.counters;
        let counted: Vec<(u64, u64)> = counters.mics.iter().map(|mic| (mic.reads, mic.writes)).collect();
        assert_eq!(counted, mics);
        let sent: Vec<(u64, u64)> = counters.bif.iter().map(|end| (end.lines_sent, end.bytes_sent)).collect();
        assert_eq!(sent, if put { [(8, 1024), (0, 0)] } else { [(0, 0), (0, 0)] });
    }
    assert!(one_dma(&ps3(), 0, false, 0, 128).record.counters.bif.is_empty());
}

#[test]
fn bytes_arrive_across_the_chips_in_both_directions() {
    let machine = blade();
    let far = memory_base(&machine, 1);
    let interleaved = INTERLEAVED_BASE + 0x80_0000;
    for spe in [2, 13] {
        let ran = Check::on(&machine)
            .placed(Placement::new(&[spe, 15 - spe], &machine).expect("two SPEs"))
            .memory(0x10_0000, &pattern(3, 0x4000))
            .spu(move |spu| async move {
                spu.mfc_get(0x8000, 0x10_0000, 0x4000, 1).await;
                spu.mfc_putf(0x8000, far + 0x20_0040, 0x4000, 1).await;
                wait(&spu, 1).await;
                spu.mfc_get(0x1_0000, far + 0x20_0040, 0x4000, 1).await;
                spu.mfc_putf(0x1_0000, interleaved, 0x4000, 1).await;
                wait(&spu, 1).await;
                spu.mfc_get(0x1_8000, interleaved, 0x4000, 1).await;
                wait(&spu, 1).await;
                let other = local_store_ea(SpeId(15 - spe as u8), 0x2_0000);
                spu.mfc_put(0x1_8000, other, 0x4000, 1).await;
                wait(&spu, 1).await;
                spu.mfc_get(0x2_8000, other, 0x4000, 1).await;
                wait(&spu, 1).await;
                0
            })
            .spu(|_| async { 0 })
            .run();
        assert!(ran.memory.bytes(far + 0x20_0040, 0x4000) == pattern(3, 0x4000));
        assert!(ran.local_stores[0].bytes(0x2_8000, 0x4000) == pattern(3, 0x4000), "SPE {spe}");
        assert!(ran.local_stores[1].bytes(0x2_0000, 0x4000) == pattern(3, 0x4000));
        let sent: u64 = ran.record.counters.bif.iter().map(|end| end.bytes_sent).sum();
        // In interleaved memory, half of the bytes are on the other chip.
        let expected = if spe == 2 { 2 + 1 + 2 } else { 1 + 1 + 2 };
        assert_eq!(sent, expected * 0x4000);
    }
}

#[test]
fn lanes_move_lines_at_their_rate_in_each_direction_independently() {
    for (lanes, gap) in [(1, 41), (2, 20), (4, 10), (16, 8)] {
        let mut machine = free_blade();
        (machine.bif.lanes_from_chip_0, machine.bif.lanes_from_chip_1) = (lanes, 64);
        let starts = |ran: &Ran, from: u8| -> Vec<u64> {
            let lines = transfers(ran).iter().filter(|transfer| transfer.from == from);
            lines.map(|transfer| transfer.granted_at).collect()
        };
        // The `get` data go from chip 0 to SPE 8, where a ring transfers a line in 8 cycles. The `put` data go back,
        // with plenty of lanes.
        let gets = one_dma(&machine, 8, false, 0, 8192);
        let there = starts(&gets, ramp(&machine, 1, "IOIF0"));
        assert!(there[32..].windows(2).all(|pair| pair[1] - pair[0] == gap), "{lanes} lanes: {there:?}");
        let puts = one_dma(&machine, 8, true, ls_ea(&machine, 0, 0x8000), 8192);
        assert!(puts.record.bus_cycles + 40 * (gap - 8) < gets.record.bus_cycles + 100);
        let busy = gets.record.counters.bif[0].lanes_busy_bus_cycles;
        assert_eq!(busy, 64 * if lanes == 16 { 3 } else { gap });
    }
}

#[test]
fn a_request_without_a_free_slot_waits_for_one() {
    let waits = |places: u32, lines: u32| {
        let mut machine = blade();
        machine.bif.outstanding_lines = places;
        one_dma(&machine, 8, false, 0, 128 * lines).record.counters.bif[1].place_waits
    };
    assert_eq!([waits(4, 4), waits(4, 5), waits(4, 6)], [0, 1, 2]);
    let mut machine = blade();
    machine.bif.outstanding_lines = 1;
    let bandwidth_of_own_chip = one_dma(&machine, 0, false, 0, 8192).record.bus_cycles;
    assert_eq!(bandwidth_of_own_chip, one_dma(&blade(), 0, false, 0, 8192).record.bus_cycles);
}

#[test]
fn a_command_that_both_chips_see_gets_its_response_later_by_the_reflection() {
    let cycles = |spe: u32, ea: u64, reflection: u64| {
        let mut machine = blade();
        machine.bif.reflection_bus_cycles = reflection;
        one_dma(&machine, spe, true, ea, 128).record.bus_cycles
    };
    let (far, local_store) = (memory_base(&blade(), 1), ls_ea(&blade(), 1, 0x8000));
    for reflection in [1, 17, 320] {
        for (spe, ea) in [(0, 0), (0, far), (8, 0), (8, far), (8, local_store)] {
            assert_eq!(cycles(spe, ea, reflection), cycles(spe, ea, 0) + reflection, "SPE {spe} at {ea:#x}");
        }
        assert_eq!(cycles(0, local_store, reflection), cycles(0, local_store, 0), "local commands are not affected");
    }
}

/// Maximum number of outstanding lines of one SPE, which gets 2 KB at `ea` while it puts 2 KB.
fn most_lines(machine: &Machine, ea: u64) -> u64 {
    let ran = Check::on(machine)
        .spu(move |spu| async move {
            spu.mfc_get(0x8000, ea, 2048, 1).await;
            spu.mfc_put(0xc000, ea + 0x4000, 2048, 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    ran.record.counters.spes[0].outstanding_lines_max
}

#[test]
fn gets_and_puts_to_memory_share_the_credits_of_an_spe_on_two_chips_and_not_on_one() {
    let with = |mut machine: Machine, credits: u32| {
        (machine.mfc.outstanding_reads, machine.mfc.outstanding_writes) = (16, 16);
        machine.eib.command_credits = credits;
        machine
    };
    for credits in [1, 5, 16] {
        assert_eq!(most_lines(&with(blade(), credits), 0x10_0000), u64::from(credits));
    }
    assert!(most_lines(&with(ps3(), 16), 0x10_0000) > 16);
    let machine = with(blade(), 16);
    assert!(most_lines(&machine, ls_ea(&machine, 1, 0x8000)) > 16, "local commands are not affected");
}

#[test]
fn a_global_command_keeps_its_credit_until_its_line_has_moved() {
    let cycles = |credits: u32, lines: u32| {
        let mut machine = blade();
        machine.eib.command_credits = credits;
        one_dma(&machine, 0, true, 0, 128 * lines).record.bus_cycles
    };
    // With one credit, the second line's command is sent exactly when the first line has arrived.
    let mut slow = blade();
    slow.mfc.local_store_read_bus_cycles += 7;
    slow.eib.command_credits = 1;
    assert_eq!(one_dma(&slow, 0, true, 0, 256).record.bus_cycles, cycles(1, 2) + 2 * 7);
    assert_eq!(cycles(4, 4), cycles(16, 4), "so few commands do not wait");
    assert!(cycles(4, 5) > cycles(16, 5) + 100, "one more waits for the first line");
}

#[test]
fn both_chips_together_order_one_global_command_in_each_interval() {
    let cycles = |global_command_bus_cycles: u64| {
        let mut machine = free_blade();
        machine.bif.global_command_bus_cycles = global_command_bus_cycles;
        let far = memory_base(&machine, 1);
        let get = |ea: u64| {
            move |spu: cell::coroutine::Spu| async move {
                spu.mfc_get(0x8000, ea, 0x4000, 1).await;
                wait(&spu, 1).await;
                0
            }
        };
        let placement = Placement::new(&[0, 8], &machine).expect("two SPEs");
        Check::on(&machine).placed(placement).spu(get(0)).spu(get(far)).run().record.bus_cycles
    };
    // The SPEs get 256 lines in total, each SPE from the memory of its own chip.
    assert!(cycles(100) >= 256 * 100);
    assert!(cycles(50) >= 256 * 50 && cycles(50) < 256 * 51);
}

#[test]
fn data_from_the_other_memory_wait_on_the_requesting_chip_for_their_response() {
    // A `get` by either SPE takes equally long if the combined response takes longer than the data. With a faster
    // response, the distance matters.
    let cycles = |spe: u32, reflection: u64| {
        let mut machine = blade();
        machine.bif.reflection_bus_cycles = reflection;
        one_dma(&machine, spe, false, 0, 128).record.bus_cycles
    };
    let extra = |reflection| cycles(8, reflection) as i64 - cycles(0, reflection) as i64;
    assert!(extra(0) > 25, "{}", extra(0));
    assert!(extra(1000).abs() < 10, "only the last ring differs: {}", extra(1000));
}

#[test]
fn mailboxes_and_signals_of_the_other_chip_are_written_over_the_link() {
    let machine = blade();
    let ran = Check::on(&machine)
        .placed(Placement::new(&[1, 9], &machine).expect("two SPEs"))
        .spu(|spu| async move {
            spu.ls().write_u32(0x100c, 77);
            spu.mfc_put(0x100c, register_ea(SpeId(9), register::SPU_IN_MBOX), 4, 1).await;
            spu.mfc_sndsig(0x100c, register_ea(SpeId(9), register::SPU_SIG_NOTIFY_1), 1).await;
            wait(&spu, 1).await;
            spu.spu_read_signal1().await
        })
        .spu(|spu| async move {
            let sum = spu.spu_read_in_mbox().await + spu.spu_read_signal1().await;
            spu.ls().write_u32(0x100c, sum);
            spu.mfc_sndsig(0x100c, register_ea(SpeId(1), register::SPU_SIG_NOTIFY_1), 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    assert_eq!(ran.record.threads[0].stop_code, 154);
    let sent: Vec<u64> = ran.record.counters.bif.iter().map(|end| end.bytes_sent).collect();
    assert_eq!(sent, [8, 4]);
}

#[test]
fn sixteen_spes_on_two_chips_count_without_losing_an_increment() {
    let machine = blade();
    for variable in [0x30_0000, memory_base(&machine, 1) + 0x30_0000] {
        let mut check = Check::on(&machine);
        for _ in 0..16 {
            check = check.spu(move |spu| async move {
                for _ in 0..20 {
                    spu.atomic_update(0x1000, variable, 10, |old| old.wrapping_add(1)).await;
                }
                0
            });
        }
        assert_eq!(check.run().memory.read_u32(variable), 320);
    }
}

#[test]
fn a_put_of_one_chip_takes_a_reservation_of_the_other() {
    let machine = blade();
    let ran = Check::on(&machine)
        .placed(Placement::new(&[0, 8], &machine).expect("two SPEs"))
        .spu(|spu| async move {
            spu.mfc_getllar(0x1000, 0x30_0000).await;
            spu.mfc_read_atomic_status().await;
            spu.spu_write_out_intr_mbox(1).await;
            spu.spu_read_signal1().await;
            spu.mfc_putllc(0x1000, 0x30_0000).await;
            spu.mfc_read_atomic_status().await
        })
        .spu(|spu| async move {
            spu.compute(20_000).await;
            spu.mfc_put(0x8000, 0x30_0000, 128, 1).await;
            wait(&spu, 1).await;
            spu.mfc_sndsig(0x100c, register_ea(SpeId(0), register::SPU_SIG_NOTIFY_1), 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    assert_eq!(ran.record.threads[0].stop_code, 1, "the conditional put failed");
}

#[test]
fn a_single_chip_has_none_of_this() {
    for machine in [ps3(), board()] {
        assert_eq!(machine.bif.chips, 1);
        let mut other = machine.clone();
        other.bif.reflection_bus_cycles = 999;
        let cycles = |machine: &Machine| one_dma(machine, 0, false, 0x10_0000, 0x4000).record.bus_cycles;
        assert_eq!(cycles(&machine), cycles(&other));
    }
}
