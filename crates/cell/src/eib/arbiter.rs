//! The data phase: the arbiter that gives rings to transfers.
//!
//! Each element's requests wait in one first-in first-out queue before its on-ramp.  The head of a
//! queue is granted when one moment suits the whole transfer: its on-ramp is free, a ring in its
//! direction may start another transfer, every segment of the way is free when the beats get there,
//! and the off-ramp is free when they arrive.  Nothing ever stalls on a ring.  The memory controller's
//! requests go first; all others in turn (kistler2006).  A transfer never goes more than half way
//! round.
//!
//! MODEL: rules that only contention shows, each a value of the machine file.  An element has a home
//! ring in each direction, neighbours alternate; it takes another ring only after its request has
//! waited `home_ring_wait_bus_cycles`.  A transfer of exactly half the ring goes clockwise
//! (`halfway_clockwise_only`) or either way.  `grants_per_bus_cycle` bounds the grants of all rings
//! together.  An off-ramp idles for `off_ramp_gap_bus_cycles` when the next line is from another
//! element.

use super::topology::{Direction, Topology};
use crate::machine::Machine;
use crate::request::Request;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, NEVER, RampIndex};
use std::collections::VecDeque;

/// A line that wants to travel.
#[derive(Clone, Copy, Debug)]
pub struct DataRequest {
    /// The off-ramp.
    pub to: RampIndex,
    /// Not granted before this time.
    pub ready_at: BusCycle,
    /// What it is for.
    pub request: Request,
}

/// A transfer on its way.
#[derive(Clone, Copy, Debug)]
pub struct Grant {
    /// When the last beat has left the ring.
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
    pub request: Request,
}

/// One data ring: when each of its segments is free again.
#[derive(Clone, Debug)]
struct Ring {
    direction: Direction,
    start_free_at: BusCycle,
    /// Segment `i` leads from ramp `i` to the next one in the ring's direction.
    segment_free_at: Vec<BusCycle>,
}

#[derive(Clone, Debug, Default)]
struct Ramp {
    queue: VecDeque<DataRequest>,
    head_since: BusCycle,
    /// No use trying the head before this time.
    try_at: BusCycle,
    on_free_at: BusCycle,
    off_free_at: BusCycle,
    off_last_from: RampIndex,
}

/// The rings, the ramps and their arbiter.
pub struct DataNetwork {
    topology: Topology,
    rings: Vec<Ring>,
    ramps: Vec<Ramp>,
    /// Ramps with something in their queue.
    waiting: u32,
    turn: u8,
    mic: RampIndex,
    beats: u64,
    hop: u64,
    start_gap: u64,
    home_wait: u64,
    off_gap: u64,
    halfway_clockwise_only: bool,
}

impl DataNetwork {
    /// Idle rings.
    pub fn new(machine: &Machine, topology: &Topology, mic: RampIndex) -> DataNetwork {
        let ring = |direction| Ring { direction, start_free_at: 0, segment_free_at: vec![0; topology.len() as usize] };
        let clockwise = (0..machine.eib.clockwise_rings).map(|_| ring(Direction::Clockwise));
        let counter = (0..machine.eib.counterclockwise_rings).map(|_| ring(Direction::Counterclockwise));
        DataNetwork {
            rings: clockwise.chain(counter).collect(),
            ramps: vec![Ramp::default(); topology.len() as usize],
            waiting: 0,
            turn: 0,
            mic,
            beats: LINE_BYTES.div_ceil(u64::from(machine.eib.beat_bytes)),
            hop: u64::from(machine.eib.hop_bus_cycles),
            start_gap: u64::from(machine.eib.ring_start_gap_bus_cycles),
            home_wait: u64::from(machine.eib.home_ring_wait_bus_cycles),
            off_gap: u64::from(machine.eib.off_ramp_gap_bus_cycles),
            halfway_clockwise_only: machine.eib.halfway_clockwise_only != 0,
            topology: topology.clone(),
        }
    }

    /// Rings, clockwise ones first.
    pub fn ring_count(&self) -> usize {
        self.rings.len()
    }

    /// Beats of a line on a ring.
    pub fn beats(&self) -> u64 {
        self.beats
    }

    /// Queues a line at an on-ramp; requests of one ramp are served in the order of their readiness.
    pub fn request(&mut self, from: RampIndex, data: DataRequest) {
        let ramp = &mut self.ramps[from as usize];
        let behind = ramp.queue.iter().rev().take_while(|other| other.ready_at > data.ready_at).count();
        let place = ramp.queue.len() - behind;
        ramp.queue.insert(place, data);
        if place == 0 {
            ramp.head_since = data.ready_at;
            ramp.try_at = data.ready_at;
        }
        self.waiting |= 1 << from;
    }

    /// Grants one transfer if one can start now.
    pub fn advance(&mut self, now: BusCycle) -> Option<Grant> {
        let mic = self.waiting & (1 << self.mic);
        let others = self.waiting & !mic;
        let later = others & (!0 << self.turn);
        for mut mask in [mic, later, others & !later] {
            while mask != 0 {
                let from = mask.trailing_zeros() as RampIndex;
                mask &= mask - 1;
                if self.ramps[from as usize].try_at > now {
                    continue;
                }
                let (at, ring) = self.earliest(from, now);
                if at <= now {
                    return Some(self.grant(from, ring, now));
                }
                self.ramps[from as usize].try_at = at;
            }
        }
        None
    }

