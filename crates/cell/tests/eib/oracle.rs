//! A simple arbiter, which remembers all of its grants. In every bus cycle, the simple arbiter checks each element
//! against all recent grants. The arbiter is slow, but simple enough to be visibly correct.
//!
//! - An element's requests are served in the order in which their lines are ready.
//! - A request may start when all of these conditions are met: the line is ready; the on-ramp has sent the previous
//!   line; no transfer has started on the ring within the start gap; the line's beats pass every segment of the route,
//!   and reach the off-ramp, after the beats of all earlier transfers; the last transfer granted for the off-ramp has
//!   left its own on-ramp.
//! - A transfer takes the shorter direction. A transfer half way around the ring goes clockwise, or in either
//!   direction if the machine allows that; an element's transfers of this kind prefer the two directions in turn. If a
//!   machine has rings in only one direction, all transfers take that direction.
//! - Each element has a home ring in each direction; the home rings of neighbours alternate. A request must wait
//!   before it takes another ring. The data of a read wait for a shorter time if only a start gap blocks the home
//!   ring.
//! - After a transfer has started, no ring of the same direction starts another transfer within the direction's gap.
//! - The memory controller goes first, then the queue head that has waited longest. After equal waits, the head that
//!   became a head first goes first.
//! - Among the heads with the same off-ramp, only one takes part: the head of the memory controller, or else of the
//!   next element in ring order after the last granted element. A head is not granted if it would use a segment that
//!   an older head needs on the older head's home ring.

use crate::common::machines::any_arbiter;
use cell::counters::RingCounters;
use cell::eib::{DataNetwork, DataRequest, Topology};
use cell::machine::{Eib, Machine};
use cell::request::RequestId;
use cell::units::Element;
use proptest::prelude::*;

/// A grant: time, ring, on-ramp, off-ramp, and the number of the request.
type Grant = (u64, u8, u8, u8, u64);

/// A line waiting for its grant.
#[derive(Clone, Copy)]
struct Waiting {
    ready_at: u64,
    to: u8,
    number: u64,
    read: bool,
}

struct Oracle {
    eib: Eib,
    mic: u8,
    queues: Vec<Vec<Waiting>>,
    granted: Vec<Grant>,
    /// Routes by direction, on-ramp and off-ramp: the ramps that the route leaves, one for each segment.
    routes: [Vec<Vec<Vec<u8>>>; 2],
    /// All past and present heads, as pairs of element and request, in the order in which they became heads.
    heads: Vec<(u8, u64)>,
}

impl Oracle {
    fn new(machine: &Machine, mic: u8) -> Oracle {
        let ramps = machine.eib.ring.len() as u8;
        let routes_from = |from, clockwise| (0..ramps).map(|to| route(from, to, clockwise, ramps)).collect();
        let routes = |clockwise| (0..ramps).map(|from| routes_from(from, clockwise)).collect();
        Oracle {
            eib: machine.eib.clone(),
            mic,
            queues: vec![Vec::new(); usize::from(ramps)],
            granted: Vec::new(),
            routes: [routes(false), routes(true)],
            heads: Vec::new(),
        }
    }

    fn request(&mut self, from: u8, waiting: Waiting) {
        let queue = &mut self.queues[from as usize];
        queue.push(waiting);
        queue.sort_by_key(|waiting| waiting.ready_at);
        self.note_head(from);
    }

    /// Records the head of an element's queue if the head is new.
    fn note_head(&mut self, from: u8) {
        let Some(head) = self.queues[from as usize].first() else { return };
        let last = self.heads.iter().rfind(|(ramp, _)| *ramp == from);
        if last.is_none_or(|(_, number)| *number != head.number) {
            self.heads.push((from, head.number));
        }
    }

    /// Grants a transfer, if any transfer can start.
    fn grant(&mut self, now: u64) -> Option<Grant> {
        let ramps = self.queues.len() as u8;
        let waiting = (0..ramps).filter_map(|ramp| Some((ramp, *self.queues[ramp as usize].first()?)));
        let ready: Vec<(u8, Waiting)> = waiting.filter(|(ramp, head)| self.waits_since(*ramp, *head) <= now).collect();
        let in_turn = |(ramp, head): &(u8, Waiting)| {
            let rivals = ready.iter().filter(|(_, other)| other.to == head.to);
            rivals.min_by_key(|(rival, _)| self.turn(*rival, head.to)).is_some_and(|(first, _)| first == ramp)
        };
        let mut heads: Vec<(u8, Waiting)> = ready.iter().copied().filter(in_turn).collect();
        // Fast path: in most bus cycles, no head can start.
        if heads.iter().all(|(from, head)| self.ring_for(*from, *head, now).is_none()) {
            return None;
        }
        heads.sort_by_cached_key(|(ramp, head)| {
            let came = self.heads.iter().rposition(|noted| *noted == (*ramp, head.number));
            (*ramp != self.mic, self.waits_since(*ramp, *head), came)
        });
        for (nth, (from, head)) in heads.iter().enumerate() {
            let Some(ring) = self.ring_for(*from, *head, now) else { continue };
            if heads[..nth].iter().any(|older| self.meets(ring, (*from, *head), *older)) {
                continue;
            }
            let grant = (now, ring, *from, head.to, head.number);
            self.granted.push(grant);
            self.queues[*from as usize].remove(0);
            self.note_head(*from);
            return Some(grant);
        }
        None
    }

