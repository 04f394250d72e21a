//! Tests of searches with an arbitrary cost function.

use place::search::{All, Local, LocalOptions, Search, minimise, placements};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A cost with many local optima, and many placements that cost the same.
fn rugged(placement: &[usize]) -> u64 {
    let mixed = placement.iter().enumerate().map(|(i, core)| (i as u64 * 31 + *core as u64 * 17) % 23);
    mixed.sum::<u64>() % 50 + placement[0] as u64
}

fn options(seed: u64, starts: u64, evaluations: u64) -> LocalOptions {
    LocalOptions { seed, starts, evaluations, first: Vec::new() }
}

/// Runs a search on [`rugged`] and returns all placements that it asks for.
fn asked(search: &mut impl Search, batch: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    loop {
        let asked = search.ask(batch).to_vec();
        assert!(asked.len() <= batch);
        if asked.is_empty() {
            return all;
        }
        let costs: Vec<u64> = asked.iter().map(|placement| rugged(placement)).collect();
        search.tell(&costs).unwrap();
        all.extend(asked);
    }
}

proptest! {
    #[test]
    fn all_placements_are_all_in_lexical_order(threads in 1..5usize, spare in 0..3usize, batch in 1..200usize) {
        let cores = threads + spare;
        let mut search = All::new(threads, cores).unwrap();
        let listed = asked(&mut search, batch);
        prop_assert_eq!(listed.len() as u64, placements(threads, cores));
        prop_assert!(listed.is_sorted_by(|a, b| a < b));
        let different = |placement: &Vec<usize>| placement.iter().collect::<BTreeSet<_>>().len() == threads;
        let proper = listed.iter().all(|placement| different(placement) && placement.iter().all(|&core| core < cores));
        prop_assert!(proper);
        // For any batch size, the search must return the first of the cheapest placements.
        let best = listed.iter().min_by_key(|placement| rugged(placement)).unwrap();
        prop_assert_eq!(search.best(), Some((best.as_slice(), rugged(best))));
    }

    #[test]
    fn a_descent_ends_where_no_neighbour_is_better(
        threads in 1..6usize, spare in 0..3usize, seed: u64, batch in 1..100usize
    ) {
        let cores = threads + spare;
        let mut search = Local::new(threads, cores, options(seed, 1, u64::MAX)).unwrap();
        let listed = asked(&mut search, batch);
        prop_assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len());
        prop_assert_eq!(listed.len() as u64, search.told());
        let (best, cost) = search.best().unwrap();
        for i in 0..threads {
            for core in 0..cores {
                let mut neighbour = best.to_vec();
                if let Some(other) = best.iter().position(|&of_other| of_other == core) {
                    neighbour[other] = best[i];
                }
                neighbour[i] = core;
                prop_assert!(rugged(&neighbour) >= cost);
            }
        }
    }

    #[test]
    fn equal_seeds_ask_the_same(seed: u64, batch in 1..100usize) {
        let listed = || asked(&mut Local::new(5, 7, options(seed, 4, 300)).unwrap(), batch);
        prop_assert_eq!(listed(), listed());
        prop_assert!(listed().len() <= 300);
    }
}

#[test]
fn enough_starts_find_the_best_of_all_and_then_stop() {
    let best = minimise(&mut All::new(5, 6).unwrap(), 1, rugged, || true).unwrap();
    let mut local = Local::new(5, 6, options(0, u64::MAX, u64::MAX)).unwrap();
    assert_eq!(minimise(&mut local, 1, rugged, || true).unwrap().1, best.1);
    assert_eq!(local.told(), placements(5, 6));
}

#[test]
fn a_batch_is_filled_with_the_next_descents() {
    // 8 threads on 8 cores have 28 neighbours.
    assert_eq!(Local::new(8, 8, options(0, 1, u64::MAX)).unwrap().ask(1000).len(), 29);
    assert_eq!(Local::new(8, 8, options(0, 10, u64::MAX)).unwrap().ask(1000).len(), 290);
    assert_eq!(Local::new(8, 8, options(0, 10, 50)).unwrap().ask(1000).len(), 50);
}

#[test]
fn placements_of_ones_own_come_first_and_the_best_of_them_descends() {
    let first = vec![vec![3, 0, 1, 2], vec![1, 2, 0, 3]];
    let mut search = Local::new(4, 4, LocalOptions { first: first.clone(), ..options(0, 1, u64::MAX) }).unwrap();
    assert_eq!(search.ask(1), &first[..1]);
    search.tell(&[9]).unwrap();
    assert_eq!(search.ask(1), &first[1..]);
    search.tell(&[8]).unwrap();
    // The descent starts at the second placement, because it is cheaper: its first neighbour is next.
    assert_eq!(search.ask(1), [[2, 1, 0, 3]]);
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    assert!(All::new(0, 3).unwrap_err().contains("0 threads"));
    assert!(All::new(4, 3).unwrap_err().contains("4 threads do not fit on 3 cores"));
    assert!(Local::new(2, 3, options(0, 0, 1)).unwrap_err().contains("starts 0"));
    assert!(Local::new(2, 3, options(0, 1, 0)).unwrap_err().contains("evaluations 0"));
    for first in [vec![0], vec![0, 0], vec![0, 3]] {
        let options = LocalOptions { first: vec![first], ..options(0, 1, 1) };
        assert!(Local::new(2, 3, options).unwrap_err().contains("is no placement; give 2 different cores from 0 to 2"));
    }
    let mut search = All::new(2, 3).unwrap();
    assert_eq!(search.ask(4).len(), 4);
    assert!(search.tell(&[1, 2, 3]).unwrap_err().starts_with("3 costs were told for 4 placements"));
    // No cost was recorded, so the search still waits for all four costs.
    assert_eq!((search.told(), search.ask(9).len()), (0, 4));
}

#[test]
fn placements_are_counted_without_overflow() {
    assert_eq!(placements(3, 8), 8 * 7 * 6);
    assert_eq!(placements(16, 16), 20_922_789_888_000);
    assert_eq!(placements(64, 64), u64::MAX);
    assert_eq!(placements(3, 2), 0);
}
