//! On-ramps and off-ramps: the lines that wait there, and what the arbiter knows of them.

use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, RampIndex};
use std::collections::VecDeque;

/// A line that wants to travel.
#[derive(Clone, Copy, Debug)]
pub struct DataRequest {
    /// The off-ramp.
    pub to: RampIndex,
    /// Earliest time of its grant.
    pub ready_at: BusCycle,
    /// What it is for.
    pub request: RequestId,
    /// Whether these are the data of a read: they come from where they were, and go to who asked.
    pub read: bool,
    /// Whether they leave the chip there.
    pub leaves: bool,
    /// Time from the off-ramp to where they are of use.
    pub to_use_bus_cycles: u32,
}

/// A transfer on its way.
#[derive(Clone, Copy, Debug)]
pub struct Grant {
    /// Time at which the last beat has left the ring.
    pub arrives_at: BusCycle,
    /// The ring, clockwise ones first.
    pub ring: u8,
    /// Segments crossed.
    pub hops: u8,
    /// The on-ramp.
    pub from: RampIndex,
    /// The off-ramp.
    pub to: RampIndex,
    /// What it is for.
    pub request: RequestId,
    /// Whether the data leave the chip there.
    pub leaves: bool,
    /// Time from the off-ramp to where the data are of use.
    pub to_use_bus_cycles: u32,
}

/// The on-ramp and the off-ramp of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Ramp {
    pub queue: VecDeque<DataRequest>,
    pub on_free_at: BusCycle,
    pub off_free_at: BusCycle,
    /// Earliest start of a transfer to the off-ramp, behind that of the one before it.
    pub off_start_at: BusCycle,
    pub off_last_from: RampIndex,
}

impl Ramp {
    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let Ramp { queue, on_free_at, off_free_at, off_start_at, off_last_from } = self;
        out.deadline(*on_free_at, now);
        out.deadline(*off_free_at, now);
        out.deadline(*off_start_at, now);
        out.word(u64::from(*off_last_from) << 32 | queue.len() as u64);
        // What happens at the off-ramp follows from the request.
        for DataRequest { to, ready_at, request, read, leaves: _, to_use_bus_cycles: _ } in queue {
            out.deadline(*ready_at, now);
            out.word(u64::from(*to) << 1 | u64::from(*read));
            requests.get(*request).capture(out);
        }
    }
}
