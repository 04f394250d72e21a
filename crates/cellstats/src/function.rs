//! The FUNCTIONs: what can be measured.

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
    /// All SPEs transfer with main memory, or with one of them (kistler2006; jimenez2007 4.2.1).
    HotSpot,
    /// Thread `i` transfers with thread `n - 1 - i` (kistler2006).
    Complement,
    /// Threads `i` and `i + 1`, `i` even, transfer with each other (kistler2006).
    Pairwise,
    /// Every DMA with a thread chosen at random (kistler2006).
    Uniform,
    /// Even threads transfer with the next one, which is passive (jimenez2007 4.2.4).
    Couples,
    /// Thread `i` transfers with thread `i + 1`, the last with the first (jimenez2007 4.2.5).
    Cycle,
    /// A pattern given as data: messages in phases, with a barrier after each (sudheer2009).
    Exchange,
    /// Loads from a level of memory (jimenez2007 4.1 and 4.2.2).
    Load,
    /// Stores to it.
    Store,
    /// Loads one element and stores it elsewhere.
    Copy,
}

impl Function {
    /// All of them, with their names on the command line.
    pub const ALL: [(Function, &str); 22] = [
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
        (Function::HotSpot, "hotspot"),
        (Function::Complement, "complement"),
        (Function::Pairwise, "pairwise"),
        (Function::Uniform, "uniform"),
        (Function::Couples, "couples"),
        (Function::Cycle, "cycle"),
        (Function::Exchange, "exchange"),
        (Function::Load, "load"),
        (Function::Store, "store"),
        (Function::Copy, "copy"),
    ];

    /// The function with this name.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::ALL.iter().find(|(_, known)| *known == name).map(|(function, _)| *function)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Function::ALL.iter().find(|(function, _)| *function == self).map_or("", |(_, name)| name)
    }

    /// Whether it moves data by DMAs of one size; an exchange has a size for each message.
    pub fn is_dma(self) -> bool {
        matches!(self, Function::DmaGet | Function::DmaPut) || self.is_list() || self.is_pattern()
    }

    /// Whether what it does is to move data.
    pub fn moves_data(self) -> bool {
        self.is_dma() || self.is_access() || self == Function::Exchange
    }

    /// Whether it always uses DMA lists; a pattern may.
    pub fn is_list(self) -> bool {
        matches!(self, Function::DmaListGet | Function::DmaListPut)
    }

    /// Whether it is a pattern of traffic, with buffers that every SPE walks through.
    pub fn is_pattern(self) -> bool {
        use Function::*;
        matches!(self, HotSpot | Complement | Pairwise | Uniform | Couples | Cycle)
    }

    /// Whether a processor loads or stores by itself, in a level of memory.
    pub fn is_access(self) -> bool {
        matches!(self, Function::Load | Function::Store | Function::Copy)
    }

    /// Whether it changes a word atomically.
    pub fn is_atomic(self) -> bool {
        use Function::*;
        matches!(self, FetchAdd | FetchSub | FetchInc | FetchDec | FetchSet)
    }

    /// Whether its SPE side exists in C too: those of the original tool (abellan2008ps3).
    pub fn is_in_c(self) -> bool {
        !self.is_pattern() && !self.is_access() && self != Function::Exchange
    }

    /// Whether it synchronises two partners.
    pub fn is_synchronisation(self) -> bool {
        matches!(self, Function::Mailbox | Function::Signal)
    }
}
