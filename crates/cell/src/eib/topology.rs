//! Who sits where on the ring, and which way is shorter.

use crate::machine::Machine;
use crate::units::{Element, RampIndex, SpeId};

/// Direction round the ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards higher ramp numbers.
    Clockwise,
    /// Towards lower ramp numbers.
    Counterclockwise,
}

/// The elements in clockwise order.
#[derive(Clone, Debug)]
pub struct Topology {
    elements: Vec<Element>,
    ramps_of_spes: Vec<RampIndex>,
}

impl Topology {
    /// The ring of a machine.
    pub fn new(machine: &Machine) -> Topology {
        let elements: Vec<Element> = machine.eib.ring.iter().filter_map(|name| Element::from_name(name)).collect();
        let ramp_of = |wanted| elements.iter().position(|element| *element == wanted);
        let spes = (0..elements.len() as u8).map_while(|n| ramp_of(Element::Spe(SpeId(n))));
        let ramps_of_spes = spes.map(|ramp| ramp as RampIndex).collect();
        Topology { elements, ramps_of_spes }
    }

    /// All elements, by ramp.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Number of ramps.
    pub fn len(&self) -> u8 {
        self.elements.len() as u8
    }

    /// Whether the ring has no element; a machine file cannot describe such a ring.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Number of SPEs.
    pub fn spe_count(&self) -> usize {
        self.ramps_of_spes.len()
    }

    /// The ramp of an SPE.
    pub fn spe_ramp(&self, spe: SpeId) -> RampIndex {
        self.ramps_of_spes[spe.0 as usize]
    }

    /// The ramp of an element; every machine has a PPE and a MIC.
    pub fn ramp(&self, element: Element) -> RampIndex {
        self.elements.iter().position(|e| *e == element).unwrap_or(0) as RampIndex
    }

    /// Hops from one ramp to another in a direction.
    pub fn hops(&self, from: RampIndex, to: RampIndex, direction: Direction) -> u8 {
        let n = self.len();
        match direction {
            Direction::Clockwise => (to + n - from) % n,
            Direction::Counterclockwise => (from + n - to) % n,
        }
    }

    /// Hops by the shorter way: never more than half way round.
    pub fn distance(&self, from: RampIndex, to: RampIndex) -> u8 {
        self.hops(from, to, Direction::Clockwise).min(self.hops(from, to, Direction::Counterclockwise))
    }
}
