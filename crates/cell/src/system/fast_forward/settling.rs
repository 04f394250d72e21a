//! Settling: a run skips most of its measured loops once their pace no longer changes.
//!
//! ```text
//!   marks of each loop   0  w  2w    4w                                              32w
//!                        ├──┼──┼─────┼─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ skipped ─ ─ ─ ─ ─ ─ ─ ─ ─┼──┤
//!                           └┬─┴──┬──┘
//!                        BEFORE  SETTLED
//! ```
//! The pace of all programs together in the second part is compared with that in the first. If the two agree within
//! [`AGREE_PER_MILLE`], and no program is faster than another by more than [`SPREAD_PER_MILLE`], every program skips the
//! same number of iterations, and the clock and the counters advance at the pace of the second part. The result is an
//! extrapolation, unlike that of exact fast-forward. A run whose pace has not settled by then is simulated to its end,
//! because traffic between SPEs may be metastable: it may keep one pace for hundreds of iterations and then another.
//!
//! Programs that wait for one another stay in step, because all of them skip the same number of iterations. Words in
//! memory do not advance, so a program whose course depends on the number of its iterations must not be measured so.

use super::anchor::Search;
use super::capture::Whole;
use super::progress::Runner;
use crate::counters::Counters;
use crate::pace::{BEFORE, Pace, Part, SETTLED};
use crate::record::{self, Outcome};
use crate::units::{BusCycle, SpeId, SpuCycles};

/// The paces of two parts agree if they differ by at most this.
const AGREE_PER_MILLE: u128 = 2;
/// The maximum difference between the paces of two programs.
const SPREAD_PER_MILLE: u128 = 10;
/// Minimum number of marks in a loop. With fewer, a part would have less than two.
const MARKS_MIN: u64 = 64;

/// The search for a settled pace.
#[derive(Default)]
pub(crate) struct Settling {
    paces: Vec<(SpeId, Pace)>,
    /// Bus cycles that were skipped before the first program began to measure.
    skipped_before: BusCycle,
    /// The counters when the last program had reached the second part.
    middle: Option<(BusCycle, Counters)>,
    outcome: Outcome,
    is_over: bool,
}

/// A program has made a mark. Skips most of the rest if the pace has settled.
pub(crate) fn marked(
    runner: Runner,
    settling: &mut Option<Settling>,
    search: &mut Option<Search>,
    machine: &mut Whole<'_, '_>,
) {
    let (Some(settling), Runner::Spu(spe), false) = (settling, runner, machine.wires.time.is_fixed()) else { return };
    let Some(first) = settling.reached(spe, machine) else { return };
    if settling.are_at(SETTLED.1) {
        settling.is_over = true;
        settling.outcome = Outcome::Unsettled;
        if let Some((middle, counters)) = settling.middle.take()
            && let Some(skip) = settling.skip(machine)
        {
            let now = machine.wires.since_start(machine.wires.time.now_in_spu_cycles());
            settling.outcome = Outcome::Settled(now - first);
            machine.skip_settled(&skip, settling.spes(), middle, &counters);
            if let Some(search) = search {
                search.restart(None);
            }
        }
    } else if settling.middle.is_none() && settling.are_at(SETTLED.0) {
        machine.wires.settle_counters();
        settling.middle = Some((machine.wires.time.now(), machine.wires.probes.counters.clone()));
    }
}

/// What settled programs skip: iterations of each program, and the bus cycles that they take.
struct Skip {
    marks: u64,
    bus_cycles: BusCycle,
}

