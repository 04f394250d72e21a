//! MFC commands: opcodes, and the rules that their parameters must keep.
//!
//! Opcodes from Linux `spu.h` and GCC's `spu_mfcio.h`; the rules from CBEA table 7-6 and section
//! 9.1.4.  A command error (illegal opcode, bad tag) outranks an alignment error.

use crate::machine::Mfc;

/// The lower half of what is written to `MFC_Cmd`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opcode(pub u16);

/// What the MFC does for an opcode, the ordering suffixes apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Main storage to local store.
    Get,
    /// Local store to main storage; `sndsig` is a put of four bytes.
    Put,
    /// `getllar`.
    GetLlar,
    /// `putllc`.
    PutLlc,
    /// `putlluc`.
    PutLluc,
    /// `putqlluc`: queued, with an implied fence.
    PutQlluc,
    /// `mfceieio` and `mfcsync`: order storage accesses of one tag group.
    Sync,
    /// `barrier`: orders the whole queue.
    Barrier,
    /// `sdcrt`, `sdcrtst`: hints without effect on this chip.
    Hint,
    /// `sdcrz`, `sdcrst`, `sdcrf`: cache line zero, store, flush.
    CacheLines,
}

impl Action {
    /// Whether it counts as a put where gets and puts take turns.
    pub fn is_put(self) -> bool {
        self != Action::Get
    }
}

/// A decoded opcode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decoded {
    /// What it does.
    pub action: Action,
    /// The local-store address points at a list of elements.
    pub list: bool,
    /// Waits for earlier commands of its tag group.
    pub fence: bool,
    /// Like a fence, and later commands of the tag group wait for it.
    pub barrier: bool,
    /// Four-byte signal notification.
    pub signal: bool,
    /// Proxy queue only: start the SPU when the transfer is done.
    pub start: bool,
}

impl Opcode {
    /// Its meaning; `None` if it is illegal.
    pub fn decode(self) -> Option<Decoded> {
        use Action::*;
        let plain = |action| Decoded { action, list: false, fence: false, barrier: false, signal: false, start: false };
        let ordered = |action, list, order| Decoded { list, barrier: order == 1, fence: order == 2, ..plain(action) };
        let order = self.0 & 3;
        Some(match self.0 {
            // putr* carry a result hint that this chip does not implement: they are puts.
            0x20..=0x22 | 0x30..=0x32 => ordered(Put, false, order),
            0x24..=0x26 | 0x34..=0x36 => ordered(Put, true, order),
            0x28..=0x2a => Decoded { start: true, ..ordered(Put, false, order) },
            0x40..=0x42 => ordered(Get, false, order),
            0x44..=0x46 => ordered(Get, true, order),
            0x48..=0x4a => Decoded { start: true, ..ordered(Get, false, order) },
            0xa0..=0xa2 => Decoded { signal: true, ..ordered(Put, false, order) },
            0xd0 => plain(GetLlar),
            0xb4 => plain(PutLlc),
            0xb0 => plain(PutLluc),
            0xb8 => Decoded { fence: true, ..plain(PutQlluc) },
            0xc0 => plain(Barrier),
            0xc8 | 0xcc => Decoded { barrier: true, ..plain(Sync) },
            0x80 | 0x81 => plain(Hint),
            0x89 | 0x8d | 0x8f => Decoded { barrier: true, ..plain(CacheLines) },
            _ => return None,
        })
    }

    /// The assembler's mnemonic.
    pub fn name(self) -> String {
        const NAMES: [(u16, &str); 14] = [
            (0x80, "sdcrt"),
            (0x81, "sdcrtst"),
            (0x89, "sdcrz"),
            (0x8d, "sdcrst"),
            (0x8f, "sdcrf"),
            (0xb0, "putlluc"),
            (0xb4, "putllc"),
            (0xb8, "putqlluc"),
            (0xc0, "barrier"),
            (0xc8, "mfceieio"),
            (0xcc, "mfcsync"),
            (0xd0, "getllar"),
            (0xa0, "sndsig"),
            (0xa1, "sndsigb"),
        ];
        if let Some((_, name)) = NAMES.iter().find(|(opcode, _)| *opcode == self.0) {
            return (*name).to_string();
        }
        let Some(decoded) = self.decode() else { return format!("opcode {:#x}", self.0) };
        if decoded.signal {
            return "sndsigf".to_string();
        }
        let stem = match (decoded.action, self.0 & 0xf0) {
            (Action::Get, _) => "get",
            (_, 0x30) => "putr",
            _ => "put",
        };
        let list = if decoded.list { "l" } else { "" };
        let order = ["", "b", "f", ""][usize::from(self.0 & 3)];
        let start = if decoded.start { "s" } else { "" };
        format!("{stem}{list}{order}{start}")
    }
}

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
        if decoded.start && !proxy {
            return Err(format!("invalid DMA command: {} is for the proxy queue only", self.code().name()));
        }
        if proxy && !matches!(decoded.action, Action::Get | Action::Put | Action::Sync | Action::Barrier) {
            return Err(format!("invalid DMA command: {} cannot be given through the proxy queue", self.code().name()));
        }
        if proxy && decoded.list {
            return Err("invalid DMA command: only the owning SPU may issue list commands".to_string());
        }
        let immediate = matches!(decoded.action, Action::GetLlar | Action::PutLlc | Action::PutLluc);
        if self.tag > 31 && !immediate {
            return Err(format!("invalid DMA command: tag {} is outside 0 to 31", self.tag));
        }
        match decoded.action {
            Action::Get | Action::Put if decoded.list => self.check_list(mfc)?,
            Action::Get | Action::Put => self.check_transfer(mfc, decoded.signal)?,
            _ => (),
        }
        Ok(decoded)
    }

    fn check_transfer(&self, mfc: &Mfc, signal: bool) -> Result<(), String> {
        if signal && self.size != 4 {
            return Err(format!("DMA alignment: sndsig sends 4 bytes, not {}", self.size));
        }
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
