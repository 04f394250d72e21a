//! Why the head of a queue is not on a ring yet.

use crate::request::RequestId;
use crate::units::{BusCycle, RampIndex};

/// What keeps a line from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The line before it still leaves the on-ramp.
    OnRamp,
    /// The off-ramp still takes another line, or will when this one would get there.
    OffRamp,
    /// The rings of its direction have just started another line.
    StartGap,
    /// Segments of its way are in use.
    Way,
    /// The head of this on-ramp wants the same off-ramp, and is next in turn.
    Turn(RampIndex),
    /// It would get in the way of the head of this on-ramp, which has waited longer.
    Older(RampIndex),
    /// Nothing: the arbiter grants another line in this bus cycle.
    Arbiter,
}

/// The wait of a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadWait {
    /// What its line is for.
    pub request: RequestId,
    /// When this part of its wait begins: now, or when the line will be ready.
    pub from: BusCycle,
    /// Why.
    pub obstacle: Obstacle,
}

impl Obstacle {
    /// What a trace calls it.
    pub fn name(self) -> &'static str {
        match self {
            Obstacle::OnRamp => "on-ramp",
            Obstacle::OffRamp => "off-ramp",
            Obstacle::StartGap => "start gap",
            Obstacle::Way => "way taken",
            Obstacle::Turn(_) => "turn",
            Obstacle::Older(_) => "older",
            Obstacle::Arbiter => "arbiter",
        }
    }

    /// The on-ramp whose head goes first.
    pub fn by(self) -> Option<RampIndex> {
        match self {
            Obstacle::Turn(ramp) | Obstacle::Older(ramp) => Some(ramp),
            _ => None,
        }
    }
}
