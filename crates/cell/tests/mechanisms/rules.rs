//! Every rule for a command's parameters, and the message for a command that breaks it.

use crate::common::{Check, board, ls_ea, pattern, ps3, reg_ea, spe_of, wait};
use cell::ea::{SPE_WINDOW_BASE, register};
use cell::error::RunError;
use cell::machine::Machine;

const GET: u32 = 0x40;
const PUT: u32 = 0x20;
const GETL: u32 = 0x44;

/// A command's local-store address, effective address, size, tag and opcode.
type Parameters = (u32, u64, u32, u32, u32);

/// Issues one command from thread 1 and returns the error of the run.
fn error_of(machine: &Machine, (lsa, ea, size, tag, opcode): Parameters) -> RunError {
    Check::on(machine)
        .spu(|_| async { 0 })
        .spu(move |spu| async move {
            spu.mfcdma64(lsa, ea, size, tag, opcode).await;
            0
        })
        .error()
}

/// Checks that a command is refused on issue, with this rule.
fn refused(parameters: Parameters, name: &str, rule: &str) {
    let (lsa, ea, size, tag, opcode) = parameters;
    let machine = ps3();
    let RunError::Rule { spe, bus_cycle, command, rule: said, .. } = error_of(&machine, parameters) else {
        panic!("another kind of error")
    };
    assert_eq!(said.to_string(), format!("{name} lsa={lsa:#x} ea={ea:#x} size={size} tag={tag}: {rule}"));
    assert_eq!(command.to_string(), format!("write of {opcode:#x} to MFC_Cmd"));
    assert_eq!(spe, Some(spe_of(&machine, 1)));
    let writes = 6 * machine.spu.channel_write_spu_cycles;
    assert_eq!(bus_cycle, writes.div_ceil(machine.chip.processor_cycles_per_bus_cycle));
}

/// Checks that a command is accepted and completes.
fn accepted((lsa, ea, size, tag, opcode): Parameters) {
    Check::on(&ps3())
        .spu(move |spu| async move {
            spu.mfcdma64(lsa, ea, size, tag, opcode).await;
            wait(&spu, tag).await;
            0
        })
        .run();
}

#[test]
fn opcodes_that_are_not_defined() {
    for opcode in [0, 0x1f, 0x23, 0x27, 0x2b, 0x33, 0x34 + 3, 0x43, 0x47, 0x4b, 0x82, 0x8e, 0xa3, 0xb1, 0xd4, 0xff] {
        let name = format!("opcode {opcode:#x}");
        refused(
            (0x1000, 0x1000, 16, 0, opcode),
            &name,
            &format!("invalid DMA command: opcode {opcode:#x} is not defined"),
        );
    }
    for opcode in [0x140, 0x8000, 0x8040, 0xffff] {
        let name = format!("opcode {opcode:#x}");
        refused(
            (0x1000, 0x1000, 16, 0, opcode),
            &name,
            &format!("invalid DMA command: opcode {opcode:#x} is not defined"),
        );
    }
}

#[test]
fn class_ids_are_not_checked() {
    accepted((0x1000, 0x1000, 16, 0, 0x0102_0000 | GET));
    accepted((0x1000, 0x1000, 16, 0, 0xffff_0000 | PUT));
}

#[test]
fn every_defined_opcode_is_accepted_with_parameters_that_are_right() {
    let transfers = [0x20, 0x21, 0x22, 0x30, 0x31, 0x32, 0x40, 0x41, 0x42];
    let lists = [0x24, 0x25, 0x26, 0x34, 0x35, 0x36, 0x44, 0x45, 0x46];
    let others = [0x80, 0x81, 0x89, 0x8d, 0x8f, 0xb8, 0xc0, 0xc8, 0xcc];
    for opcode in transfers.into_iter().chain(others) {
        accepted((0x1000, 0x1_0000, 128, 31, opcode));
    }
    for opcode in lists {
        accepted((0x1000, 0x2000, 8, 31, opcode));
    }
}

#[test]
fn forms_that_start_the_spu_are_for_the_proxy_queue_only() {
    let forms = [(0x28, "puts"), (0x29, "putbs"), (0x2a, "putfs"), (0x48, "gets"), (0x49, "getbs"), (0x4a, "getfs")];
    for (opcode, name) in forms {
        let rule = format!("invalid DMA command: {name} is for the proxy queue only");
        refused((0x1000, 0x1000, 16, 0, opcode), name, &rule);
    }
}

