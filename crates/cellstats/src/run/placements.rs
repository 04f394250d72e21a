//! One measurement with many placements. If placements give the same run, only one of them is simulated.
//!
//! Runs whose traffic turns or mirrors on the rings into each other differ little, so one of them may stand for all.

use super::prepared::{MeasureError, prepared};
use super::symmetry::symmetries;
use crate::chips::groups_of_spes;
use crate::parameters::Parameter;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::settings::Settings;
use crate::setup::Description;
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
    /// One placement of each orbit: of all placements that a symmetry of the rings, or a change of threads' names, turns
    /// into one another.
    Orbits,
    /// A number of random placements, chosen by a seed.
    Random(u32, u64),
}

impl Placements {
    /// Maximum number of random placements.
    pub const RANDOM_MAX: u64 = 1_000_000;
}

/// A list of placements, which records the placements that give the same run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Runs {
    /// Physical SPEs of the threads, for each placement.
    pub placements: Vec<Vec<u8>>,
    /// For each placement, the index of the first placement that gives the same run.
    pub same_as: Vec<usize>,
    /// For each placement, the number of placements for which it stands: 1, or the size of its orbit.
    pub stands_for: Vec<u32>,
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
        Placements::All | Placements::Orbits => all(&groups, settings.spes as usize)?,
    };
    let (listed, stands_for) = match which {
        Placements::Orbits => one_of_each_orbit(machine, request, &groups.concat(), listed),
        _ => {
            let each = vec![1; listed.len()];
            (listed, each)
        }
    };
    let same_as = same_as(request, listed.iter());
    let numbers = |placement: &Placement| settings.spes_of(placement).iter().map(|spe| spe.0).collect();
    Ok(Runs { placements: listed.iter().map(numbers).collect(), same_as, stands_for })
}

/// All placements that the symmetries of the rings, and changes of threads' names, turn into one another.
#[derive(Default)]
struct Orbit {
    size: u32,
    /// The first placement of each run.
    runs: Vec<Placement>,
}

/// A placement of each orbit, and the size of the orbit.
///
/// The orbits contribute their first, second, … run in turn. If all contributed their first run, the SPE that starts
/// first would be active in nearly all, and the time from the first start to the last end would be too long by 2 %.
fn one_of_each_orbit(
    machine: &Machine,
    request: &Request,
    spes: &[SpeId],
    listed: Vec<Placement>,
) -> (Vec<Placement>, Vec<u32>) {
    // Only SPEs have images on the ring; the memory and the PPE have none.
    let between_spes = request.experiment.between_spes();
    let symmetries = if between_spes { symmetries(machine, spes) } else { Vec::new() };
    let name = |placement: &Placement| {
        let images = symmetries.iter().map(|symmetry| description(request, &symmetry.image(placement)));
        images.min().unwrap_or_else(|| description(request, placement))
    };
    let mut numbers: BTreeMap<Description, usize> = BTreeMap::new();
    let mut orbits: Vec<Orbit> = Vec::new();
    let same_as = same_as(request, listed.iter());
    for (nth, placement) in listed.into_iter().enumerate() {
        let number = *numbers.entry(name(&placement)).or_insert(orbits.len());
        if number == orbits.len() {
            orbits.push(Orbit::default());
        }
        orbits[number].size += 1;
        if same_as[nth] == nth {
            orbits[number].runs.push(placement);
        }
    }
    let one = |(nth, Orbit { size, mut runs }): (usize, Orbit)| (runs.swap_remove(nth % runs.len()), size);
    (1..).zip(orbits).map(one).unzip()
}

fn description(request: &Request, placement: &Placement) -> Description {
    request.experiment.description(request.settings.spes, placement)
}

/// For each placement, the index of the first placement that gives the same run.
fn same_as<'p>(request: &Request, placements: impl Iterator<Item = &'p Placement>) -> Vec<usize> {
    let mut first: BTreeMap<Description, usize> = BTreeMap::new();
    let numbered = placements.enumerate();
    numbered.map(|(nth, placement)| *first.entry(description(request, placement)).or_insert(nth)).collect()
}

/// For each listed placement, the index of the first listed placement that gives the same run.
///
/// # Errors
/// An invalid placement.
pub fn same_runs(machine: &Machine, request: &Request, listed: &[Vec<u32>]) -> Result<Vec<usize>, Refusal> {
    request.plan_for_any_seed(machine)?;
    let placed = listed.iter().map(|spes| Placement::of_threads(request.settings.spes, spes, machine));
    let placed = placed.collect::<Result<Vec<Placement>, _>>()?;
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
    use std::collections::BTreeSet;

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
    fn orbits_contain_the_turned_and_the_mirrored_placements() {
        let orbits = |machine: &str, function: &str, spes: u32, cells: Option<&str>| {
            let machine = Machine::builtin(machine).unwrap();
            let given = Parameters { spes: Some(spes), cells: cells.map(str::to_string), ..Parameters::default() };
            let request = Request::new(function, &given, &machine).unwrap();
            let Runs { placements, same_as, stands_for } = placements(&machine, &request, Placements::Orbits).unwrap();
            assert_eq!(same_as, (0..placements.len()).collect::<Vec<_>>());
            (placements, stands_for)
        };
        let count = |machine, function, spes, cells| {
            let (placements, stands_for) = orbits(machine, function, spes, cells);
            (placements.len(), stands_for.iter().sum::<u32>())
        };
        // Half a turn and two mirror images each leave 48 of the 1,680 runs as they are: (1,680 + 3 * 48) / 4 orbits.
        assert_eq!(count("eval-board", "couples", 8, None), (456, 40_320));
        assert_eq!(count("blade-2100", "couples", 8, Some("1")), (456, 40_320));
        // Of the six SPEs of a PS3, only one mirror image takes them to themselves.
        assert_eq!(count("ps3", "couples", 2, None), (15, 30));
        // Nothing else is at the place of the memory, and lines between chips pass one element.
        assert_eq!(count("eval-board", "hotspot", 2, None), (28, 56));
        assert_eq!(count("qs20", "couples", 2, None), (240, 240));
        // The orbits take turns, so not all placements begin at the same end of the ring.
        let (placements, stands_for) = orbits("eval-board", "couples", 2, None);
        assert_eq!((placements.len(), stands_for), (14, vec![4; 14]));
        let first: BTreeSet<u8> = placements.iter().map(|spes| spes[0] / 2).collect();
        assert_eq!(first.len(), 4, "{placements:?}");
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
