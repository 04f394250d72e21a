//! Why the head of a queue is not on a ring yet: the arbiter's rules, asked without granting anything.

use super::{DataNetwork, Start};
use crate::bits::bits;
use crate::eib::heads::Head;
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

impl DataNetwork {
    /// Places on the ring.
    pub fn ramp_count(&self) -> RampIndex {
        self.ramp_count as RampIndex
    }

    /// What the head of an on-ramp's queue waits for, after the arbiter's turn; nothing if no line is ready, or will be
    /// before the on-ramp is free.
    pub fn wait_of(&self, from: RampIndex, now: BusCycle) -> Option<HeadWait> {
        let data = self.ramp(from).queue.front()?;
        let head = self.heads.head(from);
        let (begins, obstacle) = match head.since > now {
            true if data.ready_at < head.since => (now.max(data.ready_at), Obstacle::OnRamp),
            true => return None,
            false => (now, self.obstacle(from, head, now)),
        };
        Some(HeadWait { request: data.request, from: begins, obstacle })
    }

    /// The request of the head of an on-ramp's queue.
    pub fn head_request(&self, from: RampIndex) -> Option<RequestId> {
        self.ramp(from).queue.front().map(|data| data.request)
    }

    /// The first rule, in the arbiter's order, that keeps a head which takes part.
    fn obstacle(&self, from: RampIndex, head: &Head, now: BusCycle) -> Obstacle {
        if !self.is_in_turn(from, head.to) {
            let rivals = bits(self.heads.rivals(from, head.to));
            return rivals
                .min_by_key(|rival| self.turns_until(*rival, head.to))
                .map_or(Obstacle::Arbiter, Obstacle::Turn);
        }
        let start = self.earliest(head, now);
        match start.at > now {
            true => self.what_keeps(head, start.at),
            false => self.older_in_the_way(from, &start),
        }
    }

    fn older_in_the_way(&self, from: RampIndex, start: &Start) -> Obstacle {
        self.in_whose_way(from, start).map_or(Obstacle::Arbiter, Obstacle::Older)
    }

    /// What keeps a head from its home ring until it can start: the off-ramp, the gap between two starts, or else the
    /// way.
    pub(super) fn what_keeps(&self, head: &Head, until: BusCycle) -> Obstacle {
        let way = head.ways.first();
        if self.off_ramp_ready(head.to, way) >= until {
            Obstacle::OffRamp
        } else if self.start_free_at(way.home, way) >= until {
            Obstacle::StartGap
        } else {
            Obstacle::Way
        }
    }
}
