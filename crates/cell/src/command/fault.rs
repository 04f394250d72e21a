//! Faults of an MFC command or of an element of a DMA list.
//!
//! Each fault corresponds to one of the interrupts that the MFC raises on silicon ([`Interrupt`]).

use super::table::Opcode;
use crate::page_table::BadAddress;
use std::fmt;

/// A fault of an MFC command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DmaFault {
    /// The command is invalid.
    Invalid(InvalidCommand),
    /// The command's size or addresses break the alignment rules.
    Alignment(Alignment),
    /// The size or addresses of a list element break the alignment rules.
    Element(Alignment),
    /// A list element crosses the end of the 4 GB area in which the list began.
    ElementCrosses {
        /// Effective address of the element.
        ea: u64,
        /// Size of the element in bytes.
        size: u32,
    },
    /// The page table does not allow the access.
    Storage(BadAddress),
    /// An access to problem-state registers is not 32 bits wide.
    RegisterSize {
        /// Effective address of the access.
        ea: u64,
        /// Width of the access in bytes.
        bytes: u32,
    },
    /// A lock-line command addresses a location outside main memory; holds the effective address.
    NoLockLine(u64),
}

/// The reason why a queue does not accept a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidCommand {
    /// The opcode is not defined.
    Undefined(u32),
    /// The command starts the SPU, and is accepted only by the proxy queue.
    ProxyOnly(Opcode),
    /// A list command in the proxy queue.
    ListByProxy,
    /// Only the SPU queue accepts the command.
    SpuOnly(Opcode),
    /// A tag above 31.
    Tag(u32),
}

/// The reason why a transfer's size or alignment is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// A signal that is not four bytes long.
    SignalSize(u32),
    /// A list with too many elements.
    ListSize {
        /// Size of the list in bytes.
        size: u32,
        /// Size of the longest legal list in bytes.
        most: u32,
    },
    /// The list's size is not a multiple of an element's size, or the address of the list or of the data is not aligned
    /// to an element.
    List {
        /// Size of the list in bytes.
        size: u32,
        /// Address of the list.
        list: u32,
        /// Local-store address of the data.
        lsa: u32,
    },
    /// A transfer that is too long.
    SizeAbove {
        /// Size of the transfer in bytes.
        size: u32,
        /// Size of the longest legal transfer in bytes.
        most: u32,
    },
    /// A transfer size that the MFC does not support.
    Size(u32),
    /// A local-store address that is not aligned to the transfer size.
    LocalStore {
        /// The address.
        lsa: u32,
        /// Required alignment in bytes.
        natural: u32,
    },
    /// The local-store address and the effective address have different offsets within a quadword.
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
    /// The interrupt that silicon raises for this fault (CBEA table 7-6; `MFC_DSISR` for lock lines outside main
    /// memory).
    ///
    /// MODEL: a list element that crosses its 4 GB area raises an alignment interrupt, like all other faults of
    /// elements.
    pub fn interrupt(&self) -> Interrupt {
        match self {
            DmaFault::Invalid(_) => Interrupt::InvalidDmaCommand,
            DmaFault::Alignment(_) | DmaFault::Element(_) | DmaFault::ElementCrosses { .. } => Interrupt::DmaAlignment,
            DmaFault::Storage(_) | DmaFault::RegisterSize { .. } | DmaFault::NoLockLine(_) => Interrupt::DataStorage,
        }
    }

    /// The effective address that a data-storage interrupt reports (`MFC_DAR`).
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
