//! The communication model of sudheer2009 (section 4), which estimates the cost of a placement without simulating it.
//!
//! The paper names three principles: load all rings alike, let paths overlap as little as possible, and put the threads
//! that send more on the chip with the wider interface. This model combines the three principles in one estimate that
//! follows the rules of the data arbiter. Each message adds load to the ramps at its ends, to the segments of its path
//! and to the transfer starts of its home ring. A message that uses memory or the interface adds load there too. In the
//! queue of an on-ramp, a line waits for the lines of other on-ramps whose paths overlap its own path. If both chips
//! must see a request, a chip or SPE can have only a few such requests outstanding at once (`global`). The duration of
//! a phase is the time of the busiest part of the machine, plus the latency of the phase's start and end. If two
//! placements take equal time, the placement with the more even load is better.
//!
//! MODEL: the first messages of all threads are under way together, then their second messages, and so on. A line that
//! waits for two other lines waits for one after the other, even if both lines could move at once. A line that leaves
//! its home ring finds all rings of the direction equally loaded. The model omits bus cycles lost between transfer
//! starts, bank conflicts, and memory's turnaround between reads and writes.

mod global;
mod loads;
mod part;
mod rings;
mod search;
#[cfg(test)]
mod tests;

pub use part::{Load, Part, PartKind};
pub use search::{ALL_MAX, ModelFound, ModelSearch, tries_all};

use crate::chips::MemoryChoice;
use crate::pattern::{End, Pattern, Transfer};
use cell::eib::Topology;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{Element, RampIndex, ThreadId};
use loads::Loads;
use rings::{Busy, Flow, Route, Starts, add, cycles, lines, more, queues, ring_counts, routes};

/// The estimated cost of a placement. Costs compare by `bus_cycles` first; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cost {
    /// Time of all phases together.
    pub bus_cycles: u64,
    /// Imbalance of the rings: the sum over all segments of the squared number of lines.
    pub unevenness: u64,
}

/// The model of one machine.
pub struct CommunicationModel<'m> {
    machine: &'m Machine,
    topology: Topology,
    memory: MemoryChoice,
    /// Routes between every two ramp positions of a chip, in row-major order.
    routes: Vec<Vec<Route>>,
}

