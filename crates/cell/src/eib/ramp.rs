//! On-ramps and off-ramps: the lines that wait at them, and the state that the arbiter needs.

use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, RampIndex};
use std::collections::VecDeque;

/// A line that waits for a ring.
#[derive(Clone, Copy, Debug)]
pub struct DataRequest {
    /// The off-ramp.
    pub to: RampIndex,
    /// Earliest time of the grant.
    pub ready_at: BusCycle,
    /// The request of the line.
    pub request: RequestId,
    /// Whether the line contains the data of a read, which travel from the target to the issuer.
    pub read: bool,
    /// Whether the line leaves the chip at the off-ramp.
    pub leaves: bool,
    /// Time from the off-ramp to the unit that uses the data.
    pub to_use_bus_cycles: u32,
}

/// A granted transfer.
#[derive(Clone, Copy, Debug)]
pub struct Grant {
    /// Time at which the last beat has left the ring.
    pub arrives_at: BusCycle,
    /// Index of the ring. The clockwise rings come first.
    pub ring: u8,
    /// Number of segments crossed.
    pub hops: u8,
    /// The on-ramp.
    pub from: RampIndex,
    /// The off-ramp.
    pub to: RampIndex,
    /// The request of the line.
    pub request: RequestId,
    /// Whether the data leave the chip at the off-ramp.
    pub leaves: bool,
    /// Time from the off-ramp to the unit that uses the data.
    pub to_use_bus_cycles: u32,
}

/// The on-ramp and the off-ramp of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Ramp {
    pub queue: VecDeque<DataRequest>,
    pub on_free_at: BusCycle,
    pub off_free_at: BusCycle,
    /// Earliest start of the next transfer to the off-ramp, as limited by the start of the previous transfer.
    pub off_start_at: BusCycle,
    pub off_last_from: RampIndex,
    /// Whether the next line over exactly half the ring prefers the counterclockwise direction.
    pub counterclockwise_first: bool,
}

impl Ramp {
    /// Adds the ramps' state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let Ramp { queue, on_free_at, off_free_at, off_start_at, off_last_from, counterclockwise_first } = self;
        out.deadline(*on_free_at, now);
        out.deadline(*off_free_at, now);
        out.deadline(*off_start_at, now);
        out.word(u64::from(*off_last_from) << 32 | u64::from(*counterclockwise_first) << 31 | queue.len() as u64);
        // `leaves` and `to_use_bus_cycles` are functions of the request.
        for DataRequest { to, ready_at, request, read, leaves: _, to_use_bus_cycles: _ } in queue {
            out.deadline(*ready_at, now);
            out.word(u64::from(*to) << 1 | u64::from(*read));
            requests.get(*request).capture(out);
        }
    }
}
