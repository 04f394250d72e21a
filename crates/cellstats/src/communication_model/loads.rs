//! The loads of one phase on all parts of the machine.

use super::rings::{Busy, Flow, add};
use cell::units::RampIndex;

/// The loads of a phase in half bytes, because a message may be split evenly between both directions.
pub struct Loads {
    /// Loads on the rings, by route.
    pub flows: Vec<Flow>,
    /// Loads of the segment after each ramp, clockwise and counterclockwise.
    pub segments: Vec<[u64; 2]>,
    /// Loads of the on-ramps, by element.
    pub on_ramps: Vec<u64>,
    /// Loads of the off-ramps, by element.
    pub off_ramps: Vec<u64>,
    /// Loads of the memories, by chip.
    pub memories: Vec<u64>,
    /// Loads of the interface, by the sending chip.
    pub crossing: Vec<u64>,
    /// Loads that cross to the other chip, by requesting chip, and the bus cycles during which their lines occupy
    /// entries of the interface.
    pub places: Vec<Busy>,
    /// Loads of the requests whose commands both chips see: first of the writes, then of the reads, each by requesting
    /// element. The bus cycles are the time during which the lines are outstanding.
    pub outstanding: [Vec<Busy>; 2],
}

impl Loads {
    /// Loads that are all zero.
    pub fn none(ramps: usize, chips: usize) -> Loads {
        Loads {
            flows: Vec::new(),
            segments: vec![[0; 2]; ramps],
            on_ramps: vec![0; ramps],
            off_ramps: vec![0; ramps],
            memories: vec![0; chips],
            crossing: vec![0; chips],
            places: vec![(0, 0); chips],
            outstanding: [vec![(0, 0); ramps], vec![(0, 0); ramps]],
        }
    }

    /// Sets all loads to zero.
    pub fn clear(&mut self) {
        self.flows.clear();
        self.segments.fill([0; 2]);
        let others = [&mut self.on_ramps, &mut self.off_ramps, &mut self.memories, &mut self.crossing];
        others.into_iter().for_each(|loads| loads.fill(0));
        self.places.fill((0, 0));
        self.outstanding.iter_mut().for_each(|loads| loads.fill((0, 0)));
    }

    /// Adds a flow to a ramp of the chip whose first ramp is `first`.
    pub fn carry(&mut self, flow: Flow, to: RampIndex, first: RampIndex) {
        add(&mut self.on_ramps[usize::from(flow.from)], flow.half_bytes);
        add(&mut self.off_ramps[usize::from(to)], flow.half_bytes);
        let segments = self.segments.iter_mut().skip(usize::from(first)).take(u32::BITS as usize).enumerate();
        let passed = segments.filter(|(place, _)| flow.route.segments >> place & 1 == 1);
        passed.for_each(|(_, both)| add(&mut both[flow.route.direction], flow.half_bytes));
        self.flows.push(flow);
    }
}
