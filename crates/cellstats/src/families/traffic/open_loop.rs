//! The loop of an SPE whose DMAs are offered at a rate: a queue of unlimited length in front of the MFC's queue.
//!
//! As in BookSim2, the machine first warms up under load. DMAs that are offered in the measured window are measured, and
//! the load continues until they have completed (drain). An SPE continues for at least as long as it warmed up, because
//! the SPEs do not start at the same time.
//!
//! ```text
//!   loaded    ├── warm-up ──┼── measured window ──┼── drain ──┤
//!   measured                 DMAs offered here ───> completed
//! ```

use super::offered_load::SPU_CYCLE;
use crate::addresses::{CONTROL_LSA, SOURCE_LSA};
use crate::choices::Injection;
use crate::control_block::ControlBlock;
use crate::setup::{MEASURED_TAG, OTHER_TAG};
use crate::transfers::iteration;
use cell::coroutine::Spu;
use cell::placement::splitmix64;
use cell::store::LocalStore;
use cell::units::SpuCycles;

/// Average number of DMAs in a burst.
const BURST_DMAS: f64 = 8.0;

/// The part of the loop before the measured window (tag group [`OTHER_TAG`]), or the measured window. DMAs that the MFC
/// has not accepted at the end remain offered.
pub async fn run(spu: &Spu, block: &ControlBlock, tag: u32) {
    let mut source = if tag == MEASURED_TAG { Source::read(&spu.ls()) } else { Source::new(block, spu.time()) };
    let ends_at = source.started_at + cycles(if tag == MEASURED_TAG { window(block).1 } else { window(block).0 });
    while source.next_before(spu, ends_at).await {
        source.issue(spu, block).await;
    }
    source.write(&mut spu.ls());
}

/// The part of the loop after the measured window.
pub async fn drain(spu: &Spu, block: &ControlBlock) {
    let mut source = Source::read(&spu.ls());
    let (from, to) = window(block);
    let ends_at = source.started_at + cycles(to + from);
    spu.mfc_write_tag_mask(1 << MEASURED_TAG).await;
    while source.offered_at < to || spu.time() < ends_at || spu.mfc_read_tag_status_immediate().await == 0 {
        source.next_before(spu, SpuCycles::MAX).await;
        source.issue(spu, block).await;
    }
    spu.mfc_wait_for_tags(1 << OTHER_TAG).await;
}

/// The measured window, as times since the loop's start.
fn window(block: &ControlBlock) -> (u64, u64) {
    let from = block.warm_up.saturating_mul(block.interval);
    (from, from.saturating_add(block.iterations.saturating_mul(block.interval)))
}

/// Whole SPU cycles.
fn cycles(time: u64) -> SpuCycles {
    time / SPU_CYCLE
}

/// The source of the DMAs.
struct Source {
    started_at: SpuCycles,
    /// When the next DMA is offered, as a time since the loop's start.
    offered_at: u64,
    /// Number of DMAs before it.
    offered: u64,
    random: u64,
}

impl Source {
    fn new(block: &ControlBlock, started_at: SpuCycles) -> Source {
        let mut source = Source { started_at, offered_at: 0, offered: 0, random: block.seed };
        source.offered_at = match block.injection {
            Injection::Periodic => splitmix64(&mut source.random) % block.interval,
            Injection::Bernoulli | Injection::Bursts => source.interval(block),
        };
        source
    }

    fn read(ls: &LocalStore) -> Source {
        let word = |nth: u64| ls.read_u64(u64::from(SOURCE_LSA) + 8 * nth);
        Source { started_at: word(0), offered_at: word(1), offered: word(2), random: word(3) }
    }

    fn write(&self, ls: &mut LocalStore) {
        let words = [self.started_at, self.offered_at, self.offered, self.random];
        for (nth, word) in (0..).zip(words) {
            ls.write_u64(u64::from(SOURCE_LSA) + 8 * nth, word);
        }
    }

