//! The data phase: the arbiter that grants rings to transfers.
//!
//! ```text
//!   element A                                                           element B
//!   queue of lines ──> on-ramp ─┬─ ring 0, clockwise ─────────┬─> off-ramp ──> MFC, MIC, L2 …
//!   (the head bids)             ├─ ring 1, clockwise ─────────┤
//!                               ├─ ring 2, counterclockwise ──┤   one segment between each two
//!                               └─ ring 3, counterclockwise ──┘   neighbouring ramps of a ring
//! ```
//! Each element's requests wait in one first-in first-out queue at its on-ramp. The head of a queue is granted when
//! its whole transfer can proceed without a stall: the on-ramp is free, a ring in the right direction may start another
//! transfer, every segment of the route is free when the beats reach it, and the off-ramp is free when the beats
//! arrive. A granted transfer therefore never stalls on a ring. A transfer never goes more than halfway around the
//! ring.
//!
//! If several heads have the same off-ramp, only one of them takes part in arbitration: the heads of an off-ramp take
//! turns around the ring. The arbiter serves these heads by age: first the memory controller's head (kistler2006),
//! then the head that has waited longest. While an older head cannot start, a younger head may start, unless its route
//! crosses a segment of the older head's route on the older head's home ring. Therefore no head starves, and a waiting
//! head blocks only heads whose routes cross its route.
//!
//! Transfers to one off-ramp never overtake each other: a transfer is granted only when the previous transfer has left
//! its on-ramp. Therefore, if a transfer from a farther element follows a transfer from a nearer element, the off-ramp
//! is idle for the difference of the two distances. If eight SPEs put data into memory, one cycle in 17 is idle for
//! this reason, as kistler2006 measured (1.5 of 25.6 GB/s). With get commands from memory, no cycle is lost, because
//! all data leave the same on-ramp.
//!
//! MODEL: some rules take effect only under contention; the parameter of each rule is a value of the machine file. An
//! element has a home ring in each direction; the home rings of neighbours alternate. A request takes another ring
//! only after it has waited `home_ring_wait_bus_cycles`. The data of a read need to wait only
//! `start_gap_wait_bus_cycles` if the route on the home ring is free and only the gap after another start blocks the
//! transfer. All rings of a direction together start at most one transfer every `direction_start_gap_bus_cycles`. A
//! transfer over exactly half the ring goes clockwise if `halfway_clockwise_only` is set. Otherwise it goes in the
//! direction in which it can start first; if it can start in both, the lines of an element use both directions in turn.
//! `grants_per_bus_cycle` limits the grants of all rings together.

mod waits;

use super::heads::{Head, Heads};
use super::obstacle::Obstacle;
use super::ramp::{DataRequest, Grant, Ramp};
use super::ring::{RAMPS_MAX, Ring, Way, Ways, ways};
use super::topology::{Direction, Topology};
use crate::bits::bits;
use crate::counters::RingCounters;
use crate::machine::Machine;
use crate::request::Pool;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, RampIndex};

/// The rings, the ramps and their arbiter.
pub struct DataNetwork {
    ramp_count: usize,
    rings: Vec<Ring>,
    clockwise_rings: u8,
    /// Routes by off-ramp, then on-ramp.
    ways: Vec<Ways>,
    ramps: [Ramp; RAMPS_MAX],
    heads: Heads,
    /// For each direction, the earliest start of another transfer.
    direction_free_at: [BusCycle; 2],
    mic: RampIndex,
    beats: u64,
    start_gap: u64,
    direction_gap: u64,
    home_wait: u64,
    gap_wait: u64,
}

/// Earliest start of a head, with its ring and route.
#[derive(Clone, Copy)]
struct Start {
    at: BusCycle,
    ring: u8,
    /// Whether the transfer uses the second of two equally long routes.
    other_way: bool,
}