#[test]
fn tags_above_31() {
    let commands = [
        (PUT, "put"),
        (GET, "get"),
        (GETL, "getl"),
        (0xb8, "putqlluc"),
        (0xc0, "barrier"),
        (0xc8, "mfceieio"),
        (0xcc, "mfcsync"),
        (0x80, "sdcrt"),
        (0x89, "sdcrz"),
        (0x8f, "sdcrf"),
    ];
    for (opcode, name) in commands {
        for tag in [32, 0xffff_ffff] {
            let rule = format!("invalid DMA command: tag {tag} is outside 0 to 31");
            refused((0x1000, 0x1000, 16, tag, opcode), name, &rule);
        }
    }
}

#[test]
fn a_command_error_outranks_an_alignment_error() {
    refused((0x1001, 0x1000, 3, 32, GET), "get", "invalid DMA command: tag 32 is outside 0 to 31");
    refused((0x1001, 0x1000, 3, 32, 0x23), "opcode 0x23", "invalid DMA command: opcode 0x23 is not defined");
}

#[test]
fn sizes_above_the_largest_transfer() {
    let most = ps3().mfc.max_transfer_bytes;
    accepted((0x1000, 0x10000, most, 0, GET));
    for size in [most + 16, 0x8000, 0x10000, 0xffff_fff0] {
        refused((0x1000, 0x10000, size, 0, GET), "get", &format!("DMA alignment: size {size} is above {most} bytes"));
    }
}

#[test]
fn sizes_that_do_not_exist() {
    for size in [0, 1, 2, 4, 8, 16, 32, 48, 1040] {
        accepted((0x1000, 0x10000, size, 0, PUT));
    }
    for size in [3, 5, 6, 7, 9, 12, 15, 17, 24, 127, 1000] {
        let rule = format!("DMA alignment: size {size} is not 0, 1, 2, 4, 8 or a multiple of 16 bytes");
        refused((0x1000, 0x10000, size, 0, PUT), "put", &rule);
    }
}

#[test]
fn local_store_addresses_are_aligned_to_the_size() {
    for (lsa, size) in [(0x1001, 1), (0x1002, 2), (0x100c, 4), (0x1008, 8), (0x1010, 16)] {
        accepted((lsa, 0x10000 + u64::from(lsa % 16), size, 0, GET));
    }
    for (lsa, size, natural) in [(0x1001, 2, 2), (0x1002, 4, 4), (0x1004, 8, 8), (0x1008, 16, 16), (0x1001, 128, 16)] {
        let rule = format!("DMA alignment: local-store address {lsa:#x} is not a multiple of {natural}");
        refused((lsa, 0x10000 + u64::from(lsa % 16), size, 0, GET), "get", &rule);
    }
}

#[test]
fn both_addresses_end_in_the_same_four_bits() {
    for (lsa, ea, size) in [(0x1004, 0x1_0000, 4), (0x1000, 0x1_0008, 128), (0x1003, 0x1_0002, 1)] {
        let rule = format!(
            "DMA alignment: the low four bits of local-store address {lsa:#x} and effective address {ea:#x} differ"
        );
        refused((lsa, ea, size, 0, PUT), "put", &rule);
    }
}

#[test]
fn a_signal_is_four_bytes() {
    for (opcode, name) in [(0xa0, "sndsig"), (0xa1, "sndsigb"), (0xa2, "sndsigf")] {
        let ea = reg_ea(&ps3(), 0, register::SPU_SIG_NOTIFY_1);
        accepted((0x100c, ea, 4, 0, opcode));
        for size in [0, 1, 8, 16] {
            refused((0x100c, ea, size, 0, opcode), name, &format!("DMA alignment: sndsig sends 4 bytes, not {size}"));
        }
    }
}

#[test]
fn lists_are_made_of_whole_elements_at_aligned_addresses() {
    for (lsa, list, size) in [(0x1000, 0x2000, 12), (0x1000, 0x2004, 8), (0x1004, 0x2000, 8), (0x1000, 0x2000, 3)] {
        let rule = format!(
            "DMA alignment: list size {size}, list address {list:#x} and local-store address {lsa:#x} must be multiples of 8"
        );
        refused((lsa, list, size, 0, GETL), "getl", &rule);
    }
}