    /// Waits until the next DMA is offered, or until `ends_at` if that is earlier. Returns whether a DMA can be issued
    /// before `ends_at`.
    async fn next_before(&self, spu: &Spu, ends_at: SpuCycles) -> bool {
        let at = (self.started_at + cycles(self.offered_at)).min(ends_at);
        if let Some(wait @ 1..) = at.checked_sub(spu.time()) {
            spu.compute(wait).await;
        }
        spu.time() < ends_at
    }

    /// Issues the DMA that is offered, and determines the next.
    async fn issue(&mut self, spu: &Spu, block: &ControlBlock) {
        let (from, to) = window(block);
        let tag = if (from..to).contains(&self.offered_at) { MEASURED_TAG } else { OTHER_TAG };
        let place = (self.offered % u64::from(block.buffers.places)) as u32;
        let window = if block.targets > 0 {
            let target = splitmix64(&mut self.random) % u64::from(block.targets);
            ControlBlock::target(&spu.ls(), CONTROL_LSA, target as u32)
        } else {
            0
        };
        spu.offered_at(self.started_at + cycles(self.offered_at));
        iteration(spu, block, place, window, tag).await;
        self.offered += 1;
        self.offered_at += self.interval(block);
    }

    /// The time from one DMA to the next.
    fn interval(&mut self, block: &ControlBlock) -> u64 {
        let in_cycles = |time: u64| time as f64 / SPU_CYCLE as f64;
        match block.injection {
            Injection::Periodic => block.interval,
            Injection::Bernoulli => (1 + self.geometric(in_cycles(block.interval) - 1.0)) * SPU_CYCLE,
            Injection::Bursts => {
                let pauses = self.share() * BURST_DMAS < 1.0;
                let pause = BURST_DMAS * in_cycles(block.interval.saturating_sub(block.peak_interval.into()));
                let pause = if pauses { self.geometric(pause) } else { 0 };
                u64::from(block.peak_interval) + pause * SPU_CYCLE
            }
        }
    }

    /// A random number of failures before a success, with this average.
    ///
    /// The binary digits of such a number are independent of each other. Each is 1 with the probability `q / (1 + q)`,
    /// where `q` is the probability of as many failures as the digit is worth. Additions, products and quotients give
    /// the same result on every computer, which logarithms do not.
    fn geometric(&mut self, average: f64) -> u64 {
        let mut q = average.max(0.0) / (1.0 + average.max(0.0));
        let (mut failures, mut worth) = (0, 1);
        while q > f64::EPSILON && worth < 1 << 40 {
            if self.share() < q / (1.0 + q) {
                failures += worth;
            }
            (q, worth) = (q * q, 2 * worth);
        }
        failures
    }

    /// A random number from 0 to 1.
    fn share(&mut self) -> f64 {
        (splitmix64(&mut self.random) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cell::store::Store;

    fn average(injection: Injection) -> f64 {
        const DMAS: u64 = 200_000;
        let block = ControlBlock::decode(&Store::new(1 << 18, 1 << 18), CONTROL_LSA);
        let block =
            ControlBlock { injection, interval: 100 * SPU_CYCLE, peak_interval: 16 * SPU_CYCLE as u32, ..block };
        let mut source = Source::new(&block, 0);
        let all: u64 = (0..DMAS).map(|_| source.interval(&block)).sum();
        cycles(all) as f64 / DMAS as f64
    }

    #[test]
    fn every_injection_offers_the_rate_on_average() {
        assert_eq!(average(Injection::Periodic), 100.0);
        for injection in [Injection::Bernoulli, Injection::Bursts] {
            assert!((average(injection) - 100.0).abs() < 2.0, "{injection:?}: {}", average(injection));
        }
    }

    #[test]
    fn failures_before_a_success_are_distributed_as_they_should() {
        let mut source = Source { started_at: 0, offered_at: 0, offered: 0, random: 1 };
        let drawn: Vec<u64> = (0..100_000).map(|_| source.geometric(3.0)).collect();
        // A success has the probability 1/4.
        for failures in 0..6 {
            let share = drawn.iter().filter(|drawn| **drawn == failures).count() as f64 / drawn.len() as f64;
            let expected = 0.25 * 0.75_f64.powi(failures as i32);
            assert!((share - expected).abs() < 0.005, "{failures}: {share}, not {expected}");
        }
    }
}
