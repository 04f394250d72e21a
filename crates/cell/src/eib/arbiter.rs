//! The data phase: the arbiter that grants rings to transfers.
//!
//! Each element's requests wait in one first-in first-out queue before its on-ramp.  The head of a
//! queue is granted when one moment suits the whole transfer: its on-ramp is free, a ring in its
//! direction may start another transfer, every segment of the way is free when the beats get there,
//! and the off-ramp is free when they arrive.  Nothing ever stalls on a ring.  The memory controller's
//! requests go first; all others in turn (kistler2006).  A transfer never goes more than half way
//! round.
//!
//! No transfer overtakes another on the way to their off-ramp: it is granted only when the one before it
//! has left its on-ramp.  A farther element that follows a nearer one therefore leaves the off-ramp idle
//! for as many cycles as it is farther away; puts of eight SPEs into memory lose one cycle in 17 by that,
//! which is what kistler2006 saw (1.5 of 25.6 GB/s), while gets, which all leave one on-ramp, lose none.
//!
//! MODEL: rules that only contention shows, each a value of the machine file.  An element has a home
//! ring in each direction, neighbours alternate; it takes another ring only after its request has
//! waited `home_ring_wait_bus_cycles`.  A transfer of exactly half the ring goes either way or, with
//! `halfway_clockwise_only`, clockwise.  `grants_per_bus_cycle` bounds the grants of all rings together.
//! Elements that want the same off-ramp take turns at it.  A head that others have overtaken for
//! `head_wait_limit_bus_cycles` blocks all other grants until it is granted.

use super::ring::{Ring, Way, ways};
use super::topology::{Direction, Topology};
use crate::counters::RingCounters;
use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, NEVER, RampIndex};
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
}

#[derive(Clone, Debug, Default)]
struct Ramp {
    queue: VecDeque<DataRequest>,
    /// The head's off-ramp.
    head_to: RampIndex,
    /// Time from which the head could be granted.
    head_since: BusCycle,
    /// Earliest time at which the head might be granted.
    try_at: BusCycle,
    on_free_at: BusCycle,
    off_free_at: BusCycle,
    off_granted_at: BusCycle,
    off_last_from: RampIndex,
}

/// The rings, the ramps and their arbiter.
pub struct DataNetwork {
    ramp_count: usize,
    rings: Vec<Ring>,
    /// By off-ramp, then on-ramp: the shorter way, or both if they are equally long.
    ways: Vec<Vec<Way>>,
    ramps: Vec<Ramp>,
    /// Ramps with something in their queue.
    waiting: u32,
    /// By off-ramp: the on-ramps whose head wants it.
    wanted_by: Vec<u32>,
    turn: u8,
    mic: RampIndex,
    beats: u64,
    hop: u64,
    start_gap: u64,
    home_wait: u64,
    head_wait_limit: u64,
    /// The ramp whose head has waited too long: it blocks all other grants.
    overdue: Option<RampIndex>,
}

