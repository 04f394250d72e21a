//! Tests of the PPE's caches: the capacity of each structure, and the transfer of lines between units.

use crate::common::{Check, Ran, board, ls_ea, pattern, spe_of, wait, without_os_cost};
use cell::counters::PpeCounters;
use cell::door::{Access, Walk};
use cell::ea::{Target, register, register_ea};
use cell::machine::Machine;
use cell::ppe::{Happening, MemoryPath};
use cell::request::RequestKind;
use cell::units::{LINE_BYTES, NEVER, ThreadId};

const THREAD: ThreadId = ThreadId(0);
pub const AT: u64 = 0x10_0000;

pub fn walk(access: Access, bytes: u8, stride_bytes: u32, count: u64) -> Walk {
    Walk { access, bytes, stride_bytes, count }
}

/// A walk with one load from each of `count` cache lines.
fn lines(from: u64, count: u64) -> Walk {
    walk(Access::Load { from }, 8, LINE_BYTES as u32, count)
}

pub fn stores(to: u64, stride_bytes: u32, count: u64) -> Walk {
    walk(Access::Store { to, value: 7 }, 8, stride_bytes, count)
}

/// A PPE memory path without a machine, which a test runs until nothing more happens.
pub struct Alone {
    pub path: MemoryPath,
    pub counters: PpeCounters,
    pub time: u64,
}

impl Alone {
    pub fn on(machine: &Machine) -> Alone {
        Alone { path: MemoryPath::new(machine), counters: PpeCounters::default(), time: 0 }
    }

    pub fn all(&mut self) -> Vec<Happening> {
        let mut seen = Vec::new();
        loop {
            match self.path.advance(NEVER, &mut self.counters) {
                Happening::Nothing(_) => return seen,
                happening => seen.push(happening),
            }
        }
    }

    /// The bus commands that the path sends until nothing more happens.
    pub fn sent(&mut self) -> Vec<(RequestKind, u64)> {
        let all = self.all();
        let sends = all.into_iter().filter_map(|happening| match happening {
            Happening::Send(kind, line, at) => {
                self.time = self.time.max(at);
                Some((kind, line))
            }
            _ => None,
        });
        sends.collect()
    }

    /// Delivers a line.
    pub fn answer(&mut self, line: u64) {
        self.time += 1000;
        self.path.ordered(line, false);
        self.path.arrived(line, self.time);
    }
}

fn stored(happenings: &[Happening]) -> usize {
    happenings.iter().filter(|happening| matches!(happening, Happening::Stored(..))).count()
}

#[test]
fn the_seventh_miss_waits_for_a_read_claim_machine() {
    let machine = board();
    assert_eq!(machine.ppe_memory.read_claim_machines, 6);
    let mut alone = Alone::on(&machine);
    alone.path.begin(0, stores(AT, 128, 8), 0);
    let first = AT / LINE_BYTES;
    let claims: Vec<_> = (first..first + 6).map(|line| (RequestKind::ClaimWithData, line)).collect();
    assert_eq!(alone.sent(), claims);
    assert_eq!(alone.sent(), [], "none is free");
    alone.answer(first);
    assert_eq!(alone.sent(), [(RequestKind::ClaimWithData, first + 6)]);
}

#[test]
fn loads_stores_and_prefetch_share_the_read_claim_machines() {
    let mut alone = Alone::on(&board());
    alone.path.begin(0, stores(AT, 128, 6), 0);
    assert_eq!(alone.sent().len(), 6);
    alone.path.begin(0, lines(2 * AT, 1), 1000);
    assert_eq!(alone.sent(), [], "the load has to wait");
    alone.answer(AT / LINE_BYTES);
    assert_eq!(alone.sent(), [(RequestKind::Read, 2 * AT / LINE_BYTES)]);
}