impl DataNetwork {
    /// Idle rings.
    pub fn new(machine: &Machine, topology: &Topology, mic: RampIndex) -> DataNetwork {
        let (eib, n) = (&machine.eib, usize::from(topology.ramps_on_chip()));
        let rings = eib.clockwise_rings + eib.counterclockwise_rings;
        DataNetwork {
            ramp_count: n,
            rings: (0..rings).map(|_| Ring::idle(n, eib.hop_bus_cycles)).collect(),
            clockwise_rings: eib.clockwise_rings as u8,
            ways: (0..n * n).map(|i| ways(machine, topology, (i % n) as RampIndex, (i / n) as RampIndex)).collect(),
            ramps: Default::default(),
            heads: Heads::empty(),
            direction_free_at: [0; 2],
            mic,
            beats: LINE_BYTES.div_ceil(u64::from(eib.beat_bytes)),
            start_gap: eib.ring_start_gap_bus_cycles,
            direction_gap: eib.direction_start_gap_bus_cycles,
            home_wait: eib.home_ring_wait_bus_cycles,
            gap_wait: eib.start_gap_wait_bus_cycles,
        }
    }

    /// Number of rings. The clockwise rings come first.
    pub fn ring_count(&self) -> usize {
        self.rings.len()
    }

    /// Number of beats that a line takes on a ring.
    pub fn beats(&self) -> u64 {
        self.beats
    }

    #[inline(always)]
    fn ramp(&self, ramp: RampIndex) -> &Ramp {
        &self.ramps[usize::from(ramp) % RAMPS_MAX]
    }

    /// Returns the times, past or future, at which the lines at an on-ramp become ready.
    pub fn ready_times(&self, from: RampIndex) -> impl Iterator<Item = BusCycle> {
        self.ramp(from).queue.iter().map(|data| data.ready_at)
    }

    /// Whether the `nth` line at an on-ramp is ready.
    #[inline(always)]
    pub fn is_ready(&self, from: RampIndex, nth: usize, now: BusCycle) -> bool {
        self.ramp(from).queue.get(nth).is_some_and(|data| data.ready_at <= now)
    }

    /// Queues a line at an on-ramp. The requests of one ramp are served in the order in which their lines are ready.
    /// If the line becomes the head, returns the first bus cycle in which [`DataNetwork::advance`] might grant it.
    #[inline(always)]
    pub fn request(&mut self, from: RampIndex, data: DataRequest) -> Option<BusCycle> {
        let Ramp { queue, on_free_at, counterclockwise_first, .. } = &mut self.ramps[usize::from(from) % RAMPS_MAX];
        let is_last = queue.back().is_none_or(|last| last.ready_at <= data.ready_at);
        let mut position = queue.len();
        if is_last {
            queue.push_back(data);
        } else {
            position -= queue.iter().rev().take_while(|other| other.ready_at > data.ready_at).count();
            queue.insert(position, data);
        }
        if position > 0 {
            return None;
        }
        let ways = &self.ways[usize::from(data.to) * self.ramp_count + usize::from(from)];
        self.heads.renew(from, Some((&data, ways.in_turn(*counterclockwise_first))), *on_free_at);
        Some(self.heads.head(from).since)
    }

    /// Grants one transfer if any transfer can start now. Adds the delays of the other heads to `counters`, by ring
    /// and by reason.
    #[inline(always)]
    pub fn advance(&mut self, now: BusCycle, counters: &mut [RingCounters]) -> Option<Grant> {
        self.heads.advance(now);
        let mut candidates = self.heads.candidates();
        while candidates != 0 {
            let from = self.first(candidates);
            candidates &= !(1 << from);
            let head = self.heads.head(from);
            if !self.is_in_turn(from, head.to) {
                self.heads.block(from);
                continue;
            }
            let start = self.earliest(head, now);
            if start.at > now {
                self.count_denial(head, now, start.at, counters);
                self.heads.retry_at(from, start.at);
            } else if self.older_in_path(from, &start).is_some() {
                self.block_behind_older(from, start.ring);
            } else {
                return Some(self.grant(from, start, now));
            }
        }
        None
    }

    /// Returns the head with the highest priority: the memory controller's head if it is a candidate, otherwise the
    /// oldest head.
    #[inline(always)]
    fn first(&self, candidates: u32) -> RampIndex {
        if candidates & (candidates - 1) == 0 {
            candidates.trailing_zeros() as RampIndex
        } else if candidates >> self.mic & 1 != 0 {
            self.mic
        } else {
            self.heads.oldest(candidates)
        }
    }

    #[inline(always)]
    fn has_priority(&self, this: RampIndex, other: RampIndex) -> bool {
        this == self.mic || other != self.mic && self.heads.is_older(this, other)
    }

