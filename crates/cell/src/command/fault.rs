//! What is wrong with an MFC command, or with an element of its list.
//!
//! Each kind is one of the interrupts that the MFC raises on silicon ([`Interrupt`]).

use super::table::Opcode;
use crate::page_table::BadAddress;
use std::fmt;

/// What is wrong with an MFC command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DmaFault {
    /// The command itself.
    Invalid(InvalidCommand),
    /// Its size, or where its addresses lie.
    Alignment(Alignment),
    /// The same of an element of its list.
    Element(Alignment),
    /// An element of its list leaves the 4 GB in which the list began.
    ElementCrosses {
        /// Effective address of the element.
        ea: u64,
        /// Bytes of the element.
        size: u32,
    },
    /// What lies at its effective address.
    Storage(BadAddress),
    /// An access to problem-state registers, which are words.
    RegisterSize {
        /// Its effective address.
        ea: u64,
        /// Its bytes.
        bytes: u32,
    },
    /// A lock line outside main memory, at an effective address.
    NoLockLine(u64),
}

/// Why a command is none that its queue takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidCommand {
    /// The opcode is not defined.
    Undefined(u32),
    /// It starts the SPU, so that only the proxy queue takes it.
    ProxyOnly(Opcode),
    /// A list command in the proxy queue.
    ListByProxy,
    /// Only the SPU queue takes it.
    SpuOnly(Opcode),
    /// A tag above 31.
    Tag(u32),
}

/// Why a transfer is of no possible size, or not aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// A signal that is not four bytes long.
    SignalSize(u32),
    /// A list of too many elements.
    ListSize {
        /// Bytes of the list.
        size: u32,
        /// Bytes of the longest list.
        most: u32,
    },
    /// A list that is not made of whole elements, or does not lie where elements lie.
    List {
        /// Bytes of the list.
        size: u32,
        /// Where it lies.
        list: u32,
        /// Where its transfers begin.
        lsa: u32,
    },
    /// A transfer of too many bytes.
    SizeAbove {
        /// Its bytes.
        size: u32,
        /// Bytes of the longest transfer.
        most: u32,
    },
    /// A transfer of a size that there is not.
    Size(u32),
    /// A local-store address that is not aligned to the size.
    LocalStore {
        /// The address.
        lsa: u32,
        /// What it has to be a multiple of.
        natural: u32,
    },
    /// Both addresses are at different places of their quadwords.
    Offsets {
        /// Local-store address.
        lsa: u32,
        /// Effective address.
        ea: u64,
    },
}

/// The interrupt by which the MFC reports a fault to privileged software.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// Class 0: DMA alignment.
    DmaAlignment,
    /// Class 0: invalid DMA command.
    InvalidDmaCommand,
    /// Class 1: data storage.
    DataStorage,
}

impl DmaFault {
    /// The interrupt that it is on silicon (CBEA table 7-6; `MFC_DSISR` for lock lines outside main memory).
    ///
    /// MODEL: an element of a list that leaves its 4 GB is an alignment interrupt, as all that is wrong with elements.
    pub fn interrupt(&self) -> Interrupt {
        match self {
            DmaFault::Invalid(_) => Interrupt::InvalidDmaCommand,
            DmaFault::Alignment(_) | DmaFault::Element(_) | DmaFault::ElementCrosses { .. } => Interrupt::DmaAlignment,
            DmaFault::Storage(_) | DmaFault::RegisterSize { .. } | DmaFault::NoLockLine(_) => Interrupt::DataStorage,
        }
    }

    /// The effective address that a data-storage interrupt is about (`MFC_DAR`).
    pub fn storage_address(&self) -> Option<u64> {
        match *self {
            DmaFault::Storage(why) => Some(why.address()),
            DmaFault::RegisterSize { ea, .. } | DmaFault::NoLockLine(ea) => Some(ea),
            DmaFault::Invalid(_) | DmaFault::Alignment(_) | DmaFault::Element(_) | DmaFault::ElementCrosses { .. } => {
                None
            }
        }
    }
}

impl fmt::Display for DmaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DmaFault::Invalid(why) => write!(f, "invalid DMA command: {why}"),
            DmaFault::Alignment(why) => write!(f, "DMA alignment: {why}"),
            DmaFault::Element(why) => write!(f, "list element: DMA alignment: {why}"),
            DmaFault::ElementCrosses { ea, size } => {
                write!(f, "list element at {ea:#x} of {size} bytes crosses a 4 GB boundary")
            }
            DmaFault::Storage(why) => write!(f, "data storage: {why}"),
            DmaFault::RegisterSize { bytes, .. } => {
                write!(f, "data storage: problem-state registers take 4 bytes at a time, not {bytes}")
            }
            DmaFault::NoLockLine(ea) => {
                write!(f, "lock lines lie in main memory, effective address {ea:#x} does not")
            }
        }
    }
}

impl fmt::Display for InvalidCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidCommand::Undefined(opcode) => write!(f, "opcode {opcode:#x} is not defined"),
            InvalidCommand::ProxyOnly(opcode) => write!(f, "{} is for the proxy queue only", opcode.name()),
            InvalidCommand::ListByProxy => f.write_str("only the owning SPU may issue list commands"),
            InvalidCommand::SpuOnly(opcode) => {
                write!(f, "{} cannot be given through the proxy queue", opcode.name())
            }
            InvalidCommand::Tag(tag) => write!(f, "tag {tag} is outside 0 to 31"),
        }
    }
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alignment::SignalSize(size) => write!(f, "sndsig sends 4 bytes, not {size}"),
            Alignment::ListSize { size, most } => write!(f, "a list is at most {most} bytes, not {size}"),
            Alignment::List { size, list, lsa } => write!(
                f,
                "list size {size}, list address {list:#x} and local-store address {lsa:#x} must be multiples of 8"
            ),
            Alignment::SizeAbove { size, most } => write!(f, "size {size} is above {most} bytes"),
            Alignment::Size(size) => write!(f, "size {size} is not 0, 1, 2, 4, 8 or a multiple of 16 bytes"),
            Alignment::LocalStore { lsa, natural } => {
                write!(f, "local-store address {lsa:#x} is not a multiple of {natural}")
            }
            Alignment::Offsets { lsa, ea } => {
                write!(f, "the low four bits of local-store address {lsa:#x} and effective address {ea:#x} differ")
            }
        }
    }
}
