//! Exact fast-forward: the record and all bytes equal those of the full run.

use crate::common::{Check, board, ls_ea, without_os_cost};
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::units::ThreadId;
use proptest::prelude::*;

/// An action within an iteration. All actions keep the promises that a program makes with a mark.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Get { bytes: u32, wait: bool },
    Put { bytes: u32, wait: bool },
    PutNext { bytes: u32 },
    Compute { cycles: u64 },
    AddShared,
    AddOwn,
    CountInLocalStore,
}

fn deed() -> impl Strategy<Value = Deed> {
    let bytes = || prop_oneof![Just(16u32), Just(128), Just(1024), Just(4096)];
    prop_oneof![
        3 => (bytes(), any::<bool>()).prop_map(|(bytes, wait)| Deed::Get { bytes, wait }),
        2 => (bytes(), any::<bool>()).prop_map(|(bytes, wait)| Deed::Put { bytes, wait }),
        1 => bytes().prop_map(|bytes| Deed::PutNext { bytes }),
        2 => (0..300u64).prop_map(|cycles| Deed::Compute { cycles }),
        1 => Just(Deed::AddShared),
        1 => Just(Deed::AddOwn),
        1 => Just(Deed::CountInLocalStore),
    ]
}

/// A loop: the number of iterations, and the actions of each iteration.
type Loop = (u64, Vec<Deed>);

async fn run_loop(spu: &Spu, thread: u64, next: u64, (n, deeds): Loop) {
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        for deed in &deeds {
            match *deed {
                Deed::Get { bytes, wait } => {
                    spu.mfc_get(0x8000, 0x10_0000 + 0x1_0000 * thread, bytes, 0).await;
                    wait_if(spu, wait).await;
                }
                Deed::Put { bytes, wait } => {
                    spu.mfc_put(0x10000, 0x20_0000 + 0x1_0000 * thread, bytes, 0).await;
                    wait_if(spu, wait).await;
                }
                Deed::PutNext { bytes } => spu.mfc_put(0x10000, next, bytes, 0).await,
                Deed::Compute { cycles } => spu.compute(cycles).await,
                Deed::AddShared => _ = spu.atomic_update(0x1000, 0x30_0000, 10, |old| old.wrapping_add(3)).await,
                Deed::AddOwn => {
                    spu.atomic_update(0x1080, 0x31_0000 + 128 * thread, 10, |old| old.wrapping_sub(1)).await;
                }
                Deed::CountInLocalStore => {
                    let count = spu.ls().read_u32(0x2000);
                    spu.ls().write_u32(0x2000, count.wrapping_add(1));
                }
            }
        }
        wait_if(spu, true).await;
    }
}

async fn wait_if(spu: &Spu, wait: bool) {
    if wait {
        crate::common::wait(spu, 0).await;
    }
}

/// A run of loops: one list of loops for each thread.
fn check(machine: &Machine, programs: &[Vec<Loop>]) -> Check {
    let threads = programs.len() as u8;
    let mut check = Check::on(machine);
    for (thread, loops) in programs.iter().enumerate() {
        let next = ls_ea(machine, (thread as u8 + 1) % threads, 0x18000);
        let loops = loops.clone();
        check = check.spu(move |spu| async move {
            for part in loops {
                run_loop(&spu, thread as u64, next, part).await;
            }
            0
        });
    }
    check
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_record_and_every_byte_are_those_of_the_full_run(
        programs in proptest::collection::vec(
            proptest::collection::vec((1..400u64, proptest::collection::vec(deed(), 0..4)), 1..3),
            1..4,
        ),
    ) {
        let machine = board();
        let long = check(&machine, &programs).run();
        let short = check(&machine, &programs).fast_forward().run();
        let command = &long.record.counters.command;
        let kinds = command.reads + command.writes + command.line_reads;
        let kinds = kinds + command.claims_with_data + command.claims + command.syncs;
        prop_assert_eq!(command.ordered, kinds);
        prop_assert_eq!(command.ordered, command.from_mfcs + command.from_atomic_units + command.from_ppe);
        let targets = command.to_memory + command.to_local_stores + command.to_registers;
        prop_assert_eq!(command.ordered, targets + command.syncs);
        prop_assert_eq!(long.record, short.record);
        prop_assert!(long.memory.bytes(0x10_0000, 0x30_0000) == short.memory.bytes(0x10_0000, 0x30_0000));
        for (long, short) in long.local_stores.iter().zip(&short.local_stores) {
            prop_assert!(long.bytes(0, 0x40000) == short.bytes(0, 0x40000));
        }
    }
}

/// A loop whose iterations tour the places of the local stores.
#[derive(Clone, Copy, Debug)]
struct Tour {
    iterations: u64,
    /// Number of iterations in the tour, each of which issues `commands` commands in each of its directions.
    parts: u32,
    commands: u32,
    lines: u32,
    gets: bool,
    puts: bool,
    /// Distance of the threads that share a destination; 0 if each thread has a destination of its own.
    shared: u32,
    /// Lines between the places of a command's source and its destination.
    shift: u32,
    wait: bool,
    cycles: u64,
}

/// Lines of the area through which a tour leads; the area begins at a multiple of its size.
const AREA_LINES: u32 = 256;

prop_compose! {
    fn tours()(
        iterations in 1..1500u64,
        (parts, commands) in (1..=16u32, 1..=4u32),
        lines in prop::sample::select(&[1u32, 1, 2, 4][..]),
        (gets, puts) in (any::<bool>(), any::<bool>()),
        shared in 0..3u32,
        shift in prop::option::weighted(0.3, 0..8u32),
        wait: bool,
        cycles in 0..200u64,
    ) -> Tour {
        Tour { iterations, parts, commands, lines, gets, puts, shared, shift: shift.unwrap_or(0), wait, cycles }
    }
}