    /// The earliest time at which [`DataNetwork::advance`] might grant something, as things stand.
    pub fn next_advance(&self) -> BusCycle {
        let mut mask = self.waiting;
        let mut earliest = NEVER;
        while mask != 0 {
            earliest = earliest.min(self.ramps[mask.trailing_zeros() as usize].try_at);
            mask &= mask - 1;
        }
        earliest
    }

    /// When, at the earliest, the head of a queue can start, and on which ring.
    fn earliest(&self, from: RampIndex, now: BusCycle) -> (BusCycle, usize) {
        let ramp = &self.ramps[from as usize];
        let to = ramp.queue[0].to;
        let clockwise = self.topology.hops(from, to, Direction::Clockwise);
        let counter = self.topology.hops(from, to, Direction::Counterclockwise);
        let mut best = (NEVER, 0);
        for (direction, hops) in [(Direction::Clockwise, clockwise), (Direction::Counterclockwise, counter)] {
            if self.allows(direction, clockwise, counter) {
                let floor = now.max(ramp.on_free_at).max(self.off_ramp_ready(from, to, hops));
                best = self.best_ring(from, direction, hops, floor, best);
            }
        }
        best
    }

    /// Whether a transfer with these distances may go in `direction`.
    fn allows(&self, direction: Direction, clockwise: u8, counter: u8) -> bool {
        let rings_this_way = self.rings.iter().any(|ring| ring.direction == direction);
        let rings_other_way = self.rings.iter().any(|ring| ring.direction != direction);
        let shorter = match direction {
            Direction::Clockwise => clockwise <= counter,
            Direction::Counterclockwise => counter < clockwise || counter == clockwise && !self.halfway_clockwise_only,
        };
        // A what-if machine may have rings one way only; then even the long way round must do.
        rings_this_way && (shorter || !rings_other_way)
    }

    fn off_ramp_ready(&self, from: RampIndex, to: RampIndex, hops: u8) -> BusCycle {
        let ramp = &self.ramps[to as usize];
        let gap = if ramp.off_last_from == from { 0 } else { self.off_gap };
        (ramp.off_free_at + gap).saturating_sub(u64::from(hops) * self.hop)
    }

    fn best_ring(
        &self,
        from: RampIndex,
        direction: Direction,
        hops: u8,
        floor: BusCycle,
        mut best: (BusCycle, usize),
    ) -> (BusCycle, usize) {
        let rings_this_way = self.rings.iter().filter(|ring| ring.direction == direction).count();
        let home = from as usize % rings_this_way;
        let rings = self.rings.iter().enumerate().filter(|(_, ring)| ring.direction == direction);
        for (nth, (index, ring)) in rings.enumerate() {
            let patience = if nth == home { 0 } else { self.ramps[from as usize].head_since + self.home_wait };
            let mut at = floor.max(patience).max(ring.start_free_at);
            for hop in 0..hops {
                let segment = self.segment(from, hop, direction);
                at = at.max(ring.segment_free_at[segment].saturating_sub(u64::from(hop) * self.hop));
            }
            if at < best.0 {
                best = (at, index);
            }
        }
        best
    }

    /// The segment crossed at the given hop of a way.
    fn segment(&self, from: RampIndex, hop: u8, direction: Direction) -> usize {
        let n = self.topology.len();
        let place = match direction {
            Direction::Clockwise => from + hop,
            Direction::Counterclockwise => from + n - hop,
        };
        usize::from(if place >= n { place - n } else { place })
    }

    fn grant(&mut self, from: RampIndex, ring: usize, now: BusCycle) -> Grant {
        let direction = self.rings[ring].direction;
        let ramp = &mut self.ramps[from as usize];
        let data = ramp.queue.pop_front().expect("a granted ramp has a head");
        ramp.on_free_at = now + self.beats;
        match ramp.queue.front() {
            Some(next) => {
                ramp.head_since = next.ready_at.max(now);
                ramp.try_at = next.ready_at.max(ramp.on_free_at);
            }
            None => self.waiting &= !(1 << from),
        }
        let hops = self.topology.hops(from, data.to, direction);
        for hop in 0..hops {
            let segment = self.segment(from, hop, direction);
            self.rings[ring].segment_free_at[segment] = now + u64::from(hop) * self.hop + self.beats;
        }
        self.rings[ring].start_free_at = now + self.start_gap;
        let arrives_at = now + u64::from(hops) * self.hop + self.beats;
        let off = &mut self.ramps[data.to as usize];
        off.off_free_at = arrives_at;
        off.off_last_from = from;
        if from != self.mic {
            self.turn = (from + 1) % self.topology.len();
        }
        Grant { arrives_at, ring: ring as u8, hops, from, to: data.to, request: data.request }
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        out.word(u64::from(self.turn));
        for ring in &self.rings {
            out.deadline(ring.start_free_at, now);
            ring.segment_free_at.iter().for_each(|at| out.deadline(*at, now));
        }
        for ramp in &self.ramps {
            out.deadline(ramp.on_free_at, now);
            // A past off-ramp time still matters by what it is compared with: at most a gap and the way.
            out.deadline(ramp.off_free_at + self.off_gap, now);
            out.word(u64::from(ramp.off_last_from) << 32 | ramp.queue.len() as u64);
            if let Some(head) = ramp.queue.front() {
                out.deadline(head.ready_at, now);
                out.age(ramp.head_since, now, self.home_wait);
                out.deadline(ramp.try_at, now);
            }
            for data in &ramp.queue {
                out.deadline(data.ready_at, now);
                out.word(u64::from(data.to));
                data.request.capture(out);
            }
        }
    }
}
