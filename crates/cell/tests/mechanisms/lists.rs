//! DMA lists: legal elements, the destination of their bytes, and stall-and-notify.

use crate::common::{Check, LONG, Ran, Reports, board, ls_ea, pattern, ps3, wait};
use cell::channel::Channel;
use cell::error::RunError;

const LIST: u32 = 0x3000;
const STALL: u64 = 1 << 63;

/// An element of `bytes` bytes; `eal` is the low half of the element's effective address.
fn element(bytes: u64, eal: u64) -> u64 {
    bytes << 32 | eal
}

/// A run in which a list command gathers bytes from memory to `lsa`. The memory has a pattern at 0x10000.
fn gather(lsa: u32, elements: Vec<u64>) -> Check {
    Check::on(&ps3()).memory(0x10000, &pattern(1, 0x10000)).spu(move |spu| async move {
        for (i, element) in elements.iter().enumerate() {
            spu.ls().write_u64(u64::from(LIST) + 8 * i as u64, *element);
        }
        spu.mfc_getl(lsa, 0, LIST, 8 * elements.len() as u32, 1).await;
        wait(&spu, 1).await;
        spu.count(Channel::RD_LIST_STALL_STAT).await
    })
}

/// The `n` bytes of the memory pattern at `eal`.
fn source(eal: u64, n: usize) -> Vec<u8> {
    pattern(1, 0x10000)[eal as usize - 0x10000..][..n].to_vec()
}

/// Checks that `n` bytes of the first thread's local store equal the source bytes in memory.
fn came(ran: &Ran, lsa: u64, eal: u64, n: usize) {
    assert_eq!(ran.local_stores[0].bytes(lsa, n), source(eal, n), "{n} bytes of {eal:#x} at {lsa:#x}");
}

#[test]
fn the_longest_list_is_carried_out_to_its_end() {
    let most = u64::from(ps3().mfc.max_list_elements);
    // The elements go backwards through the pattern, quadword by quadword.
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(1, 0x10000))
        .spu(move |spu| async move {
            for i in 0..most {
                spu.ls().write_u64(0x4000 + 8 * i, element(16, 0x20000 - 16 * (i + 1)));
            }
            spu.mfc_getl(0x10000, 0, 0x4000, 8 * most as u32, 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    for i in 0..most {
        came(&ran, 0x10000 + 16 * i, 0x20000 - 16 * (i + 1), 16);
    }
    assert_eq!(ran.record.counters.spes[0].get_bytes, 16 * most);
}

#[test]
fn empty_elements_are_skipped() {
    let ran =
        gather(0x8000, vec![element(0, 0), element(32, 0x10100), element(0, 0x10003), element(16, 0x10200)]).run();
    came(&ran, 0x8000, 0x10100, 32);
    came(&ran, 0x8020, 0x10200, 16);
    assert_eq!(ran.record.counters.spes[0].get_bytes, 48);
}

#[test]
fn elements_shorter_than_a_quadword_land_where_their_address_says_each_in_its_own() {
    let elements =
        vec![element(4, 0x10004), element(8, 0x10018), element(1, 0x1002f), element(2, 0x10032), element(16, 0x10040)];
    let ran = gather(0x8000, elements).run();
    came(&ran, 0x8004, 0x10004, 4);
    came(&ran, 0x8018, 0x10018, 8);
    came(&ran, 0x802f, 0x1002f, 1);
    came(&ran, 0x8032, 0x10032, 2);
    came(&ran, 0x8040, 0x10040, 16);
    let ls = &ran.local_stores[0];
    assert_eq!((ls.bytes(0x8000, 4), ls.bytes(0x8008, 8)), (vec![0; 4], vec![0; 8]), "no byte lands elsewhere");
}

#[test]
fn a_first_element_shorter_than_a_quadword_lands_in_the_quadword_of_the_local_store_address() {
    let ran = gather(0x8008, vec![element(8, 0x10018), element(16, 0x10040)]).run();
    came(&ran, 0x8008, 0x10018, 8);
    came(&ran, 0x8010, 0x10040, 16);
}

#[test]
fn a_first_element_of_quadwords_starts_at_a_quadword() {
    let RunError::Rule { rule, .. } = gather(0x8008, vec![element(16, 0x10010)]).error() else { panic!() };
    assert_eq!(rule.to_string(), "list element: DMA alignment: local-store address 0x8008 is not a multiple of 16");
}

#[test]
fn each_element_starts_at_the_next_quadword_of_the_local_store() {
    let ran =
        gather(0x8000, vec![element(2, 0x10002), element(128, 0x10080), element(48, 0x10230), element(16, 0x10000)])
            .run();
    came(&ran, 0x8002, 0x10002, 2);
    came(&ran, 0x8010, 0x10080, 128);
    came(&ran, 0x8090, 0x10230, 48);
    came(&ran, 0x80c0, 0x10000, 16);
}

#[test]
fn a_scatter_list_undoes_a_gather_list() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.ls().write(0x8000, &pattern(2, 0x100));
            for (i, word) in [element(64, 0x20000), element(4, 0x30004), element(128, 0x20400)].iter().enumerate() {
                spu.ls().write_u64(u64::from(LIST) + 8 * i as u64, *word);
            }
            spu.mfc_putl(0x8000, 0, LIST, 24, 1).await;
            wait(&spu, 1).await;
            0
        })
        .run();
    let bytes = pattern(2, 0x100);
    assert_eq!(ran.memory.bytes(0x20000, 64), bytes[..64]);
    assert_eq!(ran.memory.bytes(0x30004, 4), bytes[0x44..0x48]);
    assert_eq!(ran.memory.bytes(0x20400, 128), bytes[0x50..0xd0]);
}

