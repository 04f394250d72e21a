//! The symmetry of a chip's rings: turns and mirror images that take SPEs to SPEs.
//!
//! On the ring PPE 1 3 5 7 IOIF1 IOIF0 6 4 2 0 MIC, half a turn takes SPE 1 to SPE 6, and two mirror images take SPE 1
//! to SPE 0 and to SPE 7. With the identity these are all.
//!
//! Traffic between SPEs that is turned or mirrored takes the same paths, but is not the same run. Threads start in the
//! order of the numbers of their SPEs, which a turn changes. A mirror image also changes rules: the address concentrator
//! and the lines to one off-ramp take turns clockwise, and of two equally long routes the first line takes the clockwise
//! one. The order decides how flows that cross interlock.

use cell::eib::Topology;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::SpeId;
use std::collections::BTreeMap;

/// A permutation of SPEs.
pub struct Symmetry(BTreeMap<SpeId, SpeId>);

impl Symmetry {
    /// The placement in which each thread is on the image of its SPE.
    pub fn image(&self, placement: &Placement) -> Placement {
        Placement::of(placement.threads().map(|(_, spe)| self.0[&spe]).collect())
    }
}

/// All symmetries that take each of these SPEs to one of them. If the SPEs are on several chips, this is only the
/// identity, because all lines between chips pass the same element.
pub fn symmetries(machine: &Machine, spes: &[SpeId]) -> Vec<Symmetry> {
    if spes.windows(2).any(|pair| machine.chip_of(pair[0]) != machine.chip_of(pair[1])) {
        return vec![Symmetry(spes.iter().map(|spe| (*spe, *spe)).collect())];
    }
    let topology = Topology::new(machine);
    let ramps = topology.ramps_on_chip();
    let place = |spe: SpeId| topology.place(topology.spe_ramp(spe));
    let spe_at: BTreeMap<u8, SpeId> = spes.iter().map(|spe| (place(*spe), *spe)).collect();
    let symmetry = |by: u8, is_mirror: bool| {
        let image = |spe: &SpeId| {
            let from = if is_mirror { ramps - place(*spe) } else { place(*spe) };
            Some((*spe, *spe_at.get(&((from + by) % ramps))?))
        };
        spes.iter().map(image).collect::<Option<BTreeMap<_, _>>>().map(Symmetry)
    };
    (0..ramps).flat_map(|by| [symmetry(by, false), symmetry(by, true)]).flatten().collect()
}
