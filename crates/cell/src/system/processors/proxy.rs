//! The registers through which other units issue commands to an MFC.

use crate::command::Command;
use crate::ea::register;
use crate::snapshot::Snapshot;

/// The parameters of a proxy command, as they were written to the registers.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ProxyRegisters {
    lsa: u32,
    eah: u32,
    eal: u32,
    size_tag: u32,
    class_cmd: u32,
    /// Tag groups that `Prxy_TagStatus` reports.
    pub query_mask: u32,
    /// Tag groups with proxy commands whose completion has not been reported yet.
    pub unreported: u32,
    /// Mask of the parameters that were written since the last command.
    written: u8,
}

const ALL_WRITTEN: u8 = 0b1_1111;

impl ProxyRegisters {
    /// Writes a register. Returns false if the offset is not that of a proxy register.
    pub fn write(&mut self, offset: u32, value: u32) -> bool {
        let (field, bit) = match offset {
            register::MFC_LSA => (&mut self.lsa, 0),
            register::MFC_EAH => (&mut self.eah, 1),
            register::MFC_EAL => (&mut self.eal, 2),
            register::MFC_SIZE_TAG => (&mut self.size_tag, 3),
            register::MFC_CLASS_CMD => (&mut self.class_cmd, 4),
            register::PRXY_QUERY_MASK => {
                self.query_mask = value;
                return true;
            }
            _ => return false,
        };
        *field = value;
        self.written |= 1 << bit;
        true
    }

    /// Whether all parameters of a command have been written.
    pub fn is_complete(&self) -> bool {
        self.written == ALL_WRITTEN
    }

    /// Starts over: all parameters of the next command must be written.
    pub fn clear(&mut self) {
        self.written = 0;
    }

    /// The command that the parameters describe.
    pub fn command(&self) -> Command {
        Command {
            opcode: self.class_cmd,
            lsa: self.lsa,
            ea: u64::from(self.eah) << 32 | u64::from(self.eal),
            size: self.size_tag >> 16,
            tag: self.size_tag & 0xffff,
        }
    }

    /// Adds the registers to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Self { lsa, eah, eal, size_tag, class_cmd, query_mask, unreported, written } = *self;
        out.word(u64::from(lsa) << 32 | u64::from(eah));
        out.word(u64::from(eal) << 32 | u64::from(size_tag));
        out.word(u64::from(class_cmd) << 32 | u64::from(query_mask));
        out.word(u64::from(unreported) << 8 | u64::from(written));
    }
}
