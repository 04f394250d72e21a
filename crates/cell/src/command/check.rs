//! The rules for a command's parameters.
//!
//! If a command has several errors, a command error (illegal opcode, bad tag) has precedence over an alignment error.

use super::fault::{Alignment, DmaFault, InvalidCommand};
use super::table::{Decoded, Opcode, Queue, Requires};
use crate::machine::Mfc;
use std::fmt;

/// A command with its parameters, as written to the channels or the proxy registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Command {
    /// Opcode, with the class ids in the upper half of the word.
    pub opcode: u32,
    /// Local-store address of the data. (For a list command, the address of the list itself is in the low half of
    /// `ea`.)
    pub lsa: u32,
    /// Effective address.
    pub ea: u64,
    /// Size in bytes of the transfer, or of the list.
    pub size: u32,
    /// Tag group, 0 to 31.
    pub tag: u32,
}

impl Command {
    /// Returns the opcode without the class ids; there is no rule for class ids (CBEA 9.1.3).
    pub fn code(&self) -> Opcode {
        Opcode(self.opcode as u16)
    }

    /// Local-store address at which the transfer begins.
    ///
    /// MODEL: the MFC ignores the bits of a local-store address above the local store's size. A transfer past the end
    /// of the local store wraps to address 0, like the SPU's loads and stores under the local storage limit register.
    /// CBEA table 7-6, the list of errors that the MFC reports, does not mention such addresses, and programs for
    /// consoles use them. The CBEA does not specify the behaviour, so silicon may differ.
    pub fn local_store_address(&self, mfc: &Mfc) -> u32 {
        wrapped(self.lsa, mfc)
    }

    /// Checks all rules for the parameters; `proxy` is true for a command in the proxy queue.
    ///
    /// # Errors
    /// The broken rule.
    pub fn check(&self, mfc: &Mfc, proxy: bool) -> Result<Decoded, DmaFault> {
        let undefined = InvalidCommand::Undefined(self.opcode & 0xffff);
        let decoded = self.code().decode().ok_or(DmaFault::Invalid(undefined))?;
        let refused = match decoded.queue {
            Queue::Proxy if !proxy => Some(InvalidCommand::ProxyOnly(self.code())),
            Queue::Spu if proxy && decoded.list => Some(InvalidCommand::ListByProxy),
            Queue::Spu if proxy => Some(InvalidCommand::SpuOnly(self.code())),
            _ if self.tag > 31 && decoded.requires != Requires::Nothing => Some(InvalidCommand::Tag(self.tag)),
            _ => None,
        };
        if let Some(refused) = refused {
            return Err(DmaFault::Invalid(refused));
        }
        let aligned = match decoded.requires {
            Requires::Nothing | Requires::Tag => Ok(()),
            Requires::Signal if self.size != 4 => Err(Alignment::SignalSize(self.size)),
            Requires::Signal | Requires::Block => check_block(self.lsa, self.ea, self.size, mfc),
            Requires::List => self.check_list(mfc),
        };
        aligned.map_err(DmaFault::Alignment)?;
        Ok(decoded)
    }

    fn check_list(&self, mfc: &Mfc) -> Result<(), Alignment> {
        let (size, most) = (self.size, 8 * mfc.max_list_elements);
        if size > most {
            return Err(Alignment::ListSize { size, most });
        }
        if !size.is_multiple_of(8) || !self.ea.is_multiple_of(8) || !self.lsa.is_multiple_of(8) {
            return Err(Alignment::List { size, list: self.ea as u32, lsa: self.lsa });
        }
        Ok(())
    }
}

/// Wraps a local-store address into the local store (see [`Command::local_store_address`]).
pub fn wrapped(lsa: u32, mfc: &Mfc) -> u32 {
    lsa & (mfc.local_store_bytes - 1)
}

/// Checks the rules for one contiguous block: a transfer, or one element of a list.
///
/// # Errors
/// The broken rule.
pub fn check_block(lsa: u32, ea: u64, size: u32, mfc: &Mfc) -> Result<(), Alignment> {
    if size > mfc.max_transfer_bytes {
        return Err(Alignment::SizeAbove { size, most: mfc.max_transfer_bytes });
    }
    if !(matches!(size, 0 | 1 | 2 | 4 | 8) || size.is_multiple_of(16)) {
        return Err(Alignment::Size(size));
    }
    let natural = size.clamp(1, 16);
    if !lsa.is_multiple_of(natural) {
        return Err(Alignment::LocalStore { lsa, natural });
    }
    if u64::from(lsa % 16) != ea % 16 {
        return Err(Alignment::Offsets { lsa, ea });
    }
    Ok(())
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Command { lsa, ea, size, tag, .. } = self;
        write!(f, "{} lsa={lsa:#x} ea={ea:#x} size={size} tag={tag}", self.code().name())
    }
}
