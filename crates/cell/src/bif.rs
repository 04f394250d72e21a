//! The coherent interface between two chips, from IOIF0 to IOIF0.
//!
//! ```text
//!   ring of chip 0 <──> IOIF0 ─┬─ lanes from chip 0 ──>─┬─ IOIF0 <──> ring of chip 1
//!                              └─<── lanes from chip 1 ─┘
//! ```
//! Each direction has its own lanes. Packets of data cross the lanes one after the other. A packet occupies the lanes
//! for the transfer time of its bytes, and arrives at the other chip `latency_bus_cycles` later. Each chip has
//! `outstanding_lines` slots. A request that moves data to or from the other chip takes a slot before its command is
//! ordered, and frees the slot when its data have arrived. While all slots are taken, commands wait in this interface,
//! first come, first served. (The performance monitor counts command and data credits of the interface.)
//!
//! Modelled elsewhere: the cost of reflecting a command on both chips, which [`crate::system`] charges as
//! `reflection_bus_cycles`.
//!
//! MODEL: commands, responses and credits do not occupy the lanes. A partial quadword takes as long as a full
//! quadword.

use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES};
use std::collections::VecDeque;

const QUADWORD: u64 = 16;

/// Data crossing from chip to chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// Number of bus cycles for which the data occupy the lanes.
    pub lane_bus_cycles: u64,
    /// Time of arrival at the other chip.
    pub arrives_at: BusCycle,
}

/// One chip's end of the interface.
#[derive(Clone, Debug, Default)]
struct End {
    /// Transfer times on the lanes to the other chip, in bus cycles, for one quadword, two quadwords and so on up to a
    /// line.
    quadwords_take: Vec<u64>,
    lanes_free_at: BusCycle,
    /// Number of slots that requests of this chip's units have taken.
    outstanding: u32,
    /// Requests waiting for a slot.
    waiting: VecDeque<RequestId>,
}

/// The interface between the two chips; idle on a machine with one chip.
#[derive(Clone, Debug)]
pub struct Bif {
    ends: Vec<End>,
    /// Reads of the other chip's memory whose data cross without waiting for the combined response. The flag of a read
    /// is set once either the data or the response has arrived.
    joining: Vec<(RequestId, bool)>,
    outstanding_max: u32,
    latency: u64,
}

impl Bif {
    /// An idle interface.
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

    /// Takes a slot for a request of a chip. Returns false if no slot is free; the request then waits for a slot.
    pub fn take_place(&mut self, chip: u8, request: RequestId) -> bool {
        let end = &mut self.ends[usize::from(chip)];
        // If requests are waiting, no slot is free.
        let free = end.outstanding < self.outstanding_max;
        if free {
            end.outstanding += 1;
        } else {
            end.waiting.push_back(request);
        }
        free
    }

    /// Frees a slot of a chip. If a request is waiting, it takes the slot, and this function returns it.
    pub fn give_place(&mut self, chip: u8) -> Option<RequestId> {
        let end = &mut self.ends[usize::from(chip)];
        let next = end.waiting.pop_front();
        end.outstanding -= u32::from(next.is_none());
        next
    }

    /// Sends data, at most a line, from a chip to the other chip.
    pub fn cross(&mut self, chip: u8, bytes: u8, now: BusCycle) -> Crossing {
        let end = &mut self.ends[usize::from(chip)];
        let quadwords = u64::from(bytes).div_ceil(QUADWORD).max(1);
        let lane_bus_cycles = end.quadwords_take[quadwords as usize - 1];
        end.lanes_free_at = end.lanes_free_at.max(now) + lane_bus_cycles;
        Crossing { lane_bus_cycles, arrives_at: end.lanes_free_at + self.latency }
    }

    /// Registers a read whose data cross without waiting for the combined response. The data continue on the ring once
    /// both the data and the response have arrived.
    pub fn join(&mut self, request: RequestId) {
        self.joining.push((request, false));
    }

    /// Records that a request's data or combined response has arrived. Returns whether the data may continue on the
    /// ring.
    pub fn joined(&mut self, request: RequestId) -> bool {
        let Some(nth) = self.joining.iter().position(|(joining, _)| *joining == request) else { return true };
        let second = std::mem::replace(&mut self.joining[nth].1, true);
        if second {
            // Use `remove`, which preserves the order of arrival, because that order is part of the captured state.
            self.joining.remove(nth);
        }
        second
    }

    /// Adds the interface's state to a snapshot, relative to `now`.
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

    /// A line takes 8 cycles on the lanes from chip 0, and 16 cycles on the lanes from chip 1. The latency is 5
    /// cycles. Each chip has two slots.
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
    fn lines_cross_one_after_the_other_in_each_direction_independently() {
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
    fn a_request_without_a_free_slot_waits_until_one_is_returned() {
        let mut bif = bif();
        let taken: Vec<bool> = (1..=4).map(|n| bif.take_place(0, RequestId(n))).collect();
        assert_eq!(taken, [true, true, false, false]);
        assert!(bif.take_place(1, RequestId(5)), "the other chip has its own slots");
        assert_eq!((bif.give_place(0), bif.give_place(0)), (Some(RequestId(3)), Some(RequestId(4))));
        assert_eq!((bif.give_place(0), bif.give_place(0)), (None, None));
        assert!(bif.take_place(0, RequestId(6)));
    }

    #[test]
    fn early_data_travel_on_with_their_response_and_others_at_once() {
        let mut bif = bif();
        bif.join(RequestId(1));
        assert!(bif.joined(RequestId(2)), "the request was not registered");
        assert_eq!((bif.joined(RequestId(1)), bif.joined(RequestId(1))), (false, true));
        assert!(bif.joining.is_empty());
    }
}