async fn make_tours(spu: &Spu, thread: u32, next: u64, tour: Tour) {
    let Tour { iterations, parts, commands, lines, .. } = tour;
    let area = |nth: u32| 128 * AREA_LINES * nth;
    for word in 0..area(1) / 4 {
        spu.ls().write_u32(u64::from(area(1) + 4 * word), (thread + 1).wrapping_mul(word / 32 * 40_503));
    }
    let mut laps = spu.iterations_in_tours(iterations, parts);
    while laps.next().await {
        let part = ((iterations - laps.left() - 1) % u64::from(parts)) as u32;
        for command in 0..commands {
            let at = |line: u32| 128 * (line % AREA_LINES / lines * lines);
            let first = (part * commands + command) * lines;
            let (here, there) = (at(first), at(first + tour.shift));
            if tour.gets {
                spu.mfc_get(area(2) + here, next + u64::from(area(1) + there), 128 * lines, 0).await;
            }
            if tour.puts {
                let destination = if tour.shared == 0 { 4 } else { 4 + thread % tour.shared };
                spu.mfc_put(area(1) + here, next + u64::from(area(destination) + there), 128 * lines, 0).await;
            }
            spu.compute(tour.cycles).await;
        }
        wait_if(spu, tour.wait).await;
    }
    wait_if(spu, true).await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tours_leave_every_byte_as_the_full_run_does(
        programs in proptest::collection::vec(proptest::collection::vec(tours(), 1..3), 1..5),
        to_one: bool,
    ) {
        let machine = without_os_cost(board());
        let check = || {
            let threads = programs.len() as u8;
            (0..threads).zip(&programs).fold(Check::on(&machine), |check, (thread, tours)| {
                let next = ls_ea(&machine, if to_one { 0 } else { (thread + 1) % threads }, 0);
                let tours = tours.clone();
                check.spu(move |spu| async move {
                    for tour in tours {
                        make_tours(&spu, u32::from(thread), next, tour).await;
                    }
                    0
                })
            })
        };
        let (long, short) = (check().run(), check().fast_forward().run());
        prop_assert_eq!(long.record, short.record);
        for (long, short) in long.local_stores.iter().zip(&short.local_stores) {
            prop_assert!(long.bytes(0, 0x40000) == short.bytes(0, 0x40000));
        }
    }
}

#[test]
fn a_thread_that_runs_its_loop_again_is_run_again() {
    let machine = without_os_cost(board());
    let check = || {
        Check::on(&machine)
            .spu_with_argument(|spu, argument| async move {
                run_loop(&spu, 0, 0, (argument, vec![Deed::Get { bytes: 128, wait: true }, Deed::CountInLocalStore]))
                    .await;
                0
            })
            .ppe(|ppe| async move {
                for iterations in [60, 7, 300, 60, 3] {
                    ppe.thread_create(ThreadId(0), iterations).await;
                    ppe.thread_join(ThreadId(0)).await;
                }
                0
            })
    };
    let (long, short) = (check().run(), check().fast_forward().run());
    assert_eq!(long.record, short.record);
    assert_eq!(short.local_stores[0].read_u32(0x2000), 60 + 7 + 300 + 60 + 3);
}

#[test]
fn a_queue_without_events_is_counted_for_the_skipped_iterations() {
    // One thread's list command stalls for the duration of the other thread's loop, with no event in its queue
    // meanwhile.
    const LIST: u32 = 0x3000;
    let machine = board();
    let check = || {
        let first = ls_ea(&machine, 0, 0x8000);
        let mailbox = cell::ea::register_ea(crate::common::spe_of(&machine, 0), cell::ea::register::SPU_IN_MBOX);
        Check::on(&machine)
            .spu(|spu| async move {
                spu.ls().write_u64(u64::from(LIST), 1 << 63 | 16 << 32 | 0x8000);
                spu.ls().write_u64(u64::from(LIST) + 8, 16 << 32 | 0x8010);
                spu.mfc_getl(0x2000, 0, LIST, 16, 3).await;
                spu.mfc_read_list_stall_status().await;
                spu.spu_read_in_mbox().await;
                spu.mfc_write_list_stall_ack(3).await;
                crate::common::wait(&spu, 3).await;
                0
            })
            .spu(move |spu| async move {
                run_loop(&spu, 1, first, (5000, vec![Deed::PutNext { bytes: 128 }, Deed::Compute { cycles: 20 }]))
                    .await;
                spu.mfc_put(0x400c, mailbox, 4, 0).await;
                0
            })
    };
    let (long, short) = (check().run(), check().fast_forward().run());
    assert_eq!(long.record, short.record);
    assert!(short.record.counters.spes[0].spu_queue_command_bus_cycles > 5000 * 20);
}

#[test]
fn iterations_are_skipped() {
    // The full run would take hours.
    let deeds = vec![Deed::Get { bytes: 4096, wait: true }, Deed::CountInLocalStore];
    let programs = [vec![(1_000_000_000, deeds)]];
    let mut check = check(&board(), &programs).limit(u64::MAX).fast_forward();
    check = check.memory(0, &[0]);
    let ran = check.run();
    assert_eq!(ran.local_stores[0].read_u32(0x2000), 1_000_000_000);
    assert_eq!(ran.record.counters.spes[0].get_bytes, 4096 * 1_000_000_000);
}
