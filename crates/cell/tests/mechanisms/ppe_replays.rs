//! Tests of loads that miss the PPE's L1 but hit its L2, and of touched lines.

use super::ppe_memory::{AT, Alone, stores, walk};
use crate::common::board;
use cell::door::{Access, Walk};
use cell::ppe::Happening;
use cell::request::RequestKind;
use cell::units::LINE_BYTES;

/// A path whose L2 has lines that the L1 lacks: two for each thread.
fn in_the_l2() -> (Alone, u64) {
    let mut alone = Alone::on(&board());
    alone.path.begin(0, stores(AT, 128, 4), 0);
    alone.all();
    (AT / LINE_BYTES..AT / LINE_BYTES + 4).for_each(|line| alone.answer(line));
    alone.all();
    let begins = alone.time + 1000;
    (alone, begins)
}

/// The loads of a thread from its first line in [`in_the_l2`].
fn loads(thread: usize, count: u64) -> Walk {
    walk(Access::Load { from: AT + 256 * thread as u64 }, 8, 8, count)
}

#[test]
fn a_load_that_misses_the_l1_has_its_value_after_the_time_of_the_l2_and_loads_behind_it_follow_in_order() {
    let values = board().ppe_memory;
    for count in 1..4 {
        let (mut alone, begins) = in_the_l2();
        alone.path.begin(0, loads(0, count), begins);
        assert!(alone.all().contains(&Happening::Ended(0, begins + count)), "the thread runs ahead");
        let first = begins + values.access_spu_cycles + values.l2_load_spu_cycles + values.replay_spu_cycles;
        assert_eq!(alone.path.replayed_at(0), first + (count - 1) * values.replay_spu_cycles);
    }
}

#[test]
fn a_thread_runs_ahead_by_the_entries_and_no_farther() {
    let values = board().ppe_memory;
    assert_eq!((values.replay_entries, values.replay_spu_cycles, values.l2_load_spu_cycles), (8, 8, 30));
    for (count, waits) in [(5, 0), (6, 2), (7, 9)] {
        let (mut alone, begins) = in_the_l2();
        alone.path.begin(0, loads(0, count), begins);
        assert!(alone.all().contains(&Happening::Ended(0, begins + count + waits)), "{count} loads");
    }
}

#[test]
fn threads_whose_loads_miss_take_turns() {
    let values = board().ppe_memory;
    let (mut alone, begins) = in_the_l2();
    (0..2).for_each(|thread| alone.path.begin(thread, loads(thread, 1), begins));
    alone.all();
    let first = alone.path.replayed_at(1);
    assert_eq!(alone.path.replayed_at(0), first + values.l2_line_spu_cycles, "the L2 supplies one line at a time");
    for (at, waits) in [(first - 1, values.replay_beside_spu_cycles), (first, 0)] {
        let mut alone = Alone { path: alone.path.clone(), ..Alone::on(&board()) };
        alone.path.begin(1, loads(1, 1), at);
        alone.all();
        assert_eq!(alone.path.replayed_at(1), first + waits);
    }
    let (mut alone, begins) = in_the_l2();
    alone.path.begin(1, loads(1, 2), begins);
    alone.all();
    assert_eq!(alone.path.replayed_at(1), first + values.replay_spu_cycles);
}

#[test]
fn a_line_for_the_l1_waits_while_the_l2_takes_a_store() {
    let values = board().ppe_memory;
    let (mut alone, begins) = in_the_l2();
    alone.path.begin(1, stores(AT + 128, 64, 2), begins);
    // The second store closes the first store's entry, which is written.
    alone.path.begin(0, loads(0, 1), begins + values.store_spu_cycles + 1);
    alone.all();
    let written = begins + values.store_spu_cycles + values.l2_store_spu_cycles;
    assert_eq!(alone.path.replayed_at(0), written + values.l2_load_spu_cycles + values.replay_spu_cycles);
}

#[test]
fn a_touched_line_is_in_both_caches_and_the_thread_does_not_wait() {
    let touch = |store| walk(Access::Touch { from: AT, store }, 8, 8, 1);
    let mut alone = Alone::on(&board());
    alone.path.begin(0, touch(false), 0);
    let all = alone.all();
    assert!(all.contains(&Happening::Ended(0, board().ppe_memory.access_spu_cycles)));
    assert!(matches!(
        all[..],
        [_, Happening::Send(RequestKind::Read, ..)] | [Happening::Send(RequestKind::Read, ..), _]
    ));
    alone.answer(AT / LINE_BYTES);
    alone.all();
    assert!(alone.path.load_hits(AT / LINE_BYTES));
    let mut alone = Alone::on(&board());
    alone.path.begin(0, touch(true), 0);
    assert_eq!(alone.sent(), [(RequestKind::ClaimWithData, AT / LINE_BYTES)]);
    alone.answer(AT / LINE_BYTES);
    alone.all();
    assert!(alone.path.store_hits(AT / LINE_BYTES) && !alone.path.load_hits(AT / LINE_BYTES));
}

#[test]
fn a_touch_without_a_free_read_claim_machine_has_no_effect() {
    let mut alone = Alone::on(&board());
    alone.path.begin(0, walk(Access::Touch { from: AT, store: false }, 8, 128, 7), 0);
    assert_eq!(alone.sent().len(), 6);
    (0..6).for_each(|nth| alone.answer(AT / LINE_BYTES + nth));
    assert_eq!(alone.sent(), []);
}