    /// Whether this head is next in turn for its off-ramp. The heads take turns around the ring, starting after the
    /// element that was granted last.
    #[inline(always)]
    fn is_in_turn(&self, from: RampIndex, to: RampIndex) -> bool {
        let rivals = self.heads.rivals(from, to);
        rivals == 0 || from == self.mic || self.is_first_in_turn(from, to, rivals)
    }

    #[inline(never)]
    fn is_first_in_turn(&self, from: RampIndex, to: RampIndex, rivals: u32) -> bool {
        let own = self.turns_until(from, to);
        bits(rivals).all(|rival| own <= self.turns_until(rival, to))
    }

    /// Distance around the ring to the element `from`, starting at the element whose transfer to this off-ramp was
    /// granted last. The distance is 0 for the memory controller, which always comes first.
    #[inline(always)]
    fn turns_until(&self, from: RampIndex, to: RampIndex) -> RampIndex {
        let last = self.ramp(to).off_last_from;
        match from {
            from if from == self.mic => 0,
            from if from > last => from - last,
            from => from + self.ramp_count as RampIndex - last,
        }
    }

    /// Returns the on-ramp of an older head that waits on its home ring for a segment that this start would cross;
    /// `None` if there is no such head.
    #[inline(always)]
    fn older_in_path(&self, from: RampIndex, start: &Start) -> Option<RampIndex> {
        let segments = self.heads.head(from).ways.get(start.other_way).segments;
        let overlaps = |way: &Way| way.home == start.ring && way.segments & segments != 0;
        // This is a loop, because compilers turn `find` into a function call.
        for other in bits(self.heads.others(from)) {
            let Head { to, ways, .. } = self.heads.head(other);
            let waits = overlaps(ways.first()) || ways.other().is_some_and(overlaps);
            if waits && self.has_priority(other, from) && self.is_in_turn(other, *to) {
                return Some(other);
            }
        }
        None
    }

    /// Blocks a head whose only obstacle on a ring is an older head.
    fn block_behind_older(&mut self, from: RampIndex, ring: u8) {
        let ways = &self.heads.head(from).ways;
        // If the head would start on its home ring, it waits until the older head is granted. Otherwise the head stays
        // a candidate: another grant, even in this bus cycle, may free a ring on which the head does not cross an older
        // head's route.
        if ways.other().is_none() && ways.first().home == ring {
            self.heads.block(from);
        }
    }

    /// Earliest time after `now` at which [`DataNetwork::advance`] might grant a transfer if the state does not change.
    #[inline(always)]
    pub fn next_advance(&self, now: BusCycle) -> BusCycle {
        self.heads.next_try(now)
    }

    /// Earliest start of a head.
    #[inline(always)]
    fn earliest(&self, head: &Head, now: BusCycle) -> Start {
        let (at, ring) = self.best_ring(head, head.ways.first(), now);
        let first = Start { at, ring, other_way: false };
        match head.ways.other() {
            None => first,
            Some(other) => {
                let (at, ring) = self.best_ring(head, other, now);
                if at < first.at { Start { at, ring, other_way: true } } else { first }
            }
        }
    }

    /// Earliest start that the off-ramp permits: the transfer must start and arrive after the transfer that was last
    /// granted to this off-ramp.
    #[inline(always)]
    fn off_ramp_ready(&self, to: RampIndex, way: &Way) -> BusCycle {
        let ramp = self.ramp(to);
        ramp.off_free_at.saturating_sub(u64::from(way.flight)).max(ramp.off_start_at)
    }

    /// Earliest start of another transfer on a ring in the route's direction.
    #[inline(always)]
    fn start_free_at(&self, ring: u8, way: &Way) -> BusCycle {
        self.rings[usize::from(ring)].start_free_at.max(self.direction_free_at[way.direction as usize])
    }

    /// Adds the time from now until a head's next try to one of the counters of the head's home ring. The obstacle
    /// determines the counter.
    #[inline(always)]
    fn count_denial(&self, head: &Head, now: BusCycle, until: BusCycle, counters: &mut [RingCounters]) {
        let counters = &mut counters[usize::from(head.ways.first().home)];
        counters.denials += 1;
        *match self.home_ring_obstacle(head, until) {
            Obstacle::OffRamp => &mut counters.off_ramp_busy_bus_cycles,
            Obstacle::StartGap => &mut counters.start_gap_bus_cycles,
            _ => &mut counters.path_taken_bus_cycles,
        } += until - now;
    }

