//! Explains why a head waits under the arbiter's rules, without granting a transfer.

use super::{DataNetwork, Start};
use crate::bits::bits;
use crate::eib::heads::Head;
use crate::eib::obstacle::{HeadWait, Obstacle};
use crate::request::RequestId;
use crate::units::{BusCycle, RampIndex};

impl DataNetwork {
    /// Number of ramps on the ring.
    pub fn ramp_count(&self) -> RampIndex {
        self.ramp_count as RampIndex
    }

    /// Returns the obstacle to the head of an on-ramp's queue, after the arbiter has run. Returns `None` if no line is
    /// ready or becomes ready before the on-ramp is free.
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

    /// The request of the line at the head of an on-ramp's queue.
    pub fn head_request(&self, from: RampIndex) -> Option<RequestId> {
        self.ramp(from).queue.front().map(|data| data.request)
    }

    /// Returns the first of the arbiter's rules that blocks a ready head.
    fn obstacle(&self, from: RampIndex, head: &Head, now: BusCycle) -> Obstacle {
        if !self.is_in_turn(from, head.to) {
            let rivals = bits(self.heads.rivals(from, head.to));
            return rivals
                .min_by_key(|rival| self.turns_until(*rival, head.to))
                .map_or(Obstacle::Arbiter, Obstacle::Turn);
        }
        let start = self.earliest(head, now);
        match start.at > now {
            true => self.home_ring_obstacle(head, start.at),
            false => self.older_obstacle(from, &start),
        }
    }

    fn older_obstacle(&self, from: RampIndex, start: &Start) -> Obstacle {
        self.older_in_path(from, start).map_or(Obstacle::Arbiter, Obstacle::Older)
    }

    /// Returns the obstacle to a head on its home ring until the time when the head can start: the off-ramp, the gap
    /// between two starts, or the route.
    pub(super) fn home_ring_obstacle(&self, head: &Head, until: BusCycle) -> Obstacle {
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