#[test]
fn the_ninth_store_waits_for_an_entry() {
    let machine = board();
    assert_eq!(machine.ppe_memory.store_queue_entries, 8);
    let mut alone = Alone::on(&machine);
    alone.path.begin(0, stores(AT, 128, 20), 0);
    assert_eq!(stored(&alone.all()), 8);
    alone.answer(AT / LINE_BYTES);
    assert_eq!(stored(&alone.all()), 1, "one entry was written, so one store continues");
}

#[test]
fn the_entries_are_for_both_threads_together() {
    let mut alone = Alone::on(&board());
    alone.path.begin(0, stores(AT, 128, 20), 0);
    alone.path.begin(1, stores(2 * AT, 128, 20), 0);
    assert_eq!(stored(&alone.all()), 8);
}

#[test]
fn stores_side_by_side_share_an_entry() {
    let machine = board();
    let together = u64::from(machine.ppe_memory.store_gather_bytes) / 8;
    for (count, ends) in [(8 * together, true), (8 * together + 1, false)] {
        let mut alone = Alone::on(&machine);
        alone.path.begin(0, stores(AT, 8, count), 0);
        let ended = alone.all().iter().any(|happening| matches!(happening, Happening::Ended(0, _)));
        assert_eq!(ended, ends, "{count} stores");
    }
}

#[test]
fn a_line_is_claimed_once_for_all_entries() {
    let mut alone = Alone::on(&board());
    alone.path.begin(0, stores(AT, 8, 16), 0);
    assert_eq!(alone.sent(), [(RequestKind::ClaimWithData, AT / LINE_BYTES)]);
}

#[test]
fn a_changed_line_is_written_back_when_its_set_is_full_and_a_clean_one_is_not() {
    let machine = board();
    let values = &machine.ppe_memory;
    let (way, ways) = (u64::from(values.l2_bytes / values.l2_ways), u64::from(values.l2_ways));
    for (count, castouts) in [(ways, 0), (ways + 1, 1), (ways + 3, 3)] {
        let ran = Check::on(&machine)
            .ppe(move |ppe| async move {
                ppe.walk(stores(AT, way as u32, count)).await;
                0
            })
            .recording_transfers()
            .run();
        let counters = &ran.record.counters;
        assert_eq!(
            (counters.ppe.castouts, counters.mics[0].writes, counters.command.writes),
            (castouts, castouts, castouts)
        );
        let ppe = machine.eib.ring.iter().position(|element| element == "PPE").unwrap() as u8;
        let sent = ran.record.transfers.iter().flatten().filter(|transfer| transfer.from == ppe);
        assert!(sent.clone().all(|transfer| u64::from(transfer.bytes) == LINE_BYTES));
        assert_eq!(sent.count() as u64, castouts);
    }
    let ran = Check::on(&machine)
        .ppe(move |ppe| async move {
            ppe.walk(walk(Access::Load { from: AT }, 8, way as u32, 3 * ways)).await;
            0
        })
        .run();
    assert_eq!(ran.record.counters.ppe.castouts, 0);
}

/// The PPE's counters after some walks.
fn counted(walks: &[Walk]) -> PpeCounters {
    let walks = walks.to_vec();
    let ran = Check::on(&board())
        .ppe(|ppe| async move {
            for walk in walks {
                ppe.walk(walk).await;
                ppe.compute(10_000).await;
            }
            0
        })
        .run();
    let counters = ran.record.counters;
    let lines_in = counters.ppe.l2_load_misses + counters.ppe.prefetches + counters.ppe.claims;
    assert_eq!(counters.mics[0].reads, lines_in, "every line comes from memory");
    counters.ppe
}

#[test]
fn a_loaded_line_hits_until_its_set_is_full() {
    let values = board().ppe_memory;
    let (way, ways) = (values.l1_bytes / values.l1_ways, u64::from(values.l1_ways));
    let set = |count| walk(Access::Load { from: AT }, 8, way, count);
    assert_eq!(counted(&[set(ways), set(ways)]).l1_load_misses, ways);
    // The walk accesses one line more than fit into the set, in order, so each line is evicted before its next access.
    assert_eq!(counted(&[set(ways + 1), set(ways + 1)]).l1_load_misses, 2 * (ways + 1));
    assert_eq!(counted(&[set(ways + 1), set(ways + 1)]).l2_load_misses, ways + 1);
}

