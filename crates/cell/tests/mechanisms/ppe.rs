//! Operations of PPE programs: memory, registers, threads and library calls.

use crate::common::{Check, LONG, Reports, board, ls_ea, pattern, ps3, reg_ea, spe_of, wait, without_os_cost};
use cell::coroutine::Ppe;
use cell::ea::{SPE_WINDOW_BASE, register};
use cell::error::RunError;
use cell::machine::Machine;
use cell::units::ThreadId;

const THREAD: ThreadId = ThreadId(0);

#[test]
fn it_loads_and_stores_main_memory_in_every_width() {
    let ran = Check::on(&ps3())
        .memory(0x1000, &[1, 2, 3, 4, 5, 6, 7, 8])
        .ppe(|ppe| async move {
            assert_eq!(ppe.load(0x1003, 1).await, 4);
            assert_eq!(ppe.load(0x1002, 2).await, 0x0304);
            assert_eq!(ppe.load(0x1004, 4).await, 0x0506_0708);
            let all = ppe.load(0x1000, 8).await;
            assert_eq!(all, 0x0102_0304_0506_0708);
            ppe.store(0x2000, 8, all).await;
            ppe.store(0x2003, 1, 0xaa).await;
            ppe.store(0x2004, 2, 0xbbcc).await;
            0
        })
        .run();
    assert_eq!(ran.memory.bytes(0x2000, 8), [1, 2, 3, 0xaa, 0xbb, 0xcc, 7, 8]);
}

