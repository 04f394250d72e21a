//! What a measurement is asked for, as people say it: every parameter by its name, nothing filled in.

use crate::parameter::Parameter;
use crate::pattern::Pattern;

/// Which physical SPEs the threads run on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum PlacementChoice {
    /// In the machine's logical order.
    #[default]
    Default,
    /// Thread `i` on the SPE given `i`-th.
    Explicit(Vec<u32>),
    /// Any, by the seed.
    Random,
}

/// The parameters of one measurement; words are checked where they are read.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Parameters {
    /// SPEs that take part (`-n`, `-N`).
    pub spes: Option<u32>,
    /// Each SPE has a buffer or variable of its own (`-N`).
    pub private: bool,
    /// Iterations of the measured loop (`-i`).
    pub iterations: Option<u64>,
    /// Bytes of a DMA, of a list element or of an access (`-b`).
    pub size: Option<u32>,
    /// Elements of a DMA list (`-l`).
    pub list_elements: Option<u32>,
    /// Bytes between the starts of private buffers or variables, rounded up (`-t`).
    pub stride: Option<u64>,
    /// Between SPEs, or with the memory in SPE 0's local store (`-s`).
    pub spe_to_spe: bool,
    /// How the PPE reaches the SPEs: `library` or `mmio`.
    pub ppe: Option<String>,
    /// What the SPEs run: `builtin` or `c`.
    pub spe_program: Option<String>,
    /// DMAs (pairs of them for a copy) between two waits for completion; 0: one wait at the end.
    pub batch: Option<u32>,
    /// Which way a pattern's DMAs go: `get`, `put` or `copy`.
    pub op: Option<String>,
    /// What a hot spot is: `memory`, or the number of a thread.
    pub target: Option<String>,
    /// Where loads and stores go: `l1`, `l2`, `l1l2`, `memory` or `ls`.
    pub level: Option<String>,
    /// What an exchange exchanges.
    pub pattern: Option<Pattern>,
    /// Threads of the PPE that load and store.
    pub threads: Option<u32>,
    /// Keep the latency of every single DMA.
    pub histogram: bool,
    /// Chips of which SPEs are used: `0`, `1`, `01` or `10`.
    pub cells: Option<String>,
    /// Where buffers and variables in main memory lie: `0`, `1` or `interleave`.
    pub memory: Option<String>,
    /// Placement of the threads.
    pub placement: PlacementChoice,
    /// Chooses a random placement, and the targets of uniform traffic.
    pub seed: Option<u64>,
    /// Simulate every cycle, also of what repeats.
    pub no_fast_forward: bool,
}

impl Parameters {
    /// Parameters that not every FUNCTION has and that ask for something here, each with the value to show.
    pub fn particular(&self) -> Vec<(Parameter, Option<String>)> {
        let pattern = self.pattern.as_ref().map(|pattern| pattern.name.clone());
        let in_c = self.spe_program.as_deref() == Some("c");
        let all = [
            (self.private, Parameter::Private, None),
            (self.spe_to_spe, Parameter::SpeToSpe, None),
            (self.size.is_some(), Parameter::Size, None),
            (self.level.is_some(), Parameter::Level, None),
            (self.threads.is_some(), Parameter::Threads, None),
            (self.list_elements.is_some(), Parameter::ListElements, None),
            (self.stride.is_some(), Parameter::Stride, None),
            (self.batch.is_some_and(|batch| batch != 1), Parameter::Batch, None),
            (self.op.is_some(), Parameter::Op, None),
            (self.target.is_some(), Parameter::Target, None),
            (in_c, Parameter::SpeProgram, self.spe_program.clone()),
            (self.histogram, Parameter::Histogram, None),
            (self.pattern.is_some(), Parameter::Pattern, pattern),
        ];
        all.into_iter().filter(|(asked, ..)| *asked).map(|(_, parameter, value)| (parameter, value)).collect()
    }
}
