//! The plan of a measurement: warm-up, calibration, samples and time budget.
//!
//! The first samples do not count, because caches, branch predictors and the CPU's frequency have yet to settle.
//! Meanwhile, the sampler calibrates the number of iterations in a sample, unless the request sets this number. A
//! sample lasts at least a thousand times the clock's cost and resolution, and at least [`SAMPLE_NS`], so that the skew
//! of the threads at the barrier (a few hundred nanoseconds) does not matter.
//!
//! Calibration uses the smallest time of an iteration in any sample. Interruptions only lengthen samples, so the
//! smallest time is an upper bound of the time without interruptions, and the sampler never takes an interrupted sample
//! for a long iteration for good: the first uninterrupted sample corrects it. If this happens after samples have been
//! kept, the samples kept so far are dropped.

use super::barrier::Next;
use crate::clock::Clock;

/// Minimum duration of a sample, in nanoseconds.
pub const SAMPLE_NS: f64 = 100_000.0;
/// Minimum duration of a sample, in multiples of the clock's cost and resolution.
const CLOCK_SHARE: f64 = 1000.0;
/// Planned duration of a sample, in multiples of the minimum.
const SPARE: f64 = 1.25;
/// Duration from which a sample is too long, in multiples of the minimum.
const LONG: f64 = 4.0;
/// Largest factor by which the number of iterations grows in one step, because a clock reading is a large part of the
/// first samples.
const GROWTH_MAX: f64 = 16.0;
/// Maximum number of iterations that calibration tries.
const ITERATIONS_MAX: u64 = 1 << 40;
/// The warm-up takes at most the budget divided by this number.
const WARM_UP_SHARE: u64 = 4;

/// The parameters of a request that concern samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Number of iterations in a sample, if the request sets this number.
    pub iterations: Option<u64>,
    /// Time of an iteration in an earlier measurement of the same, from which calibration begins.
    pub iteration_ns: Option<f64>,
    /// Granule: the number of iterations in a sample is a multiple of this number.
    pub granule: u64,
    /// Maximum number of iterations of a sample.
    pub most_iterations: u64,
    /// Number of samples after the warm-up.
    pub samples: u64,
    /// Minimum duration of the warm-up.
    pub warm_up_ns: u64,
    /// Time after which sampling ends, even if fewer samples have been taken. At least one sample is always taken.
    pub budget_ns: Option<u64>,
}

/// Decides, for the leader of the threads, whether another sample follows and how long it is.
#[derive(Debug)]
pub struct Sampler {
    plan: Plan,
    target_ns: f64,
    iterations: u64,
    least_ns: f64,
    began_ns: Option<f64>,
    kept: u64,
}

impl Sampler {
    /// A sampler for a plan and a clock.
    pub fn new(plan: Plan, clock: &Clock) -> Sampler {
        let plan = Plan { most_iterations: plan.most_iterations.min(ITERATIONS_MAX), ..plan };
        let target_ns = SAMPLE_NS.max(CLOCK_SHARE * clock.cost_ns.max(clock.resolution_ns));
        let from_earlier = plan.iteration_ns.map_or(1, |ns| (SPARE * target_ns / ns.max(f64::MIN_POSITIVE)) as u64);
        let iterations = whole(&plan, plan.iterations.unwrap_or(from_earlier));
        Sampler { plan, target_ns, iterations, least_ns: f64::INFINITY, began_ns: None, kept: 0 }
    }

    /// Smallest time of an iteration in any sample, including the warm-up.
    pub fn least_ns(&self) -> f64 {
        self.least_ns
    }

