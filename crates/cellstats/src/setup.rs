//! The layout of a measurement: the input and the output of a family.

use crate::addresses::DATA_OFFSET;
use crate::choices::{Injection, Level, TransferOp};
use crate::control_block::{Buffers, ControlBlock, Role};
use crate::pattern::Transfer;
use crate::settings::Settings;
use cell::described;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::units::{SpeId, ThreadId};
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;

/// The ticks of each thread, or `None` for a thread that measured nothing.
pub type Ticks = Rc<RefCell<Vec<Option<Ticked>>>>;

/// A measured loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticked {
    /// Length of the loop in ticks.
    pub ticks: u64,
    /// Time base at the start of the loop, if a PPE thread ran it; otherwise 0.
    pub from: u64,
}

impl From<u64> for Ticked {
    fn from(ticks: u64) -> Ticked {
        Ticked { ticks, from: 0 }
    }
}

/// Tag group by which traces and histograms recognise the measured DMAs.
pub const MEASURED_TAG: u32 = 1;
/// Tag group of all DMAs that are not measured, such as the control block and the warm-up.
pub const OTHER_TAG: u32 = 0;

/// The input of a layout: checked settings, a machine, and placed threads.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The machine that is measured.
    pub machine: &'a Machine,
    /// The settings that every measurement has.
    pub settings: &'a Settings,
    /// The SPE of each thread.
    pub placement: &'a Placement,
    /// Number of the FUNCTION.
    pub function: u32,
    /// Number of warm-up iterations.
    pub warm_up: u64,
}

impl Setup<'_> {
    /// The threads that take part.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.settings.spes as u8).map(ThreadId)
    }

    /// The SPE of a thread.
    pub fn spe(&self, thread: ThreadId) -> SpeId {
        self.placement.spe(thread)
    }

    /// First effective address of buffers and variables in main memory.
    pub fn data_ea(&self) -> u64 {
        self.settings.memory.region(self.machine).0 + DATA_OFFSET
    }

    /// Number of bytes from `data_ea` to the end of that memory.
    pub fn data_bytes(&self) -> u64 {
        self.settings.memory.region(self.machine).1.saturating_sub(DATA_OFFSET)
    }

    /// The name of the data's memory in messages.
    pub fn memory_name(&self) -> &'static str {
        self.settings.memory.of_machine(self.machine)
    }

    /// A control block with the values that all families share.
    pub fn block(&self) -> ControlBlock {
        ControlBlock {
            function: self.function,
            role: Role::Active,
            iterations: self.settings.iterations,
            warm_up: self.warm_up,
            size_bytes: 0,
            list_elements: 0,
            batch: 1,
            op: TransferOp::Get,
            buffers: Buffers::default(),
            ea: 0,
            seed: 0,
            targets: 0,
            interval: 0,
            peak_interval: 0,
            injection: Injection::Periodic,
            iteration_cycles: self.machine.software.iteration_spu_cycles,
            atomic_cycles: self.machine.software.atomic_call_spu_cycles,
        }
    }
}

/// The load that is offered to each SPE, as the machine meets it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Load {
    /// Share of what the SPE's port carries in each direction of the DMAs.
    pub rate: f64,
    /// The times at which DMAs are offered.
    pub injection: Injection,
    /// Average time from one iteration's DMAs to the next.
    pub interval_spu_cycles: f64,
    /// Bytes of one DMA.
    pub dma_bytes: u64,
}

/// The task of one SPE thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Task {
    /// The thread.
    pub thread: ThreadId,
    /// The thread's control block.
    pub block: ControlBlock,
    /// Further doublewords that the PPE stores, and the effective address of the first one.
    pub words: Vec<(u64, Vec<u64>)>,
    /// Whether an incoming signal is combined with the signal register by OR, instead of overwriting the register.
    pub signals_or: bool,
}

impl Task {
    /// A task that needs only its control block.
    pub fn new(thread: ThreadId, block: ControlBlock) -> Task {
        Task { thread, block, words: Vec::new(), signals_or: false }
    }
}

described! {
    /// The columns of a result that only some families fill.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct Columns {
        /// A buffer or variable for each SPE (True), or one for all SPEs (False).
        pub private: bool,
        /// Whether SPEs communicate with each other (True), or with the PPE or main memory (False).
        pub spe_to_spe: bool,
        /// Size of one DMA, list element or access; in an exchange, size of the longest message.
        pub size_bytes: Option<u32> => {"minimum": 1},
        /// Direction of a pattern's DMAs: `get`, `put` or `copy`; None for other functions.
        pub op: Option<&'static str> => {"enum": TransferOp::WORDS},
        /// Target of a hotspot: `memory`, or a thread's number; partners of a permutation, such as `1,2,0`; None for other
        /// functions.
        pub target: Option<String> => {"pattern": "^(memory|[0-9]+(,[0-9]+)*)$"},
        /// Level of loads and stores: `l1`, `l2`, `l1l2`, `memory`, `ls`; None for other functions.
        pub level: Option<&'static str> => {"enum": Level::WORDS},
        /// Number of PPE threads that loaded, stored or copied; None if SPEs measured.
        pub threads: Option<u32> => {"minimum": 1, "maximum": 2},
        /// Name of an exchange's pattern; None for other functions.
        pub pattern: Option<String>,
        /// Elements of one DMA list; None without DMA lists.
        pub list_elements: Option<u32> => {"minimum": 1},
        /// Distance between the starts of private buffers or variables; None if they are shared.
        pub stride_bytes: Option<u64> => {"minimum": 1},
        /// DMAs per wait for completion (0: one wait at the end); None for functions without DMAs.
        pub batch: Option<u32>,
    }
}

/// The role of each SPE (independent of the threads' numbers), and the messages of an exchange.
///
/// Two placements with the same description give the same run, because the same SPEs do the same work at the same
/// times. Threads are created, and their memory is laid out, in the order of their SPEs.
pub type Description = (Vec<(SpeId, u8)>, Vec<Vec<Transfer<SpeId>>>);
