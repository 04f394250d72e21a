//! What a measurement is asked for, and what can be asked.

use super::chips::{Cells, MemoryChoice};
use super::function::Function;
use super::pattern::Pattern;
use super::spe_program::SpeProgram;
use cell::machine::Machine;
use cell::ppe::THREADS;
use cell::units::{LINE_BYTES, VECTOR_BYTES};

/// How the PPE reaches an SPE's mailboxes and signals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpePath {
    /// Through the runtime library, and so the operating system.
    Library,
    /// By loads and stores to the problem-state registers.
    Mmio,
}

/// Which way a pattern's DMAs go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TransferOp {
    /// To the SPE that issues them.
    Get,
    /// From it.
    Put,
    /// Both, in turn.
    Copy,
}

impl TransferOp {
    /// All of them, with their names on the command line.
    pub const ALL: [(TransferOp, &str); 3] =
        [(TransferOp::Get, "get"), (TransferOp::Put, "put"), (TransferOp::Copy, "copy")];

    /// Its name.
    pub fn name(self) -> &'static str {
        TransferOp::ALL.iter().find(|(op, _)| *op == self).map_or("", |(_, name)| name)
    }

    /// DMAs of one iteration.
    pub fn transfers(self) -> u64 {
        if self == TransferOp::Copy { 2 } else { 1 }
    }
}

/// What a hot spot is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HotTarget {
    /// Main memory.
    Memory,
    /// The local store of a thread, which does nothing else.
    Thread(u32),
}

/// Where accesses go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// The PPE's first-level cache.
    L1,
    /// Its second-level cache.
    L2,
    /// The same, one access to each line, and all of the line counts.
    L1L2,
    /// Main memory, far more of it than the L2 holds.
    Memory,
    /// The local store of an SPU.
    Ls,
}

impl Level {
    /// All of them, with their names on the command line.
    pub const ALL: [(Level, &str); 5] =
        [(Level::L1, "l1"), (Level::L2, "l2"), (Level::L1L2, "l1l2"), (Level::Memory, "memory"), (Level::Ls, "ls")];

    /// Its name.
    pub fn name(self) -> &'static str {
        Level::ALL.iter().find(|(level, _)| *level == self).map_or("", |(_, name)| name)
    }
}

/// Which physical SPEs the threads run on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PlacementChoice {
    /// In the machine's logical order.
    Default,
    /// Thread `i` on the SPE given `i`-th.
    Explicit(Vec<u32>),
    /// Any, by this seed.
    Random(u64),
}

/// One measurement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Params {
    /// What to measure.
    pub function: Function,
    /// SPEs involved (`-n`, `-N`).
    pub spes: u32,
    /// Each SPE has a buffer or variable of its own (`-N`).
    pub private: bool,
    /// Iterations of the measured loop (`-i`).
    pub iterations: u64,
    /// Bytes of a DMA, or of a list element (`-b`).
    pub size_bytes: Option<u32>,
    /// Elements of a list (`-l`).
    pub list_elements: Option<u32>,
    /// Distance of private buffers or variables (`-t`).
    pub stride_bytes: Option<u64>,
    /// Between SPEs, or with the memory in SPE 0's local store (`-s`).
    pub spe_to_spe: bool,
    /// How the PPE reaches the SPEs.
    pub ppe: PpePath,
    /// What the SPEs run.
    pub spe_program: SpeProgram,
    /// DMAs (pairs of them for a copy) between two waits for completion; 0: one wait at the end.
    pub batch: u32,
    /// Which way a pattern's DMAs go.
    pub op: Option<TransferOp>,
    /// What a hot spot is.
    pub target: Option<HotTarget>,
    /// Where loads and stores go.
    pub level: Option<Level>,
    /// What an exchange exchanges.
    pub pattern: Option<Pattern>,
    /// Threads of the PPE that make them.
    pub threads: Option<u32>,
    /// Chooses the targets of uniform traffic.
    pub seed: u64,
    /// Keep the latency of every single DMA.
    pub histogram: bool,
    /// Which chips' SPEs are used; nothing: all, in the machine's own order.
    pub cells: Option<Cells>,
    /// Where buffers and variables in main memory lie.
    pub memory: MemoryChoice,
    /// Placement of the threads.
    pub placement: PlacementChoice,
    /// Leave out what repeats.
    pub fast_forward: bool,
}