    /// Chooses the next step at time `now_ns`, after a sample that took `last_ns` on the slowest thread.
    pub fn next(&mut self, now_ns: f64, last_ns: f64) -> Next {
        let Some(began_ns) = self.began_ns else {
            self.began_ns = Some(now_ns);
            return Next::Sample { iterations: self.iterations, keep: false };
        };
        self.least_ns = self.least_ns.min(last_ns / self.iterations as f64);
        let elapsed_ns = now_ns - began_ns;
        let over = self.plan.budget_ns.is_some_and(|budget| elapsed_ns >= budget as f64);
        if self.kept > 0 && over {
            return Next::End;
        }
        let calibrated = !self.calibrate();
        if !calibrated {
            self.kept = 0;
        }
        if self.kept >= self.plan.samples {
            return Next::End;
        }
        let share_ns = self.plan.budget_ns.map_or(u64::MAX, |budget| budget / WARM_UP_SHARE);
        let warm = elapsed_ns >= self.plan.warm_up_ns.min(share_ns) as f64;
        let late = elapsed_ns >= share_ns as f64;
        let keep = self.kept > 0 || warm && calibrated || late;
        self.kept += u64::from(keep);
        Next::Sample { iterations: self.iterations, keep }
    }

    /// Corrects the number of iterations if samples are too short or too long; returns whether the number has changed.
    /// Once samples are kept, only samples of less than half the minimum duration are too short.
    fn calibrate(&mut self) -> bool {
        let sample_ns = self.iterations as f64 * self.least_ns;
        let (low, high) = if self.kept == 0 { (1.0, LONG) } else { (0.5, f64::INFINITY) };
        if self.plan.iterations.is_some() || (low..=high).contains(&(sample_ns / self.target_ns)) {
            return false;
        }
        let factor = (SPARE * self.target_ns / sample_ns.max(1.0)).min(GROWTH_MAX);
        let before = self.iterations;
        self.iterations = whole(&self.plan, (before as f64 * factor).ceil() as u64);
        self.iterations != before
    }
}

