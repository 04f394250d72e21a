//! One measurement over many placements, each run once.

use super::layout::Layout;
use super::params::{Params, PlacementChoice};
use super::traffic::description;
use super::{MeasureError, prepared};
use cell::error::RunError;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{BusCycle, SpeId};
use serde::Serialize;
use std::collections::BTreeMap;

/// Which placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placements {
    /// Every way to put the threads on the machine's SPEs.
    All,
    /// So many at random, by this seed.
    Random(u32, u64),
}

/// Placements, and which of them are the same run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Runs {
    /// Physical SPEs of the threads.
    pub placements: Vec<Vec<u8>>,
    /// For each placement the first one that is the same run under other names.
    pub same_as: Vec<usize>,
}

/// With fewer iterations, looking for those that repeat costs more than it saves.
const WORTH_LEAVING_OUT: u64 = 16;

/// The most placements that are listed.
const PLACEMENTS_MAX: u64 = 1_000_000;

/// Lists placements for a measurement.
///
/// # Errors
/// One line: the parameters cannot be, or there are too many placements.
pub fn placements(machine: &Machine, params: &Params, which: Placements) -> Result<Runs, String> {
    super::check(machine, params)?;
    let spes = params.spes as usize;
    let listed: Vec<Placement> = match which {
        Placements::Random(count, seed) => {
            let random = |nth| Placement::random(params.groups_of_spes(machine), seed.wrapping_add(nth));
            (0..u64::from(count)).map(random).collect()
        }
        Placements::All => all(&params.groups_of_spes(machine), spes)?,
    };
    let same_as = same_as(params, listed.iter());
    let numbers = |placement: &Placement| placement.threads().take(spes).map(|(_, spe)| spe.0).collect();
    Ok(Runs { placements: listed.iter().map(numbers).collect(), same_as })
}

/// For each placement the first one that is the same run under other names.
fn same_as<'p>(params: &Params, placements: impl Iterator<Item = &'p Placement>) -> Vec<usize> {
    let mut first: BTreeMap<_, usize> = BTreeMap::new();
    let numbered = placements.enumerate();
    numbered.map(|(nth, placement)| *first.entry(description(params, placement)).or_insert(nth)).collect()
}

/// As [`placements`], for those that are listed already: for each the first one that is the same run.
///
/// # Errors
/// One line: a placement cannot be.
pub fn same_runs(machine: &Machine, params: &Params, listed: &[Vec<u32>]) -> Result<Vec<usize>, String> {
    super::check(machine, params)?;
    let placed = listed.iter().map(|spes| Placement::of_threads(params.spes, spes, machine));
    let placed = placed.collect::<Result<Vec<Placement>, String>>()?;
    Ok(same_as(params, placed.iter()))
}

/// How long the measured iterations take on each placement, in bus cycles: the longest that an SPE takes.
///
/// `check` is called now and then; the runs end as interrupted when it returns false.
///
/// # Errors
/// Bad parameters, or a run that failed.
pub fn times(
    machine: &Machine,
    params: &Params,
    listed: &[Vec<u32>],
    mut check: impl FnMut() -> bool,
) -> Result<Vec<BusCycle>, MeasureError> {
    let time = |spes: &Vec<u32>| {
        let placement = PlacementChoice::Explicit(spes.clone());
        let params = Params { placement, fast_forward: params.iterations >= WORTH_LEAVING_OUT, ..params.clone() };
        let layout = Layout::new(machine, &params).map_err(MeasureError::Usage)?;
        let (mut system, _) = prepared(machine, &params, &layout);
        // A run that is over in a moment would not ask by itself.
        if !check() {
            return Err(MeasureError::Run(RunError::Interrupted));
        }
        let record = system.run(BusCycle::MAX, &mut check).map_err(MeasureError::Run)?;
        Ok(record.measured_bus_cycles)
    };
    listed.iter().map(time).collect()
}

/// Every choice of SPEs for so many threads, in lexical order; each thread keeps its group.
fn all(groups: &[Vec<SpeId>], threads: usize) -> Result<Vec<Placement>, String> {
    let of_threads = || groups.iter().flat_map(|group| (0..group.len()).map(move |taken| (group, taken))).take(threads);
    let count = of_threads().fold(1u64, |count, (group, taken)| count.saturating_mul((group.len() - taken) as u64));
    if count > PLACEMENTS_MAX {
        return Err(format!("--placements all: {count} are too many, give a number instead, such as 100"));
    }
    let mut chosen: Vec<Vec<SpeId>> = vec![Vec::new()];
    for (group, _) in of_threads() {
        let longer = |so_far: &Vec<SpeId>| {
            let free = group.iter().filter(|spe| !so_far.contains(spe));
            free.map(|spe| [so_far.as_slice(), &[*spe]].concat()).collect::<Vec<_>>()
        };
        chosen = chosen.iter().flat_map(longer).collect();
    }
    Ok(chosen.into_iter().map(Placement::of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, Function};

    fn runs(function: Function, spes: u32) -> (usize, usize) {
        let machine = Machine::builtin("eval-board").unwrap();
        let params = Params { spes, ..Params::new(function) };
        let runs = placements(&machine, &params, Placements::All).unwrap();
        let different = runs.same_as.iter().enumerate().filter(|(nth, same_as)| nth == *same_as).count();
        (runs.placements.len(), different)
    }

    #[test]
    fn a_thread_keeps_its_chip_where_chips_are_chosen() {
        let machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
        let of = |spes, cells, which| {
            let params = Params { spes, cells, ..Params::new(Function::DmaGet) };
            placements(&machine, &params, which)
        };
        let first = Some(Cells::First(1));
        assert_eq!(of(2, Some(Cells::Only(1)), Placements::All).unwrap().placements.len(), 8 * 7);
        assert_eq!(of(2, None, Placements::All).unwrap().placements.len(), 16 * 15);
        for placement in of(10, first, Placements::Random(20, 0)).unwrap().placements {
            let chips: Vec<u8> = placement.iter().map(|spe| machine.chip_of(SpeId(*spe))).collect();
            assert_eq!(chips, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
        }
        assert!(of(16, None, Placements::All).unwrap_err().contains("20922789888000 are too many"));
    }

    #[test]
    fn placements_that_only_change_names_are_run_once() {
        // 8! placements; couples may be named in any of 4! orders, a cycle may begin anywhere, pairs may
        // be named in any order and either way round.
        assert_eq!(runs(Function::Couples, 8), (40_320, 40_320 / 24));
        assert_eq!(runs(Function::Cycle, 8), (40_320, 40_320 / 8));
        assert_eq!(runs(Function::Pairwise, 8), (40_320, 40_320 / (24 * 16)));
        assert_eq!(runs(Function::HotSpot, 3), (336, 56));
        assert_eq!(runs(Function::Uniform, 2), (56, 56));
        assert_eq!(runs(Function::DmaGet, 2), (56, 56));
    }
}
