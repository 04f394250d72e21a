//! The communication model of sudheer2009 (section 4): how good a placement is, without a simulation.
//!
//! The paper names three principles: load all rings alike, let ways overlap as little as possible, and have
//! the part that sends more on the chip with the wider interface.  Here they are one estimate: each message
//! loads the ramps of its ends, the segments of its shorter way, all rings of that direction, and memory and
//! the interface if it goes there; a phase takes as long as whatever has most to do, and of placements that are equal in
//! this the one whose load is spread more evenly is better.
//!
//! MODEL: a message whose two ways are equally long loads both with half of it.  What the paper found to be
//! missing in its model is missing here, too: arbitration, and what it costs that ways overlap in time.

use crate::chips::MemoryChoice;
use crate::pattern::{End, Pattern, Transfer};
use cell::eib::{Direction, Topology};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{Element, LINE_BYTES, RampIndex, ThreadId};
use std::cmp::Ordering;

/// What a placement costs by the model; less is better, `bus_cycles` first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cost {
    /// Time of all phases.
    pub bus_cycles: u64,
    /// How unevenly the rings are loaded: the sum of the squares of the lines that pass each segment.
    pub unevenness: u64,
}

/// What a part of the machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// Where an element's data enter the rings.
    OnRamp,
    /// Where they leave them.
    OffRamp,
    /// Of all rings of one direction, from an element to its neighbour.
    Segment,
    /// All rings of a chip that turn one way.
    Rings,
    /// A chip's main memory.
    Memory,
    /// The interface between two chips, one way.
    Crossing,
}

impl PartKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PartKind::OnRamp => "on-ramp",
            PartKind::OffRamp => "off-ramp",
            PartKind::Segment => "segment",
            PartKind::Rings => "rings",
            PartKind::Memory => "memory",
            PartKind::Crossing => "crossing",
        }
    }
}

/// A part of the machine that can be busy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The element of a ramp; of a segment from where to where.
    pub elements: Vec<String>,
    /// The chip of rings and of memory; of a crossing from where to where.
    pub chips: Vec<u8>,
    /// Which way rings turn.
    pub clockwise: Option<bool>,
}

/// What a phase has a part carry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// The part.
    pub part: Part,
    /// Bytes that it has to carry.
    pub bytes: u64,
    /// How long that takes it.
    pub bus_cycles: u64,
}

/// The model of one machine.
pub struct CommunicationModel<'m> {
    machine: &'m Machine,
    topology: Topology,
    memory: MemoryChoice,
}

/// What a phase loads, in half bytes: half of a message may go either way.
struct Loads {
    /// The segment behind each ramp, clockwise and counterclockwise.
    segments: Vec<[u64; 2]>,
    /// All rings of a chip that turn clockwise, and counterclockwise.
    rings: Vec<[u64; 2]>,
    on_ramps: Vec<u64>,
    off_ramps: Vec<u64>,
    memories: Vec<u64>,
    /// By the chip that sends.
    crossing: Vec<u64>,
}

impl Loads {
    fn clear(&mut self) {
        self.segments.iter_mut().chain(&mut self.rings).for_each(|both| *both = [0; 2]);
        let others = [&mut self.on_ramps, &mut self.off_ramps, &mut self.memories, &mut self.crossing];
        others.into_iter().for_each(|loads| loads.fill(0));
    }
}

/// Adds to a load; one that no 64 bits can hold stays the most.
fn add(load: &mut u64, more: u64) {
    *load = load.saturating_add(more);
}

