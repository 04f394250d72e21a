//! The position of each element on the rings, and the distances between elements.

use crate::machine::Machine;
use crate::units::{Element, RampIndex, SpeId};

/// Direction around the ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards higher ramp numbers.
    Clockwise,
    /// Towards lower ramp numbers.
    Counterclockwise,
}

/// The elements in clockwise order, chip by chip. Both chips of a machine have the same ring. The ramp numbers of the
/// second chip follow those of the first chip.
#[derive(Clone, Debug)]
pub struct Topology {
    elements: Vec<Element>,
    ramps_on_chip: u8,
    ramps_of_spes: Vec<RampIndex>,
}

impl Topology {
    /// Creates the topology of a machine's rings.
    pub fn new(machine: &Machine) -> Topology {
        let ring = &machine.eib.ring;
        let on_chip = |chip: u32| {
            let first_spe = (chip * machine.spes_on_chip()) as u8;
            ring.iter().filter_map(|name| Element::from_name(name)).map(move |element| match element {
                Element::Spe(SpeId(n)) => Element::Spe(SpeId(first_spe + n)),
                other => other,
            })
        };
        let elements: Vec<Element> = (0..machine.bif.chips).flat_map(on_chip).collect();
        let ramp_of = |wanted| elements.iter().position(|element| *element == wanted);
        let spes = (0..elements.len() as u8).map_while(|n| ramp_of(Element::Spe(SpeId(n))));
        let ramps_of_spes = spes.map(|ramp| ramp as RampIndex).collect();
        Topology { elements, ramps_on_chip: ring.len() as u8, ramps_of_spes }
    }

    /// Returns the names of all elements, by ramp. The suffix `/1` marks an element of the second chip if the first
    /// chip has an element of the same name.
    pub fn names(&self) -> Vec<String> {
        let name = |(ramp, element): (usize, &Element)| match element {
            Element::Spe(_) => element.to_string(),
            _ if ramp < usize::from(self.ramps_on_chip) => element.to_string(),
            _ => format!("{element}/1"),
        };
        self.elements.iter().enumerate().map(name).collect()
    }

    /// Number of ramps of one chip.
    #[inline(always)]
    pub fn ramps_on_chip(&self) -> u8 {
        self.ramps_on_chip
    }

    /// Number of ramps of all chips.
    pub fn len(&self) -> u8 {
        self.elements.len() as u8
    }

    /// Whether the ring has no elements. A machine file cannot describe such a ring.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Number of SPEs.
    pub fn spe_count(&self) -> usize {
        self.ramps_of_spes.len()
    }

    /// The ramp of an SPE.
    #[inline(always)]
    pub fn spe_ramp(&self, spe: SpeId) -> RampIndex {
        self.ramps_of_spes[spe.0 as usize]
    }

    /// The ramp of a chip's own PPE, MIC or I/O interface.
    pub fn ramp(&self, chip: u8, element: Element) -> RampIndex {
        let position = self.elements.iter().position(|e| *e == element).unwrap_or(0) as RampIndex;
        chip * self.ramps_on_chip + position
    }

    /// Returns the chip that contains a ramp.
    #[inline(always)]
    pub fn chip_of(&self, ramp: RampIndex) -> u8 {
        u8::from(ramp >= self.ramps_on_chip)
    }

    /// Position of a ramp on the rings of its chip.
    #[inline(always)]
    pub fn place(&self, ramp: RampIndex) -> RampIndex {
        if ramp < self.ramps_on_chip { ramp } else { ramp - self.ramps_on_chip }
    }

    /// The parts of a route between two ramps that are on one chip. A route between two chips goes to IOIF0, and
    /// continues from the other chip's IOIF0.
    pub fn legs(&self, from: RampIndex, to: RampIndex) -> impl Iterator<Item = (RampIndex, RampIndex)> + use<> {
        let (here, there) = (self.chip_of(from), self.chip_of(to));
        let gate = |chip| self.ramp(chip, Element::Ioif0);
        let (first, second) =
            if here == there { ((from, to), None) } else { ((from, gate(here)), Some((gate(there), to))) };
        std::iter::once(first).chain(second)
    }

    /// Number of hops of the shortest route between two ramps.
    pub fn distance(&self, from: RampIndex, to: RampIndex) -> u8 {
        let hops = |(from, to)| {
            let hops = |direction| self.hops(self.place(from), self.place(to), direction);
            hops(Direction::Clockwise).min(hops(Direction::Counterclockwise))
        };
        self.legs(from, to).map(hops).sum()
    }

    /// Number of hops between two positions on a ring in one direction.
    pub fn hops(&self, from: RampIndex, to: RampIndex, direction: Direction) -> u8 {
        let n = self.ramps_on_chip;
        match direction {
            Direction::Clockwise => (to + n - from) % n,
            Direction::Counterclockwise => (from + n - to) % n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distances(machine: &str, pairs: &[(u8, u8)]) -> Vec<u8> {
        let topology = Topology::new(&Machine::builtin(machine).expect("a machine that comes with the simulator"));
        let ramp = |spe| topology.spe_ramp(SpeId(spe));
        pairs.iter().map(|(from, to)| topology.distance(ramp(*from), ramp(*to))).collect()
    }

    #[test]
    fn distances_are_those_of_the_shorter_route() {
        // PPE SPE1 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE2 SPE0 MIC
        let pairs = [(0, 0), (0, 2), (2, 0), (0, 1), (6, 7), (0, 7), (1, 6), (2, 3)];
        assert_eq!(distances("eval-board", &pairs), [0, 1, 1, 3, 3, 6, 6, 5]);
    }

    #[test]
    fn between_chips_the_route_passes_ioif0() {
        assert_eq!(distances("qs20", &[(6, 14), (14, 6), (0, 14), (7, 15), (8, 10)]), [2, 2, 5, 4, 1]);
    }
}