impl DataNetwork {
    /// Idle rings.
    pub fn new(machine: &Machine, topology: &Topology, mic: RampIndex) -> DataNetwork {
        let n = usize::from(topology.ramps_on_chip());
        let ring = |direction| Ring::idle(direction, n);
        let clockwise = (0..machine.eib.clockwise_rings).map(|_| ring(Direction::Clockwise));
        let counter = (0..machine.eib.counterclockwise_rings).map(|_| ring(Direction::Counterclockwise));
        DataNetwork {
            rings: clockwise.chain(counter).collect(),
            ramps: vec![Ramp::default(); topology.ramps_on_chip() as usize],
            waiting: 0,
            wanted_by: vec![0; n],
            turn: 0,
            mic,
            beats: LINE_BYTES.div_ceil(u64::from(machine.eib.beat_bytes)),
            hop: machine.eib.hop_bus_cycles,
            start_gap: machine.eib.ring_start_gap_bus_cycles,
            home_wait: machine.eib.home_ring_wait_bus_cycles,
            ramp_count: n,
            head_wait_limit: machine.eib.head_wait_limit_bus_cycles,
            overdue: None,
            ways: (0..n * n).map(|i| ways(machine, topology, (i % n) as RampIndex, (i / n) as RampIndex)).collect(),
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

    /// When the lines at an on-ramp are ready, or were.
    pub fn ready_times(&self, from: RampIndex) -> impl Iterator<Item = BusCycle> {
        self.ramps[usize::from(from)].queue.iter().map(|data| data.ready_at)
    }

    /// Whether the `nth` line at an on-ramp is ready.
    pub fn is_ready(&self, from: RampIndex, nth: usize, now: BusCycle) -> bool {
        self.ramps[usize::from(from)].queue.get(nth).is_some_and(|data| data.ready_at <= now)
    }

    /// Queues a line at an on-ramp; requests of one ramp are served in the order of their readiness.
    pub fn request(&mut self, from: RampIndex, data: DataRequest) {
        let ramp = &mut self.ramps[from as usize];
        let behind = ramp.queue.iter().rev().take_while(|other| other.ready_at > data.ready_at).count();
        let place = ramp.queue.len() - behind;
        if behind == 0 {
            ramp.queue.push_back(data);
        } else {
            ramp.queue.insert(place, data);
        }
        if place == 0 {
            self.wanted_by[usize::from(ramp.head_to)] &= !(1 << from);
            self.wanted_by[usize::from(data.to)] |= 1 << from;
            ramp.head_to = data.to;
            ramp.head_since = data.ready_at.max(ramp.on_free_at);
            ramp.try_at = ramp.head_since;
        }
        self.waiting |= 1 << from;
    }

    /// Grants one transfer if one can start now; adds to `counters`, ring by ring, what kept others waiting.
    pub fn advance(&mut self, now: BusCycle, counters: &mut [RingCounters]) -> Option<Grant> {
        let eligible = self.overdue.map_or(self.waiting, |ramp| 1 << ramp);
        let mic = eligible & (1 << self.mic);
        let others = eligible & !mic;
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
                    if from == self.mic || self.overdue.is_some() || !self.must_yield(from, now) {
                        self.overdue = None;
                        return Some(self.grant(from, ring, now));
                    }
                    continue;
                }
                let deadline = self.ramps[from as usize].head_since + self.head_wait_limit;
                let try_at = if now < deadline { at.min(deadline) } else { at };
                self.ramps[from as usize].try_at = try_at;
                self.count_denial(from, now, try_at, counters);
                if now >= deadline {
                    self.overdue = Some(from);
                    return None;
                }
            }
        }
        None
    }

    /// Earliest time after `now` at which [`DataNetwork::advance`] might grant a transfer, as things stand.
    pub fn next_advance(&self, now: BusCycle) -> BusCycle {
        let mut mask = self.overdue.map_or(self.waiting, |ramp| 1 << ramp);
        let mut earliest = NEVER;
        while mask != 0 && earliest > now + 1 {
            earliest = earliest.min(self.ramps[mask.trailing_zeros() as usize].try_at);
            mask &= mask - 1;
        }
        earliest.max(now + 1)
    }

    /// Earliest start of the head of a queue, and its ring.
    fn earliest(&self, from: RampIndex, now: BusCycle) -> (BusCycle, usize) {
        let ramp = &self.ramps[from as usize];
        let to = ramp.head_to;
        let mut best = (NEVER, 0);
        for way in &self.ways[usize::from(to) * self.ramp_count + usize::from(from)] {
            let floor = now.max(ramp.head_since).max(self.off_ramp_ready(to, way.hops));
            best = self.best_ring(from, way, floor, best);
        }
        best
    }

    /// Earliest start of a transfer over `hops` hops as far as its off-ramp is concerned: behind the start of
    /// the transfer granted before it, and such that it arrives behind that one.
    fn off_ramp_ready(&self, to: RampIndex, hops: u8) -> BusCycle {
        let ramp = &self.ramps[to as usize];
        ramp.off_free_at.saturating_sub(u64::from(hops) * self.hop).max(ramp.off_granted_at + self.beats)
    }

    /// Counts a head's wait, until it is tried again, by what keeps it from its home ring: the off-ramp, the
    /// gap between two starts, or else the way.
    fn count_denial(&self, from: RampIndex, now: BusCycle, until: BusCycle, counters: &mut [RingCounters]) {
        let to = self.ramps[from as usize].head_to;
        let Some(way) = self.ways[usize::from(to) * self.ramp_count + usize::from(from)].first() else { return };
        let counters = &mut counters[usize::from(way.home)];
        counters.denials += 1;
        let wait = until - now;
        if self.off_ramp_ready(to, way.hops) >= until {
            counters.off_ramp_busy_bus_cycles += wait;
        } else if self.rings[usize::from(way.home)].start_free_at >= until {
            counters.start_gap_bus_cycles += wait;
        } else {
            counters.path_taken_bus_cycles += wait;
        }
    }

    /// Whether a head must yield to another for the same off-ramp: one whose turn comes first, and that could
    /// start within the time of half a round.
    fn must_yield(&self, from: RampIndex, now: BusCycle) -> bool {
        let to = self.ramps[from as usize].head_to;
        let last = self.ramps[to as usize].off_last_from;
        let soon = now + self.ramp_count as u64 / 2 * self.hop;
        // Distance of a ramp from the last sender, in the order of turns.
        let turn = |ramp: RampIndex| if ramp > last { ramp - last } else { ramp + self.ramp_count as u8 - last };
        let mut mask = self.wanted_by[usize::from(to)] & !(1 << from);
        while mask != 0 {
            let other = mask.trailing_zeros() as RampIndex;
            mask &= mask - 1;
            let competes = self.ramps[other as usize].try_at <= soon && turn(other) < turn(from);
            if competes && self.earliest(other, now).0 <= soon {
                return true;
            }
        }
        false
    }

    /// The earlier of `best` and the earliest start on a ring in the direction of `way`: on the home ring, or
    /// on another if the head has waited long enough.
    fn best_ring(&self, from: RampIndex, way: &Way, floor: BusCycle, mut best: (BusCycle, usize)) -> (BusCycle, usize) {
        let home = usize::from(way.home);
        let at = self.rings[home].start(way, floor, self.hop);
        if at < best.0 {
            best = (at, home);
        }
        let floor = floor.max(self.ramps[usize::from(from)].head_since + self.home_wait);
        if floor < best.0 {
            for ring in (usize::from(way.rings.0)..usize::from(way.rings.1)).filter(|ring| *ring != home) {
                let at = self.rings[ring].start(way, floor, self.hop);
                if at < best.0 {
                    best = (at, ring);
                }
            }
        }
        best
    }

    fn grant(&mut self, from: RampIndex, ring: usize, now: BusCycle) -> Grant {
        let ramp = &mut self.ramps[from as usize];
        let data = ramp.queue.pop_front().expect("a granted ramp has a head");
        ramp.on_free_at = now + self.beats;
        self.wanted_by[usize::from(data.to)] &= !(1 << from);
        match ramp.queue.front() {
            Some(next) => {
                self.wanted_by[usize::from(next.to)] |= 1 << from;
                ramp.head_to = next.to;
                ramp.head_since = next.ready_at.max(ramp.on_free_at);
                ramp.try_at = ramp.head_since;
            }
            None => self.waiting &= !(1 << from),
        }
        let direction = self.rings[ring].direction;
        let ways = &self.ways[usize::from(data.to) * self.ramp_count + usize::from(from)];
        let way = *ways.iter().find(|way| way.direction == direction).expect("a ring on the way");
        self.rings[ring].occupy(way, now, self.hop, self.beats, self.ramp_count);
        self.rings[ring].start_free_at = now + self.start_gap;
        let arrives_at = now + u64::from(way.hops) * self.hop + self.beats;
        let off = &mut self.ramps[data.to as usize];
        off.off_free_at = arrives_at;
        off.off_granted_at = now;
        off.off_last_from = from;
        if from != self.mic {
            self.turn = if usize::from(from) + 1 == self.ramp_count { 0 } else { from + 1 };
        }
        Grant { arrives_at, ring: ring as u8, hops: way.hops, from, to: data.to, request: data.request }
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let DataNetwork {
            rings,
            ramps,
            turn,
            overdue,
            // What the queues say, at hand.
            waiting: _,
            wanted_by: _,
            // Constants of the machine.
            ramp_count: _,
            ways: _,
            mic: _,
            beats,
            hop: _,
            start_gap: _,
            home_wait,
            head_wait_limit,
        } = self;
        out.word(u64::from(*turn) << 8 | overdue.map_or(0xff, u64::from));
        rings.iter().for_each(|ring| ring.capture(now, out));
        let head_age_limit = *home_wait.max(head_wait_limit);
        ramps.iter().for_each(|ramp| ramp.capture(*beats, head_age_limit, now, requests, out));
    }
}

impl Ramp {
    /// Adds its state, relative to `now`; how long its head has waited makes no difference from
    /// `head_age_limit` on.
    fn capture(&self, beats: u64, head_age_limit: u64, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let Ramp {
            queue,
            // As the head says.
            head_to: _,
            head_since,
            try_at,
            on_free_at,
            off_free_at,
            off_granted_at,
            off_last_from,
        } = self;
        out.deadline(*on_free_at, now);
        out.deadline(*off_free_at, now);
        out.deadline(*off_granted_at + beats, now);
        out.word(u64::from(*off_last_from) << 32 | queue.len() as u64);
        if let Some(head) = queue.front() {
            out.deadline(head.ready_at, now);
            out.age(*head_since, now, head_age_limit);
            out.deadline(*try_at, now);
        }
        for DataRequest { to, ready_at, request } in queue {
            out.deadline(*ready_at, now);
            out.word(u64::from(*to));
            requests.get(*request).capture(out);
        }
    }
}
