//! Reasons why the head of a queue has not started yet.

use crate::request::RequestId;
use crate::units::{BusCycle, RampIndex};

/// An obstacle to the start of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The previous line is still leaving the on-ramp.
    OnRamp,
    /// The off-ramp would still be receiving another line when this line arrives.
    OffRamp,
    /// Another line has just started on the rings of this direction.
    StartGap,
    /// Segments of the route are in use.
    Way,
    /// The head of this other on-ramp needs the same off-ramp and is next in turn.
    Turn(RampIndex),
    /// The line would cross the route of this other on-ramp's head, which has waited longer.
    Older(RampIndex),
    /// The arbiter grants another line in this bus cycle.
    Arbiter,
}

/// A period in which the line at the head of a queue waits for one obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadWait {
    /// The request of the line.
    pub request: RequestId,
    /// Start of the period: now, or when the line becomes ready.
    pub from: BusCycle,
    /// The obstacle.
    pub obstacle: Obstacle,
}

impl Obstacle {
    /// The obstacle's name in a trace.
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

    /// The on-ramp whose head has precedence; `None` for other obstacles.
    pub fn by(self) -> Option<RampIndex> {
        match self {
            Obstacle::Turn(ramp) | Obstacle::Older(ramp) => Some(ramp),
            _ => None,
        }
    }
}
