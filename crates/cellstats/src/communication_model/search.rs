//! The search for the placement that the model judges best.

use super::{CommunicationModel, Cost};
use crate::pattern::Pattern;
use cell::placement::Placement;
use cell::units::SpeId;
use place::search::{All, Local, LocalOptions, Search, minimise, placements};

/// Maximum number of placements that are all tried by default; 8 threads on 8 SPEs have 40,320.
pub const ALL_MAX: u64 = 50_000;
/// Maximum number of placements that are all tried if the caller allows as many.
const ALLOWED_MAX: u64 = 1_000_000;
/// Maximum number of placements that a local search tries by default.
const EVALUATIONS: u64 = 20_000;
/// Number of placements that are tried between two checks whether the caller wants to stop.
const BATCH_OF_ALL: usize = 8192;

/// How a search continues where there are too many placements to try all.
#[derive(Clone, Debug)]
pub struct ModelSearch {
    /// Maximum number of placements to try, or `None` for a default.
    pub evaluations: Option<u64>,
    /// Seed of the placements where descents start.
    pub seed: u64,
    /// Maximum number of descents.
    pub starts: u64,
    /// Number of neighbours that are compared before a descent moves.
    pub batch: usize,
    /// Placements where the first descents start, as indices of SPEs.
    pub first: Vec<Vec<usize>>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFound {
    /// The SPE of each thread, as an index.
    pub placement: Vec<usize>,
    /// Its [`Cost::packed`].
    pub cost: u64,
    /// Number of placements tried.
    pub evaluations: u64,
}

const UNEVENNESS_BITS: u32 = 36;
const SHORT_BITS: u32 = 27;
const LONG: u64 = 1 << 63;

/// Whether all placements of threads on SPEs are tried, if at most `evaluations` may be.
pub fn tries_all(threads: usize, spes: usize, evaluations: Option<u64>) -> bool {
    placements(threads, spes) <= evaluations.map_or(ALL_MAX, |most| most.min(ALLOWED_MAX))
}

impl Cost {
    /// The cost as one number, which compares like the cost as long as the unevenness has no more than 36 bits and the
    /// bus cycles no more than 27. Longer costs compare by their bus cycles alone.
    pub fn packed(self) -> u64 {
        if self.bus_cycles < 1 << SHORT_BITS {
            self.bus_cycles << UNEVENNESS_BITS | self.unevenness.min((1 << UNEVENNESS_BITS) - 1)
        } else {
            LONG | self.bus_cycles
        }
    }

    /// The bus cycles of a cost that was packed.
    pub fn bus_cycles_of(packed: u64) -> u64 {
        if packed & LONG == 0 { packed >> UNEVENNESS_BITS } else { packed & !LONG }
    }
}

impl ModelSearch {
    /// The placement of the pattern's threads on some of the SPEs that the model judges best: of all placements if
    /// these are few, otherwise of those that a local search tries. `None` if `goes_on` returned false.
    ///
    /// # Errors
    /// More threads than SPEs, or an invalid placement to start from.
    pub fn best(
        self,
        model: &CommunicationModel<'_>,
        pattern: &Pattern,
        spes: &[SpeId],
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<ModelFound>, String> {
        let ModelSearch { evaluations, seed, starts, batch, first } = self;
        let threads = pattern.threads as usize;
        let (mut search, batch): (Box<dyn Search>, usize) = if tries_all(threads, spes.len(), evaluations) {
            (Box::new(All::new(threads, spes.len())?), BATCH_OF_ALL)
        } else {
            let evaluations = evaluations.unwrap_or(EVALUATIONS);
            (Box::new(Local::new(threads, spes.len(), LocalOptions { seed, starts, evaluations, first })?), batch)
        };
        let on = |placement: &[usize]| Placement::of(placement.iter().map(|nth| spes[*nth]).collect());
        let cost = |placement: &[usize]| model.cost(pattern, &on(placement)).packed();
        let found = minimise(&mut *search, batch, cost, goes_on);
        Ok(found.map(|(placement, cost)| ModelFound { placement, cost, evaluations: search.told() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_costs_keep_their_order_and_their_bus_cycles() {
        let edge = 1 << SHORT_BITS;
        let costs = [(0, 0), (1, 9), (2, 0), (edge - 1, 0), (edge - 1, 1), (edge, 0), (edge + 1, 0), (1 << 40, 7)];
        let costs = costs.map(|(bus_cycles, unevenness)| Cost { bus_cycles, unevenness });
        assert!(costs.map(Cost::packed).is_sorted());
        assert_eq!(costs.map(|cost| Cost::bus_cycles_of(cost.packed())), costs.map(|cost| cost.bus_cycles));
    }
}