impl<'m> CommunicationModel<'m> {
    /// The model of a machine, for patterns whose data are in `memory`.
    pub fn new(machine: &'m Machine, memory: MemoryChoice) -> CommunicationModel<'m> {
        let topology = Topology::new(machine);
        let n = topology.ramps_on_chip();
        let pairs = (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
        let routes = pairs.map(|(from, to)| routes(machine, &topology, from, to)).collect();
        CommunicationModel { machine, topology, memory, routes }
    }

    /// The cost of a placement, which must have an SPE for every thread of the pattern.
    pub fn cost(&self, pattern: &Pattern, placement: &Placement) -> Cost {
        let mut cost = Cost { bus_cycles: 0, unevenness: 0 };
        let mut loads = self.no_loads();
        for phase in &pattern.phases {
            self.load(phase, placement, &mut loads);
            let mut longest = 0;
            self.each_part(&loads, |_, _, _, bus_cycles| longest = longest.max(bus_cycles));
            add(&mut cost.bus_cycles, longest.saturating_add(self.latency(&loads, pattern.threads, placement)));
            let squares = loads.segments.iter().flatten().map(|half_bytes| lines(*half_bytes).saturating_pow(2));
            squares.for_each(|square| add(&mut cost.unevenness, square));
        }
        cost
    }

    /// The busy parts of the machine in each phase, the busiest first.
    pub fn explanation(&self, pattern: &Pattern, placement: &Placement) -> Vec<Vec<Load>> {
        let mut loads = self.no_loads();
        let explained = |phase: &Vec<Transfer<ThreadId>>| {
            self.load(phase, placement, &mut loads);
            let mut busy = Vec::new();
            self.each_part(&loads, |kind, nth, half_bytes, bus_cycles| {
                if half_bytes > 0 {
                    busy.push(Load { part: self.part(kind, nth), bytes: half_bytes / 2, bus_cycles });
                }
            });
            busy.sort_by_key(|load| std::cmp::Reverse(load.bus_cycles));
            busy
        };
        pattern.phases.iter().map(explained).collect()
    }

    /// Latency that a phase adds to the time of its lines: the last line must arrive, and then two barrier signals, one
    /// after the other. A line or signal takes longer if it crosses to the other chip.
    fn latency(&self, loads: &Loads, threads: u32, placement: &Placement) -> u64 {
        let (eib, mfc) = (&self.machine.eib, &self.machine.mfc);
        let command = mfc.issue_bus_cycles + eib.command_issue_bus_cycles + eib.command_response_bus_cycles;
        let data = mfc.local_store_read_bus_cycles + eib.data_request_bus_cycles + mfc.local_store_write_bus_cycles;
        let one = command + data + mfc.completion_bus_cycles;
        let or_across = |crosses: bool| one + if crosses { global::further_bus_cycles(self.machine) } else { 0 };
        let last = or_across(loads.crossing.iter().any(|half_bytes| *half_bytes > 0));
        let chip = |thread: u32| self.topology.chip_of(self.topology.spe_ramp(placement.spe(ThreadId(thread as u8))));
        if threads > 1 { last + 2 * or_across((1..threads).any(|thread| chip(thread) != chip(0))) } else { last }
    }

    fn no_loads(&self) -> Loads {
        Loads::none(usize::from(self.topology.len()), self.machine.bif.chips as usize)
    }

    fn load(&self, phase: &[Transfer<ThreadId>], placement: &Placement, loads: &mut Loads) {
        loads.clear();
        let mut issued = vec![0; self.topology.spe_count()];
        for transfer in phase {
            let issuer = transfer.issuer().and_then(|thread| issued.get_mut(usize::from(thread.0)));
            let nth = issuer.map_or(0, |issued| std::mem::replace(issued, *issued + 1));
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
                let ends = [ramp(transfer.source), ramp(transfer.destination)];
                self.request(loads, transfer, ends, share);
                self.carry(loads, nth, ends, share);
            }
        }
        loads.flows.sort_by_key(|flow| (flow.nth, flow.from));
    }

    /// Adds the load of requests whose commands both chips must see.
    fn request(&self, loads: &mut Loads, transfer: &Transfer<ThreadId>, [from, to]: [RampIndex; 2], half_bytes: u64) {
        let [sender, receiver] = [from, to].map(|ramp| self.topology.chip_of(ramp));
        let crosses = sender != receiver;
        let is_global = crosses || [transfer.source, transfer.destination].contains(&End::Memory);
        if self.machine.bif.chips < 2 || !is_global {
            return;
        }
        let read = transfer.source == End::Memory;
        let (issuer, chip) = if read { (to, receiver) } else { (from, sender) };
        let each = global::line_bus_cycles(self.machine, transfer, crosses.then_some(sender));
        let under_way = (half_bytes, lines(half_bytes).saturating_mul(each));
        more(&mut loads.outstanding[usize::from(read)][usize::from(issuer)], under_way);
        if crosses {
            more(&mut loads.places[usize::from(chip)], under_way);
        }
    }

    fn carry(&self, loads: &mut Loads, nth: u32, [from, to]: [RampIndex; 2], half_bytes: u64) {
        let (here, there) = (self.topology.chip_of(from), self.topology.chip_of(to));
        if here != there {
            add(&mut loads.crossing[usize::from(here)], half_bytes);
        }
        for (from, to) in self.topology.legs(from, to) {
            let (a, b) = (self.topology.place(from), self.topology.place(to));
            let routes = &self.routes[usize::from(a) * usize::from(self.topology.ramps_on_chip()) + usize::from(b)];
            let half_bytes = half_bytes / routes.len() as u64;
            let read = a == self.topology.ramp(0, Element::Mic);
            routes
                .iter()
                .for_each(|route| loads.carry(Flow { nth, from, route: *route, read, half_bytes }, to, from - a));
        }
    }

    /// Reports each part of the machine: its kind, its number, its load in half bytes, and its busy bus cycles.
    /// Segments and rings have two numbers each, one per direction.
    fn each_part(&self, loads: &Loads, mut found: impl FnMut(PartKind, usize, u64, u64)) {
        let Machine { eib, mic, bif, mfc, .. } = self.machine;
        let beat = u64::from(eib.beat_bytes);
        for (kind, ramps) in [(PartKind::OnRamp, &loads.on_ramps), (PartKind::OffRamp, &loads.off_ramps)] {
            ramps.iter().enumerate().for_each(|(ramp, load)| found(kind, ramp, *load, cycles(*load, beat)));
        }
        for (nth, load) in loads.segments.iter().flatten().enumerate() {
            let all_rings = ring_counts(self.machine)[nth % 2].saturating_mul(beat);
            found(PartKind::Segment, nth, *load, cycles(*load, all_rings));
        }
        let (queues, starts) = self.on_rings(&loads.flows);
        for (kind, busy) in [(PartKind::Queue, queues), (PartKind::Rings, starts)] {
            busy.into_iter().enumerate().for_each(|(nth, (load, bus_cycles))| found(kind, nth, load, bus_cycles));
        }
        let memory = u64::from(mic.channels) * u64::from(mic.channel_bytes_per_bus_cycle);
        for (chip, load) in loads.memories.iter().enumerate() {
            found(PartKind::Memory, chip, *load, cycles(*load, memory));
        }
        for (chip, load) in loads.crossing.iter().enumerate() {
            found(PartKind::Crossing, chip, *load, global::lane_bus_cycles(self.machine, chip as u8, *load));
        }
        let [writes, reads] = &loads.outstanding;
        let limited = [
            (PartKind::Places, &loads.places, bif.outstanding_lines),
            (PartKind::OutstandingReads, reads, mfc.outstanding_reads),
            (PartKind::OutstandingWrites, writes, mfc.outstanding_writes),
        ];
        for (kind, under_way, most) in limited {
            for (nth, (load, line_bus_cycles)) in under_way.iter().enumerate() {
                found(kind, nth, *load, line_bus_cycles.div_ceil(u64::from(most).max(1)));
            }
        }
    }

    /// The load of each queue, and the load of all transfer starts by chip and direction, in half bytes and bus cycles.
    /// The first messages of all threads are under way at once, then their second messages, and so on.
    fn on_rings(&self, flows: &[Flow]) -> (Vec<Busy>, Vec<Busy>) {
        let mut in_queues = vec![(0, 0); usize::from(self.topology.len())];
        let mut starts = vec![(0, 0); 2 * self.machine.bif.chips as usize];
        let chip = |flow: &Flow| self.topology.chip_of(flow.from);
        for flows in flows.chunk_by(|one, other| (one.nth, chip(one)) == (other.nth, chip(other))) {
            queues(self.machine, flows, |ramp, load| more(&mut in_queues[usize::from(ramp)], load));
            let mut begun = [Starts::default(), Starts::default()];
            flows.iter().for_each(|flow| begun[flow.route.direction].add(flow, flow.half_bytes));
            for (direction, begun) in begun.into_iter().enumerate() {
                more(&mut starts[2 * usize::from(chip(&flows[0])) + direction], begun.busy(self.machine, direction));
            }
        }
        (in_queues, starts)
    }

    /// The part that `each_part` reports by kind and number.
    fn part(&self, kind: PartKind, nth: usize) -> Part {
        let name = |ramp: usize| self.topology.names()[ramp].clone();
        let one = Part { kind, elements: Vec::new(), chips: Vec::new(), clockwise: None };
        let (half, clockwise) = (nth / 2, nth.is_multiple_of(2));
        match kind {
            PartKind::OnRamp
            | PartKind::OffRamp
            | PartKind::Queue
            | PartKind::OutstandingReads
            | PartKind::OutstandingWrites => Part { elements: vec![name(nth)], ..one },
            PartKind::Segment => {
                let n = usize::from(self.topology.ramps_on_chip());
                let (a, b) = (name(half), name(half / n * n + (half % n + 1) % n));
                Part { elements: if clockwise { vec![a, b] } else { vec![b, a] }, ..one }
            }
            PartKind::Rings => Part { chips: vec![half as u8], clockwise: Some(clockwise), ..one },
            PartKind::Memory | PartKind::Places => Part { chips: vec![nth as u8], ..one },
            PartKind::Crossing => Part { chips: vec![nth as u8, 1 - nth as u8], ..one },
        }
    }
}
