//! The rules that a command's parameters must keep.
//!
//! A command error (illegal opcode, bad tag) outranks an alignment error.

use super::table::{Decoded, Opcode, Queue, Requires};
use crate::machine::Mfc;

/// A command with its parameters, as the channels or the proxy registers delivered it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Command {
    /// What to do.
    pub opcode: u32,
    /// Local-store address (of the list, for list commands: in `ea`'s low half).
    pub lsa: u32,
    /// Effective address.
    pub ea: u64,
    /// Bytes to transfer, or of the list.
    pub size: u32,
    /// Tag group, 0 to 31.
    pub tag: u32,
}

impl Command {
    /// The opcode without the class ids, which nothing checks (CBEA 9.1.3).
    pub fn code(&self) -> Opcode {
        Opcode(self.opcode as u16)
    }

    /// Checks every parameter rule; `proxy` tells which queue the command is in.
    ///
    /// # Errors
    /// The rule that is broken, in one line, with what would be right.
    pub fn check(&self, mfc: &Mfc, proxy: bool) -> Result<Decoded, String> {
        let decoded = self
            .code()
            .decode()
            .ok_or_else(|| format!("invalid DMA command: opcode {:#x} is not defined", self.opcode & 0xffff))?;
        let name = || self.code().name();
        match decoded.queue {
            Queue::Proxy if !proxy => {
                return Err(format!("invalid DMA command: {} is for the proxy queue only", name()));
            }
            Queue::Spu if proxy && decoded.list => {
                return Err("invalid DMA command: only the owning SPU may issue list commands".to_string());
            }
            Queue::Spu if proxy => {
                return Err(format!("invalid DMA command: {} cannot be given through the proxy queue", name()));
            }
            _ => (),
        }
        if self.tag > 31 && decoded.requires != Requires::Nothing {
            return Err(format!("invalid DMA command: tag {} is outside 0 to 31", self.tag));
        }
        match decoded.requires {
            Requires::Nothing | Requires::Tag => (),
            Requires::Block => self.check_transfer(mfc)?,
            Requires::Signal if self.size != 4 => {
                return Err(format!("DMA alignment: sndsig sends 4 bytes, not {}", self.size));
            }
            Requires::Signal => self.check_transfer(mfc)?,
            Requires::List => self.check_list(mfc)?,
        }
        Ok(decoded)
    }

    fn check_transfer(&self, mfc: &Mfc) -> Result<(), String> {
        check_block(self.lsa, self.ea, self.size, mfc)?;
        if u64::from(self.lsa) + u64::from(self.size) > u64::from(mfc.local_store_bytes) {
            return Err(format!(
                "local store overrun: {} bytes at {:#x} pass its end at {:#x}",
                self.size, self.lsa, mfc.local_store_bytes
            ));
        }
        Ok(())
    }

    fn check_list(&self, mfc: &Mfc) -> Result<(), String> {
        let list_bytes_max = 8 * mfc.max_list_elements;
        if self.size > list_bytes_max {
            return Err(format!("DMA alignment: a list is at most {list_bytes_max} bytes, not {}", self.size));
        }
        if !self.size.is_multiple_of(8) || !self.ea.is_multiple_of(8) || !self.lsa.is_multiple_of(8) {
            return Err(format!(
                "DMA alignment: list size {}, list address {:#x} and local-store address {:#x} must be multiples of 8",
                self.size, self.ea as u32, self.lsa
            ));
        }
        if self.lsa > mfc.local_store_bytes {
            return Err(format!(
                "local store overrun: the list's local-store address {:#x} is past the end at {:#x}",
                self.lsa, mfc.local_store_bytes
            ));
        }
        Ok(())
    }
}

/// The rules for one contiguous block: a transfer, or one element of a list.
///
/// # Errors
/// The rule that is broken, in one line.
pub fn check_block(lsa: u32, ea: u64, size: u32, mfc: &Mfc) -> Result<(), String> {
    if size > mfc.max_transfer_bytes {
        return Err(format!("DMA alignment: size {size} is above {} bytes", mfc.max_transfer_bytes));
    }
    if !(matches!(size, 0 | 1 | 2 | 4 | 8) || size.is_multiple_of(16)) {
        return Err(format!("DMA alignment: size {size} is not 0, 1, 2, 4, 8 or a multiple of 16 bytes"));
    }
    let natural = size.clamp(1, 16);
    if !lsa.is_multiple_of(natural) {
        return Err(format!("DMA alignment: local-store address {lsa:#x} is not a multiple of {natural}"));
    }
    if u64::from(lsa % 16) != ea % 16 {
        return Err(format!(
            "DMA alignment: the low four bits of local-store address {lsa:#x} and effective address {ea:#x} differ"
        ));
    }
    Ok(())
}