#[test]
fn a_store_brings_its_line_into_the_l2_and_not_into_the_l1() {
    let counters = counted(&[stores(AT, 8, 1), lines(AT, 1)]);
    assert_eq!((counters.claims, counters.l1_load_misses, counters.l2_load_misses), (1, 1, 0));
    let counters = counted(&[lines(AT, 1), stores(AT, 8, 1), lines(AT, 1)]);
    assert_eq!((counters.claims, counters.l1_load_misses), (0, 1), "the line is already cached, and stays");
}

#[test]
fn prefetch_begins_with_the_second_of_two_neighbouring_misses() {
    let ahead = u64::from(board().ppe_memory.prefetch_lines);
    assert_eq!(counted(&[lines(AT, 1)]).prefetches, 0);
    let counters = counted(&[lines(AT, 2)]);
    assert_eq!((counters.l2_load_misses, counters.prefetches), (2, ahead));
    let counters = counted(&[lines(AT, 100)]);
    assert_eq!((counters.l2_load_misses, counters.prefetches), (2, 98 + ahead));
    assert_eq!(counted(&[walk(Access::Load { from: AT }, 8, 256, 100)]).prefetches, 0);
}

/// A run in which the PPE and an SPE access a cache line alternately; mailboxes synchronize the two.
fn in_turn(before: Walk, spe_puts: bool, after: Walk) -> Ran {
    let machine = without_os_cost(board());
    let spe = spe_of(&machine, 0);
    Check::on(&machine)
        .memory(AT, &pattern(1, 128))
        .spu(move |spu| async move {
            if spe_puts {
                spu.mfc_put(0x4000, AT, 128, 0).await;
            } else {
                spu.mfc_get(0x4000, AT, 128, 0).await;
            }
            wait(&spu, 0).await;
            0
        })
        .ppe(move |ppe| async move {
            ppe.walk(before).await;
            ppe.compute(10_000).await;
            ppe.load(register_ea(spe, register::SPU_MBOX_STAT), 4).await;
            ppe.thread_create(THREAD, 0).await;
            ppe.thread_join(THREAD).await;
            ppe.walk(after).await;
            0
        })
        .recording_transfers()
        .run()
}

#[test]
fn an_spes_put_takes_the_line_and_its_get_does_not() {
    let misses = |puts| in_turn(lines(AT, 1), puts, lines(AT, 1)).record.counters.ppe;
    assert_eq!((misses(true).l1_load_misses, misses(true).l2_load_misses), (2, 2));
    assert_eq!((misses(false).l1_load_misses, misses(false).l2_load_misses), (1, 1));
}

#[test]
fn an_spe_gets_a_changed_line_from_the_l2_and_the_next_store_claims_it_again() {
    let ran = in_turn(stores(AT, 8, 1), false, stores(AT, 8, 1));
    let counters = &ran.record.counters;
    assert_eq!((counters.mics[0].reads, counters.command.claims_with_data, counters.command.claims), (1, 1, 1));
    assert_eq!(counters.ppe.claims, 2);
    let machine = board();
    let ramp = |name: &str| machine.eib.ring.iter().position(|element| element == name).unwrap() as u8;
    let mut transfers = ran.record.transfers.iter().flatten();
    assert!(transfers.any(|transfer| transfer.from == ramp("PPE") && transfer.bytes == 128));
    assert_eq!(ran.local_stores[0].read_u64(0x4000), 7);
}

