//! How often, and how long: warm-up, calibration, samples, budget.
//!
//! First come samples that do not count, until caches, branch predictors and the CPU's frequency have
//! settled.  Meanwhile the iterations of a sample are chosen, unless they were given, so that it lasts a
//! thousand times what the clock costs and counts in, and [`SAMPLE_NS`] at least: what threads are apart at the
//! barrier, some hundred nanoseconds, then does not matter.

use super::barrier::Next;
use crate::clock::Clock;

/// A sample lasts this long at least.
pub const SAMPLE_NS: f64 = 100_000.0;
/// A sample lasts this many times what the clock costs and counts in.
const CLOCK_SHARE: f64 = 1000.0;
/// Each number of iterations is tried so often, and the median counts: one may have been interrupted, or lucky.
const TRIES: usize = 3;
/// Iterations grow at most by this at once: the first ones are slow.
const GROWTH_MAX: f64 = 16.0;
/// More are not tried, however short they are.
const ITERATIONS_MAX: u64 = 1 << 40;
/// What warm-up may take of a budget.
const WARM_UP_SHARE: u64 = 4;

/// What was asked of the samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Iterations of a sample, if they were given.
    pub iterations: Option<u64>,
    /// Iterations come in multiples of this.
    pub granule: u64,
    /// A sample has no more than these.
    pub most_iterations: u64,
    /// Samples that count.
    pub samples: u64,
    /// Length of the warm-up at least.
    pub warm_up_ns: u64,
    /// When all has to be over, even with fewer samples; one is always taken.
    pub budget_ns: Option<u64>,
}

/// Decides what comes next; the leader of the threads has it.
#[derive(Debug)]
pub struct Sampler {
    plan: Plan,
    target_ns: f64,
    iterations: u64,
    calibrated: bool,
    tries_ns: Vec<f64>,
    began_ns: Option<f64>,
    kept: u64,
}

impl Sampler {
    /// For samples as planned, by such a clock.
    pub fn new(plan: Plan, clock: &Clock) -> Sampler {
        let plan = Plan { most_iterations: plan.most_iterations.min(ITERATIONS_MAX), ..plan };
        let granules = plan.iterations.unwrap_or(1).div_ceil(plan.granule);
        Sampler {
            iterations: whole(&plan, granules),
            plan,
            target_ns: SAMPLE_NS.max(CLOCK_SHARE * clock.cost_ns.max(clock.resolution_ns)),
            calibrated: plan.iterations.is_some(),
            tries_ns: Vec::with_capacity(TRIES),
            began_ns: None,
            kept: 0,
        }
    }

    /// What comes at `now_ns`, after a sample of `last_ns` on the thread where it took longest.
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
        if warm && self.calibrated || late { self.kept() } else { self.sample() }
    }

    fn sample(&self) -> Next {
        Next::Sample { iterations: self.iterations, keep: false }
    }

    fn kept(&mut self) -> Next {
        self.kept += 1;
        Next::Sample { iterations: self.iterations, keep: true }
    }

    fn calibrate(&mut self, last_ns: f64) {
        if self.calibrated {
            return;
        }
        self.tries_ns.push(last_ns);
        if self.tries_ns.len() < TRIES {
            return;
        }
        self.tries_ns.sort_by(f64::total_cmp);
        let median_ns = self.tries_ns[TRIES / 2];
        self.tries_ns.clear();
        if median_ns >= self.target_ns {
            self.calibrated = true;
            return;
        }
        let growth = (1.25 * self.target_ns / median_ns.max(1.0)).clamp(1.25, GROWTH_MAX);
        let granules = (self.iterations as f64 * growth / self.plan.granule as f64).ceil() as u64;
        let iterations = whole(&self.plan, granules);
        self.calibrated = iterations == self.iterations;
        self.iterations = iterations;
    }
}

/// So many granules, or as many as there may be, but one at least.
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

    /// Lets a sampler decide until the end, with iterations that take so long; iterations of all samples that count.
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
