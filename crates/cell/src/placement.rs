//! The physical SPE of each thread ("affinity" in the papers).

use crate::machine::Machine;
use crate::units::{SpeId, ThreadId};
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// A map from threads to physical SPEs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    spes: Vec<SpeId>,
}

/// Why SPEs are no placement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The message of each case says it.
pub enum PlacementError {
    Unusable { spe: u32, machine: String, spes: Vec<u32> },
    Twice { spe: u32 },
    TooFew { spes: usize, threads: u32 },
}

impl Display for PlacementError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PlacementError::Unusable { spe, machine, spes } => {
                write!(f, "placement: SPE {spe} is not usable; {machine} has SPEs {spes:?}")
            }
            PlacementError::Twice { spe } => {
                write!(f, "placement: SPE {spe} appears twice; each thread needs its own")
            }
            PlacementError::TooFew { spes, threads } => {
                write!(f, "a placement of {spes} SPEs for {threads} threads; name {threads}")
            }
        }
    }
}

impl Error for PlacementError {}

impl Placement {
    /// Places thread `i` on the machine's logical SPE `i`, like an operating system without affinity.
    pub fn default_of(machine: &Machine) -> Placement {
        Placement { spes: machine.chip.spes.iter().map(|spe| SpeId(*spe as u8)).collect() }
    }

    /// Places thread `i` on the physical SPE `spes[i]`.
    ///
    /// # Errors
    /// An SPE is not usable on this machine, or occurs twice.
    pub fn new(spes: &[u32], machine: &Machine) -> Result<Placement, PlacementError> {
        for (i, spe) in spes.iter().enumerate() {
            if !machine.chip.spes.contains(spe) {
                let (machine, spes) = (machine.name.clone(), machine.chip.spes.clone());
                return Err(PlacementError::Unusable { spe: *spe, machine, spes });
            }
            if spes[..i].contains(spe) {
                return Err(PlacementError::Twice { spe: *spe });
            }
        }
        Ok(Placement { spes: spes.iter().map(|spe| SpeId(*spe as u8)).collect() })
    }

    /// Like [`Placement::new`], but requires at least one SPE for each of `threads` threads.
    ///
    /// # Errors
    /// The errors of [`Placement::new`], or `spes` contains fewer SPEs than there are threads.
    pub fn of_threads(threads: u32, spes: &[u32], machine: &Machine) -> Result<Placement, PlacementError> {
        let placement = Placement::new(spes, machine)?;
        match placement.len() {
            spes if spes < threads as usize => Err(PlacementError::TooFew { spes, threads }),
            _ => Ok(placement),
        }
    }

    /// Places thread `i` on the `i`-th of these SPEs, which must be distinct and exist on the machine.
    pub fn of(spes: Vec<SpeId>) -> Placement {
        Placement { spes }
    }

    /// Returns a random placement that depends only on the seed. The SPEs of each group are shuffled among the threads
    /// of that group.
    pub fn random(mut groups: Vec<Vec<SpeId>>, seed: u64) -> Placement {
        let mut state = seed;
        for group in &mut groups {
            for i in (1..group.len()).rev() {
                let j = (splitmix64(&mut state) % (i as u64 + 1)) as usize;
                group.swap(i, j);
            }
        }
        Placement { spes: groups.concat() }
    }

    /// Number of threads.
    pub fn len(&self) -> usize {
        self.spes.len()
    }

    /// Whether the placement contains no thread.
    pub fn is_empty(&self) -> bool {
        self.spes.is_empty()
    }

    /// Returns the SPE of a thread, which must be in the placement.
    pub fn spe(&self, thread: ThreadId) -> SpeId {
        self.spes[thread.0 as usize]
    }

    /// All threads with their SPEs.
    pub fn threads(&self) -> impl Iterator<Item = (ThreadId, SpeId)> {
        self.spes.iter().enumerate().map(|(i, spe)| (ThreadId(i as u8), *spe))
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the only source of randomness.
pub fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
