//! Tests of the calendar and the store: each is compared with its simplest possible implementation.

use cell::calendar::{Calendar, Stage};
use cell::store::{Store, copy};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Stages with events; `LAST` is an upper limit of the stages in these tests.
const LANES: usize = 3;
const LAST: Stage = 100;

/// An operation on a calendar: add an event or wake a unit some cycles from now, take the next due item, or advance
/// through idle cycles.
#[derive(Clone, Copy, Debug)]
enum Act {
    Push(u64, Stage),
    Wake(u64, Stage),
    Take,
    Idle(u64),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    // Distances at the limits of the calendar's horizon and of the words in its bitmap, and far beyond.
    let distance = || {
        prop_oneof![
            3 => 0..70u64,
            2 => 250..260u64,
            1 => 500..520u64,
            1 => 0..100_000u64,
            1 => Just(1u64 << 40),
        ]
    };
    let lanes = 0..LANES as Stage;
    let units = prop_oneof![LANES as Stage..8, 60..70u8, LAST - 3..LAST];
    let act = prop_oneof![
        (distance(), lanes).prop_map(|(distance, lane)| Act::Push(distance, lane)),
        (distance(), units).prop_map(|(distance, unit)| Act::Wake(distance, unit)),
        Just(Act::Take),
        distance().prop_map(Act::Idle),
    ];
    proptest::collection::vec(act, 0..200)
}

/// Reference calendar of plain maps: pending items sorted by time, stage and order of insertion.
#[derive(Default)]
struct PlainCalendar {
    now: u64,
    events: BTreeMap<(u64, Stage, usize), usize>,
    wakes: BTreeMap<Stage, u64>,
}

impl PlainCalendar {
    /// All pending items, sorted by time and stage, with the numbers of the events.
    fn to_come(&self) -> Vec<(u64, Stage, Option<usize>)> {
        let events = self.events.iter().map(|((at, lane, _), number)| (*at, *lane, Some(*number)));
        let wakes = self.wakes.iter().map(|(unit, at)| (*at, *unit, None));
        let mut all: Vec<_> = events.chain(wakes).collect();
        all.sort_by_key(|(at, stage, _)| (*at, *stage));
        all
    }

    fn take(&mut self) -> Option<(u64, Stage, Option<usize>)> {
        let first = *self.to_come().first()?;
        let (at, stage, event) = first;
        match event {
            Some(number) => self.events.remove(&(at, stage, number)),
            None => self.wakes.remove(&stage).map(|_| 0),
        };
        self.now = at;
        Some(first)
    }
}

/// Takes the next due item of a calendar.
fn take(calendar: &mut Calendar<usize, LANES>) -> Option<(u64, Stage, Option<usize>)> {
    if calendar.stage().is_none() && !calendar.advance() {
        return None;
    }
    let stage = calendar.stage()?;
    let event = if usize::from(stage) < LANES { calendar.pop(stage) } else { None };
    if event.is_none() {
        calendar.take_wake(stage);
    }
    Some((calendar.now(), stage, event))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_calendar_is_a_map_by_time_stage_and_order(acts in acts()) {
        let (mut calendar, mut plain) = (Calendar::<usize, LANES>::new(), PlainCalendar::default());
        for (number, act) in acts.into_iter().enumerate() {
            match act {
                Act::Push(distance, lane) => {
                    calendar.push(calendar.now() + distance, lane, number);
                    plain.events.insert((plain.now + distance, lane, number), number);
                }
                Act::Wake(distance, unit) => {
                    calendar.wake(calendar.now() + distance, unit);
                    let wakes_at = plain.wakes.entry(unit).or_insert(u64::MAX);
                    *wakes_at = (*wakes_at).min(plain.now + distance);
                    prop_assert_eq!(calendar.wakes_at(unit), *wakes_at);
                }
                Act::Take => prop_assert_eq!(take(&mut calendar), plain.take()),
                Act::Idle(distance) => {
                    let at = plain.now + distance;
                    let is_due = plain.to_come().first().is_some_and(|(first, ..)| *first <= at);
                    // A superseded wake may keep the calendar from advancing.
                    if calendar.advance_idle(at) {
                        prop_assert!(!is_due);
                        plain.now = at;
                    }
                }
            }
            let expected = plain.to_come();
            prop_assert_eq!(calendar.next_at(), expected.first().map(|(at, ..)| *at));
            let mut listed = Vec::new();
            calendar.for_each(|distance, stage, event| listed.push((calendar.now() + distance, stage, event.copied())));
            prop_assert_eq!(listed, expected);
        }
    }
}

