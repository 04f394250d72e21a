//! Memory walks by the PPE's threads, each as one operation or element by element, with and without fast-forward.

use crate::common::{Check, Ran, board, without_os_cost};
use cell::coroutine::{Ppe, ppe_program};
use cell::door::{Access, Walk};
use cell::machine::Machine;
use cell::units::ThreadId;
use proptest::prelude::*;

/// A board whose caches are so small that short walks exceed them.
fn small_caches() -> Machine {
    let mut machine = without_os_cost(board());
    machine.ppe_memory.l1_bytes = 2048;
    machine.ppe_memory.l2_bytes = 8192;
    machine
}

fn walk() -> impl Strategy<Value = Walk> {
    let places = (0u64..6, 0u64..6).prop_map(|(from, to)| (0x10_0000 + 0x700 * from, 0x10_8000 + 0x800 * to));
    (places, 0u8..3, 0u32..5, prop_oneof![3 => Just(1u32), 1 => Just(2), 1 => Just(8)], 0u64..300).prop_map(
        |((from, to), access, size, apart, count)| {
            let access = match access {
                0 => Access::Load { from },
                1 => Access::Store { to, value: 0x1122_3344_5566_7788 },
                _ => Access::Copy { from, to },
            };
            Walk { access, bytes: 1 << size, stride_bytes: apart << size, count }
        },
    )
}

fn walks() -> impl Strategy<Value = Vec<Walk>> {
    proptest::collection::vec(walk(), 0..4)
}

/// Moves the stores of a walk to separate addresses. If two threads store to the same bytes at the same time, the
/// order of the stores may differ, because a whole walk moves its bytes line by line.
fn apart(walk: Walk) -> Walk {
    let access = match walk.access {
        Access::Load { from } => Access::Load { from },
        Access::Store { to, value } => Access::Store { to: to + 0x8000, value },
        Access::Own { to } => Access::Own { to: to + 0x8000 },
        Access::Touch { .. } => walk.access,
        Access::Copy { from, to } => Access::Copy { from, to: to + 0x8000 },
    };
    Walk { access, ..walk }
}

/// Form of a walk: one operation for the whole walk, or one operation per element.
#[derive(Clone, Copy, PartialEq)]
enum How {
    Whole,
    ByElement,
}

async fn go(ppe: &Ppe, walk: Walk, how: How) {
    if how == How::Whole {
        return ppe.walk(walk).await;
    }
    for offset in (0..walk.count).map(|nth| nth * u64::from(walk.stride_bytes)) {
        let access = match walk.access {
            Access::Load { from } => Access::Load { from: from + offset },
            Access::Store { to, value } => Access::Store { to: to + offset, value },
            Access::Own { to } => Access::Own { to: to + offset },
            Access::Touch { from, store } => Access::Touch { from: from + offset, store },
            Access::Copy { from, to } => Access::Copy { from: from + offset, to: to + offset },
        };
        ppe.walk(Walk { access, count: 1, ..walk }).await;
    }
}

/// Two threads repeat their walks. An SPE may access the same lines by DMA.
fn check(walks: &[Vec<Walk>; 2], laps: u64, how: How, spe: bool) -> Check {
    let mut check = Check::on(&small_caches());
    if spe {
        check = check.spu(move |spu| async move {
            let mut iterations = spu.iterations(20 * laps);
            while iterations.next().await {
                spu.mfc_get(0x4000, 0x10_0000, 2048, 0).await;
                spu.mfc_put(0x8000, 0x10_8000, 512, 0).await;
                crate::common::wait(&spu, 0).await;
            }
            0
        });
    }
    for (thread, walks) in walks.clone().into_iter().enumerate() {
        check = check.ppe(move |ppe| async move {
            if spe && thread == 0 {
                ppe.thread_create(ThreadId(0), 0).await;
            }
            let mut iterations = ppe.iterations(laps);
            while iterations.next().await {
                for walk in &walks {
                    go(&ppe, *walk, how).await;
                }
                ppe.compute(3).await;
            }
            if spe && thread == 0 {
                ppe.thread_join(ThreadId(0)).await;
            }
            0
        });
    }
    check
}

fn same(one: &Ran, other: &Ran) -> Result<(), TestCaseError> {
    prop_assert_eq!(&one.record, &other.record);
    prop_assert!(one.memory.bytes(0x10_0000, 0x2_0000) == other.memory.bytes(0x10_0000, 0x2_0000));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_walk_takes_as_long_as_its_elements_one_by_one(one in walks(), other in walks(), laps in 1u64..3) {
        let walks = [one, other.into_iter().map(apart).collect()];
        let (whole, by_element) = (How::Whole, How::ByElement);
        same(&check(&walks, laps, whole, false).run(), &check(&walks, laps, by_element, false).run())?;
    }

    #[test]
    fn skipping_laps_changes_nothing(one in walks(), other in walks(), laps in 1u64..60, spe in any::<bool>()) {
        let walks = [one, other];
        let long = check(&walks, laps, How::Whole, spe).run();
        same(&long, &check(&walks, laps, How::Whole, spe).fast_forward().run())?;
        let counters = &long.record.counters;
        let lines = counters.ppe.l2_load_misses + counters.ppe.prefetches + counters.command.claims_with_data;
        let castouts = counters.ppe.castouts;
        if !spe {
            prop_assert_eq!((lines, castouts), (counters.mics[0].reads, counters.mics[0].writes), "reads and writes of memory match");
            prop_assert_eq!(counters.command.to_memory, lines + castouts + counters.command.claims);
        }
    }
}

#[test]
fn laps_are_skipped_at_every_level_of_the_caches() {
    // The full run would take hours.
    for bytes in [1 << 14, 1 << 18] {
        let lap = Walk { access: Access::Load { from: 0x10_0000 }, bytes: 1, stride_bytes: 1, count: bytes };
        let mut check = Check::on(&board()).limit(u64::MAX).fast_forward();
        check = check.ppe(move |ppe| async move {
            let mut iterations = ppe.iterations(1_000_000_000);
            while iterations.next().await {
                ppe.walk(lap).await;
            }
            0
        });
        assert!(check.run().record.bus_cycles > 1_000_000_000 * bytes / 2);
    }
}

#[test]
fn an_idle_thread_does_not_slow_the_other() {
    let lap = Walk { access: Access::Load { from: 0x10_0000 }, bytes: 4, stride_bytes: 4, count: 5000 };
    let run = |second: bool| {
        let mut system = cell::system::System::new(&board(), cell::placement::Placement::default_of(&board()));
        for walk in [lap, Walk { count: 0, ..lap }].into_iter().take(1 + usize::from(second)) {
            system.load_ppe(ppe_program(move |ppe| async move {
                ppe.walk(walk).await;
                0
            }));
        }
        system.run(u64::MAX, || true).unwrap().bus_cycles
    };
    assert_eq!(run(false), run(true));
}
