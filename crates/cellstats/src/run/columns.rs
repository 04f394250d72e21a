//! The columns of a result.
//!
//! The JSON Schema of a result and the classes of the Python package are generated from these structs and their doc
//! comments; `None` becomes `null` in the schema.

use super::histogram::Distribution;
use super::offered::Offered;
use super::settling::Settling;
use crate::chips::{Cells, MemoryChoice};
use crate::choices::{PpePath, SpeProgram};
use crate::setup::Columns;
use cell::counters::Counters;
use cell::described;
use serde::Serialize;

described! {
    /// One measurement.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct Measurement {
        /// Version of these columns.
        pub schema: u32 => {"enum": [cell::record::SCHEMA_VERSION]},
        /// The FUNCTION that was measured, such as `dmaget`.
        pub function: String => {"pattern": "^[a-z][a-z0-9]*$"},
        /// Name of the machine, such as `ps3`.
        pub machine: String => {"minLength": 1},
        /// Number of SPEs that took part; 0 if the PPE loads and stores.
        pub spes: u32 => {"maximum": 16},
        /// The columns that only some families fill.
        #[serde(flatten)]
        pub columns: Columns,
        /// How the PPE reached SPEs: `library` (system calls) or `mmio` (registers).
        pub ppe: &'static str => {"enum": PpePath::WORDS},
        /// Programs of the SPEs: `builtin` or `c`.
        pub spe_program: &'static str => {"enum": SpeProgram::WORDS},
        /// Measured iterations of each SPE or PPE thread, without the warm-up.
        pub iterations: u64 => {"minimum": 1, "maximum": 1_000_000_000},
        /// The requested Cells: `0`, `1`, `01` or `10`; None if no Cells were requested.
        pub cells: Option<&'static str> => {"enum": Cells::WORDS},
        /// The Cell whose memory held buffers and variables: `0`, `1` or `interleave` (both); None if they were
        /// not in main memory.
        pub memory: Option<&'static str> => {"enum": MemoryChoice::WORDS},
        /// Physical SPE of each thread.
        pub placement: Vec<u8>,
        /// Average time of an iteration, with all phases and barriers of an exchange: the mean of `per_spe` and
        /// `per_thread`. If DMAs overlap (`batch` is not 1), it is shorter than the time that a DMA takes.
        pub latency_ns: f64,
        /// Average of the fastest SPE or PPE thread.
        pub latency_ns_min: f64,
        /// Average of the slowest SPE or PPE thread.
        pub latency_ns_max: f64,
        /// All bytes divided by the time from the first start to the last end of a measured loop, GB = 10^9 bytes;
        /// None if no data moves.
        pub bandwidth_gb_s: Option<f64>,
        /// Latencies of all single DMAs; None unless `histogram` was asked for.
        pub dma_latency: Option<Distribution>,
        /// Simulated time of the whole run, including thread creation and warm-up.
        pub simulated_ns: f64,
        /// A row for each SPE that measured; an SPE that only holds a buffer has no row.
        pub per_spe: Vec<PerSpe>,
        /// A row for each thread of the PPE that measured loads and stores.
        pub per_thread: Vec<PerThread> => {"maxItems": 2},
        /// Counters of the machine while all SPEs measured: command phase, rings, memory, SPEs.
        pub counters: Counters,
        /// Everything needed to reproduce this result: version, machine and its hash, function, parameters.
        pub recipe: Recipe,
        /// Share (0 to 1) of start-up and end in the time of a short run, which moves data in fewer iterations than
        /// its default; left out if it is less than 5 %, in sweeps and over placements.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub start_up_share: Option<f64> => {"maximum": 1},
        /// The load that was offered; left out unless `rate` was given.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub offered_load: Option<Offered>,
        /// Whether the measured loops settled; left out unless `settle` was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub settling: Option<Settling>,
    }
}

described! {
    /// Measurement of one SPE.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct PerSpe {
        /// Number of the SPE's thread, from 0.
        pub thread: u8 => {"maximum": 15},
        /// Physical SPE that the thread ran on.
        pub spe: u8 => {"maximum": 15},
        /// Length of the measured loop in ticks of the SPE's decrementer, or of the time base if the PPE measured.
        pub ticks: u64,
        /// Average time of an iteration.
        pub latency_ns: f64,
        /// Bytes of an iteration divided by its time, GB = 10^9 bytes; None if no data moves. With a `rate`, the accepted
        /// part of the load.
        pub bandwidth_gb_s: Option<f64>,
        /// Latencies of the SPE's DMAs; None unless `histogram` was asked for, or a `rate`.
        pub dma_latency: Option<Distribution>,
    }
}

described! {
    /// Measurement of one PPE thread.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct PerThread {
        /// Number of the PPE thread, 0 or 1.
        pub thread: u8 => {"maximum": 1},
        /// Length of the measured loop in ticks of the time base.
        pub ticks: u64,
        /// Average time of an access; in a copy, of a load and a store together.
        pub latency_ns: f64,
        /// Bytes of an access divided by its time, GB = 10^9 bytes: in a copy, loaded and stored bytes; at `l1l2`,
        /// whole lines.
        pub bandwidth_gb_s: Option<f64>,
    }
}

described! {
    /// Everything that determines a result.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct Recipe {
        /// Version of CellStats.
        pub version: &'static str => {"minLength": 1},
        /// Name of the machine.
        pub machine: String => {"minLength": 1},
        /// Hash of all values of the machine, 16 hexadecimal digits.
        pub machine_hash: String => {"pattern": "^[0-9a-f]{16}$"},
        /// The FUNCTION.
        pub function: String => {"pattern": "^[a-z][a-z0-9]*$"},
        /// Parameters, by the names of their columns.
        pub parameters: serde_json::Map<String, serde_json::Value>,
    }
}
