//! The arbiter's rules, asked why a head waits, without granting anything.

use super::{DataNetwork, Start};
use crate::bits::bits;
use crate::eib::heads::Head;
use crate::eib::obstacle::{HeadWait, Obstacle};
use crate::request::RequestId;
use crate::units::{BusCycle, RampIndex};

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
