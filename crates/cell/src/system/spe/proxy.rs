//! The registers through which others give an MFC its commands.

use crate::command::Command;
use crate::ea::register;
use crate::snapshot::Snapshot;

/// Proxy-command parameters as they are written to the registers.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ProxyRegisters {
    lsa: u32,
    eah: u32,
    eal: u32,
    size_tag: u32,
    class_cmd: u32,
    /// Tag groups that a status is about.
    pub query_mask: u32,
    /// Tag groups that got a command, and of whose end nobody has been told.
    pub untold: u32,
    /// Which of the parameters were written since the last command.
    written: u8,
}

const ALL_WRITTEN: u8 = 0b1_1111;

impl ProxyRegisters {
    /// Writes a register; false if the offset is none of theirs.
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

    /// Whether all parameters of a command were written.
    pub fn is_complete(&self) -> bool {
        self.written == ALL_WRITTEN
    }

    /// Expects the parameters of another command.
    pub fn clear(&mut self) {
        self.written = 0;
    }

    /// The command that was written.
    pub fn command(&self) -> Command {
        Command {
            opcode: self.class_cmd,
            lsa: self.lsa,
            ea: u64::from(self.eah) << 32 | u64::from(self.eal),
            size: self.size_tag >> 16,
            tag: self.size_tag & 0xffff,
        }
    }

    /// Adds them to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Self { lsa, eah, eal, size_tag, class_cmd, query_mask, untold, written } = *self;
        out.word(u64::from(lsa) << 32 | u64::from(eah));
        out.word(u64::from(eal) << 32 | u64::from(size_tag));
        out.word(u64::from(class_cmd) << 32 | u64::from(query_mask));
        out.word(u64::from(untold) << 8 | u64::from(written));
    }
}