#[test]
fn it_loads_and_stores_local_stores() {
    let machine = without_os_cost(board());
    let at = ls_ea(&machine, 2, 0x5000);
    let ran = Check::on(&machine)
        .spu(|_| async { 0 })
        .spu(|_| async { 0 })
        .spu(|_| async { 0 })
        .ppe(move |ppe| async move {
            ppe.store(at, 8, 0x0102_0304_0506_0708).await;
            ppe.store(at + 8, 2, 0x090a).await;
            assert_eq!(ppe.load(at + 4, 4).await, 0x0506_0708);
            0
        })
        .run();
    assert_eq!(ran.local_stores[2].bytes(0x5000, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn spes_see_its_stores_and_it_sees_their_puts() {
    let machine = without_os_cost(ps3());
    let ran = Check::on(&machine)
        .spu_with_argument(|spu, argument| async move {
            spu.mfc_get(0x4000, argument, 128, 0).await;
            wait(&spu, 0).await;
            spu.mfc_put(0x4000, argument + 128, 128, 0).await;
            wait(&spu, 0).await;
            0
        })
        .ppe(|ppe| async move {
            ppe.store(0x20000, 4, 0xfeed).await;
            ppe.thread_create(THREAD, 0x20000).await;
            ppe.thread_join(THREAD).await;
            assert_eq!(ppe.load(0x20080, 4).await, 0xfeed);
            0
        })
        .run();
    assert_eq!(ran.memory.read_u32(0x20080), 0xfeed);
}

/// Checks that a PPE program ends with this error.
fn refused(main: impl AsyncFnOnce(&Ppe) + 'static, command: &str, rule: &str) {
    let error = Check::on(&ps3())
        .ppe(move |ppe| async move {
            main(&ppe).await;
            0
        })
        .error();
    let RunError::Rule { spe: None, command: said, rule: why, .. } = &error else { panic!("{error}") };
    assert_eq!((said.to_string().as_str(), why.to_string().as_str()), (command, rule));
    assert!(error.to_string().starts_with("PPE, bus cycle "), "{error}");
}

#[test]
fn accesses_are_aligned_and_of_a_size_that_exists() {
    let rule =
        |bytes, ea| format!("{bytes} bytes at {ea}: an access has 1, 2, 4 or 8 bytes and is aligned to its size");
    let load = |ea, bytes| async move |ppe: &Ppe| _ = ppe.load(ea, bytes).await;
    refused(load(0x1000, 3), "load or store", &rule(3, "0x1000"));
    refused(load(0x1000, 0), "load or store", &rule(0, "0x1000"));
    refused(load(0x1000, 16), "load or store", &rule(16, "0x1000"));
    refused(load(0x1001, 2), "load or store", &rule(2, "0x1001"));
    refused(load(0x1004, 8), "load or store", &rule(8, "0x1004"));
    refused(async |ppe: &Ppe| ppe.store(0x1002, 4, 0).await, "load or store", &rule(4, "0x1002"));
}

#[test]
fn unmapped_addresses_are_refused() {
    for ea in
        [ps3().chip.main_memory_bytes, SPE_WINDOW_BASE - 8, SPE_WINDOW_BASE + 0x6_0000, SPE_WINDOW_BASE + 0x40_0000, !7]
    {
        let rule = format!("nothing is mapped at effective address {ea:#x}");
        refused(async move |ppe: &Ppe| _ = ppe.load(ea, 8).await, "load or store", &rule);
    }
}

#[test]
fn registers_that_do_not_exist_are_refused_with_their_offset() {
    for (offset, write) in
        [(0x3018, false), (0x4000, false), (0x4004, true), (0x4014, true), (register::MFC_LSA, false)]
    {
        let ea = reg_ea(&ps3(), 0, offset);
        let error = Check::on(&ps3())
            .ppe(move |ppe| async move {
                if write {
                    ppe.store(ea, 4, 0).await
                } else {
                    _ = ppe.load(ea, 4).await
                }
                0
            })
            .error();
        let verb = if write { "written" } else { "read" };
        let RunError::Rule { rule, .. } = &error else { panic!("{error}") };
        assert_eq!(rule.to_string(), format!("no problem-state register at offset {offset:#x} can be {verb}"));
    }
}

#[test]
fn a_thread_gets_its_argument_and_join_answers_its_stop_code() {
    let machine = without_os_cost(ps3());
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu_with_argument(|spu, argument| async move {
            spu.compute(100).await;
            argument as u32 + 1
        })
        .ppe(move |ppe| async move {
            for argument in [5, 50] {
                ppe.thread_create(THREAD, argument).await;
                reports.push(ppe.thread_join(THREAD).await);
                // Another join returns the stop code again.
                reports.push(ppe.thread_join(THREAD).await);
            }
            0
        })
        .run();
    assert_eq!(reported.take(), [6, 6, 51, 51]);
}

#[test]
fn a_thread_that_never_started_cannot_be_joined() {
    let rule = "thread 3 was never created";
    refused(async |ppe: &Ppe| _ = ppe.thread_join(ThreadId(3)).await, "thread_join", rule);
}

#[test]
fn threads_without_an_spe_are_refused() {
    let rule = "thread 6 has no SPE; the placement has 6";
    refused(async |ppe: &Ppe| ppe.thread_create(ThreadId(6), 0).await, "system call", rule);
    refused(async |ppe: &Ppe| _ = ppe.spe_out_mbox_status(ThreadId(6)).await, "system call", rule);
}

#[test]
fn a_join_takes_as_long_as_the_thread_computes() {
    let machine = without_os_cost(ps3());
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu(|spu| async move {
            spu.compute(100 * LONG).await;
            0
        })
        .ppe(move |ppe| async move {
            let before = ppe.time_base().await;
            ppe.thread_create(THREAD, 0).await;
            ppe.thread_join(THREAD).await;
            reports.push(ppe.time_base().await - before);
            0
        })
        .run();
    let ticks = 100 * LONG * machine.chip.timebase_hz / machine.chip.processor_clock_hz;
    let passed = reported.take()[0];
    assert!(passed.abs_diff(ticks) <= 2, "{passed} ticks passed, {ticks} were to");
}

#[test]
fn the_time_base_advances_while_it_is_read() {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&ps3())
        .ppe(move |ppe| async move {
            let before = ppe.time_base().await;
            for polls in 0..1_000_000 {
                if ppe.time_base().await > before {
                    reports.push(polls);
                    break;
                }
            }
            0
        })
        .run();
    assert_eq!(reported.take().len(), 1, "a million reads without any time passing");
}

#[test]
fn creation_and_join_cost_the_machines_values() {
    let machine = ps3();
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu(|_| async { 0 })
        .ppe(move |ppe| async move {
            reports.push(ppe.time_base().await);
            ppe.thread_create(THREAD, 0).await;
            reports.push(ppe.time_base().await);
            ppe.thread_join(THREAD).await;
            reports.push(ppe.time_base().await);
            0
        })
        .run();
    let times = reported.take();
    let ticks = |ns: u64| ns * machine.chip.timebase_hz / 1_000_000_000;
    assert!((times[1] - times[0]).abs_diff(ticks(machine.os.thread_create_ns)) <= 1);
    assert!((times[2] - times[1]).abs_diff(ticks(machine.os.thread_join_ns)) <= 1);
}

/// Duration in bus cycles of sending a word from the PPE to the SPU and back.
fn round_trip(machine: &Machine, library: bool) -> u64 {
    let spe = spe_of(machine, 0);
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(machine)
        .spu(|spu| async move {
            let word = spu.spu_read_in_mbox().await;
            spu.spu_write_out_mbox(word + 1).await;
            0
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            if library {
                ppe.spe_in_mbox_write(THREAD, 41).await;
                while ppe.spe_out_mbox_status(THREAD).await == 0 {}
                reports.push(ppe.spe_out_mbox_read(THREAD).await.unwrap_or(0));
                assert_eq!(ppe.spe_out_mbox_read(THREAD).await, None);
            } else {
                ppe.mmio_in_mbox_write(spe, 41).await;
                reports.push(ppe.mmio_out_mbox_read(spe).await);
            }
            0
        })
        .run();
    assert_eq!(reported.take(), [42]);
    ran.record.bus_cycles
}

#[test]
fn library_calls_take_longer_than_registers_and_by_the_systems_cost() {
    let machine = ps3();
    let calls_ns = 3 * machine.os.spufs_read_ns + machine.os.spufs_write_ns;
    assert!(round_trip(&machine, true) >= round_trip(&machine, false) + machine.bus_cycles_in_ns(calls_ns) / 2);
    let free = without_os_cost(ps3());
    assert!(round_trip(&machine, true) >= round_trip(&free, true) + machine.bus_cycles_in_ns(calls_ns));
}

#[test]
fn a_library_write_to_a_full_mailbox_waits_for_room() {
    let machine = without_os_cost(ps3());
    let words = machine.mfc.inbound_mailbox_entries + 3;
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu(move |spu| async move {
            for _ in 0..words {
                spu.compute(LONG).await;
                reports.push(spu.spu_read_in_mbox().await);
            }
            0
        })
        .ppe(move |ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            for word in 0..words {
                ppe.spe_in_mbox_write(THREAD, word).await;
            }
            0
        })
        .run();
    assert_eq!(reported.take(), (0..words).collect::<Vec<_>>(), "nothing was overwritten");
}

#[test]
fn a_library_signal_arrives_in_its_register() {
    let machine = without_os_cost(ps3());
    let ran = Check::on(&machine)
        .spu(|spu| async move { spu.spu_read_signal2().await << 8 | spu.spu_read_signal1().await })
        .ppe(|ppe| async move {
            ppe.thread_create(THREAD, 0).await;
            ppe.spe_signal_write(THREAD, 2, 0xab).await;
            ppe.spe_signal_write(THREAD, 1, 0xcd).await;
            0
        })
        .run();
    assert_eq!(ran.code(0), 0xabcd);
}

#[test]
fn a_load_sees_all_stores_before_it() {
    let at = ls_ea(&ps3(), 0, 0x5000);
    let ran = Check::on(&ps3())
        .spu(|_| async { 0 })
        .ppe(move |ppe| async move {
            for i in 0..32 {
                ppe.store(at + 4 * i, 4, i + 1).await;
                if i % 7 == 6 {
                    assert_eq!(ppe.load(at + 4 * i, 4).await, i + 1);
                }
            }
            0
        })
        .run();
    let expected: Vec<u32> = (1..=32).collect();
    assert_eq!((0..32).map(|i| ran.local_stores[0].read_u32(0x5000 + 4 * i)).collect::<Vec<_>>(), expected);
}

#[test]
fn the_spu_status_register_tells_idle_running_and_stopped_with_the_code() {
    let machine = without_os_cost(ps3());
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&machine)
        .spu(|spu| async move { spu.spu_read_in_mbox().await })
        .ppe(move |ppe| async move {
            let status = reg_ea(&ps3(), 0, register::SPU_STATUS);
            reports.push(ppe.load(status, 4).await);
            // The run-control register starts the SPU without the library.
            ppe.store(reg_ea(&ps3(), 0, register::SPU_RUN_CNTL), 4, 1).await;
            reports.push(ppe.load(status, 4).await);
            ppe.store(reg_ea(&ps3(), 0, register::SPU_IN_MBOX), 4, 0x1234).await;
            ppe.compute(LONG).await;
            reports.push(ppe.load(status, 4).await);
            0
        })
        .run();
    // The SPU runs and waits for a channel.
    assert_eq!(reported.take(), [0, 1 | 8, 0x1234 << 16 | 2]);
}

#[test]
fn a_get_from_another_spes_register_reads_it() {
    let machine = board();
    let stat = reg_ea(&machine, 1, register::SPU_MBOX_STAT);
    let ran = Check::on(&machine)
        .memory(0, &pattern(0, 16))
        .spu(move |spu| async move {
            spu.mfc_get(0x4004, stat, 4, 0).await;
            wait(&spu, 0).await;
            spu.ls().read_u32(0x4004)
        })
        .spu(|_| async { 0 })
        .run();
    assert_eq!(ran.code(0), machine.mfc.inbound_mailbox_entries << 8);
}
