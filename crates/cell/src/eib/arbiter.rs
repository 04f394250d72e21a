//! The data phase: the arbiter that grants rings to transfers.
//!
//! Each element's requests wait in one first-in first-out queue before its on-ramp.  The head of a
//! queue is granted when one moment suits the whole transfer: its on-ramp is free, a ring in its
//! direction may start another transfer, every segment of the way is free when the beats get there,
//! and the off-ramp is free when they arrive.  Nothing ever stalls on a ring.  A transfer never goes more
//! than half way round.
//!
//! Of the heads that want one off-ramp, only the next in turn round the ring takes part.  These are served by
//! age: the memory controller's first (kistler2006), then the one that has waited longest.  While it cannot
//! start, a younger one may, unless it gets in its way: none is granted that crosses a segment of an older
//! one's way on the older one's home ring.  So nobody starves, and whoever waits stops only those whom he
//! meets.
//!
//! No transfer overtakes another on the way to their off-ramp: it is granted only when the one before it
//! has left its on-ramp.  A farther element that follows a nearer one therefore leaves the off-ramp idle
//! for as many cycles as it is farther away; puts of eight SPEs into memory lose one cycle in 17 by that,
//! which is what kistler2006 saw (1.5 of 25.6 GB/s), while gets, which all leave one on-ramp, lose none.
//!
//! MODEL: rules that only contention shows, each a value of the machine file.  An element has a home
//! ring in each direction, neighbours alternate; it takes another ring only after its request has
//! waited `home_ring_wait_bus_cycles`, or, with data that were read, `start_gap_wait_bus_cycles` if the way
//! on the home ring is free and only the gap after another start keeps it.  The rings of a direction
//! together start a transfer every `direction_start_gap_bus_cycles`.  A transfer of exactly half the ring
//! goes either way or, with `halfway_clockwise_only`, clockwise.  `grants_per_bus_cycle` bounds the grants
//! of all rings together.

use super::ramp::{DataRequest, Grant, Ramp};
use super::ring::{Ring, Way, ways};
use super::topology::{Direction, Topology};
use crate::counters::RingCounters;
use crate::machine::Machine;
use crate::request::Pool;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, NEVER, RampIndex};

/// Most rings of a machine: eight each way.
const RINGS_MAX: usize = 16;