#[test]
fn the_upper_half_of_every_elements_address_is_the_commands() {
    let machine = board();
    let ea = ls_ea(&machine, 1, 0x9000);
    let ran = Check::on(&machine)
        .spu(move |spu| async move {
            spu.compute(LONG).await;
            spu.ls().write_u64(u64::from(LIST), element(64, ea & 0xffff_ffff));
            spu.mfc_getl(0x8000, ea, LIST, 8, 1).await;
            wait(&spu, 1).await;
            0
        })
        .spu(|spu| async move {
            spu.ls().write(0x9000, &pattern(3, 64));
            0
        })
        .run();
    assert_eq!(ran.local_stores[0].bytes(0x8000, 64), pattern(3, 64));
}

#[test]
fn a_list_stalls_after_its_flagged_element_and_reads_the_next_only_then() {
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(&ps3())
        .memory(0x10000, &pattern(1, 0x10000))
        .spu(move |spu| async move {
            let list = u64::from(LIST);
            spu.ls().write_u64(list, element(16, 0x10010) | STALL);
            spu.ls().write_u64(list + 8, element(16, 0x10020) | STALL);
            spu.ls().write_u64(list + 16, element(16, 0x10030));
            spu.mfc_getl(0x8000, 0, LIST, 24, 5).await;
            reports.push(spu.mfc_read_list_stall_status().await);
            reports.push(u32::from(spu.ls().bytes(0x8000, 16) == source(0x10010, 16)));
            spu.compute(LONG).await;
            reports.push(u32::from(spu.ls().bytes(0x8010, 16) == vec![0; 16]));
            spu.ls().write_u64(list + 8, element(16, 0x10990) | STALL);
            spu.mfc_write_list_stall_ack(5).await;
            reports.push(spu.mfc_read_list_stall_status().await);
            spu.ls().write_u64(list + 16, element(32, 0x10aa0));
            spu.mfc_write_list_stall_ack(5).await;
            wait(&spu, 5).await;
            reports.push(spu.count(Channel::RD_LIST_STALL_STAT).await);
            0
        })
        .run();
    assert_eq!(reported.take(), [1 << 5, 1, 1, 1 << 5, 0]);
    came(&ran, 0x8010, 0x10990, 16);
    came(&ran, 0x8020, 0x10aa0, 32);
}