impl Params {
    /// A million iterations by one SPE or, for a pattern, 32 MB by each of two; everything else as the
    /// command line has it by default.
    pub fn new(function: Function) -> Params {
        let pattern = function.is_pattern();
        let both_ways = matches!(function, Function::Couples | Function::Cycle);
        let params = Params {
            function,
            spes: if function.is_access() { 0 } else { 1 + u32::from(pattern) },
            private: false,
            iterations: 1_000_000,
            size_bytes: None,
            list_elements: None,
            stride_bytes: None,
            spe_to_spe: false,
            ppe: PpePath::Library,
            spe_program: SpeProgram::Builtin,
            batch: 1 - u32::from(pattern),
            op: None,
            target: None,
            level: function.is_access().then_some(Level::L1),
            threads: None,
            pattern: None,
            seed: 0,
            histogram: false,
            cells: None,
            memory: MemoryChoice::At(0),
            placement: PlacementChoice::Default,
            fast_forward: true,
        };
        Params { op: pattern.then_some(if both_ways { TransferOp::Copy } else { TransferOp::Get }), ..params }
    }

    /// SPEs that take part if nobody says how many: those that are listed; all that may be used for a
    /// pattern, in pairs where it pairs them.
    pub fn default_spes(&self, machine: &Machine) -> u32 {
        let most = self.usable_spes(machine).len() as u32;
        match (&self.placement, self.function) {
            _ if self.ppe_threads() > 0 => 0,
            (_, Function::Exchange) => self.pattern.as_ref().map_or(most, |pattern| pattern.threads),
            (PlacementChoice::Explicit(spes), _) => spes.len() as u32,
            (_, Function::HotSpot | Function::Uniform | Function::Cycle) => most,
            (_, function) if function.is_pattern() => most & !1,
            _ => 1 + u32::from(self.spe_to_spe),
        }
    }

    /// Threads of the PPE that load or store, if it does.
    pub fn ppe_threads(&self) -> u32 {
        if self.is_by_ppe() { self.threads.unwrap_or(1) } else { 0 }
    }

    /// Whether it is the PPE that loads and stores, and no SPE takes part.
    pub fn is_by_ppe(&self) -> bool {
        self.function.is_access() && self.level != Some(Level::Ls)
    }

    /// Whether its DMAs are list commands.
    pub fn uses_lists(&self) -> bool {
        self.function.is_list() || self.list_elements.is_some()
    }

    /// Checks what does not depend on where the bytes lie.
    ///
    /// # Errors
    /// One line: what is wrong, and what would be right.
    pub fn check(&self, machine: &Machine) -> Result<(), String> {
        self.check_chips(machine)?;
        if self.is_by_ppe() {
            self.check_threads()?;
        } else {
            self.check_enough_spes(machine)?;
            self.check_count()?;
        }
        self.check_pattern(machine)?;
        self.check_applicable()?;
        if self.iterations == 0 || self.iterations > 1_000_000_000 {
            return Err(format!("-i {}: give 1 to 1000m iterations", self.iterations));
        }
        if self.function.is_dma() {
            self.check_sizes(machine)?;
        }
        if self.function.is_access() && !matches!(self.size_bytes(), 1 | 2 | 4 | 8 | 16) {
            return Err(format!("-b {}: a load or store is of 1, 2, 4, 8 or 16 bytes", self.size_bytes()));
        }
        if let Some(stride) = self.stride_bytes {
            let unit = if self.function.is_atomic() { 4 } else { 16 };
            if stride == 0 || stride % unit != 0 {
                let of = if unit == 4 { "32-bit variables" } else { "DMA buffers" };
                return Err(format!("-t {stride}: the stride of {of} is a multiple of {unit} bytes"));
            }
        }
        Ok(())
    }

    fn check_count(&self) -> Result<(), String> {
        let (n, name) = (self.spes, self.function.name());
        let flag = if self.private { "-N" } else { "-n" };
        if self.spe_to_spe && self.function.is_synchronisation() && n % 2 == 1 {
            return Err(format!("{flag} {n} with -s: SPEs synchronise in pairs, give an even number"));
        }
        if matches!(self.function, Function::Complement | Function::Pairwise | Function::Couples) && n % 2 == 1 {
            return Err(format!("-n {n} with {name}: every SPE has a partner, give an even number"));
        }
        if matches!(self.function, Function::Uniform | Function::Cycle) && n < 2 {
            return Err(format!("-n {n} with {name}: communication between SPEs takes at least 2"));
        }
        match self.target {
            Some(HotTarget::Thread(_)) if n < 2 => {
                Err(format!("-n {n} with --target: the hot SPE counts too, give at least 2"))
            }
            Some(HotTarget::Thread(thread)) if thread >= n => {
                Err(format!("--target {thread}: there are SPEs 0 to {}, or memory", n - 1))
            }
            _ => Ok(()),
        }
    }

    fn check_threads(&self) -> Result<(), String> {
        let (name, level) = (self.function.name(), self.level.map_or("", Level::name));
        if self.spes > 0 {
            return Err(format!("-n {} with {name}: SPEs only have level ls; at {level} give --threads", self.spes));
        }
        if self.placement != PlacementChoice::Default {
            return Err(format!("--placement with {name}: at level {level} no SPE takes part"));
        }
        match self.threads {
            Some(threads) if threads == 0 || threads as usize > THREADS => {
                Err(format!("--threads {threads}: the PPE has {THREADS} threads, give 1 to {THREADS}"))
            }
            _ => Ok(()),
        }
    }

