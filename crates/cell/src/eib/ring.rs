//! The data rings: when their segments are free, and the ways that lines may take on them.

use super::topology::{Direction, Topology};
use crate::machine::Machine;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, RampIndex};
use std::cmp::Ordering;

/// One data ring.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Direction in which it runs.
    pub direction: Direction,
    /// Earliest start of another transfer.
    pub start_free_at: BusCycle,
    /// Time at which each segment is free: segment `i` leads from the ramp at place `i`, counted in the ring's
    /// own direction, to the next.  The row is stored twice, so that a way across its end is one slice.
    segment_free_at: Vec<BusCycle>,
}

/// A way from one ramp to another.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Direction.
    pub direction: Direction,
    /// Segments crossed.
    pub hops: u8,
    /// Index of the first segment, counted in that direction.
    first: u8,
    /// A bit for each segment, counted in that direction.
    pub segments: u32,
    /// The on-ramp's home ring.
    pub home: u8,
    /// The rings of its direction: index of the first, and one past the last.
    pub rings: (u8, u8),
}

impl Ring {
    /// A ring past `ramps` ramps on which nothing moves.
    pub fn idle(direction: Direction, ramps: usize) -> Ring {
        Ring { direction, start_free_at: 0, segment_free_at: vec![0; 2 * ramps] }
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        // A constant of the machine: `direction`.
        let Ring { direction: _, start_free_at, segment_free_at } = self;
        out.deadline(*start_free_at, now);
        let segments = &segment_free_at[..segment_free_at.len() / 2];
        segments.iter().for_each(|at| out.deadline(*at, now));
    }

    /// Earliest start, at or after `at`, of a transfer that finds every segment free when it gets there; the
    /// ring may have to wait longer before it starts another one.
    pub fn clear(&self, way: &Way, at: BusCycle, hop: u64) -> BusCycle {
        let segments = &self.segment_free_at[usize::from(way.first)..][..usize::from(way.hops)];
        let free = segments.iter().zip(0..).map(|(free_at, nth)| free_at.saturating_sub(nth * hop));
        free.fold(at, BusCycle::max)
    }

    /// Occupies the way of a transfer that starts at `at`.
    pub fn occupy(&mut self, way: Way, at: BusCycle, hop: u64, beats: u64, ramps: usize) {
        for nth in 0..usize::from(way.hops) {
            let place = usize::from(way.first) + nth;
            let segment = if place >= ramps { place - ramps } else { place };
            let free_at = at + nth as u64 * hop + beats;
            self.segment_free_at[segment] = free_at;
            self.segment_free_at[segment + ramps] = free_at;
        }
    }
}

/// The ways that a transfer may take, the clockwise one first.
pub fn ways(machine: &Machine, topology: &Topology, from: RampIndex, to: RampIndex) -> Vec<Way> {
    let way = |direction| {
        let (clockwise, all) =
            (machine.eib.clockwise_rings, machine.eib.clockwise_rings + machine.eib.counterclockwise_rings);
        let (first, rings) = match direction {
            Direction::Clockwise => (from, (0, clockwise as u8)),
            Direction::Counterclockwise => {
                ((topology.ramps_on_chip() - from) % topology.ramps_on_chip(), (clockwise as u8, all as u8))
            }
        };
        let home = rings.0 + from % (rings.1 - rings.0).max(1);
        let hops = topology.hops(from, to, direction);
        let segments = (0..hops).fold(0, |mask, nth| mask | 1 << ((first + nth) % topology.ramps_on_chip()));
        Way { direction, hops, first, segments, home, rings }
    };
    let (clockwise, counter) = (way(Direction::Clockwise), way(Direction::Counterclockwise));
    // A what-if machine may have rings one way only; then even the long way round must do.
    if machine.eib.counterclockwise_rings == 0 {
        return vec![clockwise];
    }
    if machine.eib.clockwise_rings == 0 {
        return vec![counter];
    }
    match clockwise.hops.cmp(&counter.hops) {
        Ordering::Less => vec![clockwise],
        Ordering::Greater => vec![counter],
        Ordering::Equal if machine.eib.halfway_clockwise_only != 0 => vec![clockwise],
        Ordering::Equal => vec![clockwise, counter],
    }
}
