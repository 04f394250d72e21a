//! One measurement with many placements. If placements give the same run, only one of them is simulated.

use super::prepared::{MeasureError, prepared};
use crate::chips::groups_of_spes;
use crate::parameters::Parameter;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::settings::Settings;
use crate::value::PlacementChoice;
use cell::error::RunError;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{BusCycle, SpeId};
use serde::Serialize;
use std::collections::BTreeMap;

/// A choice of placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placements {
    /// All placements of the threads on the machine's SPEs.
    All,
    /// A number of random placements, chosen by a seed.
    Random(u32, u64),
}

/// A list of placements, which records the placements that give the same run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Runs {
    /// Physical SPEs of the threads, for each placement.
    pub placements: Vec<Vec<u8>>,
    /// For each placement, the index of the first placement that gives the same run.
    pub same_as: Vec<usize>,
}

/// Minimum number of iterations for which fast-forward saves more time than it costs.
const WORTH_LEAVING_OUT: u64 = 16;

/// Maximum number of placements that are listed.
const PLACEMENTS_MAX: u64 = 1_000_000;

/// Lists placements for a measurement; ignores the placement in its request.
///
/// # Errors
/// Invalid parameters, or too many placements.
pub fn placements(machine: &Machine, request: &Request, which: Placements) -> Result<Runs, Refusal> {
    request.plan_for_any_seed(machine)?;
    let settings = &request.settings;
    let groups = groups_of_spes(machine, settings.cells);
    let listed: Vec<Placement> = match which {
        Placements::Random(count, seed) => {
            let random = |nth| Placement::random(groups.clone(), seed.wrapping_add(nth));
            (0..u64::from(count)).map(random).collect()
        }
        Placements::All => all(&groups, settings.spes as usize)?,
    };
    let same_as = same_as(request, listed.iter());
    let numbers = |placement: &Placement| settings.spes_of(placement).iter().map(|spe| spe.0).collect();
    Ok(Runs { placements: listed.iter().map(numbers).collect(), same_as })
}

/// For each placement, the index of the first placement that gives the same run.
fn same_as<'p>(request: &Request, placements: impl Iterator<Item = &'p Placement>) -> Vec<usize> {
    let mut first: BTreeMap<_, usize> = BTreeMap::new();
    let description = |placement| request.experiment.description(request.settings.spes, placement);
    let numbered = placements.enumerate();
    numbered.map(|(nth, placement)| *first.entry(description(placement)).or_insert(nth)).collect()
}

/// For each listed placement, the index of the first listed placement that gives the same run.
///
/// # Errors
/// An invalid placement.
pub fn same_runs(machine: &Machine, request: &Request, listed: &[Vec<u32>]) -> Result<Vec<usize>, Refusal> {
    request.plan_for_any_seed(machine)?;
    let placed = listed.iter().map(|spes| Placement::of_threads(request.settings.spes, spes, machine));
    let placed = placed.collect::<Result<Vec<Placement>, String>>().map_err(Refusal::new)?;
    Ok(same_as(request, placed.iter()))
}

/// Duration in bus cycles of the slowest SPE's measured iterations, for each placement.
///
/// `check` is called from time to time; if it returns false, the runs are interrupted.
///
/// # Errors
/// Invalid parameters, or a run that failed.
pub fn times(
    machine: &Machine,
    request: &Request,
    listed: &[Vec<u32>],
    mut check: impl FnMut() -> bool,
) -> Result<Vec<BusCycle>, MeasureError> {
    let time = |spes: &Vec<u32>| {
        let settings = Settings {
            placement: PlacementChoice::Explicit(spes.clone()),
            fast_forward: request.settings.iterations >= WORTH_LEAVING_OUT,
            ..request.settings.clone()
        };
        let request = Request { settings, ..request.clone() };
        let plan = request.plan_for_any_seed(machine)?;
        let (mut system, _) = prepared(machine, &request, &plan.placement, plan.tasks)?;
        // A very short run does not call `check` by itself.
        if !check() {
            return Err(MeasureError::Run(RunError::Interrupted));
        }
        Ok(system.run(BusCycle::MAX, &mut check)?.measured_bus_cycles)
    };
    listed.iter().map(time).collect()
}

/// All choices of SPEs for `threads` threads, in lexicographic order; each thread keeps its group.
fn all(groups: &[Vec<SpeId>], threads: usize) -> Result<Vec<Placement>, Refusal> {
    let of_threads = || groups.iter().flat_map(|group| (0..group.len()).map(move |taken| (group, taken))).take(threads);
    let count = of_threads().fold(1u64, |count, (group, taken)| count.saturating_mul((group.len() - taken) as u64));
    if count > PLACEMENTS_MAX {
        let reason = format!("{count} are too many, give a number instead, such as 100");
        return Err(Refusal::of(Parameter::Placements, reason).given("all"));
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
    use crate::parameters::Parameters;

    fn runs(function: &str, spes: u32) -> (usize, usize) {
        let machine = Machine::builtin("eval-board").unwrap();
        let given = Parameters { spes: Some(spes), ..Parameters::default() };
        let request = Request::new(function, &given, &machine).unwrap();
        let runs = placements(&machine, &request, Placements::All).unwrap();
        let different = runs.same_as.iter().enumerate().filter(|(nth, same_as)| nth == *same_as).count();
        (runs.placements.len(), different)
    }

    #[test]
    fn a_thread_keeps_its_chip_where_chips_are_chosen() {
        let machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
        let of = |spes, cells: Option<&str>, which| {
            let cells = cells.map(str::to_string);
            let given = Parameters { spes: Some(spes), cells, ..Parameters::default() };
            placements(&machine, &Request::new("dmaget", &given, &machine)?, which)
        };
        let first = Some("10");
        assert_eq!(of(2, Some("1"), Placements::All).unwrap().placements.len(), 8 * 7);
        assert_eq!(of(2, None, Placements::All).unwrap().placements.len(), 16 * 15);
        for placement in of(10, first, Placements::Random(20, 0)).unwrap().placements {
            let chips: Vec<u8> = placement.iter().map(|spe| machine.chip_of(SpeId(*spe))).collect();
            assert_eq!(chips, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
        }
        assert!(of(16, None, Placements::All).unwrap_err().to_string().contains("20922789888000 are too many"));
    }

    #[test]
    fn placements_that_only_change_names_are_run_once() {
        // 8! placements. Couples may be renumbered in any of 4! orders, and a cyclic pattern may begin at any thread.
        // Pairs may be renumbered in any order, and the two threads of each pair may be exchanged.
        assert_eq!(runs("couples", 8), (40_320, 40_320 / 24));
        assert_eq!(runs("cycle", 8), (40_320, 40_320 / 8));
        assert_eq!(runs("pairwise", 8), (40_320, 40_320 / (24 * 16)));
        assert_eq!(runs("hotspot", 3), (336, 56));
        assert_eq!(runs("uniform", 2), (56, 56));
        assert_eq!(runs("dmaget", 2), (56, 56));
    }
}