    fn check_applicable(&self) -> Result<(), String> {
        let function = self.function;
        let name = function.name();
        let pattern = function.is_pattern();
        let buffers = function.is_dma() || function.is_atomic();
        let list = self.list_elements.is_some();
        let (access, exchange) = (function.is_access(), function == Function::Exchange);
        let rules = [
            (self.private && !buffers, "-N", "private buffers are for DMA and atomic functions, give -n"),
            (self.private && pattern, "-N", "in a pattern every SPE has buffers of its own anyhow, give -n"),
            (
                self.spe_to_spe && function.is_atomic(),
                "-s",
                "atomic operations on a remote local store are not possible",
            ),
            (self.spe_to_spe && function == Function::Mkthread, "-s", "the PPE creates threads, leave -s out"),
            (self.spe_to_spe && (pattern || exchange), "-s", "the pattern says who communicates, leave -s out"),
            (self.spe_to_spe && access, "-s", "nobody communicates here, leave -s out"),
            (
                self.size_bytes.is_some() && !function.is_dma() && !access,
                "-b",
                "only DMA functions, loads and stores have a size",
            ),
            (self.level.is_some() && !access, "--level", "only load, store and copy have a level"),
            (
                self.threads.is_some() && self.ppe_threads() == 0,
                "--threads",
                "only where the PPE loads and stores has it a choice of threads",
            ),
            (list && !function.is_list() && !pattern, "-l", "only dmalistget, dmalistput and patterns use lists"),
            (list && function == Function::Uniform, "-l", "every DMA has a target of its own, leave -l out"),
            (self.stride_bytes.is_some() && !buffers, "-t", "only DMA and atomic functions have a stride"),
            (self.stride_bytes.is_some() && !self.private, "-t", "a stride is between private buffers, give -N"),
            (self.batch != 1 && !function.is_dma(), "--batch", "only DMA functions are batched"),
            (self.op.is_some() != pattern, "--op", "only patterns of traffic can go either way"),
            (
                self.target.is_some() && function != Function::HotSpot,
                "--target",
                "only a hotspot has a target to choose",
            ),
            (self.seed != 0 && function != Function::Uniform, "--seed", "nothing here is random"),
            (
                self.spe_program == SpeProgram::C && !function.is_in_c(),
                "--spe-program c",
                "there are C programs for mkthread to fetchset only, leave it out",
            ),
            (self.histogram && !function.is_dma() && !exchange, "--histogram", "only DMAs have their latencies kept"),
        ];
        match rules.iter().find(|(broken, ..)| *broken) {
            Some((_, flag, why)) => Err(format!("{flag} with {name}: {why}")),
            None => Ok(()),
        }
    }

    fn check_sizes(&self, machine: &Machine) -> Result<(), String> {
        let (size, most) = (self.size_bytes(), machine.mfc.max_transfer_bytes);
        if size > most || !(matches!(size, 1 | 2 | 4 | 8) || size > 0 && size % 16 == 0) {
            return Err(format!(
                "-b {size}: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most {}k",
                most / 1024
            ));
        }
        let (elements, most) = (self.list_elements(), machine.mfc.max_list_elements);
        if elements == 0 || elements > most {
            return Err(format!("-l {elements}: a DMA list has 1 to {most} elements"));
        }
        Ok(())
    }

    /// Bytes of a DMA, list element or access; if none were given a line, the most for a pattern, a vector.
    /// Of an exchange those of the longest message.
    pub fn size_bytes(&self) -> u32 {
        self.size_bytes.unwrap_or(match self.function {
            function if function.is_pattern() => 16_384,
            function if function.is_access() => VECTOR_BYTES.into(),
            Function::Exchange => self.pattern.as_ref().map_or(0, Pattern::longest_bytes),
            _ => 128,
        })
    }

    /// Elements of a list; 1 if none were given.
    pub fn list_elements(&self) -> u32 {
        self.list_elements.unwrap_or(1)
    }

    /// Bytes of one DMA command.
    pub fn command_bytes(&self) -> u64 {
        u64::from(self.size_bytes()) * u64::from(self.list_elements())
    }

    /// Bytes that one iteration of one SPE, or of one thread of the PPE, moves; none where no data move.
    pub fn iteration_bytes(&self) -> Option<u64> {
        if self.function.is_access() {
            let bytes = if self.level == Some(Level::L1L2) { LINE_BYTES } else { u64::from(self.size_bytes()) };
            return Some(if self.function == Function::Copy { 2 * bytes } else { bytes });
        }
        self.function.is_dma().then(|| self.command_bytes() * self.op.map_or(1, TransferOp::transfers))
    }
}
