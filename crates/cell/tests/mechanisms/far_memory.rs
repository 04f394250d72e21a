//! The memory of a second chip, and commands that both chips see.

use crate::common::{Check, Ran, board, ls_ea, pattern, ps3, wait};
use cell::machine::Machine;
use cell::record::TransferRecord;

fn blade() -> Machine {
    Machine::builtin("blade-2100").expect("a machine that comes with the simulator")
}

fn ramp(machine: &Machine, element: &str) -> u8 {
    machine.eib.ring.iter().position(|name| name == element).expect("an element of the ring") as u8
}

/// The first address of the `nth` page of the memory behind IOIF0.
fn far_page(machine: &Machine, nth: u64) -> u64 {
    let pages = u64::from(machine.far.interleave_pages);
    (pages * (nth + 1) - 1) * u64::from(machine.far.page_bytes)
}

/// One SPE gets, or puts, `bytes` at `ea` with one command.
fn one_dma(machine: &Machine, put: bool, ea: u64, bytes: u32) -> Ran {
    Check::on(machine)
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
        .spu(|_| async { 0 })
        .run()
}

fn transfers(ran: &Ran) -> &[TransferRecord] {
    ran.record.transfers.as_deref().expect("a run that records them")
}

#[test]
fn the_last_page_of_each_round_comes_from_ioif0_and_goes_there() {
    let machine = blade();
    let (far, near, spe) = (ramp(&machine, "IOIF0"), ramp(&machine, "MIC"), ramp(&machine, "SPE0"));
    let page = far_page(&machine, 7);
    let next = page + u64::from(machine.far.page_bytes);
    for (ea, memory) in [(page - 128, near), (page, far), (next - 128, far), (next, near)] {
        for (put, ends) in [(false, (memory, spe)), (true, (spe, memory))] {
            let ran = one_dma(&machine, put, ea, 128);
            let [only] = transfers(&ran) else { panic!("one transfer") };
            assert_eq!((only.from, only.to), ends, "put {put} at {ea:#x}");
            let (mic, beyond) = (&ran.record.counters.mic, &ran.record.counters.far);
            let expected = if memory == far {
                (0, 0, u64::from(!put), u64::from(put))
            } else {
                (u64::from(!put), u64::from(put), 0, 0)
            };
            assert_eq!((mic.reads, mic.writes, beyond.reads, beyond.writes), expected);
        }
    }
}

#[test]
fn bytes_of_both_memories_arrive_where_they_belong() {
    let mut machine = blade();
    for page_bytes in [128, 512, 4096] {
        machine.far.page_bytes = page_bytes;
        let ran = Check::on(&machine)
            .memory(0x10_0000, &pattern(3, 0x4000))
            .spu(|spu| async move {
                spu.mfc_get(0x8000, 0x10_0000, 0x4000, 1).await;
                spu.mfc_putf(0x8000, 0x20_0040, 0x4000, 1).await;
                wait(&spu, 1).await;
                0
            })
            .run();
        assert_eq!(ran.memory.bytes(0x20_0040, 0x4000), pattern(3, 0x4000));
        let (mic, far) = (&ran.record.counters.mic, &ran.record.counters.far);
        assert_eq!((mic.reads + far.reads, mic.writes + far.writes), (128, 129));
        assert!(far.reads > 30 && far.writes > 30, "{far:?}");
    }
}

#[test]
fn the_link_moves_a_line_every_so_many_cycles_each_way() {
    for line_bus_cycles in [8, 19, 61] {
        let mut machine = blade();
        // Nothing else keeps lines apart.
        machine.far.line_bus_cycles = line_bus_cycles;
        machine.far.latency_bus_cycles = 0;
        machine.far.page_bytes = 4096;
        machine.eib.global_command_bus_cycles = 0;
        let ran = one_dma(&machine, false, far_page(&machine, 3), 4096);
        let starts: Vec<u64> = transfers(&ran).iter().map(|transfer| transfer.granted_at).collect();
        let late = &starts[starts.len() / 2..];
        let gap = line_bus_cycles.max(8);
        assert!(late.windows(2).all(|pair| pair[1] - pair[0] >= gap), "{late:?}");
        if line_bus_cycles > 8 {
            assert!(late.windows(2).all(|pair| pair[1] - pair[0] == gap), "{late:?}");
        }
        // Puts are ahead of the link by its queue; the run ends when the last has crossed it.
        machine.far.write_queue_entries = 1;
        let put = |bytes| one_dma(&machine, true, far_page(&machine, 3), bytes).record.bus_cycles;
        assert!(put(4096) - put(2048) >= 16 * line_bus_cycles);
    }
}

#[test]
fn gets_and_puts_do_not_share_the_link() {
    let mut machine = blade();
    machine.far.line_bus_cycles = 100;
    machine.far.page_bytes = 4096;
    let page = far_page(&machine, 3);
    let run = |gets: u32, puts: u32| {
        let ran = Check::on(&machine)
            .spu(move |spu| async move {
                spu.mfc_get(0x8000, page, gets, 1).await;
                spu.mfc_put(0xc000, page + 2048, puts, 1).await;
                wait(&spu, 1).await;
                0
            })
            .run();
        ran.record.bus_cycles
    };
    let (gets, both) = (run(2048, 0), run(2048, 2048));
    assert!(both < gets + 16 * 100 / 2, "{gets} and {both}");
}

#[test]
fn a_command_to_memory_gets_its_response_exactly_so_much_later() {
    let cycles = |ea: u64, global: u64| {
        let mut machine = blade();
        machine.eib.global_command_bus_cycles = global;
        one_dma(&machine, true, ea, 128).record.bus_cycles
    };
    let far = far_page(&blade(), 100);
    let memory = [far, far + u64::from(blade().far.page_bytes)];
    for global in [1, 17, 125] {
        for ea in memory {
            assert_eq!(cycles(ea, global), cycles(ea, 0) + global, "at {ea:#x}");
        }
        let own_chip = ls_ea(&blade(), 1, 0x8000);
        assert_eq!(cycles(own_chip, global), cycles(own_chip, 0));
    }
}

#[test]
fn a_global_command_keeps_its_credit_until_its_response() {
    let cycles = |credits: u32, global: u64| {
        let mut machine = blade();
        machine.eib.command_credits = credits;
        machine.eib.global_command_bus_cycles = global;
        // The first page of a round is near.
        let near = far_page(&machine, 100) + u64::from(machine.far.page_bytes);
        one_dma(&machine, true, near, 1024).record.bus_cycles
    };
    // Eight lines: with one credit each waits for the response of the one before it.
    assert_eq!(cycles(1, 300) - cycles(1, 0), 8 * 300);
    assert_eq!(cycles(4, 300) - cycles(4, 0), 2 * 300);
    assert_eq!(cycles(8, 300) - cycles(8, 0), 300);
}

#[test]
fn a_chip_alone_has_neither() {
    for machine in [ps3(), board()] {
        assert_eq!((machine.far.interleave_pages, machine.eib.global_command_bus_cycles), (0, 0));
        let ran = one_dma(&machine, false, 0x10_0000, 0x4000);
        assert_eq!((ran.record.counters.far.reads, ran.record.counters.far.data_waiting_max), (0, 0));
        let mic = ramp(&machine, "MIC");
        assert!(transfers(&ran).iter().all(|transfer| transfer.from == mic));
    }
}
