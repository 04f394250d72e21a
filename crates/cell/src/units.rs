//! Units of measure, names of the chip's elements, and the numbers that the architecture fixes.
//!
//! Time inside the machine is an integer count of *bus cycles* (half the processor clock). This module does not depend
//! on a machine file; values that differ between machines are in [`crate::machine`].

/// A moment of simulated time, or a duration, in bus cycles.
pub type BusCycle = u64;

/// Maximum length of a run, a window or a skip: years of simulated time.
pub const BUS_CYCLES_MAX: BusCycle = 1 << 60;

/// A duration in SPU (processor) cycles.
pub type SpuCycles = u64;

/// The time of an event that never happens.
pub const NEVER: BusCycle = u64::MAX;

/// Bytes in a cache line: the unit of coherence, of a bus request and of a reservation (CBEA).
pub const LINE_BYTES: u64 = 128;

/// Bytes of a vector register (VMX, SPU).
pub const VECTOR_BYTES: u8 = 16;

/// Maximum number of chips of a machine.
pub const CHIPS_MAX: usize = 2;

/// Number of hardware threads of a PPE.
pub const THREADS_PER_PPE: usize = 2;

/// The other hardware thread of the same PPE, numbered on this PPE or across all PPEs.
#[inline(always)]
pub const fn other_thread(thread: usize) -> usize {
    thread ^ 1
}

/// Maximum number of SPEs of a machine, over all chips.
pub const SPES_MAX: usize = 32;

/// A physical SPE, numbered as on the die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpeId(pub u8);

/// Number of a saved SPE context, which is a context that is not on any SPE.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContextId(pub u32);

impl ContextId {
    /// Index among all saved contexts.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A program's number. A placement maps the number to a physical SPE.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u8);

/// An entry of one of an MFC's two command queues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EntryId {
    /// Whether the entry is in the proxy queue (true) or in the SPU queue (false).
    pub proxy: bool,
    /// Index of the entry in its queue.
    pub index: u8,
}

/// Position on the ring, counted clockwise from the first element of the machine file.
pub type RampIndex = u8;

/// The unit behind a ramp of the interconnect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// The PowerPC core and its caches.
    Ppe,
    /// One synergistic processing element.
    Spe(SpeId),
    /// The memory interface controller.
    Mic,
    /// The coherent-capable I/O interface (BIC).
    Ioif0,
    /// The second I/O interface.
    Ioif1,
}

impl Element {
    /// The element with this name in a machine file: `PPE`, `SPE0`, `MIC`, `IOIF0`, `IOIF1`.
    pub fn from_name(name: &str) -> Option<Element> {
        match name {
            "PPE" => Some(Element::Ppe),
            "MIC" => Some(Element::Mic),
            "IOIF0" => Some(Element::Ioif0),
            "IOIF1" => Some(Element::Ioif1),
            _ => name.strip_prefix("SPE")?.parse().ok().map(|n| Element::Spe(SpeId(n))),
        }
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Element::Ppe => write!(f, "PPE"),
            Element::Spe(spe) => write!(f, "SPE{}", spe.0),
            Element::Mic => write!(f, "MIC"),
            Element::Ioif0 => write!(f, "IOIF0"),
            Element::Ioif1 => write!(f, "IOIF1"),
        }
    }
}