#[test]
fn a_list_has_a_largest_length() {
    let most = 8 * ps3().mfc.max_list_elements;
    let size = most + 8;
    refused(
        (0x1000, 0x2000, size, 0, GETL),
        "getl",
        &format!("DMA alignment: a list is at most {most} bytes, not {size}"),
    );
}

/// The local store of thread 1 after one command.
fn local_store_after((lsa, ea, size, tag, opcode): Parameters) -> cell::store::LocalStore {
    let mut ran = Check::on(&ps3())
        .memory(0x10000, &pattern(3, 0x4000))
        .spu(move |spu| async move {
            spu.ls().write_u64(0x2000, 0x80 << 32 | 0x10100);
            spu.mfcdma64(lsa, ea, size, tag, opcode).await;
            wait(&spu, tag).await;
            0
        })
        .run();
    ran.local_stores.remove(0)
}

#[test]
fn bits_of_a_local_store_address_above_the_local_store_are_ignored() {
    let end = ps3().mfc.local_store_bytes;
    for above in [0, end, 4 * end, !(end - 1)] {
        for (lsa, size) in [(0x40, 64), (end - 128, 128), (0x1234, 4)] {
            let ea = 0x10000 + u64::from(lsa % 128);
            let ls = local_store_after((above | lsa, ea, size, 0, GET));
            let at = usize::try_from(lsa % 128).unwrap();
            assert_eq!(ls.bytes(lsa.into(), size as usize), pattern(3, 0x4000)[at..at + size as usize], "{lsa:#x}");
        }
        let ls = local_store_after((above | 0x3000, u64::from(above) | 0x2000, 8, 0, GETL));
        assert_eq!(ls.bytes(0x3000, 128), pattern(3, 0x4000)[0x100..0x180], "a list and its address");
    }
}

#[test]
fn a_transfer_wraps_at_the_end_of_the_local_store() {
    let end = ps3().mfc.local_store_bytes;
    // The first transfer wraps at a line boundary of main memory, and the second in the middle of a line.
    for (lsa, ea) in [(end - 128, 0x10000), (end - 48, 0x10040)] {
        let ls = local_store_after((lsa, ea, 256, 0, GET));
        let from = (ea - 0x10000) as usize;
        let before = (end - lsa) as usize;
        assert_eq!(ls.bytes(lsa.into(), before), pattern(3, 0x4000)[from..from + before]);
        assert_eq!(ls.bytes(0, 256 - before), pattern(3, 0x4000)[from + before..from + 256]);
    }
}

#[test]
fn puts_and_lock_lines_ignore_them_too() {
    let end = ps3().mfc.local_store_bytes;
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(3, 256))
        .spu(move |spu| async move {
            spu.ls().write_u32(0x100, 0xfeed_f00d);
            spu.ls().write_u32(u64::from(end) - 16, 0x1111_1111);
            spu.ls().write_u32(0, 0x2222_2222);
            spu.mfcdma64(end | 0x100, 0x20000, 16, 0, PUT).await;
            spu.mfcdma64(end - 16, 0x20100, 32, 0, PUT).await;
            wait(&spu, 0).await;
            spu.mfcdma64(end | 0x1000, 0x10000, 128, 0, 0xd0).await;
            spu.mfc_read_atomic_status().await;
            spu.mfcdma64((3 * end) | 0x100, 0x10000, 128, 0, 0xb4).await;
            spu.mfc_read_atomic_status().await
        })
        .run();
    assert_eq!(ran.code(0), 0, "the conditional put succeeded");
    assert_eq!(ran.memory.read_u32(0x20000), 0xfeed_f00d);
    assert_eq!((ran.memory.read_u32(0x20100), ran.memory.read_u32(0x20110)), (0x1111_1111, 0x2222_2222));
    assert_eq!(ran.local_stores[0].bytes(0x1000, 128), pattern(3, 128));
    assert_eq!(ran.memory.read_u32(0x10000), 0xfeed_f00d);
}

