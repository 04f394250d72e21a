//! The set of probes of a machine.

use super::measured::MeasuredPart;
use super::transfer_log::TransferLog;
use crate::counters::Counters;
use crate::occupancy::Occupancy;
use crate::system::board::Board;
use crate::trace::Recorder;

/// Counters, gauges, and the optional probes.
pub(crate) struct Probes {
    pub counters: Counters,
    pub occupancy: Occupancy,
    /// A row for every transfer over the rings, or for the last ones, if requested.
    pub transfers: Option<TransferLog>,
    pub trace: Option<Box<Recorder>>,
    /// The tag group for which command latencies are recorded, if any.
    pub latency_tag: Option<u32>,
    pub measured_part: Option<MeasuredPart>,
}

impl Probes {
    /// Counters at zero, and no optional probes.
    pub fn new(board: &Board) -> Probes {
        let eib = &board.machine.eib;
        let rings = board.chips() * (eib.clockwise_rings + eib.counterclockwise_rings) as usize;
        let (spes, ramps) = (board.topology.spe_count(), usize::from(board.topology.len()));
        Probes {
            counters: Counters::new(board.chips(), rings, board.mic_channels(), spes),
            occupancy: Occupancy::new(spes, rings, ramps, board.mic_channels()),
            transfers: None,
            trace: None,
            latency_tag: None,
            measured_part: None,
        }
    }

    /// Whether any probe will report the issue times of commands that are still in a queue.
    pub fn report_ages_of_commands(&self) -> bool {
        self.latency_tag.is_some() || self.trace.is_some()
    }

    /// Restricts the record's counters to the time in which `programs` programs measure simultaneously.
    pub fn count_measured_part(&mut self, programs: usize, spes: usize) {
        self.measured_part = Some(MeasuredPart::new(programs, spes));
    }
}
