//! The plan of a measurement: warm-up, calibration, samples and time budget.
//!
//! The first samples do not count, because caches, branch predictors and the CPU's frequency have yet to settle.
//! From the first samples, the sampler calibrates the number of iterations in a sample, unless the request sets this
//! number.  A sample lasts at least a thousand times the clock's cost and resolution, and at least [`SAMPLE_NS`], so
//! that the skew of the threads at the barrier (a few hundred nanoseconds) does not matter.

use super::barrier::Next;
use crate::clock::Clock;

/// Minimum duration of a sample, in nanoseconds.
pub const SAMPLE_NS: f64 = 100_000.0;
/// Minimum duration of a sample, in multiples of the clock's cost and resolution.
const CLOCK_SHARE: f64 = 1000.0;
/// Number of consecutive samples that must last long enough.  A short sample certainly has too few iterations, but a
/// long sample may merely have been interrupted.
const TRIES: u32 = 8;
/// Largest factor by which the number of iterations grows in one step, because the first samples are slow.
const GROWTH_MAX: f64 = 16.0;
/// Maximum number of iterations that calibration tries.
const ITERATIONS_MAX: u64 = 1 << 40;
/// The warm-up takes at most the budget divided by this number.
const WARM_UP_SHARE: u64 = 4;

/// The parameters of a request that concern samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Number of iterations in a sample, if the request sets this number.
    pub iterations: Option<u64>,
    /// Granule: the number of iterations in a sample is a multiple of this number.
    pub granule: u64,
    /// Maximum number of iterations of a sample.
    pub most_iterations: u64,
    /// Number of samples after the warm-up.
    pub samples: u64,
    /// Minimum duration of the warm-up.
    pub warm_up_ns: u64,
    /// Time after which sampling ends, even if fewer samples have been taken.  At least one sample is always taken.
    pub budget_ns: Option<u64>,
}

/// Decides, for the leader of the threads, whether another sample follows and how long it is.
#[derive(Debug)]
pub struct Sampler {
    plan: Plan,
    target_ns: f64,
    iterations: u64,
    /// Number of consecutive samples that lasted long enough.
    long_enough: u32,
    /// Whether the number of iterations is final.
    fixed: bool,
    began_ns: Option<f64>,
    kept: u64,
}

impl Sampler {
    /// A sampler for a plan and a clock.
    pub fn new(plan: Plan, clock: &Clock) -> Sampler {
        let plan = Plan { most_iterations: plan.most_iterations.min(ITERATIONS_MAX), ..plan };
        let granules = plan.iterations.unwrap_or(1).div_ceil(plan.granule);
        Sampler {
            iterations: whole(&plan, granules),
            plan,
            target_ns: SAMPLE_NS.max(CLOCK_SHARE * clock.cost_ns.max(clock.resolution_ns)),
            long_enough: 0,
            fixed: plan.iterations.is_some(),
            began_ns: None,
            kept: 0,
        }
    }

    /// Chooses the next step at time `now_ns`, after a sample that took `last_ns` on the slowest thread.
    pub fn next(&mut self, now_ns: f64, last_ns: f64) -> Next {
        let Some(began_ns) = self.began_ns else {
            self.began_ns = Some(now_ns);
            return self.sample();
        };
        let elapsed_ns = now_ns - began_ns;
        if self.kept > 0 {
            let over = self.plan.budget_ns.is_some_and(|budget| elapsed_ns >= budget as f64);
            return if over || self.kept >= self.plan.samples { Next::End } else { self.kept() };
        }
        self.calibrate(last_ns);
        let share_ns = self.plan.budget_ns.map_or(u64::MAX, |budget| budget / WARM_UP_SHARE);
        let warm = elapsed_ns >= self.plan.warm_up_ns.min(share_ns) as f64;
        let late = elapsed_ns >= share_ns as f64;
        let calibrated = self.fixed || self.long_enough >= TRIES;
        if warm && calibrated || late { self.kept() } else { self.sample() }
    }

    fn sample(&self) -> Next {
        Next::Sample { iterations: self.iterations, keep: false }
    }

    fn kept(&mut self) -> Next {
        self.kept += 1;
        Next::Sample { iterations: self.iterations, keep: true }
    }

    fn calibrate(&mut self, last_ns: f64) {
        if self.fixed {
            return;
        }
        if last_ns >= self.target_ns {
            self.long_enough += 1;
            return;
        }
        self.long_enough = 0;
        let growth = (1.25 * self.target_ns / last_ns.max(1.0)).clamp(1.25, GROWTH_MAX);
        let granules = (self.iterations as f64 * growth / self.plan.granule as f64).ceil() as u64;
        let iterations = whole(&self.plan, granules);
        self.fixed = iterations == self.iterations;
        self.iterations = iterations;
    }
}

/// The number of iterations in `granules` granules, but at least one granule and at most the maximum.
fn whole(plan: &Plan, granules: u64) -> u64 {
    granules.min(plan.most_iterations / plan.granule).max(1) * plan.granule
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Source;

    const CLOCK: Clock = Clock { source: Source::Tsc, hz: 1e9, cost_ns: 20.0, resolution_ns: 1.0, invariant: true };
    const PLAN: Plan =
        Plan { iterations: None, granule: 1, most_iterations: u64::MAX, samples: 10, warm_up_ns: 0, budget_ns: None };

    /// Runs a sampler to its end with iterations that take `iteration_ns`.  Returns the iterations of each sample after
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

    #[test]
    fn interruptions_do_not_pass_for_iterations() {
        let mut sampler = Sampler::new(PLAN, &CLOCK);
        let (mut now_ns, mut last_ns, mut count) = (0.0, 0.0, 0);
        let iterations = loop {
            match sampler.next(now_ns, last_ns) {
                Next::Sample { iterations, keep: true } => break iterations,
                Next::Sample { iterations, .. } => {
                    count += 1;
                    // In four out of five samples, the thread waits 4 ms for a CPU.
                    last_ns = iterations as f64 * 10.0 + if count % 5 == 0 { 0.0 } else { 4e6 };
                    now_ns += last_ns;
                }
                Next::End => unreachable!("nothing has been kept yet"),
            }
        };
        assert!(iterations as f64 * 10.0 >= SAMPLE_NS, "{iterations}");
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