#[test]
fn lock_line_commands_ignore_low_address_bits_size_and_tag() {
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(7, 128))
        .spu(|spu| async move {
            spu.mfcdma64(0x1003, 0x10005, 7, 99, 0xd0).await;
            spu.mfc_read_atomic_status().await;
            spu.ls().write_u32(0x1000, 0xfeed_f00d);
            spu.mfcdma64(0x107f, 0x1007f, 0, 0xffff_ffff, 0xb4).await;
            spu.mfc_read_atomic_status().await
        })
        .run();
    assert_eq!(ran.code(0), 0, "the conditional put succeeded");
    assert_eq!(ran.local_stores[0].bytes(0x1004, 124), pattern(7, 128)[4..]);
    assert_eq!(ran.memory.read_u32(0x10000), 0xfeed_f00d);
}

#[test]
fn lock_lines_lie_in_main_memory() {
    let memory_end = ps3().chip.main_memory_bytes;
    for ea in [memory_end, ls_ea(&ps3(), 0, 0x1000)] {
        for opcode in [0xd0, 0xb4, 0xb0, 0xb8] {
            let RunError::Rule { spe, rule, .. } = error_of(&ps3(), (0x1000, ea, 128, 0, opcode)) else { panic!() };
            assert_eq!(spe, Some(spe_of(&ps3(), 1)));
            assert!(
                rule.to_string()
                    .ends_with(&format!("lock lines lie in main memory, effective address {ea:#x} does not")),
                "{rule}"
            );
        }
    }
}

#[test]
fn cache_line_commands_ignore_the_local_store_address() {
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(1, 512))
        .spu(|spu| async move {
            spu.mfcdma64(0xffff_ffff, 0x10080, 256, 0, 0x89).await;
            wait(&spu, 0).await;
            0
        })
        .run();
    assert_eq!(ran.memory.bytes(0x10080, 256), [0; 256]);
    assert_eq!(ran.memory.bytes(0x10000, 128), pattern(1, 512)[..128]);
    assert_eq!(ran.memory.bytes(0x10180, 128), pattern(1, 512)[384..]);
}

/// Checks that a command is refused on execution, with this rule.
fn refused_later(machine: &Machine, parameters: Parameters, name: &str, expected: &str) {
    let (lsa, ea, size, tag, _) = parameters;
    let RunError::Rule { spe, bus_cycle, command, rule, .. } = error_of(machine, parameters) else { panic!() };
    assert_eq!(rule.to_string(), expected);
    assert_eq!(command.to_string(), format!("{name} lsa={lsa:#x} ea={ea:#x} size={size} tag={tag}"));
    assert_eq!(spe, Some(spe_of(machine, 1)));
    assert!(bus_cycle >= machine.mfc.issue_bus_cycles);
}

#[test]
fn addresses_at_which_nothing_is_mapped() {
    let machine = board();
    let behind_ls = SPE_WINDOW_BASE + u64::from(machine.mfc.local_store_bytes);
    let behind_spes = SPE_WINDOW_BASE + 8 * 0x8_0000;
    let unmapped =
        [machine.chip.main_memory_bytes, 0x1_0000_0000, SPE_WINDOW_BASE - 128, behind_ls + 0x2_0000, behind_spes];
    for ea in unmapped {
        let rule = format!("data storage: nothing is mapped at effective address {ea:#x}");
        refused_later(&machine, (0x1000, ea, 128, 0, GET), "get", &rule);
    }
}

#[test]
fn registers_take_four_bytes_at_a_time() {
    let ea = reg_ea(&ps3(), 0, register::SPU_IN_MBOX) & !15;
    for (size, lsa, ea) in [(16, 0x1000, ea), (8, 0x1008, ea + 8), (1, 0x100c, ea + 12)] {
        let rule = format!("data storage: problem-state registers take 4 bytes at a time, not {size}");
        refused_later(&ps3(), (lsa, ea, size, 0, PUT), "put", &rule);
    }
}

#[test]
fn the_error_reads_as_one_line() {
    let error = error_of(&ps3(), (0x1001, 0x10001, 16, 0, GET));
    let RunError::Rule { bus_cycle, .. } = error else { panic!() };
    assert_eq!(
        error.to_string(),
        format!(
            "SPE 1, bus cycle {bus_cycle}, write of 0x40 to MFC_Cmd: get lsa=0x1001 ea=0x10001 size=16 tag=0: \
             DMA alignment: local-store address 0x1001 is not a multiple of 16"
        )
    );
}
