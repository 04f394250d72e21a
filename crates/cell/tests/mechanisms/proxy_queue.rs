//! The MFC's queue for commands from the problem-state registers.

use crate::common::{Check, LONG, Reports, board, pattern, ps3, reg_ea, wait, without_os_cost};
use cell::coroutine::Ppe;
use cell::ea::register;
use cell::error::RunError;
use cell::fault::Operation;

const ACCEPTED: u64 = 0;
const SEQUENCE_ERROR: u64 = 1;
const NO_SPACE: u64 = 2;

/// Writes the parameters of a proxy command. A read of the command status then issues the command.
async fn parameters(ppe: &Ppe, lsa: u32, ea: u64, size: u32, tag: u32, opcode: u32) {
    let values = [
        (register::MFC_LSA, lsa),
        (register::MFC_EAH, (ea >> 32) as u32),
        (register::MFC_EAL, ea as u32),
        (register::MFC_SIZE_TAG, size << 16 | tag),
        (register::MFC_CLASS_CMD, opcode),
    ];
    for (offset, value) in values {
        ppe.store(reg_ea(&ps3(), 0, offset), 4, u64::from(value)).await;
    }
}

/// Reads `MFC_CMDStatus`, which issues the command.
async fn status(ppe: &Ppe) -> u64 {
    ppe.load(reg_ea(&ps3(), 0, register::MFC_CLASS_CMD), 4).await
}

/// Waits until these tag groups are idle.
async fn idle(ppe: &Ppe, mask: u64) {
    ppe.store(reg_ea(&ps3(), 0, register::PRXY_QUERY_MASK), 4, mask).await;
    while ppe.load(reg_ea(&ps3(), 0, register::PRXY_TAG_STATUS), 4).await != mask {}
}

#[test]
fn a_command_is_queued_when_its_status_is_read() {
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(1, 256))
        .spu(|_| async { 0 })
        .ppe(|ppe| async move {
            parameters(&ppe, 0x4000, 0x10000, 256, 3, 0x40).await;
            ppe.compute(LONG).await;
            assert_eq!(ppe.load(reg_ea(&ps3(), 0, register::MFC_Q_STATUS), 4).await >> 31, 1, "nothing is queued yet");
            assert_eq!(status(&ppe).await, ACCEPTED);
            idle(&ppe, 1 << 3).await;
            parameters(&ppe, 0x4000, 0x20000, 128, 4, 0x20).await;
            assert_eq!(status(&ppe).await, ACCEPTED);
            idle(&ppe, 1 << 4).await;
            0
        })
        .run();
    assert_eq!(ran.local_stores[0].bytes(0x4000, 256), pattern(1, 256));
    assert_eq!(ran.memory.bytes(0x20000, 128), pattern(1, 256)[..128]);
    assert_eq!(ran.record.counters.spes[0].dma_commands, 2);
}

#[test]
fn bits_of_a_local_store_address_above_the_local_store_are_ignored() {
    let end = ps3().mfc.local_store_bytes;
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(1, 256))
        .spu(|_| async { 0 })
        .ppe(move |ppe| async move {
            for (lsa, ea) in [(end | 0x4000, 0x10000), (5 * end - 128, 0x10000)] {
                parameters(&ppe, lsa, ea, 256, 3, 0x40).await;
                assert_eq!(status(&ppe).await, ACCEPTED);
                idle(&ppe, 1 << 3).await;
            }
            0
        })
        .run();
    assert_eq!(ran.local_stores[0].bytes(0x4000, 256), pattern(1, 256));
    assert_eq!(ran.local_stores[0].bytes(u64::from(end) - 128, 128), pattern(1, 256)[..128]);
    assert_eq!(ran.local_stores[0].bytes(0, 128), pattern(1, 256)[128..]);
}

#[test]
fn a_status_read_without_all_parameters_is_a_sequence_error() {
    let ran = Check::on(&ps3())
        .ppe(|ppe| async move {
            assert_eq!(status(&ppe).await, SEQUENCE_ERROR);
            ppe.store(reg_ea(&ps3(), 0, register::MFC_LSA), 4, 0x4000).await;
            ppe.store(reg_ea(&ps3(), 0, register::MFC_CLASS_CMD), 4, 0x40).await;
            assert_eq!(status(&ppe).await, SEQUENCE_ERROR);
            // The refused command leaves its parameters, so that only the others are missing.
            for (offset, value) in
                [(register::MFC_EAH, 0), (register::MFC_EAL, 0x10000), (register::MFC_SIZE_TAG, 16 << 16)]
            {
                ppe.store(reg_ea(&ps3(), 0, offset), 4, value).await;
            }
            assert_eq!(status(&ppe).await, ACCEPTED);
            // The accepted command has consumed the parameters.
            assert_eq!(status(&ppe).await, SEQUENCE_ERROR);
            0
        })
        .run();
    assert_eq!(ran.record.counters.spes[0].dma_commands, 1);
}