#[test]
fn several_stalled_lists_are_distinguished_by_their_tags() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            let list = u64::from(LIST);
            spu.ls().write_u64(list, element(16, 0x10010) | STALL);
            spu.ls().write_u64(list + 8, element(16, 0x10020));
            for tag in [2, 6] {
                spu.mfc_getl(0x8000, 0, LIST, 16, tag).await;
            }
            spu.compute(LONG).await;
            let stalled = spu.mfc_read_list_stall_status().await;
            spu.mfc_write_list_stall_ack(6).await;
            wait(&spu, 6).await;
            spu.mfc_write_tag_mask(1 << 2).await;
            let still = spu.mfc_read_tag_status_immediate().await;
            spu.mfc_write_list_stall_ack(2).await;
            wait(&spu, 2).await;
            stalled | still << 16
        })
        .run();
    assert_eq!(ran.code(0), 1 << 2 | 1 << 6);
}

#[test]
fn the_flag_of_the_last_element_has_no_effect() {
    let ran = gather(0x8000, vec![element(16, 0x10010), element(16, 0x10020) | STALL]).run();
    assert_eq!(ran.code(0), 0, "no stall was reported");
    came(&ran, 0x8010, 0x10020, 16);
}

#[test]
fn a_flagged_empty_element_stalls_too() {
    let ran = Check::on(&ps3())
        .spu(|spu| async move {
            spu.ls().write_u64(u64::from(LIST), STALL);
            spu.mfc_getl(0x8000, 0, LIST, 16, 5).await;
            let stalled = spu.mfc_read_list_stall_status().await;
            spu.mfc_write_list_stall_ack(5).await;
            wait(&spu, 5).await;
            stalled
        })
        .run();
    assert_eq!(ran.code(0), 1 << 5);
}

#[test]
fn an_acknowledgement_of_another_tag_resumes_nothing() {
    let error = Check::on(&ps3())
        .spu(|spu| async move {
            super::spu_queue::stalled_list(&spu, 5).await;
            spu.mfc_write_list_stall_ack(6).await;
            wait(&spu, 5).await;
            0
        })
        .error();
    assert!(matches!(error, RunError::Deadlock { .. }), "{error}");
}

/// Checks that a list with one illegal element is refused with this rule.
fn refused(lsa: u32, wrong: u64, expected: &str) {
    let error = gather(lsa, vec![element(16, 0x10000), wrong]).error();
    let RunError::Rule { spe, command, rule, .. } = error else { panic!("{error}") };
    assert_eq!(rule.to_string(), expected);
    assert_eq!(command.to_string(), format!("getl lsa={lsa:#x} ea={LIST:#x} size=16 tag=1"));
    assert_eq!(spe.map(|spe| spe.0), Some(0));
}

#[test]
fn every_element_keeps_the_rules_of_a_transfer() {
    let most = ps3().mfc.max_transfer_bytes;
    refused(
        0x8000,
        element(24, 0x10000),
        "list element: DMA alignment: size 24 is not 0, 1, 2, 4, 8 or a multiple of 16 bytes",
    );
    refused(
        0x8000,
        element(u64::from(most) + 16, 0x10000),
        &format!("list element: DMA alignment: size {} is above {most} bytes", most + 16),
    );
    refused(
        0x8000,
        element(32, 0x10004),
        "list element: DMA alignment: the low four bits of local-store address 0x8010 and effective address 0x10004 differ",
    );
    refused(
        0x8000,
        element(4, 0x10002),
        "list element: DMA alignment: local-store address 0x8012 is not a multiple of 4",
    );
    refused(0x8000, element(16, 0x7fff_0000), "data storage: nothing is mapped at effective address 0x7fff0000");
}

#[test]
fn elements_wrap_at_the_end_of_the_local_store() {
    let end = ps3().mfc.local_store_bytes;
    let ran = gather(end - 16, vec![element(16, 0x10000), element(32, 0x10040), element(8, 0x10088)]).run();
    came(&ran, u64::from(end) - 16, 0x10000, 16);
    came(&ran, 0, 0x10040, 32);
    came(&ran, 0x28, 0x10088, 8);
}

#[test]
fn no_element_crosses_into_the_next_4_gigabytes() {
    refused(0x8000, element(256, 0xffff_ff80), "list element at 0xffffff80 of 256 bytes crosses a 4 GB boundary");
    // An element that ends exactly at 4 GB does not break the boundary rule, but nothing is mapped at its address.
    refused(0x8000, element(128, 0xffff_ff80), "data storage: nothing is mapped at effective address 0xffffff80");
}
