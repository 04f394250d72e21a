//! The load that a measurement offered to the machine, and how much of it the machine accepted.

use crate::choices::{Injection, word};
use crate::setup::Load;
use cell::counters::{Counters, SpeCounters};
use cell::described;
use cell::machine::Machine;
use cell::units::SpeId;
use serde::Serialize;

/// A machine that accepts less than this share of the load is saturated. Without saturation, the two differ by the DMAs
/// that are under way at the window's ends.
const ACCEPTED_MIN: f64 = 0.98;

described! {
    /// The load that was offered at a rate.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct Offered {
        /// Rate at which each SPE was offered DMAs, as a share of what its port carries in each direction of the DMAs.
        pub rate: f64 => {"maximum": 1},
        /// When the DMAs were offered: `periodic`, `bernoulli` or `bursts`.
        pub injection: &'static str => {"enum": Injection::WORDS},
        /// Bandwidth that was offered to all SPEs in the measured window; `bandwidth_gb_s` is what was accepted.
        pub offered_gb_s: f64,
        /// Whether the machine is saturated: it accepted less than 98 % of the load, so that the latencies grow with the
        /// length of the window.
        pub saturated: bool,
    }
}

impl Offered {
    /// The load of `iterations` average intervals, in which `dmas` DMAs were offered.
    pub fn new(load: Load, machine: &Machine, iterations: u64, dmas: u64, accepted_gb_s: f64) -> Offered {
        let window_ns = load.interval_spu_cycles * iterations as f64 * 1e9 / machine.chip.processor_clock_hz as f64;
        let offered_gb_s = (dmas * load.dma_bytes) as f64 / window_ns;
        let saturated = accepted_gb_s < ACCEPTED_MIN * offered_gb_s;
        Offered { rate: load.rate, injection: word(&Injection::ALL, load.injection), offered_gb_s, saturated }
    }
}

/// The bandwidth in GB/s at which an SPE's lines arrived while all SPEs measured.
pub fn accepted_gb_s(machine: &Machine, counters: &Counters, spe: SpeId) -> f64 {
    let bytes = |counted: &SpeCounters| (counted.get_bytes + counted.put_bytes) as f64;
    let of_spe = counters.spes.get(usize::from(spe.0)).map_or(0.0, bytes);
    of_spe * machine.bus_hz() as f64 / counters.bus_cycles.max(1) as f64 / 1e9
}
