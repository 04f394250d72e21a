//! Why a translation fails.

use std::fmt;

/// Why a translation fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadAddress {
    /// No page is mapped at the address.
    Unmapped(u64),
    /// The page does not permit the access.
    Forbidden(u64),
    /// Main memory has no free frame for the page.
    NoMemory(u64),
    /// The page belongs to a context that is not on an SPE, or the page is about to move: unprivileged accesses wait.
    Away(u64),
}

impl BadAddress {
    /// The address whose translation failed.
    pub fn address(&self) -> u64 {
        match *self {
            BadAddress::Unmapped(ea) | BadAddress::Forbidden(ea) | BadAddress::NoMemory(ea) | BadAddress::Away(ea) => {
                ea
            }
        }
    }
}

impl fmt::Display for BadAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadAddress::Unmapped(ea) => write!(f, "nothing is mapped at effective address {ea:#x}"),
            BadAddress::Forbidden(ea) => write!(f, "the page at effective address {ea:#x} does not permit that"),
            BadAddress::NoMemory(ea) => {
                write!(f, "main memory has no frame left for the page at effective address {ea:#x}")
            }
            BadAddress::Away(ea) => {
                write!(f, "effective address {ea:#x} is that of a context that is on no SPE")
            }
        }
    }
}
