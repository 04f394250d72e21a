//! The distribution of the latencies of single DMAs.

use cell::counters::Latencies;
use cell::described;
use serde::Serialize;

described! {
    /// Latencies of single DMAs, each from its command to its completion in the tag status.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct Distribution {
        /// Number of DMAs.
        pub count: u64 => {"minimum": 1},
        /// Shortest latency.
        pub min_ns: f64,
        /// Median: half of the DMAs took longer.
        pub median_ns: f64,
        /// Average latency.
        pub mean_ns: f64,
        /// 99th percentile: one DMA in a hundred took longer.
        pub p99_ns: f64,
        /// Longest latency.
        pub max_ns: f64,
        /// The histogram: bins of equal width, the same for all SPEs, without empty bins.
        pub bins: Vec<Bin>,
    }
}

described! {
    /// One bar of a histogram.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct Bin {
        /// Lower end of the bar, inclusive.
        pub from_ns: f64,
        /// Upper end of the bar, exclusive.
        pub to_ns: f64,
        /// Number of DMAs.
        pub count: u64 => {"minimum": 1},
    }
}

/// Maximum number of bins between 0 and the longest latency.
const BINS_MAX: f64 = 50.0;

impl Distribution {
    /// Counts latencies in bins of `width_ns`, or returns `None` if there are no latencies.
    pub fn new(latencies: &Latencies, ns_per_bus_cycle: f64, width_ns: f64) -> Option<Distribution> {
        let ns = |bus_cycles: &u64| *bus_cycles as f64 * ns_per_bus_cycle;
        let count: u64 = latencies.values().sum();
        let (min, max) = (latencies.keys().next()?, latencies.keys().next_back()?);
        let total: u128 = latencies.iter().map(|(latency, n)| u128::from(*latency) * u128::from(*n)).sum();
        let mut bins: Vec<Bin> = Vec::new();
        for (latency, n) in latencies {
            let from_ns = (ns(latency) / width_ns).floor() * width_ns;
            match bins.last_mut() {
                Some(last) if last.from_ns == from_ns => last.count += n,
                _ => bins.push(Bin { from_ns, to_ns: from_ns + width_ns, count: *n }),
            }
        }
        Some(Distribution {
            count,
            min_ns: ns(min),
            median_ns: ns(&quantile(latencies, count, 50)),
            mean_ns: total as f64 / count as f64 * ns_per_bus_cycle,
            p99_ns: ns(&quantile(latencies, count, 99)),
            max_ns: ns(max),
            bins,
        })
    }
}

/// Width of the bins for latencies up to `max_ns`: 1, 2 or 5 times a power of ten.
pub fn bin_width(max_ns: f64) -> f64 {
    let mut width = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if max_ns / width <= BINS_MAX {
            break;
        }
        width *= factor;
    }
    width
}

/// The latency at the percentile `percent` of all DMAs.
fn quantile(latencies: &Latencies, count: u64, percent: u64) -> u64 {
    let rank = (u128::from(count) * u128::from(percent)).div_ceil(100) as u64;
    let mut seen = 0;
    let reached = latencies.iter().find(|(_, n)| {
        seen += *n;
        seen >= rank
    });
    reached.map_or(0, |(latency, _)| *latency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_count_every_dma() {
        let latencies = Latencies::from([(10, 98), (20, 1), (1000, 1)]);
        let all = Distribution::new(&latencies, 0.5, 10.0).unwrap();
        assert_eq!((all.count, all.min_ns, all.median_ns, all.p99_ns, all.max_ns), (100, 5.0, 5.0, 10.0, 500.0));
        assert_eq!(all.mean_ns, 10.0);
        let bins: Vec<_> = all.bins.iter().map(|bin| (bin.from_ns, bin.to_ns, bin.count)).collect();
        assert_eq!(bins, [(0.0, 10.0, 98), (10.0, 20.0, 1), (500.0, 510.0, 1)]);
        assert_eq!(Distribution::new(&Latencies::new(), 0.5, 10.0), None);
    }

    #[test]
    fn bins_are_round_and_not_too_many() {
        assert_eq!([40.0, 60.0, 99.0, 240.0, 13_000.0].map(bin_width), [1.0, 2.0, 2.0, 5.0, 500.0]);
    }
}
