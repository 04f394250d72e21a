//! The data rings: the times at which their segments are free, and the routes that lines may take.

use super::topology::{Direction, Topology};
use crate::bits::bits;
use crate::machine::Machine;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, RampIndex};
use std::cmp::Ordering;

/// Maximum number of ramps on a ring; 16 SPEs and four other elements need only 20.
pub const RAMPS_MAX: usize = 32;

/// One data ring.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Earliest start of another transfer that this ring permits.
    pub start_free_at: BusCycle,
    /// For each segment, the time at which the segment is free plus an offset: the duration of the hops from the
    /// segment to the end of the next lap. With this offset, all segments of one transfer in one lap have the same
    /// value. In the next lap, the value of each segment is less by `once_round`. Segment `i` connects ramp `i`,
    /// counted in the ring's own direction, to the next ramp.
    free_from_end: [BusCycle; RAMPS_MAX],
    /// Bit mask of the segments at which transfers began, unless a later transfer passed over the segment. At any other
    /// segment, the value is not greater than at the segment before: the segment is idle, or the same transfer passed
    /// both, or a later transfer passed the segment before, and later transfers have greater values. Therefore only
    /// these segments and a route's own first segment decide when the route is clear.
    starts: u32,
    ramps: usize,
    /// Number of bus cycles that a beat takes to go once around the ring.
    once_round: u64,
}

/// A route from one ramp to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Direction of travel.
    pub direction: Direction,
    /// Number of segments crossed.
    pub hops: u8,
    /// Index of the first segment, counted in the route's direction.
    first: u8,
    /// The segments as a bit mask, counted in the route's direction.
    pub segments: u32,
    /// The on-ramp's home ring in this direction.
    pub home: u8,
    /// The other rings of this direction, as a bit mask.
    pub others: u16,
    /// Number of bus cycles that a beat takes for the whole route.
    pub flight: u32,
    /// Number of bus cycles that a beat would take from the first segment to the end of the next lap.
    to_end: u32,
}

/// The routes that a transfer may take: the shorter route, or both routes if they are equally long.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    ways: [Way; 2],
    both: bool,
}

impl Ring {
    /// An idle ring with `ramps` ramps. A beat takes `hop` bus cycles from one ramp to the next.
    pub fn idle(ramps: usize, hop: u64) -> Ring {
        let free_from_end = std::array::from_fn(|segment| (2 * ramps).saturating_sub(segment) as u64 * hop);
        Ring { start_free_at: 0, free_from_end, starts: 0, ramps, once_round: ramps as u64 * hop }
    }

    /// Adds the ring's state to a snapshot, relative to `now`. The argument `start_free_at` is the earliest start of
    /// another transfer.
    pub fn capture(&self, start_free_at: BusCycle, now: BusCycle, out: &mut Snapshot) {
        // Only saves look-ups: `starts`. Constants of the machine: `ramps`, `once_round`.
        let Ring { start_free_at: _, free_from_end, starts: _, ramps, once_round } = self;
        out.deadline(start_free_at, now);
        let hop = once_round / *ramps as u64;
        let to_end = |segment| (2 * ramps - segment) as u64 * hop;
        (0..*ramps).for_each(|segment| out.deadline(free_from_end[segment] - to_end(segment), now));
    }

    /// Earliest start, at or after `at`, of a transfer that reaches each segment of its route when the segment is free.
    /// (The ring's gap between two starts may delay the transfer further.)
    #[inline(always)]
    pub fn clear(&self, way: &Way, at: BusCycle) -> BusCycle {
        let mut free = 0;
        for segment in bits((self.starts | 1 << way.first) & way.segments) {
            let next_lap = if segment < way.first { self.once_round } else { 0 };
            free = (self.free_from_end[usize::from(segment) % RAMPS_MAX] - next_lap).max(free);
        }
        at.max(free.saturating_sub(u64::from(way.to_end)))
    }

    /// Occupies the route of a transfer that starts at `at`.
    #[inline(always)]
    pub fn occupy(&mut self, way: &Way, at: BusCycle, beats: u64) {
        let free = at + beats + u64::from(way.to_end);
        self.starts = self.starts & !way.segments | 1 << way.first;
        for segment in bits(way.segments) {
            let next_lap = if segment < way.first { self.once_round } else { 0 };
            self.free_from_end[usize::from(segment) % RAMPS_MAX] = free + next_lap;
        }
    }
}

impl Ways {
    /// The placeholder for an on-ramp without a line.
    pub(super) const NONE: Ways = {
        let way = Way {
            direction: Direction::Clockwise,
            hops: 0,
            first: 0,
            segments: 0,
            home: 0,
            others: 0,
            flight: 0,
            to_end: 0,
        };
        Ways { ways: [way; 2], both: false }
    };

    /// The same routes. If both are equally long, the counterclockwise route comes first if `counterclockwise_first`.
    #[inline(always)]
    pub(super) fn in_turn(&self, counterclockwise_first: bool) -> Ways {
        let [clockwise, counterclockwise] = self.ways;
        let swap = self.both && counterclockwise_first;
        Ways { ways: if swap { [counterclockwise, clockwise] } else { self.ways }, both: self.both }
    }