/// A number of iterations, rounded up to whole granules, but at least one granule and at most the maximum.
fn whole(plan: &Plan, iterations: u64) -> u64 {
    iterations.div_ceil(plan.granule).min(plan.most_iterations / plan.granule).max(1) * plan.granule
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Source;

    const CLOCK: Clock = Clock { source: Source::Tsc, hz: 1e9, cost_ns: 20.0, resolution_ns: 1.0, invariant: true };
    const PLAN: Plan = Plan {
        iterations: None,
        iteration_ns: None,
        granule: 1,
        most_iterations: u64::MAX,
        samples: 10,
        warm_up_ns: 0,
        budget_ns: None,
    };

    /// Runs a sampler to its end with iterations that take `iteration_ns`. Returns the iterations of each sample after
    /// the warm-up, and the total time.
    fn run(plan: Plan, clock: &Clock, iteration_ns: f64) -> (Vec<u64>, f64) {
        let mut sampler = Sampler::new(plan, clock);
        let (mut now_ns, mut last_ns, mut kept) = (0.0, 0.0, Vec::new());
        while let Next::Sample { iterations, keep } = sampler.next(now_ns, last_ns) {
            last_ns = iterations as f64 * iteration_ns;
            now_ns += last_ns;
            if keep {
                kept.push(iterations);
            }
        }
        (kept, now_ns)
    }

    #[test]
    fn a_sample_lasts_long_enough_for_the_clock() {
        for (cost_ns, target_ns) in [(20.0, SAMPLE_NS), (500.0, 500_000.0)] {
            let (kept, _) = run(PLAN, &Clock { cost_ns, ..CLOCK }, 7.0);
            assert_eq!(kept.len(), 10);
            assert!(kept.iter().all(|n| *n == kept[0]), "all samples are alike");
            let sample_ns = kept[0] as f64 * 7.0;
            assert!((target_ns..2.0 * target_ns).contains(&sample_ns), "{sample_ns}");
        }
    }

    #[test]
    fn given_iterations_are_kept_in_whole_granules() {
        let plan = Plan { iterations: Some(1000), granule: 64, ..PLAN };
        assert_eq!(run(plan, &CLOCK, 1.0).0, [1024; 10]);
    }

    /// Runs a sampler to its end with iterations of 10 ns and samples that `interrupted` lengthens by 4 ms. Returns the
    /// iterations of the kept samples, without those that a change of iterations drops.
    fn run_interrupted(plan: Plan, mut interrupted: impl FnMut(u64) -> bool) -> Vec<u64> {
        let mut sampler = Sampler::new(plan, &CLOCK);
        let (mut now_ns, mut last_ns, mut kept) = (0.0, 0.0, Vec::new());
        for count in 0.. {
            let Next::Sample { iterations, keep } = sampler.next(now_ns, last_ns) else { break };
            last_ns = iterations as f64 * 10.0 + if interrupted(count) { 4e6 } else { 0.0 };
            now_ns += last_ns;
            kept.retain(|each| *each == iterations);
            kept.extend(keep.then_some(iterations));
        }
        kept
    }

    #[test]
    fn interruptions_do_not_pass_for_iterations() {
        let budget = |budget_ns| Plan { budget_ns, ..PLAN };
        for (plan, interrupted) in [
            (PLAN, (|count| count % 5 != 0) as fn(u64) -> bool),
            // The budget for warm-up and calibration ends within the first interruption.
            (budget(Some(100_000_000)), |count| count % 5 != 4),
            // All samples are interrupted until some are kept.
            (PLAN, |count| count < 8),
            (budget(Some(60_000_000)), |count| count < 6),
        ] {
            let kept = run_interrupted(plan, interrupted);
            assert!(!kept.is_empty() && kept.iter().all(|n| *n as f64 * 10.0 >= SAMPLE_NS), "{kept:?}");
        }
    }

    #[test]
    fn where_all_is_interrupted_the_least_time_says_how_long_the_next_should_be() {
        let mut sampler = Sampler::new(Plan { budget_ns: Some(4_000_000), ..PLAN }, &CLOCK);
        assert_eq!(sampler.next(0.0, 0.0), Next::Sample { iterations: 1, keep: false });
        assert_eq!(sampler.next(4e6, 4e6), Next::Sample { iterations: 1, keep: true });
        assert_eq!(sampler.next(4e6 + 10.0, 10.0), Next::End);
        let next = Plan { iteration_ns: Some(sampler.least_ns()), ..PLAN };
        assert_eq!(run(next, &CLOCK, 10.0).0, [12_500; 10]);
    }

    #[test]
    fn what_was_known_earlier_is_corrected() {
        for earlier_ns in [0.0, 0.1, 10.0, 4e6] {
            let plan = Plan { iteration_ns: Some(earlier_ns), most_iterations: 1_000_000, ..PLAN };
            let (kept, _) = run(plan, &CLOCK, 10.0);
            let sample_ns = kept[0] as f64 * 10.0;
            assert!((SAMPLE_NS..=LONG * SAMPLE_NS).contains(&sample_ns), "{earlier_ns}: {sample_ns}");
        }
    }

    #[test]
    fn there_are_never_more_than_there_may_be() {
        let plan = Plan { most_iterations: 100, granule: 8, ..PLAN };
        assert_eq!(run(plan, &CLOCK, 1.0).0, [96; 10]);
        assert_eq!(run(Plan { iterations: Some(1000), ..plan }, &CLOCK, 1.0).0, [96; 10]);
    }

    #[test]
    fn long_iterations_are_taken_one_by_one() {
        assert_eq!(run(PLAN, &CLOCK, 1e6).0, [1; 10]);
    }

    #[test]
    fn iterations_that_take_no_time_do_not_hang() {
        let (kept, _) = run(PLAN, &CLOCK, 0.0);
        assert_eq!(kept.len(), 10);
    }

    #[test]
    fn it_warms_up_before_samples_count() {
        let plan = Plan { warm_up_ns: 5_000_000, ..PLAN };
        let (kept, total_ns) = run(plan, &CLOCK, 10.0);
        let kept_ns = kept.iter().sum::<u64>() as f64 * 10.0;
        assert!(total_ns - kept_ns >= 5e6, "{total_ns} ns, of which {kept_ns} count");
    }

    #[test]
    fn a_budget_ends_it_but_one_sample_is_taken() {
        let long = Plan { samples: 1_000_000, warm_up_ns: u64::MAX, budget_ns: Some(20_000_000), ..PLAN };
        let (kept, total_ns) = run(long, &CLOCK, 10.0);
        assert!(kept.len() > 10 && total_ns < 21e6, "{} samples, {total_ns} ns", kept.len());
        assert_eq!(run(Plan { budget_ns: Some(1), ..long }, &CLOCK, 1e9).0.len(), 1);
    }
}