impl Settling {
    /// Notes the mark. Returns when the first program began to measure if the mark may have completed a part.
    fn reached(&mut self, spe: SpeId, machine: &mut Whole<'_, '_>) -> Option<SpuCycles> {
        let wires = &machine.wires;
        let part = wires.probes.measured_part.as_ref().filter(|part| part.has_begun(spe))?;
        let (remaining, at) = {
            let core = &machine.processors.spe(spe).core;
            (core.remaining, wires.since_start(core.time))
        };
        if self.paces.is_empty() {
            self.skipped_before = wires.time.skipped();
        }
        let nth = self.paces.iter().position(|(known, _)| *known == spe).unwrap_or_else(|| {
            self.paces.push((spe, Pace::default()));
            self.paces.len() - 1
        });
        if !self.paces[nth].1.marked(remaining, at) || matches!(self.outcome, Outcome::Settled(_)) {
            return None;
        }
        if wires.time.skipped() > self.skipped_before {
            // Exact fast-forward has skipped a part of the loops.
            (self.outcome, self.is_over) = (Outcome::Exact, true);
        }
        if self.is_over {
            return None;
        }
        let (first, programs) = part.all_measure()?;
        let mut threads = machine.processors.ppes.iter().flat_map(|ppe| &ppe.threads);
        let only_spus = threads.all(|thread| thread.core.marks == 0);
        let long_enough = self.paces.iter().all(|(_, pace)| pace.marks >= MARKS_MIN);
        (only_spus && long_enough && programs == self.paces.len()).then_some(first)
    }

    fn are_at(&self, point: u64) -> bool {
        self.paces.iter().all(|(_, pace)| pace.after(point).is_some())
    }

    /// The skip of programs whose pace has settled.
    fn skip(&self, machine: &Whole<'_, '_>) -> Option<Skip> {
        let marks = self.paces.first()?.1.marks;
        if self.paces.iter().any(|(_, pace)| pace.marks != marks) {
            return None;
        }
        let paces = self.paces_of(SETTLED)?;
        let (before, pace): (u128, u128) = (self.paces_of(BEFORE)?.iter().sum(), paces.iter().sum());
        let (slowest, fastest) = (*paces.iter().min()?, *paces.iter().max()?);
        let agree = pace.abs_diff(before) * 1000 <= pace * AGREE_PER_MILLE;
        let alike = (fastest - slowest) * 1000 <= slowest * SPREAD_PER_MILLE;
        // The other programs skip at their next marks, when each has one iteration fewer left.
        let remaining =
            self.paces.iter().map(|(spe, _)| machine.processors.spes[usize::from(spe.0)].core.remaining).min()?;
        let marks = remaining.saturating_sub(2);
        let spu_cycles = scaled_back(marks, pace, paces.len() as u128)?;
        let bus_cycles = spu_cycles / machine.wires.time.ratio;
        let fits = bus_cycles <= machine.wires.time.bus_cycles_left() && marks > 0;
        (agree && alike && fits).then_some(Skip { marks, bus_cycles })
    }

    /// The pace of each program in a part.
    fn paces_of(&self, part: Part) -> Option<Vec<u128>> {
        self.paces.iter().map(|(_, pace)| pace.of(part).map(|(marks, time)| scaled(marks, time))).collect()
    }

    fn spes(&self) -> impl Iterator<Item = SpeId> {
        self.paces.iter().map(|(spe, _)| *spe)
    }

    /// The findings, for the record.
    pub fn into_record(self) -> record::Settling {
        let Settling { mut paces, outcome, .. } = self;
        paces.sort_by_key(|(spe, _)| *spe);
        record::Settling { outcome, paces }
    }
}

impl Whole<'_, '_> {
    /// Lets each program skip iterations, and advances the clock and the counters, which have grown from `counters`
    /// since bus cycle `since`.
    fn skip_settled(&mut self, skip: &Skip, spes: impl Iterator<Item = SpeId>, since: BusCycle, counters: &Counters) {
        self.wires.settle_counters();
        let span = u128::from(self.wires.time.now() - since).max(1);
        let more = |growth: u64| ((u128::from(growth) * u128::from(skip.bus_cycles) + span / 2) / span) as u64;
        self.wires.probes.counters.grow(counters, more);
        self.wires.time.skip(skip.bus_cycles);
        for spe in spes {
            *self.skip_of(Runner::Spu(spe)) += skip.marks;
        }
    }
}

/// A pace as a fixed-point number: marks in 2^64 SPU cycles.
fn scaled(marks: u64, time: SpuCycles) -> u128 {
    (u128::from(marks) << 64) / u128::from(time.max(1))
}

/// SPU cycles in which each of some programs makes this number of marks, at a `pace` of all programs together.
fn scaled_back(marks: u64, pace: u128, programs: u128) -> Option<SpuCycles> {
    ((u128::from(marks) * programs) << 64).checked_div(pace).and_then(|cycles| cycles.try_into().ok())
}
