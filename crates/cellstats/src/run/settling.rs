//! What a run with `settle` says about its measured loops.

use crate::family::Workload;
use cell::described;
use cell::pace::{FIRST_QUARTER, LAST_QUARTER, Pace, SETTLED};
use cell::placement::Placement;
use cell::record::{self, Outcome};
use serde::Serialize;

described! {
    /// Whether the measured loops settled.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct Settling {
        /// `settled`: the pace settled, and most of the loops is extrapolated; `unsettled`: the pace did not settle, and
        /// the loops were run in full; `exact`: the loops were run in full, or skipped in periods that repeat exactly.
        pub outcome: &'static str => {"enum": Outcome::WORDS},
        /// Time from the first start of a measured loop until the pace had settled; None unless it settled.
        pub settled_after_ns: Option<f64>,
        /// Time that start-up and end of the loops took beyond the time of all iterations at the settled pace; None
        /// unless the pace settled.
        pub start_up_ns: Option<f64>,
        /// Bandwidth in the first quarter of the loops; None unless the loops are unsettled and move data.
        pub first_quarter_gb_s: Option<f64>,
        /// Bandwidth in the last quarter of the loops; None unless the loops are unsettled and move data.
        pub last_quarter_gb_s: Option<f64>,
    }
}

impl Settling {
    /// Reads the machine's findings about a measurement of `iterations`, whose loops took `span_ns` together.
    pub(super) fn new(
        found: &record::Settling,
        experiment: &dyn Workload,
        iterations: u64,
        placement: &Placement,
        (span_ns, ns_per_spu_cycle): (f64, f64),
    ) -> Settling {
        let ns = |spu_cycles: u64| spu_cycles as f64 * ns_per_spu_cycle;
        let mut settling = Settling {
            outcome: found.outcome.word(),
            settled_after_ns: None,
            start_up_ns: None,
            first_quarter_gb_s: None,
            last_quarter_gb_s: None,
        };
        // Marks in a nanosecond, or bytes with the bytes of a mark.
        let pace = |part, per_mark: &dyn Fn(usize, &Pace) -> Option<f64>| -> Option<f64> {
            let paces = found.paces.iter().enumerate().map(|(nth, (_, pace))| {
                let (marks, spu_cycles) = pace.of(part)?;
                Some(marks as f64 * per_mark(nth, pace)? / ns(spu_cycles))
            });
            paces.sum()
        };
        let bytes = |nth: usize, pace: &Pace| {
            let (spe, _) = found.paces.get(nth)?;
            let (thread, _) = placement.threads().find(|(_, of_thread)| of_thread == spe)?;
            let bytes = experiment.bytes_of_thread(thread)?;
            Some(bytes as f64 * iterations as f64 / pace.marks as f64)
        };
        let marks: u64 = found.paces.iter().map(|(_, pace)| pace.marks).sum();
        match found.outcome {
            Outcome::Settled(after) => {
                settling.settled_after_ns = Some(ns(after));
                let settled_ns = pace(SETTLED, &|_, _| Some(1.0)).map(|pace| marks as f64 / pace);
                settling.start_up_ns = settled_ns.map(|settled_ns| (span_ns - settled_ns).max(0.0));
            }
            Outcome::Unsettled => {
                settling.first_quarter_gb_s = pace(FIRST_QUARTER, &bytes);
                settling.last_quarter_gb_s = pace(LAST_QUARTER, &bytes);
            }
            Outcome::Exact => (),
        }
        settling
    }
}
