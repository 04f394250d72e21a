//! What a measurement is asked for, and what can be asked.

use crate::machine::Machine;

/// FUNCTION of the command line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// Thread creation and the detection of its end.
    Mkthread,
    /// Synchronisation by mailbox.
    Mailbox,
    /// Synchronisation by signal.
    Signal,
    /// DMA from main memory, or another local store, to the local store.
    DmaGet,
    /// DMA the other way.
    DmaPut,
    /// Gather by DMA list.
    DmaListGet,
    /// Scatter by DMA list.
    DmaListPut,
    /// Atomic add to a word in main memory.
    FetchAdd,
    /// Atomic subtract.
    FetchSub,
    /// Atomic increment.
    FetchInc,
    /// Atomic decrement.
    FetchDec,
    /// Atomic store of a value.
    FetchSet,
}

impl Function {
    /// All of them, with their names on the command line.
    pub const ALL: [(Function, &str); 12] = [
        (Function::Mkthread, "mkthread"),
        (Function::Mailbox, "mailbox"),
        (Function::Signal, "signal"),
        (Function::DmaGet, "dmaget"),
        (Function::DmaPut, "dmaput"),
        (Function::DmaListGet, "dmalistget"),
        (Function::DmaListPut, "dmalistput"),
        (Function::FetchAdd, "fetchadd"),
        (Function::FetchSub, "fetchsub"),
        (Function::FetchInc, "fetchinc"),
        (Function::FetchDec, "fetchdec"),
        (Function::FetchSet, "fetchset"),
    ];

    /// The function with this name.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::ALL.iter().find(|(_, known)| *known == name).map(|(function, _)| *function)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Function::ALL.iter().find(|(function, _)| *function == self).map_or("", |(_, name)| name)
    }

    /// Whether it moves data by DMA.
    pub fn is_dma(self) -> bool {
        matches!(self, Function::DmaGet | Function::DmaPut) || self.is_list()
    }

    /// Whether it uses DMA lists.
    pub fn is_list(self) -> bool {
        matches!(self, Function::DmaListGet | Function::DmaListPut)
    }

    /// Whether it changes a word atomically.
    pub fn is_atomic(self) -> bool {
        use Function::*;
        matches!(self, FetchAdd | FetchSub | FetchInc | FetchDec | FetchSet)
    }

    /// Whether it synchronises two partners.
    pub fn is_synchronisation(self) -> bool {
        matches!(self, Function::Mailbox | Function::Signal)
    }
}

/// How the PPE reaches an SPE's mailboxes and signals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpePath {
    /// Through the runtime library, and so the operating system.
    Library,
    /// By loads and stores to the problem-state registers.
    Mmio,
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
    /// DMAs between two waits for completion; 0: one wait at the end.
    pub batch: u32,
    /// Placement of the threads.
    pub placement: PlacementChoice,
    /// Leave out what repeats.
    pub fast_forward: bool,
}

impl Params {
    /// One SPE, a million iterations, everything else as the command line has it by default.
    pub fn new(function: Function) -> Params {
        Params {
            function,
            spes: 1,
            private: false,
            iterations: 1_000_000,
            size_bytes: None,
            list_elements: None,
            stride_bytes: None,
            spe_to_spe: false,
            ppe: PpePath::Library,
            batch: 1,
            placement: PlacementChoice::Default,
            fast_forward: true,
        }
    }

    /// Checks what does not depend on where the bytes lie.
    ///
    /// # Errors
    /// One line: what is wrong, and what would be right.
    pub fn check(&self, machine: &Machine) -> Result<(), String> {
        self.check_count(machine)?;
        self.check_applicable()?;
        if self.iterations == 0 || self.iterations > 1_000_000_000 {
            return Err(format!("-i {}: give 1 to 1000m iterations", self.iterations));
        }
        if self.function.is_dma() {
            self.check_sizes(machine)?;
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

    fn check_count(&self, machine: &Machine) -> Result<(), String> {
        let (n, most) = (self.spes, machine.chip.spes.len() as u32);
        let flag = if self.private { "-N" } else { "-n" };
        if n == 0 || n > most {
            return Err(format!("{flag} {n}: {} has {most} SPEs to use, give 1 to {most}", machine.name));
        }
        if self.spe_to_spe && n < 2 {
            return Err(format!("{flag} {n} with -s: communication between SPEs takes at least 2"));
        }
        if self.spe_to_spe && self.function.is_synchronisation() && n % 2 == 1 {
            return Err(format!("{flag} {n} with -s: SPEs synchronise in pairs, give an even number"));
        }
        Ok(())
    }

    fn check_applicable(&self) -> Result<(), String> {
        let function = self.function;
        let name = function.name();
        let buffers = function.is_dma() || function.is_atomic();
        let rules = [
            (self.private && !buffers, "-N", "private buffers are for DMA and atomic functions, give -n"),
            (
                self.spe_to_spe && function.is_atomic(),
                "-s",
                "atomic operations on a remote local store are not possible",
            ),
            (self.spe_to_spe && function == Function::Mkthread, "-s", "the PPE creates threads, leave -s out"),
            (self.size_bytes.is_some() && !function.is_dma(), "-b", "only DMA functions have a size"),
            (self.list_elements.is_some() && !function.is_list(), "-l", "only dmalistget and dmalistput have a list"),
            (self.stride_bytes.is_some() && !buffers, "-t", "only DMA and atomic functions have a stride"),
            (self.stride_bytes.is_some() && !self.private, "-t", "a stride is between private buffers, give -N"),
            (self.batch != 1 && !function.is_dma(), "--batch", "only DMA functions are batched"),
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

    /// Bytes of a DMA or list element; a line if none were given.
    pub fn size_bytes(&self) -> u32 {
        self.size_bytes.unwrap_or(128)
    }

    /// Elements of a list; 1 if none were given.
    pub fn list_elements(&self) -> u32 {
        self.list_elements.unwrap_or(1)
    }

    /// Bytes that one iteration of one SPE moves; none for what is not a DMA.
    pub fn iteration_bytes(&self) -> Option<u64> {
        self.function.is_dma().then(|| u64::from(self.size_bytes()) * u64::from(self.list_elements()))
    }
}