    /// Earliest start in the route's direction, and its ring: the home ring, or another ring if the head has waited long
    /// enough.
    #[inline(always)]
    fn best_ring(&self, head: &Head, way: &Way, now: BusCycle) -> (BusCycle, u8) {
        let floor = now.max(self.off_ramp_ready(head.to, way));
        let clear_at = self.rings[usize::from(way.home)].clear(way, floor);
        let at_home = clear_at.max(self.start_free_at(way.home, way));
        if at_home == now {
            return (now, way.home);
        }
        let floor = floor.max(self.leaves_home_at(head, clear_at));
        if floor >= at_home { (at_home, way.home) } else { self.best_other_ring(way, floor, at_home) }
    }

    /// Earliest start on a ring other than the home ring, but not before `floor`, if it is earlier than `at_home`.
    /// Otherwise returns `at_home` and the home ring.
    #[inline(never)]
    fn best_other_ring(&self, way: &Way, floor: BusCycle, at_home: BusCycle) -> (BusCycle, u8) {
        let mut best = (at_home, way.home);
        for ring in bits(way.others) {
            let at = self.rings[usize::from(ring)].clear(way, floor).max(self.start_free_at(ring, way));
            if at < best.0 {
                best = (at, ring);
            }
        }
        best
    }

    /// Time at which a head may start to use a ring other than its home ring. The route on the home ring is clear at
    /// `clear_at`.
    #[inline(always)]
    fn leaves_home_at(&self, head: &Head, clear_at: BusCycle) -> BusCycle {
        let waited = head.since + self.home_wait;
        if head.read { waited.min(clear_at.max(head.since + self.gap_wait)) } else { waited }
    }

    #[inline(always)]
    fn grant(&mut self, from: RampIndex, start: Start, now: BusCycle) -> Grant {
        let Start { at: _, ring, other_way } = start;
        let ramp = &mut self.ramps[usize::from(from) % RAMPS_MAX];
        let data = ramp.queue.pop_front().expect("a granted ramp has a head");
        ramp.on_free_at = now + self.beats;
        let ways = &self.heads.head(from).ways;
        let way = *ways.get(other_way);
        ramp.counterclockwise_first ^= ways.other().is_some();
        let turn = ramp.counterclockwise_first;
        let ways =
            |next: &DataRequest| self.ways[usize::from(next.to) * self.ramp_count + usize::from(from)].in_turn(turn);
        self.heads.renew(from, ramp.queue.front().map(|next| (next, ways(next))), ramp.on_free_at);
        self.direction_free_at[way.direction as usize] = now + self.direction_gap;
        let granted = &mut self.rings[usize::from(ring)];
        granted.occupy(&way, now, self.beats);
        granted.start_free_at = now + self.start_gap;
        let arrives_at = now + u64::from(way.flight) + self.beats;
        let off = &mut self.ramps[usize::from(data.to) % RAMPS_MAX];
        off.off_free_at = arrives_at;
        off.off_start_at = now + self.beats;
        off.off_last_from = from;
        let DataRequest { to, request, leaves, to_use_bus_cycles, .. } = data;
        Grant { arrives_at, ring, hops: way.hops, from, to, request, leaves, to_use_bus_cycles }
    }

    /// Adds the network's state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let DataNetwork {
            rings,
            ramps,
            heads,
            direction_free_at,
            // Constants of the machine.
            ramp_count,
            clockwise_rings,
            ways: _,
            mic: _,
            beats: _,
            start_gap: _,
            direction_gap: _,
            home_wait,
            gap_wait,
        } = self;
        for (nth, ring) in rings.iter().enumerate() {
            let is_clockwise = nth < usize::from(*clockwise_rings);
            let direction = if is_clockwise { Direction::Clockwise } else { Direction::Counterclockwise };
            ring.capture(ring.start_free_at.max(direction_free_at[direction as usize]), now, out);
        }
        ramps.iter().take(*ramp_count).for_each(|ramp| ramp.capture(now, requests, out));
        heads.capture(*home_wait.max(gap_wait), now, out);
    }
}