    /// Number of elements up to and including `ramp` in the cyclic order of an off-ramp; 0 for the memory controller.
    fn turn(&self, ramp: u8, to: u8) -> u8 {
        let ramps = self.queues.len() as u8;
        let last = self.granted.iter().rev().find(|grant| grant.3 == to).map_or(0, |grant| grant.2);
        if ramp == self.mic { 0 } else { 1 + (ramp + ramps - last - 1) % ramps }
    }

    /// Whether a transfer on a ring would use a segment that an older head needs on the older head's home ring.
    fn meets(&self, ring: u8, (from, head): (u8, Waiting), (older_from, older): (u8, Waiting)) -> bool {
        let wanted = self.is_home(older_from, ring) && self.direction_allowed(older_from, older.to, ring);
        let clockwise = self.is_clockwise(ring);
        let route = self.route(from, head.to, clockwise);
        wanted && self.route(older_from, older.to, clockwise).iter().any(|segment| route.contains(segment))
    }

    /// A ring on which a head may start, preferably its home ring.
    fn ring_for(&self, from: u8, head: Waiting, now: u64) -> Option<u8> {
        let mut rings: Vec<u8> = (0..(self.eib.clockwise_rings + self.eib.counterclockwise_rings) as u8).collect();
        let half_way = |grant: &&Grant| {
            grant.2 == from
                && self.direction_allowed(from, grant.3, 0)
                && self.direction_allowed(from, grant.3, self.eib.clockwise_rings as u8)
        };
        let prefers_clockwise = self.granted.iter().filter(half_way).count() % 2 == 0;
        rings.sort_by_key(|ring| (self.is_clockwise(*ring) != prefers_clockwise, !self.is_home(from, *ring), *ring));
        rings.into_iter().find(|ring| self.may_start(from, head, *ring, now))
    }

    fn may_start(&self, from: u8, head: Waiting, ring: u8, now: u64) -> bool {
        head.ready_at <= now
            && self.direction_allowed(from, head.to, ring)
            && (self.is_home(from, ring) || self.may_leave_home(from, head, ring, now))
            && self.recent(now).all(|earlier| self.keeps_gaps(ring, now, *earlier))
            && self.is_clear(from, head, ring, now)
    }

    /// Whether a head may take a ring other than its home ring.
    fn may_leave_home(&self, from: u8, head: Waiting, ring: u8, now: u64) -> bool {
        let waited = now - self.waits_since(from, head).min(now);
        let rings = 0..(self.eib.clockwise_rings + self.eib.counterclockwise_rings) as u8;
        let beside = |other: &u8| self.is_clockwise(*other) == self.is_clockwise(ring);
        let home = rings.filter(beside).find(|other| self.is_home(from, *other)).expect("a home ring");
        waited >= self.eib.home_ring_wait_bus_cycles
            || head.read && waited >= self.eib.start_gap_wait_bus_cycles && self.is_clear(from, head, home, now)
    }

    /// Whether a transfer would not conflict with any earlier transfer, ignoring the gaps between starts.
    fn is_clear(&self, from: u8, head: Waiting, ring: u8, now: u64) -> bool {
        self.recent(now).all(|earlier| self.follows((now, ring, from, head.to, head.number), *earlier))
    }

    /// Recent grants, latest first. A grant is recent until its beats could have travelled once around the ring, and
    /// all gaps have passed.
    fn recent(&self, now: u64) -> impl Iterator<Item = &Grant> {
        let beats = 128 / u64::from(self.eib.beat_bytes);
        let round = self.queues.len() as u64 * self.eib.hop_bus_cycles;
        let over = beats + round + self.eib.ring_start_gap_bus_cycles + self.eib.direction_start_gap_bus_cycles;
        self.granted.iter().rev().take_while(move |(started, ..)| now <= started + over)
    }

    fn keeps_gaps(&self, ring: u8, now: u64, (started, old_ring, ..): Grant) -> bool {
        let own = ring != old_ring || now >= started + self.eib.ring_start_gap_bus_cycles;
        let same_direction = self.is_clockwise(ring) == self.is_clockwise(old_ring);
        own && (!same_direction || now >= started + self.eib.direction_start_gap_bus_cycles)
    }

    /// Time since which a head has been ready and its on-ramp free.
    fn waits_since(&self, from: u8, head: Waiting) -> u64 {
        let beats = 128 / u64::from(self.eib.beat_bytes);
        let sent = self.granted.iter().rfind(|grant| grant.2 == from).map_or(0, |grant| grant.0 + beats);
        head.ready_at.max(sent)
    }

    fn is_clockwise(&self, ring: u8) -> bool {
        u32::from(ring) < self.eib.clockwise_rings
    }

