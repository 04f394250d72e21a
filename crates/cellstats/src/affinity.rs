//! Affinities: named orders in which threads are placed on SPEs (sudheer2009).
//!
//! The paper lists the names and draws the chip, but does not say which SPEs each name means. The orders here are
//! derived from the order of the elements on the rings:
//! ```text
//!     PPE  SPE1 SPE3 SPE5 SPE7 IOIF1  clockwise
//!     MIC  SPE0 SPE2 SPE4 SPE6 IOIF0  and back
//! ```
//! The *ring order* starts at the lowest SPE and leads away from the memory controller: 0 2 4 6 7 5 3 1.

use cell::eib::Topology;
use cell::machine::Machine;
use cell::units::SpeId;

/// Reorders a chip's SPEs from ring order to an affinity's order.
type Order = fn(&[SpeId]) -> Vec<SpeId>;

const ORDERS: [(&str, Order); 5] = [
    ("identity", sorted),
    ("ring", <[SpeId]>::to_vec),
    ("evenodd", |ring| halves_in_turn(&sorted(ring))),
    ("overlap", halves_in_turn),
    ("leap2", leap),
];

/// Names of all affinities.
pub fn affinities() -> impl Iterator<Item = &'static str> {
    ORDERS.iter().map(|(name, _)| *name)
}

/// Returns the SPE of each thread, chip by chip in the order of `chips`, or `None` if the affinity is unknown. Omits
/// SPEs that programs may not use.
pub fn affinity(machine: &Machine, name: &str, chips: &[u8]) -> Option<Vec<SpeId>> {
    let (_, order) = ORDERS.iter().find(|(known, _)| *known == name)?;
    Some(chips.iter().flat_map(|chip| order(&ring_order(machine, *chip))).collect())
}

/// The SPEs of the first threads in an affinity, with all chips in their order.
///
/// # Errors
/// A one-line message if the affinity is unknown or has fewer SPEs.
pub fn first_of_affinity(machine: &Machine, name: &str, threads: usize) -> Result<Vec<SpeId>, String> {
    let chips: Vec<u8> = (0..machine.bif.chips as u8).collect();
    let mut spes = affinity(machine, name, &chips).ok_or_else(|| format!("unknown affinity {name:?}"))?;
    if threads > spes.len() {
        return Err(format!("{threads} threads: {} has {} SPEs to use", machine.name, spes.len()));
    }
    spes.truncate(threads);
    Ok(spes)
}

fn ring_order(machine: &Machine, chip: u8) -> Vec<SpeId> {
    let topology = Topology::new(machine);
    let on_chip = (0..topology.spe_count() as u8).map(SpeId).filter(|spe| machine.chip_of(*spe) == chip);
    let mut clockwise: Vec<SpeId> = on_chip.collect();
    clockwise.sort_by_key(|spe| topology.spe_ramp(*spe));
    // The memory controller is clockwise of the lowest SPE, so the ring order is counterclockwise.
    let lowest = (0..clockwise.len()).min_by_key(|nth| clockwise[*nth]).unwrap_or(0);
    clockwise.reverse();
    let begin = clockwise.len().saturating_sub(lowest + 1);
    clockwise.rotate_left(begin);
    clockwise.retain(|spe| machine.chip.spes.contains(&u32::from(spe.0)));
    clockwise
}

fn sorted(ring: &[SpeId]) -> Vec<SpeId> {
    let mut spes = ring.to_vec();
    spes.sort();
    spes
}

fn halves_in_turn(spes: &[SpeId]) -> Vec<SpeId> {
    let (first, second) = spes.split_at(spes.len().div_ceil(2));
    let pairs = first.iter().enumerate().flat_map(|(nth, spe)| [Some(spe), second.get(nth)]);
    pairs.flatten().copied().collect()
}

/// Every other SPE in ring order, then the remaining SPEs in reverse order.
fn leap(ring: &[SpeId]) -> Vec<SpeId> {
    let there = ring.iter().step_by(2);
    let back = ring.iter().skip(1).step_by(2).collect::<Vec<_>>().into_iter().rev();
    there.chain(back).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(machine: &str, name: &str, chips: &[u8]) -> Vec<u8> {
        let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
        affinity(&machine, name, chips).expect("a known name").iter().map(|spe| spe.0).collect()
    }

    #[test]
    fn orders_are_those_of_the_literature() {
        for (name, spes) in [
            ("identity", [0, 1, 2, 3, 4, 5, 6, 7]),
            ("ring", [0, 2, 4, 6, 7, 5, 3, 1]),
            ("evenodd", [0, 4, 1, 5, 2, 6, 3, 7]),
            ("overlap", [0, 7, 2, 5, 4, 3, 6, 1]),
            ("leap2", [0, 4, 7, 3, 1, 5, 6, 2]),
        ] {
            assert_eq!(order("eval-board", name, &[0]), spes, "{name}");
        }
        assert_eq!(order("qs20", "ring", &[1, 0]), [8, 10, 12, 14, 15, 13, 11, 9, 0, 2, 4, 6, 7, 5, 3, 1]);
    }

    #[test]
    fn spes_that_programs_may_not_use_are_left_out() {
        let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
        for name in affinities() {
            let mut spes = order("ps3", name, &[0]);
            spes.sort();
            assert_eq!(spes, machine.chip.spes.iter().map(|spe| *spe as u8).collect::<Vec<_>>(), "{name}");
        }
        assert_eq!(affinity(&machine, "best", &[0]), None);
    }
}