#[test]
fn a_line_that_is_lost_in_flight_is_used_once_and_not_kept() {
    let mut alone = Alone::on(&board());
    let line = AT / LINE_BYTES;
    alone.path.begin(0, lines(AT, 1), 0);
    assert_eq!(alone.sent().len(), 1);
    alone.path.ordered(line, false);
    alone.path.take_line(line);
    alone.path.arrived(line, 5000);
    assert!(alone.all().iter().any(|happening| matches!(happening, Happening::Ended(0, _))));
    assert_eq!(alone.path.state(line), None);
    assert_eq!(alone.counters.lines_lost, 1);
    alone.path.begin(0, lines(AT, 1), 6000);
    assert_eq!(alone.sent(), [(RequestKind::Read, line)]);
}

#[test]
fn a_getllar_shares_a_line_that_the_ppe_has() {
    let machine = without_os_cost(board());
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            spu.atomic_update(0x1000, AT, 0, |old| old + 1).await;
            0
        })
        .ppe(|ppe| async move {
            ppe.walk(lines(AT, 1)).await;
            ppe.thread_create(THREAD, 0).await;
            ppe.thread_join(THREAD).await;
            assert_eq!(ppe.load(AT, 4).await, 1);
            0
        })
        .run();
    assert_eq!(ran.record.counters.command.claims, 1, "the putllc has to claim the line");
    assert_eq!(ran.record.counters.ppe.l1_load_misses, 2, "and the PPE loses it");
}

#[test]
fn a_copy_copies_and_a_store_stores_in_every_width() {
    let source = pattern(3, 4096);
    for bytes in [1u8, 2, 4, 8, 16] {
        let count = 1000 / u64::from(bytes);
        let ran = Check::on(&board())
            .memory(AT + 16, &source)
            .ppe(move |ppe| async move {
                let stride = u32::from(bytes);
                ppe.walk(walk(Access::Copy { from: AT + 16, to: 2 * AT }, bytes, stride, count)).await;
                ppe.walk(walk(Access::Store { to: 3 * AT, value: 0x0102_0304_0506_0708 }, bytes, 2 * stride, 3)).await;
                0
            })
            .run();
        let moved = (count * u64::from(bytes)) as usize;
        assert_eq!(ran.memory.bytes(2 * AT, moved), source[..moved], "{bytes}");
        assert_eq!(ran.memory.bytes(2 * AT + moved as u64, 8), [0; 8]);
        let n = usize::from(bytes);
        let element: Vec<u8> = (0..16).map(|i| i % 8 + 1).collect();
        let wanted = [&element[(16 - n.min(8)) % 8..][..n], &vec![0; n][..]].concat();
        assert_eq!(ran.memory.bytes(3 * AT + 4 * n as u64, 2 * n), wanted, "{bytes}");
    }
}

#[test]
fn walks_that_cannot_be_are_refused_in_one_line() {
    let refused = |walk: Walk, rule: &str| {
        let error = Check::on(&board())
            .ppe(move |ppe| async move {
                ppe.walk(walk).await;
                0
            })
            .error();
        assert_eq!(error.to_string(), format!("PPE, bus cycle 0, walk: {rule}"));
    };
    let machine = board();
    let sizes = "an element is of 1, 2, 4, 8 or 16 bytes, and the distance a multiple of that";
    refused(walk(Access::Load { from: AT }, 3, 3, 1), &format!("3 bytes every 3: {sizes}"));
    refused(walk(Access::Load { from: AT }, 8, 12, 1), &format!("8 bytes every 12: {sizes}"));
    refused(walk(Access::Load { from: AT + 8 }, 16, 16, 1), "16 bytes at 0x100008: elements are aligned to their size");
    let ea = ls_ea(&machine, 0, 0);
    refused(walk(Access::Load { from: ea }, 8, 8, 1), &format!("1 elements from {ea:#x} on are not in main memory"));
    refused(stores(AT, 1 << 31, u64::MAX), &format!("{} elements from 0x100000 on are not in main memory", u64::MAX));
    assert!(cell::ea::decode(&machine, AT, 8) == Some(Target::Memory(AT)));
}
