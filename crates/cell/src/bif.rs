//! The coherent interface between two chips, from IOIF0 to IOIF0.
//!
//! ```text
//!   ring of chip 0 <──> IOIF0 ─┬─ lanes from chip 0 ──>─┬─ IOIF0 <──> ring of chip 1
//!                              └─<── lanes from chip 1 ─┘
//! ```
//! Each direction has lanes of its own, on which data cross one piece after the other: a piece occupies
//! them for as long as its bytes take, and arrives `latency_bus_cycles` later.  A request that moves data
//! to or from the other chip needs one of its chip's `outstanding_lines` places from before its command
//! is ordered until its data have arrived; while all are taken, commands wait here, first come first
//! served.  (The performance monitor counts command and data credits of the interface.)
//!
//! Left out: what it costs to reflect a command on both chips.  That is `reflection_bus_cycles`, charged
//! in [`crate::system`].
//!
//! MODEL: commands, responses and credits take no room on the lanes.  Part of a quadword takes as long as
//! a quadword.

use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES};
use std::collections::VecDeque;

const QUADWORD: u64 = 16;

/// Data on the way from chip to chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// Time for which they occupy the lanes.
    pub lane_bus_cycles: u64,
    /// Arrival at the other end.
    pub arrives_at: BusCycle,
}

/// One chip's end.
#[derive(Clone, Debug, Default)]
struct End {
    /// Bus cycles that one quadword, two and so on up to a line take on its lanes to the other chip.
    quadwords_take: Vec<u64>,
    lanes_free_at: BusCycle,
    /// Places taken by requests of this chip's units.
    outstanding: u32,
    /// Requests that wait for one.
    waiting: VecDeque<RequestId>,
}

/// The interface between all chips; idle on a machine of one.
#[derive(Clone, Debug)]
pub struct Bif {
    ends: Vec<End>,
    /// Reads of the other chip's memory whose data cross without waiting for the combined response, and
    /// whether one of the two has come.
    joining: Vec<(RequestId, bool)>,
    outstanding_max: u32,
    latency: u64,
}

impl Bif {
    /// Nothing under way.
    pub fn new(machine: &Machine) -> Bif {
        let bif = &machine.bif;
        let end = |lanes: u32| {
            let rate = u128::from(lanes) * u128::from(bif.lane_bytes_per_second);
            let take = |quadwords: u64| {
                let byte_cycles = u128::from(quadwords * QUADWORD) * u128::from(machine.bus_hz());
                ((2 * byte_cycles + rate) / (2 * rate)).max(1) as u64
            };
            End { quadwords_take: (1..=LINE_BYTES / QUADWORD).map(take).collect(), ..End::default() }
        };
        Bif {
            ends: vec![end(bif.lanes_from_chip_0), end(bif.lanes_from_chip_1)],
            joining: Vec::new(),
            outstanding_max: bif.outstanding_lines,
            latency: bif.latency_bus_cycles,
        }
    }

    /// Takes a place for a request of a chip; false if none is free, and the request waits here for one.
    pub fn take_place(&mut self, chip: u8, request: RequestId) -> bool {
        let end = &mut self.ends[usize::from(chip)];
        // A free place means that no request waits for one.
        let free = end.outstanding < self.outstanding_max;
        if free {
            end.outstanding += 1;
        } else {
            end.waiting.push_back(request);
        }
        free
    }

    /// Gives back the place of a chip's request; the waiting request that gets it.
    pub fn give_place(&mut self, chip: u8) -> Option<RequestId> {
        let end = &mut self.ends[usize::from(chip)];
        let next = end.waiting.pop_front();
        end.outstanding -= u32::from(next.is_none());
        next
    }

    /// Sends data, a line at most, from a chip to the other.
    pub fn cross(&mut self, chip: u8, bytes: u8, now: BusCycle) -> Crossing {
        let end = &mut self.ends[usize::from(chip)];
        let quadwords = u64::from(bytes).div_ceil(QUADWORD).max(1);
        let lane_bus_cycles = end.quadwords_take[quadwords as usize - 1];
        end.lanes_free_at = end.lanes_free_at.max(now) + lane_bus_cycles;
        Crossing { lane_bus_cycles, arrives_at: end.lanes_free_at + self.latency }
    }

    /// Announces a read whose data cross on their own: they go on once the combined response has come, too.
    pub fn join(&mut self, request: RequestId) {
        self.joining.push((request, false));
    }

    /// Notes that a request's data, or its combined response, have come; whether its data may go on.
    pub fn joined(&mut self, request: RequestId) -> bool {
        let Some(place) = self.joining.iter().position(|(joining, _)| *joining == request) else { return true };
        let second = std::mem::replace(&mut self.joining[place].1, true);
        if second {
            // Keeps the order of arrival: another order would be another state.
            self.joining.remove(place);
        }
        second
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        // Constants of the machine: `outstanding_max`, `latency` and `quadwords_take`.
        let Bif { ends, joining, outstanding_max: _, latency: _ } = self;
        for End { quadwords_take: _, lanes_free_at, outstanding, waiting } in ends {
            out.word(u64::from(*outstanding) << 32 | waiting.len() as u64);
            out.deadline(*lanes_free_at, now);
            waiting.iter().for_each(|id| requests.get(*id).capture(out));
        }
        out.word(joining.len() as u64);
        for (id, one_has_come) in joining {
            out.word(u64::from(*one_has_come));
            requests.get(*id).capture(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes on which a line takes 8 cycles from chip 0 and 16 from chip 1, 5 cycles long, with two places.
    fn bif() -> Bif {
        let mut machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
        machine.bif.lanes_from_chip_0 = 2;
        machine.bif.lanes_from_chip_1 = 1;
        machine.bif.lane_bytes_per_second = 8 * machine.bus_hz();
        machine.bif.latency_bus_cycles = 5;
        machine.bif.outstanding_lines = 2;
        Bif::new(&machine)
    }

    #[test]
    fn lines_cross_one_after_the_other_and_each_way_for_itself() {
        let mut bif = bif();
        let mut arrives = |chip, now| bif.cross(chip, 128, now).arrives_at;
        assert_eq!([arrives(0, 100), arrives(0, 103), arrives(1, 103)], [113, 121, 124]);
        assert_eq!(arrives(0, 200), 213, "the lanes have been free since 116");
    }

    #[test]
    fn a_word_takes_as_long_as_a_quadword() {
        let mut bif = bif();
        assert_eq!([4, 16, 17, 128].map(|bytes| bif.cross(1, bytes, 0).lane_bus_cycles), [2, 2, 4, 16]);
    }

    #[test]
    fn one_request_more_than_there_are_places_waits_until_one_is_given_back() {
        let mut bif = bif();
        let taken: Vec<bool> = (1..=4).map(|n| bif.take_place(0, RequestId(n))).collect();
        assert_eq!(taken, [true, true, false, false]);
        assert!(bif.take_place(1, RequestId(5)), "the other chip has places of its own");
        assert_eq!((bif.give_place(0), bif.give_place(0)), (Some(RequestId(3)), Some(RequestId(4))));
        assert_eq!((bif.give_place(0), bif.give_place(0)), (None, None));
        assert!(bif.take_place(0, RequestId(6)));
    }

    #[test]
    fn early_data_go_on_with_their_response_and_others_at_once() {
        let mut bif = bif();
        bif.join(RequestId(1));
        assert!(bif.joined(RequestId(2)), "it was never to join");
        assert_eq!((bif.joined(RequestId(1)), bif.joined(RequestId(1))), (false, true));
        assert!(bif.joining.is_empty());
    }
}
