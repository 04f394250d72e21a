//! One measurement over many placements, each run once.

use super::params::Params;
use super::traffic::description;
use crate::machine::Machine;
use crate::placement::Placement;
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
            (0..u64::from(count)).map(|nth| Placement::random(machine, seed.wrapping_add(nth))).collect()
        }
        Placements::All => all(machine, spes)?,
    };
    let mut first: BTreeMap<_, usize> = BTreeMap::new();
    let numbered = listed.iter().enumerate();
    let same_as =
        numbered.map(|(nth, placement)| *first.entry(description(params, placement)).or_insert(nth)).collect();
    let numbers = |placement: &Placement| placement.threads().take(spes).map(|(_, spe)| spe.0).collect();
    Ok(Runs { placements: listed.iter().map(numbers).collect(), same_as })
}

/// Every choice of `threads` SPEs in every order, in lexical order.
fn all(machine: &Machine, threads: usize) -> Result<Vec<Placement>, String> {
    let usable = &machine.chip.spes;
    let count = (0..threads as u64).fold(1, |count, taken| count * (usable.len() as u64).saturating_sub(taken));
    if count > PLACEMENTS_MAX {
        return Err(format!("--placements all: {count} are too many, give a number instead, such as 100"));
    }
    let mut chosen: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..threads {
        let longer = |so_far: &Vec<u32>| {
            let free = usable.iter().filter(|spe| !so_far.contains(spe));
            free.map(|spe| [so_far.as_slice(), &[*spe]].concat()).collect::<Vec<_>>()
        };
        chosen = chosen.iter().flat_map(longer).collect();
    }
    chosen.iter().map(|spes| Placement::new(spes, machine)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::Function;

    fn runs(function: Function, spes: u32) -> (usize, usize) {
        let machine = Machine::builtin("eval-board").unwrap();
        let params = Params { spes, ..Params::new(function) };
        let runs = placements(&machine, &params, Placements::All).unwrap();
        let different = runs.same_as.iter().enumerate().filter(|(nth, same_as)| nth == *same_as).count();
        (runs.placements.len(), different)
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