impl<'m> CommunicationModel<'m> {
    /// The model of a machine, for patterns whose data in main memory lie there.
    pub fn new(machine: &'m Machine, memory: MemoryChoice) -> CommunicationModel<'m> {
        CommunicationModel { machine, topology: Topology::new(machine), memory }
    }

    /// What a placement costs; it has an SPE for every thread of the pattern, and the pattern for every message.
    pub fn cost(&self, pattern: &Pattern, placement: &Placement) -> Cost {
        let mut cost = Cost { bus_cycles: 0, unevenness: 0 };
        let mut loads = self.no_loads();
        for phase in &pattern.phases {
            loads.clear();
            self.load(phase, placement, &mut loads);
            add(&mut cost.bus_cycles, self.times(&loads).max().unwrap_or(0));
            let lines = |half_bytes: u64| half_bytes / (2 * LINE_BYTES);
            let squares = loads.segments.iter().flatten().map(|half_bytes| lines(*half_bytes).saturating_pow(2));
            squares.for_each(|square| add(&mut cost.unevenness, square));
        }
        cost
    }

    /// What each phase loads: the parts that have something to do, those that take longest first.
    pub fn explanation(&self, pattern: &Pattern, placement: &Placement) -> Vec<Vec<Load>> {
        let explained = |phase: &Vec<Transfer<ThreadId>>| {
            let mut loads = self.no_loads();
            self.load(phase, placement, &mut loads);
            let times: Vec<u64> = self.times(&loads).collect();
            let parts = self.parts(&loads).into_iter().zip(times);
            let mut busy: Vec<Load> = parts
                .filter(|((_, half_bytes), _)| *half_bytes > 0)
                .map(|((part, half_bytes), bus_cycles)| Load { part, bytes: half_bytes / 2, bus_cycles })
                .collect();
            busy.sort_by_key(|load| std::cmp::Reverse(load.bus_cycles));
            busy
        };
        pattern.phases.iter().map(explained).collect()
    }

    fn no_loads(&self) -> Loads {
        let (ramps, chips) = (usize::from(self.topology.len()), self.machine.bif.chips as usize);
        Loads {
            segments: vec![[0; 2]; ramps],
            rings: vec![[0; 2]; chips],
            on_ramps: vec![0; ramps],
            off_ramps: vec![0; ramps],
            memories: vec![0; chips],
            crossing: vec![0; chips],
        }
    }

    fn load(&self, phase: &[Transfer<ThreadId>], placement: &Placement, loads: &mut Loads) {
        for transfer in phase {
            let half_bytes = transfer.total_bytes().saturating_mul(2);
            let touches_memory = [transfer.source, transfer.destination].contains(&End::Memory);
            let memories: &[u8] = match self.memory {
                _ if !touches_memory => &[0],
                MemoryChoice::At(chip) => &[[0], [1]][usize::from(chip)],
                MemoryChoice::Interleaved => &[0, 1],
            };
            let share = half_bytes / memories.len() as u64;
            for chip in memories {
                if touches_memory {
                    add(&mut loads.memories[usize::from(*chip)], share);
                }
                let ramp = |end: End<ThreadId>| match end {
                    End::LocalStore(thread) => self.topology.spe_ramp(placement.spe(thread)),
                    End::Memory => self.topology.ramp(*chip, Element::Mic),
                };
                self.load_way(loads, ramp(transfer.source), ramp(transfer.destination), share);
            }
        }
    }

    fn load_way(&self, loads: &mut Loads, from: RampIndex, to: RampIndex, half_bytes: u64) {
        let (here, there) = (self.topology.chip_of(from), self.topology.chip_of(to));
        if here != there {
            let gate = |chip| self.topology.ramp(chip, Element::Ioif0);
            add(&mut loads.crossing[usize::from(here)], half_bytes);
            self.load_way(loads, from, gate(here), half_bytes);
            self.load_way(loads, gate(there), to, half_bytes);
            return;
        }
        add(&mut loads.on_ramps[usize::from(from)], half_bytes);
        add(&mut loads.off_ramps[usize::from(to)], half_bytes);
        let (a, b, n) = (self.topology.place(from), self.topology.place(to), self.topology.ramps_on_chip());
        let hops = |direction| self.topology.hops(a, b, direction);
        let (clockwise, counterclockwise) = (hops(Direction::Clockwise), hops(Direction::Counterclockwise));
        let shares = match clockwise.cmp(&counterclockwise) {
            Ordering::Less => [half_bytes, 0],
            Ordering::Greater => [0, half_bytes],
            Ordering::Equal => [half_bytes / 2; 2],
        };
        let first = from - a;
        for (direction, (start, hops)) in [(a, clockwise), (b, counterclockwise)].into_iter().enumerate() {
            if shares[direction] > 0 {
                add(&mut loads.rings[usize::from(here)][direction], shares[direction]);
                for hop in 0..hops {
                    let place = start + hop;
                    let place = if place >= n { place - n } else { place };
                    add(&mut loads.segments[usize::from(first + place)][direction], shares[direction]);
                }
            }
        }
    }

    /// How long each part is busy, in the order of `parts`.
    fn times<'l>(&'l self, loads: &'l Loads) -> impl Iterator<Item = u64> + 'l {
        let eib = &self.machine.eib;
        let rings = [eib.clockwise_rings, eib.counterclockwise_rings].map(u64::from);
        let beat = u64::from(eib.beat_bytes);
        let mic = &self.machine.mic;
        let memory = u64::from(mic.channels) * u64::from(mic.channel_bytes_per_bus_cycle);
        let lanes = [self.machine.bif.lanes_from_chip_0, self.machine.bif.lanes_from_chip_1].map(u64::from);
        let cycles = move |half_bytes: u64, bytes_per_cycle: u64| half_bytes.div_ceil(2 * bytes_per_cycle.max(1));
        let ramps = loads.on_ramps.iter().chain(&loads.off_ramps).map(move |load| cycles(*load, beat));
        let segments = loads
            .segments
            .iter()
            .flat_map(move |both| [0, 1].map(|direction| cycles(both[direction], rings[direction] * beat)));
        // A ring takes a line every so many cycles, wherever: that is the paper's three transfers on a ring.
        let gap = eib.ring_start_gap_bus_cycles;
        let all = loads.rings.iter().flat_map(move |both| {
            [0, 1]
                .map(|direction| both[direction].saturating_mul(gap).div_ceil(2 * LINE_BYTES * rings[direction].max(1)))
        });
        let memories = loads.memories.iter().map(move |load| cycles(*load, memory));
        let crossing = loads.crossing.iter().zip(lanes).map(|(load, lanes)| {
            let bytes_per_second = u128::from(lanes * self.machine.bif.lane_bytes_per_second);
            let busy = u128::from(*load) * u128::from(self.machine.bus_hz());
            u64::try_from(busy.div_ceil(2 * bytes_per_second.max(1))).unwrap_or(u64::MAX)
        });
        ramps.chain(segments).chain(all).chain(memories).chain(crossing)
    }

    /// Every part and its load, in half bytes.
    fn parts(&self, loads: &Loads) -> Vec<(Part, u64)> {
        let names = self.topology.names();
        let of_elements = |kind, elements| Part { kind, elements, chips: Vec::new(), clockwise: None };
        let of_chips = |kind, chips| Part { kind, elements: Vec::new(), chips, clockwise: None };
        let ramps = |kind: PartKind, of: &[u64]| -> Vec<(Part, u64)> {
            names.iter().zip(of).map(|(name, load)| (of_elements(kind, vec![name.clone()]), *load)).collect()
        };
        let n = usize::from(self.topology.ramps_on_chip());
        let segments = loads.segments.iter().enumerate().flat_map(|(ramp, both)| {
            let next = ramp / n * n + (ramp % n + 1) % n;
            let (a, b) = (names[ramp].clone(), names[next].clone());
            let (there, back) = (vec![a.clone(), b.clone()], vec![b, a]);
            [(of_elements(PartKind::Segment, there), both[0]), (of_elements(PartKind::Segment, back), both[1])]
        });
        let rings = (0..).zip(&loads.rings).flat_map(|(chip, both)| {
            let turning = |clockwise| Part { clockwise: Some(clockwise), ..of_chips(PartKind::Rings, vec![chip]) };
            [(turning(true), both[0]), (turning(false), both[1])]
        });
        let memories = (0..).zip(&loads.memories).map(|(chip, load)| (of_chips(PartKind::Memory, vec![chip]), *load));
        let crossing = (0..).zip(&loads.crossing);
        let crossing = crossing.map(|(chip, load)| (of_chips(PartKind::Crossing, vec![chip, 1 - chip]), *load));
        let mut parts = ramps(PartKind::OnRamp, &loads.on_ramps);
        parts.extend(ramps(PartKind::OffRamp, &loads.off_ramps));
        parts.extend(segments.chain(rings).chain(memories).chain(crossing));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(messages: &[(Option<u8>, Option<u8>, u32)], threads: u32) -> Pattern {
        let transfer = |message: &(Option<u8>, Option<u8>, u32)| Transfer::new(message.0, message.1, message.2);
        Pattern { name: "test".into(), threads, phases: vec![messages.iter().map(transfer).collect()] }
    }

    fn busiest(machine: &str, pattern: &Pattern, spes: &[u32]) -> Vec<(String, u64, u64)> {
        let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
        let placement = Placement::new(spes, &machine).expect("SPEs that it has");
        let model = CommunicationModel::new(&machine, MemoryChoice::At(0));
        let mut phases = model.explanation(pattern, &placement);
        phases.swap_remove(0).into_iter().map(|load| (shown(&load.part), load.bytes, load.bus_cycles)).collect()
    }

    fn shown(Part { kind, elements, chips, clockwise }: &Part) -> String {
        let chips: Vec<String> = chips.iter().map(|chip| format!("Cell {chip}")).collect();
        let turning = clockwise.map(|clockwise| if clockwise { " clockwise" } else { " counterclockwise" });
        format!("{} {}{}{}", kind.name(), elements.join(" to "), chips.join(" to "), turning.unwrap_or_default())
    }

    fn cycles(machine: &str, pattern: &Pattern, spes: &[u32]) -> u64 {
        let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
        let placement = Placement::new(spes, &machine).expect("SPEs that it has");
        CommunicationModel::new(&machine, MemoryChoice::At(0)).cost(pattern, &placement).bus_cycles
    }

    #[test]
    fn a_message_loads_the_shorter_way_and_both_ramps() {
        let one = pattern(&[(Some(0), Some(1), 1600)], 2);
        let parts = busiest("eval-board", &one, &[0, 4]);
        // Two rings go this way, against the clock.
        let expected = [
            ("on-ramp SPE0", 100),
            ("off-ramp SPE4", 100),
            ("segment SPE2 to SPE4", 50),
            ("segment SPE0 to SPE2", 50),
            // They take a line every three cycles each.
            ("rings Cell 0 counterclockwise", 19),
        ];
        assert_eq!(parts, expected.map(|(part, cycles)| (part.to_string(), 1600, cycles)));
    }

    #[test]
    fn half_way_round_it_goes_either_way() {
        let one = pattern(&[(Some(0), Some(1), 1600)], 2);
        // SPE0 and SPE7 are six hops apart of twelve.
        let segments =
            busiest("eval-board", &one, &[0, 7]).into_iter().filter(|(part, ..)| part.starts_with("segment"));
        let loads: Vec<u64> = segments.map(|(_, bytes, _)| bytes).collect();
        assert_eq!(loads, [800; 12]);
    }

    #[test]
    fn three_messages_over_one_segment_take_longer_than_two() {
        let messages = |n: u8| {
            let pairs: Vec<_> = (0..n).map(|i| (Some(2 * i), Some(2 * i + 1), 1600)).collect();
            pattern(&pairs, 2 * u32::from(n))
        };
        // 1 -> 7, 3 -> 6, 5 -> 4: all clockwise, all from SPE5 on to SPE7.
        assert_eq!(cycles("eval-board", &messages(2), &[1, 7, 3, 6]), 100);
        assert_eq!(cycles("eval-board", &messages(3), &[1, 7, 3, 6, 5, 4]), 150);
    }

    #[test]
    fn memory_and_the_interface_are_parts_too() {
        let gets = pattern(&[(None, Some(0), 1600), (None, Some(1), 1600)], 2);
        assert_eq!(busiest("eval-board", &gets, &[0, 2])[0], ("on-ramp MIC".into(), 3200, 200));
        // The other chip's SPEs: 1600 bytes from chip 0 on six lanes of 5 GB/s, or from chip 1 on four.
        let across = pattern(&[(Some(0), Some(1), 16_000)], 2);
        let crossing = |spes: &[u32]| {
            let parts = busiest("qs20", &across, spes);
            parts.into_iter().find(|(part, ..)| part.starts_with("crossing")).expect("it crosses")
        };
        assert_eq!(crossing(&[0, 8]), ("crossing Cell 0 to Cell 1".into(), 16_000, 854));
        assert_eq!(crossing(&[8, 0]), ("crossing Cell 1 to Cell 0".into(), 16_000, 1280));
    }

    #[test]
    fn of_equal_times_the_more_even_load_is_better() {
        let machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
        let model = CommunicationModel::new(&machine, MemoryChoice::At(0));
        let two = pattern(&[(Some(0), Some(1), 1600), (Some(2), Some(3), 1600)], 4);
        let cost = |spes: &[u32]| model.cost(&two, &Placement::new(spes, &machine).expect("SPEs that it has"));
        // Over each other, and side by side.
        let (over, beside) = (cost(&[1, 5, 3, 7]), cost(&[1, 3, 5, 7]));
        assert_eq!(over.bus_cycles, beside.bus_cycles);
        assert!(beside < over);
    }
}