    fn direction_allowed(&self, from: u8, to: u8, ring: u8) -> bool {
        let one_way_only = self.eib.clockwise_rings == 0 || self.eib.counterclockwise_rings == 0;
        let up = self.route(from, to, true).len();
        let down = self.route(from, to, false).len();
        let shorter = if self.is_clockwise(ring) { up <= down } else { down <= up };
        let tie_broken = self.is_clockwise(ring) || up != down || self.eib.halfway_clockwise_only == 0;
        one_way_only || shorter && tie_broken
    }

    fn is_home(&self, from: u8, ring: u8) -> bool {
        let (first, count) = match self.is_clockwise(ring) {
            true => (0, self.eib.clockwise_rings),
            false => (self.eib.clockwise_rings, self.eib.counterclockwise_rings),
        };
        u32::from(ring) - first == u32::from(from) % count
    }

    fn route(&self, from: u8, to: u8, clockwise: bool) -> &[u8] {
        &self.routes[usize::from(clockwise)][usize::from(from)][usize::from(to)]
    }

    /// Whether a new transfer does not conflict with an earlier transfer.
    fn follows(&self, new: Grant, old: Grant) -> bool {
        let beats = 128 / u64::from(self.eib.beat_bytes);
        let hop = self.eib.hop_bus_cycles;
        let (starts, ring, from, to, _) = new;
        let (started, old_ring, old_from, old_to, _) = old;
        let route = self.route(from, to, self.is_clockwise(ring));
        let old_route = self.route(old_from, old_to, self.is_clockwise(old_ring));
        let on_ramp = from != old_from || starts >= started + beats;
        let begin = starts + route.len() as u64 * hop;
        let ended = started + old_route.len() as u64 * hop + beats;
        let off_ramp = to != old_to || begin >= ended && starts >= started + beats;
        if ring != old_ring {
            return on_ramp && off_ramp;
        }
        let segments = route.iter().enumerate().all(|(nth, segment)| {
            let passed = old_route.iter().position(|old| old == segment);
            passed.is_none_or(|old_nth| starts + nth as u64 * hop >= started + old_nth as u64 * hop + beats)
        });
        on_ramp && off_ramp && segments
    }
}

/// The ramps that a route leaves, one for each segment.
fn route(from: u8, to: u8, clockwise: bool, ramps: u8) -> Vec<u8> {
    let mut route = Vec::new();
    let mut at = from;
    while at != to {
        route.push(at);
        at = if clockwise { (at + 1) % ramps } else { (at + ramps - 1) % ramps };
    }
    route
}

/// A requested line: time of the request, delay until the line is ready, on-ramp, off-ramp, and whether the request is
/// a read.
type Asked = (u64, u64, u8, u8, bool);

/// All grants of both arbiters. The simple arbiter has a turn in every bus cycle. The fast arbiter has turns only in
/// the bus cycles that it announced, as in the machine.
fn both(machine: &Machine, mut asked: Vec<Asked>) -> (Vec<Grant>, Vec<Grant>) {
    let topology = Topology::new(machine);
    let (mic, ramps) = (topology.ramp(0, Element::Mic), topology.ramps_on_chip());
    let mut fast = DataNetwork::new(machine, &topology, mic);
    let mut oracle = Oracle::new(machine, mic);
    asked.sort();
    let (mut grants, mut now, mut next) = (Vec::new(), 100, 0);
    let mut ask_again_at = u64::MAX;
    let mut counters = vec![RingCounters::default(); fast.ring_count()];
    while next < asked.len() || oracle.queues.iter().any(|queue| !queue.is_empty()) {
        while let Some((at, delay, from, to, read)) = asked.get(next).filter(|asked| 100 + asked.0 <= now) {
            let (from, to, ready_at, number) = (from % ramps, to % ramps, 100 + at + delay, next as u64);
            let request = RequestId(number as u32);
            let data = DataRequest { to, ready_at, request, read: *read, leaves: false, to_use_bus_cycles: 0 };
            ask_again_at = fast.request(from, data).map_or(ask_again_at, |at| ask_again_at.min(at));
            oracle.request(from, Waiting { ready_at, to, number, read: *read });
            next += 1;
        }
        for _ in 0..machine.eib.grants_per_bus_cycle {
            let right = oracle.grant(now);
            assert!(right.is_none() || ask_again_at <= now, "{right:?} was not awaited before {ask_again_at}");
            if ask_again_at <= now {
                let granted = fast.advance(now, &mut counters);
                grants.extend(granted.map(|g| (now, g.ring, g.from, g.to, u64::from(g.request.0))));
            }
        }
        if ask_again_at <= now {
            ask_again_at = fast.next_advance(now);
        }
        now += 1;
    }
    (grants, oracle.granted)
}

/// Requested lines. Most lines are ready soon after their request, and some lines much later.
fn asked() -> impl Strategy<Value = Vec<Asked>> {
    let delay = prop_oneof![19 => 0..20u64, 1 => 0..1100u64];
    proptest::collection::vec((0..300u64, delay, 0..20u8, 0..20u8, any::<bool>()), 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_fast_arbiter_grants_what_the_obvious_one_does(machine in any_arbiter(), asked in asked()) {
        let (fast, right) = both(&machine, asked);
        prop_assert_eq!(fast, right);
    }
}