    /// The shorter route, or the preferred route if both routes are equally long.
    #[inline(always)]
    pub fn first(&self) -> &Way {
        &self.ways[0]
    }

    /// The other route if both routes are equally long, otherwise `None`.
    #[inline(always)]
    pub fn other(&self) -> Option<&Way> {
        self.both.then_some(&self.ways[1])
    }

    /// Returns the other route if `other` is true, otherwise the first route.
    #[inline(always)]
    pub fn get(&self, other: bool) -> &Way {
        &self.ways[usize::from(other)]
    }

    /// The one or two possible routes.
    pub fn iter(&self) -> impl Iterator<Item = &Way> {
        std::iter::once(self.first()).chain(self.other())
    }
}

/// Returns the possible routes from one ramp to another. If there are two, the clockwise route comes first.
pub fn ways(machine: &Machine, topology: &Topology, from: RampIndex, to: RampIndex) -> Ways {
    let eib = &machine.eib;
    let way = |direction| {
        let (clockwise, all) = (eib.clockwise_rings, eib.clockwise_rings + eib.counterclockwise_rings);
        let (first, rings) = match direction {
            Direction::Clockwise => (from, (0, clockwise as u8)),
            Direction::Counterclockwise => {
                ((topology.ramps_on_chip() - from) % topology.ramps_on_chip(), (clockwise as u8, all as u8))
            }
        };
        let home = rings.0 + from % (rings.1 - rings.0).max(1);
        let hops = topology.hops(from, to, direction);
        let segments = (0..hops).fold(0, |mask, nth| mask | 1 << ((first + nth) % topology.ramps_on_chip()));
        let (flight, to_end) = (
            u64::from(hops) * eib.hop_bus_cycles,
            u64::from(2 * topology.ramps_on_chip() - first) * eib.hop_bus_cycles,
        );
        let others = (rings.0..rings.1).filter(|ring| *ring != home).fold(0, |mask, ring| mask | 1 << ring);
        Way { direction, hops, first, segments, home, others, flight: flight as u32, to_end: to_end as u32 }
    };
    let (clockwise, counter) = (way(Direction::Clockwise), way(Direction::Counterclockwise));
    // If a what-if machine has rings in only one direction, transfers must use this direction even if the route is
    // longer.
    let order = match (eib.clockwise_rings, eib.counterclockwise_rings) {
        (_, 0) => Ordering::Less,
        (0, _) => Ordering::Greater,
        _ if clockwise.hops == counter.hops && eib.halfway_clockwise_only != 0 => Ordering::Less,
        _ => clockwise.hops.cmp(&counter.hops),
    };
    match order {
        Ordering::Less => Ways { ways: [clockwise; 2], both: false },
        Ordering::Greater => Ways { ways: [counter; 2], both: false },
        Ordering::Equal => Ways { ways: [clockwise, counter], both: true },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring that looks at each segment of a route.
    struct Plain {
        free_at: Vec<BusCycle>,
        hop: u64,
    }

    impl Plain {
        /// The segments of a route, with the time that a beat takes to each of them.
        fn segments(&self, way: &Way) -> impl Iterator<Item = (usize, u64)> + use<> {
            let (first, ramps, hop) = (usize::from(way.first), self.free_at.len(), self.hop);
            (0..usize::from(way.hops)).map(move |nth| ((first + nth) % ramps, nth as u64 * hop))
        }

        fn clear(&self, way: &Way, at: BusCycle) -> BusCycle {
            let starts = self.segments(way).map(|(segment, after)| self.free_at[segment].saturating_sub(after));
            starts.fold(at, BusCycle::max)
        }

        fn occupy(&mut self, way: &Way, at: BusCycle, beats: u64) {
            self.segments(way).for_each(|(segment, after)| self.free_at[segment] = at + after + beats);
        }
    }

    #[test]
    fn a_route_is_clear_when_all_its_segments_are() {
        let mut random = 1u64;
        let mut below = |end: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % end
        };
        let ps3 = Machine::builtin("ps3").expect("a machine that comes with the simulator");
        for case in 0..2000 {
            let mut machine = ps3.clone();
            machine.eib.hop_bus_cycles = 1 + below(4);
            (machine.eib.clockwise_rings, machine.eib.counterclockwise_rings) = [(1, 1), (1, 0), (0, 1)][case % 3];
            machine.eib.ring.truncate(12 - below(2) as usize);
            let topology = Topology::new(&machine);
            let (ramps, hop) = (usize::from(topology.ramps_on_chip()), machine.eib.hop_bus_cycles);
            let (mut ring, beats) = (Ring::idle(ramps, hop), 1 + below(16));
            let mut plain = Plain { free_at: vec![0; ramps], hop };
            let mut now = 0;
            for _ in 0..60 {
                let [from, to] = [below(ramps as u64), below(ramps as u64)].map(|ramp| ramp as RampIndex);
                let way = *ways(&machine, &topology, from, to).first();
                let at = ring.clear(&way, now);
                assert_eq!(at, plain.clear(&way, now), "case {case}");
                // Not every transfer starts as soon as it could.
                now = at + below(3);
                ring.occupy(&way, now, beats);
                plain.occupy(&way, now, beats);
            }
        }
    }
}