const SIZE: usize = 4096;

/// An operation on a store.
#[derive(Clone, Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Word(u64, u32),
    DoubleWord(u64, u64),
    /// Copies at most one cache line within the store. The fields are source, destination and number of bytes.
    Copy(u64, u64, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let address = || 0..2 * SIZE as u64;
    let change = prop_oneof![
        (address(), proptest::collection::vec(any::<u8>(), 0..400)).prop_map(|(at, bytes)| Change::Write(at, bytes)),
        (address(), any::<u32>()).prop_map(|(at, word)| Change::Word(at, word)),
        (address(), any::<u64>()).prop_map(|(at, word)| Change::DoubleWord(at, word)),
        (address(), 0..SIZE as u64 / 128, 0..=128usize).prop_map(|(from, line, n)| Change::Copy(from, 128 * line, n)),
    ];
    proptest::collection::vec(change, 0..30)
}

fn write_plainly(plain: &mut [u8], at: u64, bytes: &[u8]) {
    for (i, byte) in bytes.iter().enumerate() {
        plain[(at as usize + i) % SIZE] = *byte;
    }
}

fn apply(store: &mut Store, plain: &mut [u8], change: &Change) {
    match change {
        Change::Write(at, bytes) => {
            store.write(*at, bytes);
            write_plainly(plain, *at, bytes);
        }
        Change::Word(at, word) => {
            store.write_u32(*at, *word);
            write_plainly(plain, *at, &word.to_be_bytes());
        }
        Change::DoubleWord(at, word) => {
            store.write_u64(*at, *word);
            write_plainly(plain, *at, &word.to_be_bytes());
        }
        Change::Copy(from, to, n) => {
            let source = store.clone();
            copy(&source, *from, store, *to, *n);
            let bytes: Vec<u8> = (0..*n).map(|i| plain[(*from as usize + i) % SIZE]).collect();
            write_plainly(plain, *to, &bytes);
        }
    }
}

fn words(plain: &[u8]) -> Vec<u32> {
    plain.chunks(4).map(|word| u32::from_be_bytes(word.try_into().expect("four bytes"))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_store_is_a_row_of_bytes_that_wraps(changes in changes(), page in 7..13u32) {
        let (mut store, mut plain) = (Store::new(SIZE as u64, 1 << page), vec![0; SIZE]);
        for change in &changes {
            apply(&mut store, &mut plain, change);
        }
        prop_assert!(store.bytes(0, SIZE) == plain);
        for at in [0, 5, 127, 130, SIZE - 2] {
            let turned: Vec<u8> = (0..8).map(|i| plain[(at + i) % SIZE]).collect();
            prop_assert_eq!(store.read_u64(at as u64), u64::from_be_bytes(turned.clone().try_into().expect("eight bytes")));
            prop_assert_eq!(store.read_u32(at as u64), u32::from_be_bytes(turned[..4].try_into().expect("four bytes")));
        }
    }

    #[test]
    fn changes_recorded_by_the_journal_can_be_repeated(before in changes(), period in changes(), times in 0..1000u64, of_changes: bool) {
        let (mut store, mut plain) = (Store::new(SIZE as u64, 256), vec![0; SIZE]);
        before.iter().for_each(|change| apply(&mut store, &mut plain, change));
        store.open_journal(of_changes);
        let old = words(&plain);
        period.iter().for_each(|change| apply(&mut store, &mut plain, change));
        let new = words(&plain);
        let changes = store.changes();
        prop_assert_eq!(changes.is_empty(), old == new);
        prop_assert!(store.has_recorded() || old == new);
        store.repeat(&changes, times);
        let expected: Vec<u32> = old.iter().zip(&new)
            .map(|(old, new)| new.wrapping_add(new.wrapping_sub(*old).wrapping_mul(times as u32)))
            .collect();
        prop_assert_eq!(words(&store.bytes(0, SIZE)), expected);
        store.open_journal(false);
        prop_assert!(store.changes().is_empty());
    }
}
