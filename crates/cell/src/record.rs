//! The record of a run.

use crate::counters::Counters;
use crate::pace::Pace;
use crate::units::{SpeId, SpuCycles};
use serde::Serialize;

/// Version of the JSON format of records and results. The version increases when the meaning of a column changes.
pub const SCHEMA_VERSION: u32 = 1;

/// The record of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    /// [`SCHEMA_VERSION`].
    pub schema: u32,
    /// Name of the machine.
    pub machine: String,
    /// Hash of the machine's values.
    pub machine_hash: String,
    /// Length of the run.
    pub bus_cycles: u64,
    /// Duration of the longest measured part of any program; 0 if nothing is measured.
    #[serde(skip)]
    pub measured_bus_cycles: u64,
    /// SPU cycles from the earliest beginning to the latest end of all programs' measured parts; 0 if nothing is
    /// measured.
    #[serde(skip)]
    pub measured_span_spu_cycles: u64,
    /// Whether the measured loops settled; `None` unless the run was allowed to skip settled loops.
    #[serde(skip)]
    pub settling: Option<Settling>,
    /// Every thread that ran.
    pub threads: Vec<ThreadRecord>,
    /// The counters of the machine.
    pub counters: Counters,
    /// Every transfer over the rings, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfers: Option<Vec<TransferRecord>>,
}

/// What a run found out that was allowed to skip settled loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settling {
    /// Whether the loops settled.
    pub outcome: Outcome,
    /// The pace of each measured loop, in the order of their SPEs.
    pub paces: Vec<(SpeId, Pace)>,
}

/// Whether measured loops settled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Outcome {
    /// The loops repeat exactly, or cannot be judged: they are too short, or the PPE makes marks as well.
    #[default]
    Exact,
    /// The pace still changed, or differed between the programs, so the loops were run in full.
    Unsettled,
    /// The pace had settled this many SPU cycles after the beginning of the first measurement. The rest is extrapolated.
    Settled(SpuCycles),
}

impl Outcome {
    /// The words of [`Outcome::word`].
    pub const WORDS: [&str; 3] = ["settled", "unsettled", "exact"];

    /// The outcome in a word.
    pub fn word(self) -> &'static str {
        let [settled, unsettled, exact] = Outcome::WORDS;
        match self {
            Outcome::Settled(_) => settled,
            Outcome::Unsettled => unsettled,
            Outcome::Exact => exact,
        }
    }
}

/// The end of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ThreadRecord {
    /// The thread's number.
    pub thread: u8,
    /// The physical SPE on which the thread ran.
    pub spe: u8,
    /// The program's stop code.
    pub stop_code: u32,
    /// The time at which the thread ended, in SPU cycles since the start of the run.
    pub stopped_at_spu_cycle: u64,
}

/// The transfer of one cache line over a ring.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TransferRecord {
    /// The bus cycle in which the arbiter granted the transfer.
    pub granted_at: u64,
    /// The bus cycle in which the last beat of the line left the ring.
    pub arrived_at: u64,
    /// The ring's number; clockwise rings have the lowest numbers.
    pub ring: u8,
    /// Number of the on-ramp, which is its position on the ring.
    pub from: u8,
    /// The off-ramp.
    pub to: u8,
    /// The number of useful bytes in the line.
    pub bytes: u8,
}

impl Record {
    /// The record as one line of JSON.
    pub fn to_json(&self) -> String {
        // Serialising numbers and names cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