#[test]
fn a_full_queue_has_no_space_until_a_command_ends() {
    for entries in [1, ps3().mfc.proxy_queue_entries] {
        let mut machine = ps3();
        machine.mfc.proxy_queue_entries = entries;
        machine.mic.read_latency_bus_cycles = 10_000;
        let reported = Reports::new();
        let reports = reported.clone();
        let ran = Check::on(&machine)
            .spu(|_| async { 0 })
            .ppe(move |ppe| async move {
                for nth in 0..entries {
                    parameters(&ppe, 0x4000 + 128 * nth, 0x10000, 128, 0, 0x40).await;
                    reports.push(status(&ppe).await);
                }
                parameters(&ppe, 0x8000, 0x10000, 128, 0, 0x40).await;
                reports.push(status(&ppe).await);
                reports.push(ppe.load(reg_ea(&ps3(), 0, register::MFC_Q_STATUS), 4).await);
                while status(&ppe).await == NO_SPACE {}
                idle(&ppe, 1).await;
                reports.push(ppe.load(reg_ea(&ps3(), 0, register::MFC_Q_STATUS), 4).await);
                0
            })
            .memory(0x10000, &pattern(1, 128))
            .run();
        let mut expected = vec![ACCEPTED; entries as usize];
        expected.extend([NO_SPACE, 0, 1 << 31 | u64::from(entries)]);
        assert_eq!(reported.take(), expected);
        assert_eq!(
            ran.local_stores[0].bytes(0x8000, 128),
            pattern(1, 128),
            "the command that had to wait was not lost"
        );
        assert_eq!(ran.record.counters.spes[0].dma_commands, u64::from(entries) + 1);
    }
}

#[test]
fn it_is_not_the_spus_queue() {
    let machine = without_os_cost(ps3());
    let entries = machine.mfc.spu_queue_entries;
    let ran = Check::on(&machine)
        .memory(0x10000, &pattern(1, 128))
        .spu(move |spu| async move {
            super::spu_queue::stalled_list(&spu, 0).await;
            for _ in 1..entries {
                spu.mfc_getf(0x2000, 0x8000, 16, 0).await;
            }
            // The SPU queue is full, and its tag group 0 is busy. The PPE's commands are not affected.
            spu.spu_read_in_mbox().await;
            spu.mfc_write_list_stall_ack(0).await;
            0
        })
        .ppe(|ppe| async move {
            ppe.thread_create(cell::units::ThreadId(0), 0).await;
            ppe.compute(LONG).await;
            parameters(&ppe, 0x4000, 0x10000, 128, 0, 0x42).await;
            assert_eq!(status(&ppe).await, ACCEPTED);
            idle(&ppe, 1).await;
            ppe.spe_in_mbox_write(cell::units::ThreadId(0), 0).await;
            0
        })
        .run();
    assert_eq!(ran.local_stores[0].bytes(0x4000, 128), pattern(1, 128));
}

#[test]
fn forms_with_s_start_the_spu_after_their_data_have_moved() {
    for opcode in [0x48, 0x49, 0x4a] {
        let ran = Check::on(&ps3())
            .memory(0x10000, &pattern(1, 16 * 1024))
            .spu(|spu| async move { u32::from(spu.ls().bytes(0x4000, 16 * 1024) == pattern(1, 16 * 1024)) })
            .ppe(move |ppe| async move {
                assert_eq!(ppe.load(reg_ea(&ps3(), 0, register::SPU_STATUS), 4).await, 0);
                parameters(&ppe, 0x4000, 0x10000, 16 * 1024, 3, opcode).await;
                assert_eq!(status(&ppe).await, ACCEPTED);
                while ppe.load(reg_ea(&ps3(), 0, register::SPU_STATUS), 4).await & 2 == 0 {}
                0
            })
            .run();
        assert_eq!(ran.code(0), 1, "{opcode:#x}: the program found all its data");
    }
}

#[test]
fn commands_that_only_the_spu_may_issue_are_refused() {
    let lists = [0x24, 0x44, 0x46].map(|opcode| (opcode, "only the owning SPU may issue list commands".to_string()));
    let lock_lines = [(0xd0, "getllar"), (0xb4, "putllc"), (0xb0, "putlluc"), (0xb8, "putqlluc")]
        .map(|(opcode, name)| (opcode, format!("{name} cannot be given through the proxy queue")));
    for (opcode, rule) in lists.into_iter().chain(lock_lines) {
        let error = Check::on(&ps3())
            .ppe(move |ppe| async move {
                parameters(&ppe, 0x4000, 0x10000, 128, 0, opcode).await;
                status(&ppe).await as u32
            })
            .error();
        let RunError::Rule { spe, command, rule: said, .. } = error else { panic!("{error}") };
        assert!(said.to_string().ends_with(&format!("invalid DMA command: {rule}")), "{said}");
        assert_eq!((spe.map(|spe| spe.0), command), (Some(0), Operation::Proxy));
    }
}

#[test]
fn another_spe_can_issue_a_proxy_command_too() {
    let machine = board();
    let registers = reg_ea(&machine, 1, register::MFC_LSA) & !0xff;
    let ran = Check::on(&machine)
        .memory(0x10000, &pattern(5, 128))
        .spu(move |spu| async move {
            let values = [(0x04, 0x4000), (0x08, 0), (0x0c, 0x10000), (0x10, 128 << 16), (0x14, 0x40)];
            for (offset, value) in values {
                spu.ls().write_u32(0x2000 + offset, value);
                spu.mfc_putf(0x2000 + offset as u32, registers + offset, 4, 0).await;
            }
            spu.mfc_getf(0x3004, registers + 0x14, 4, 0).await;
            wait(&spu, 0).await;
            spu.ls().read_u32(0x3004)
        })
        .spu(|_| async { 0 })
        .run();
    assert_eq!(ran.code(0), ACCEPTED as u32);
    assert_eq!(ran.local_stores[1].bytes(0x4000, 128), pattern(5, 128));
}