/// The rings, the ramps and their arbiter.
pub struct DataNetwork {
    ramp_count: usize,
    rings: Vec<Ring>,
    /// By off-ramp, then on-ramp: the shorter way, or both if they are equally long.
    ways: Vec<Vec<Way>>,
    ramps: Vec<Ramp>,
    /// Ramps with something in their queue by `head_since`; of two that have waited equally long, the one whose
    /// head came first.
    by_age: Vec<RampIndex>,
    /// By off-ramp: the ramps whose head wants it.
    wanted_by: Vec<u32>,
    /// Ramps whose head waits for another head to be granted.
    held_back: u32,
    /// Heads that took part when this was found out.
    ready: usize,
    mic: RampIndex,
    beats: u64,
    hop: u64,
    start_gap: u64,
    direction_gap: u64,
    home_wait: u64,
    gap_wait: u64,
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
            by_age: Vec::with_capacity(n),
            wanted_by: vec![0; n],
            held_back: 0,
            ready: 0,
            mic,
            beats: LINE_BYTES.div_ceil(u64::from(machine.eib.beat_bytes)),
            hop: machine.eib.hop_bus_cycles,
            start_gap: machine.eib.ring_start_gap_bus_cycles,
            direction_gap: machine.eib.direction_start_gap_bus_cycles,
            home_wait: machine.eib.home_ring_wait_bus_cycles,
            gap_wait: machine.eib.start_gap_wait_bus_cycles,
            ramp_count: n,
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
            self.new_head(from);
        }
    }

    /// Another line is the head of a queue, or none.
    fn new_head(&mut self, from: RampIndex) {
        self.held_back = 0;
        if let Some(place) = self.by_age.iter().position(|ramp| *ramp == from) {
            self.by_age.remove(place);
        }
        let ramp = &mut self.ramps[usize::from(from)];
        self.wanted_by[usize::from(ramp.head_to)] &= !(1 << from);
        let Some(head) = ramp.queue.front() else { return };
        self.wanted_by[usize::from(head.to)] |= 1 << from;
        ramp.head_to = head.to;
        let since = head.ready_at.max(ramp.on_free_at);
        (ramp.head_since, ramp.try_at) = (since, since);
        let place = self.by_age.partition_point(|other| self.ramps[usize::from(*other)].head_since <= since);
        self.by_age.insert(place, from);
    }

    /// Grants one transfer if one can start now; adds to `counters`, ring by ring, what kept others waiting.
    pub fn advance(&mut self, now: BusCycle, counters: &mut [RingCounters]) -> Option<Grant> {
        let ready = self.by_age.iter().take_while(|ramp| self.takes_part(**ramp, now)).count();
        if ready != self.ready {
            (self.ready, self.held_back) = (ready, 0);
        }
        let mic_at = self.by_age[..ready].iter().position(|ramp| *ramp == self.mic);
        // By home ring, the segments that older heads wait for.
        let mut wanted = [0; RINGS_MAX];
        for nth in 0..ready {
            let from = match mic_at {
                Some(_) if nth == 0 => self.mic,
                Some(mic_at) if nth <= mic_at => self.by_age[nth - 1],
                _ => self.by_age[nth],
            };
            let ramp = &self.ramps[usize::from(from)];
            let to = ramp.head_to;
            if !self.is_in_turn(from, to, now) {
                self.held_back |= 1 << from;
                continue;
            }
            if ramp.try_at <= now && self.held_back >> from & 1 == 0 {
                let (at, ring) = self.earliest(from, now);
                if at > now {
                    self.ramps[usize::from(from)].try_at = at;
                    self.count_denial(from, now, at, counters);
                } else if wanted[ring] & self.way_on(ring, from, to).segments != 0 {
                    self.hold_back(from, to, ring, now);
                } else {
                    return Some(self.grant(from, ring, now));
                }
            }
            self.ways_between(from, to).iter().for_each(|way| wanted[usize::from(way.home)] |= way.segments);
        }
        None
    }

    fn takes_part(&self, from: RampIndex, now: BusCycle) -> bool {
        self.ramps[usize::from(from)].head_since <= now
    }

    /// Whether no other head that takes part and wants the same off-ramp comes sooner behind the element that was
    /// granted last.
    fn is_in_turn(&self, from: RampIndex, to: RampIndex, now: BusCycle) -> bool {
        let mut rivals = self.wanted_by[usize::from(to)] & !(1 << from);
        if rivals == 0 || from == self.mic {
            return true;
        }
        let last = self.ramps[usize::from(to)].off_last_from;
        let distance = |ramp: RampIndex| match ramp {
            ramp if ramp == self.mic => 0,
            ramp if ramp > last => ramp - last,
            ramp => ramp + self.ramp_count as RampIndex - last,
        };
        while rivals != 0 {
            let rival = rivals.trailing_zeros() as RampIndex;
            rivals &= rivals - 1;
            if distance(rival) < distance(from) && self.takes_part(rival, now) {
                return false;
            }
        }
        true
    }

    /// A head could start on a ring, but for an older one.
    fn hold_back(&mut self, from: RampIndex, to: RampIndex, ring: usize, now: BusCycle) {
        match self.ways_between(from, to) {
            // On its home ring it waits for the older one to be granted.
            [way] if usize::from(way.home) == ring => self.held_back |= 1 << from,
            // Another ring may suit it before that.
            _ => self.ramps[usize::from(from)].try_at = now + 1,
        }
    }

    /// Earliest time after `now` at which [`DataNetwork::advance`] might grant a transfer, as things stand.
    pub fn next_advance(&self, now: BusCycle) -> BusCycle {
        let free = self.by_age.iter().filter(|ramp| self.held_back >> **ramp & 1 == 0);
        free.map(|ramp| self.ramps[usize::from(*ramp)].try_at).fold(NEVER, BusCycle::min).max(now + 1)
    }

    /// Earliest start of the head of a queue, and its ring.
    fn earliest(&self, from: RampIndex, now: BusCycle) -> (BusCycle, usize) {
        let ramp = &self.ramps[usize::from(from)];
        let to = ramp.head_to;
        let mut best = (NEVER, 0);
        for way in self.ways_between(from, to) {
            let floor = now.max(ramp.head_since).max(self.off_ramp_ready(to, way.hops));
            best = self.best_ring(from, way, floor, best);
        }
        best
    }

    fn ways_between(&self, from: RampIndex, to: RampIndex) -> &[Way] {
        &self.ways[usize::from(to) * self.ramp_count + usize::from(from)]
    }

    /// The way between two ramps in the direction of a ring.
    fn way_on(&self, ring: usize, from: RampIndex, to: RampIndex) -> &Way {
        let direction = self.rings[ring].direction;
        let ways = self.ways_between(from, to);
        ways.iter().find(|way| way.direction == direction).expect("a ring on the way")
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
        let to = self.ramps[usize::from(from)].head_to;
        let Some(way) = self.ways_between(from, to).first() else { return };
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

    /// The earlier of `best` and the earliest start on a ring in the direction of `way`: on the home ring, or
    /// on another if the head has waited long enough.
    fn best_ring(&self, from: RampIndex, way: &Way, floor: BusCycle, mut best: (BusCycle, usize)) -> (BusCycle, usize) {
        let home = usize::from(way.home);
        let clear_at = self.rings[home].clear(way, floor, self.hop);
        let at = clear_at.max(self.rings[home].start_free_at);
        if at < best.0 {
            best = (at, home);
        }
        let floor = floor.max(self.leaves_home_at(from, clear_at));
        if floor < best.0 {
            for ring in (usize::from(way.rings.0)..usize::from(way.rings.1)).filter(|ring| *ring != home) {
                let at = self.rings[ring].clear(way, floor, self.hop).max(self.rings[ring].start_free_at);
                if at < best.0 {
                    best = (at, ring);
                }
            }
        }
        best
    }

    /// When a head may take another ring than its home ring, on which its way is clear at `clear_at`.
    fn leaves_home_at(&self, from: RampIndex, clear_at: BusCycle) -> BusCycle {
        let ramp = &self.ramps[usize::from(from)];
        let waited = ramp.head_since + self.home_wait;
        if ramp.queue.front().is_some_and(|head| head.read) {
            waited.min(clear_at.max(ramp.head_since + self.gap_wait))
        } else {
            waited
        }
    }

    fn grant(&mut self, from: RampIndex, ring: usize, now: BusCycle) -> Grant {
        let ramp = &mut self.ramps[usize::from(from)];
        let data = ramp.queue.pop_front().expect("a granted ramp has a head");
        ramp.on_free_at = now + self.beats;
        self.new_head(from);
        let way = *self.way_on(ring, from, data.to);
        self.rings[ring].occupy(way, now, self.hop, self.beats, self.ramp_count);
        for beside in &mut self.rings[usize::from(way.rings.0)..usize::from(way.rings.1)] {
            beside.start_free_at = beside.start_free_at.max(now + self.direction_gap);
        }
        let start_free_at = &mut self.rings[ring].start_free_at;
        *start_free_at = (*start_free_at).max(now + self.start_gap);
        let arrives_at = now + u64::from(way.hops) * self.hop + self.beats;
        let off = &mut self.ramps[usize::from(data.to)];
        off.off_free_at = arrives_at;
        off.off_granted_at = now;
        off.off_last_from = from;
        Grant { arrives_at, ring: ring as u8, hops: way.hops, from, to: data.to, request: data.request }
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let DataNetwork {
            rings,
            ramps,
            by_age,
            held_back,
            ready,
            // What the queues say, at hand.
            wanted_by: _,
            // Constants of the machine.
            ramp_count: _,
            ways: _,
            mic: _,
            beats,
            hop: _,
            start_gap: _,
            direction_gap: _,
            home_wait,
            gap_wait,
        } = self;
        out.word((*ready as u64) << 32 | u64::from(*held_back));
        by_age.iter().for_each(|ramp| out.word(u64::from(*ramp)));
        rings.iter().for_each(|ring| ring.capture(now, out));
        let head_age_limit = *home_wait.max(gap_wait);
        ramps.iter().for_each(|ramp| ramp.capture(*beats, head_age_limit, now, requests, out));
    }
}
