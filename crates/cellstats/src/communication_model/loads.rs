//! What a phase has to carry, added up: who moves how much, and what that loads.

use super::rings::{Busy, Flow, add};
use cell::units::RampIndex;

/// What a phase loads, in half bytes: half of a message may go either way.
pub struct Loads {
    /// What goes on the rings, way by way.
    pub flows: Vec<Flow>,
    /// The segment behind each ramp, clockwise and counterclockwise.
    pub segments: Vec<[u64; 2]>,
    /// By element.
    pub on_ramps: Vec<u64>,
    /// By element.
    pub off_ramps: Vec<u64>,
    /// By chip.
    pub memories: Vec<u64>,
    /// By the chip that sends.
    pub crossing: Vec<u64>,
    /// What crosses, by the chip that asks for it, with the bus cycles for which all its lines hold places.
    pub places: Vec<Busy>,
    /// Writes, and then reads, whose commands both chips see, by the element that asks for them, with the bus cycles
    /// for which all their lines are outstanding.
    pub outstanding: [Vec<Busy>; 2],
}

impl Loads {
    /// Nothing.
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

    /// Forgets it all.
    pub fn clear(&mut self) {
        self.flows.clear();
        self.segments.fill([0; 2]);
        let others = [&mut self.on_ramps, &mut self.off_ramps, &mut self.memories, &mut self.crossing];
        others.into_iter().for_each(|loads| loads.fill(0));
        self.places.fill((0, 0));
        self.outstanding.iter_mut().for_each(|loads| loads.fill((0, 0)));
    }

    /// Carries more to a ramp of the chip whose first ramp is `first`.
    pub fn carry(&mut self, flow: Flow, to: RampIndex, first: RampIndex) {
        add(&mut self.on_ramps[usize::from(flow.from)], flow.half_bytes);
        add(&mut self.off_ramps[usize::from(to)], flow.half_bytes);
        let segments = self.segments.iter_mut().skip(usize::from(first)).take(u32::BITS as usize).enumerate();
        let passed = segments.filter(|(place, _)| flow.way.segments >> place & 1 == 1);
        passed.for_each(|(_, both)| add(&mut both[flow.way.direction], flow.half_bytes));
        self.flows.push(flow);
    }
}
