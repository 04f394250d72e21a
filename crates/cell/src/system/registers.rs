//! The problem-state registers of an SPE: what the PPE and other SPEs see of it.

use super::System;
use crate::channel::{Channel, event};
use crate::command::Command;
use crate::ea::register;
use crate::error::RunError;
use crate::processor::State;
use crate::snapshot::Snapshot;
use crate::units::SpeId;

/// `MFC_CMDStatus`: the command was not accepted because parameters were missing, or for want of room.
const SEQUENCE_ERROR: u32 = 1;
const NO_SPACE: u32 = 2;

/// Proxy-command parameters as they are written to the registers.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ProxyRegisters {
    lsa: u32,
    eah: u32,
    eal: u32,
    size_tag: u32,
    class_cmd: u32,
    query_mask: u32,
    /// Which of the parameters were written since the last command.
    written: u8,
}

const ALL_WRITTEN: u8 = 0b1_1111;

impl System<'_> {
    /// A write to a problem-state register.
    ///
    /// # Errors
    /// The offset is not that of a writable register.
    pub(super) fn write_register(&mut self, id: SpeId, offset: u32, value: u32) -> Result<(), RunError> {
        match offset {
            register::SPU_IN_MBOX => {
                self.spe(id).channels.in_mbox.push_or_replace(value);
                self.counters.spes[id.0 as usize].mailbox_entries += 1;
                self.unblock(id, Channel::RD_IN_MBOX);
                self.raise(id, event::IN_MBOX);
            }
            register::SPU_SIG_NOTIFY_1 => self.write_signal(id, 0, value),
            register::SPU_SIG_NOTIFY_2 => self.write_signal(id, 1, value),
            register::SPU_RUN_CNTL if value == 1 => self.start_program(id, 0),
            register::MFC_MS_SYNC | register::SPU_RUN_CNTL | register::SPU_NPC | register::PRXY_QUERY_TYPE => (),
            _ => return self.write_proxy(id, offset, value),
        }
        Ok(())
    }

    fn write_signal(&mut self, id: SpeId, index: usize, value: u32) {
        self.spe(id).channels.signals[index].write(value);
        self.counters.spes[id.0 as usize].signals += 1;
        let (channel, bits) = if index == 0 {
            (Channel::RD_SIG_NOTIFY_1, event::SIGNAL_1)
        } else {
            (Channel::RD_SIG_NOTIFY_2, event::SIGNAL_2)
        };
        self.unblock(id, channel);
        self.raise(id, bits);
    }

    fn write_proxy(&mut self, id: SpeId, offset: u32, value: u32) -> Result<(), RunError> {
        let proxy = &mut self.spe(id).proxy;
        let (field, bit) = match offset {
            register::MFC_LSA => (&mut proxy.lsa, 0),
            register::MFC_EAH => (&mut proxy.eah, 1),
            register::MFC_EAL => (&mut proxy.eal, 2),
            register::MFC_SIZE_TAG => (&mut proxy.size_tag, 3),
            register::MFC_CLASS_CMD => (&mut proxy.class_cmd, 4),
            register::PRXY_QUERY_MASK => {
                proxy.query_mask = value;
                return Ok(());
            }
            _ => return Err(self.no_register(id, offset, "written")),
        };
        *field = value;
        proxy.written |= 1 << bit;
        Ok(())
    }

    /// A read of a problem-state register, with its side effects.
    ///
    /// # Errors
    /// The offset is not that of a readable register, or a proxy command breaks a rule.
    pub(super) fn read_register(&mut self, id: SpeId, offset: u32) -> Result<u32, RunError> {
        let spe = self.spe(id);
        let query_mask = spe.proxy.query_mask;
        let channels = &spe.channels;
        Ok(match offset {
            register::SPU_MBOX_STAT => {
                channels.out_mbox.len() | channels.in_mbox.free() << 8 | channels.out_intr_mbox.len() << 16
            }
            register::SPU_OUT_MBOX => self.take_out_mbox(id, false),
            register::SPU_OUT_INTR_MBOX => self.take_out_mbox(id, true),
            register::SPU_STATUS => match spe.core.state {
                State::Idle => 0,
                State::Stopped(code) => code << 16 | 0x2,
                _ => 1,
            },
            register::MFC_Q_STATUS => {
                let free = spe.mfc.proxy_queue.free();
                let idle = spe.mfc.proxy_queue.occupied() == 0;
                free | u32::from(idle) << 31
            }
            register::PRXY_TAG_STATUS => spe.mfc.proxy_queue.idle_tags() & query_mask,
            register::PRXY_QUERY_MASK => query_mask,
            register::MFC_CLASS_CMD => return self.enqueue_proxy(id),
            register::MFC_MS_SYNC | register::SPU_RUN_CNTL | register::SPU_NPC => 0,
            _ => return Err(self.no_register(id, offset, "read")),
        })
    }

    fn take_out_mbox(&mut self, id: SpeId, interrupting: bool) -> u32 {
        let channels = &mut self.spe(id).channels;
        let (mailbox, channel, bits) = if interrupting {
            (&mut channels.out_intr_mbox, Channel::WR_OUT_INTR_MBOX, event::OUT_INTR_MBOX)
        } else {
            (&mut channels.out_mbox, Channel::WR_OUT_MBOX, event::OUT_MBOX)
        };
        let Some(value) = mailbox.pop() else { return 0 };
        self.unblock(id, channel);
        self.raise(id, bits);
        value
    }

    /// Reading `MFC_CMDStatus` is what enqueues a proxy command (libspe2's `dma.c` relies on it).
    fn enqueue_proxy(&mut self, id: SpeId) -> Result<u32, RunError> {
        let proxy = std::mem::take(&mut self.spe(id).proxy.written);
        if proxy != ALL_WRITTEN {
            return Ok(SEQUENCE_ERROR);
        }
        if self.spe(id).mfc.proxy_queue.free() == 0 {
            self.spe(id).proxy.written = proxy;
            return Ok(NO_SPACE);
        }
        let registers = self.spe(id).proxy;
        let command = Command {
            opcode: registers.class_cmd,
            lsa: registers.lsa,
            ea: u64::from(registers.eah) << 32 | u64::from(registers.eal),
            size: registers.size_tag >> 16,
            tag: registers.size_tag & 0xffff,
        };
        self.enqueue(id, command, true).map_err(|rule| self.broken(id, "proxy command".to_string(), rule))?;
        Ok(0)
    }

    fn no_register(&self, id: SpeId, offset: u32, verb: &str) -> RunError {
        let rule = format!("no problem-state register at offset {offset:#x} can be {verb}");
        self.broken(id, "register access".to_string(), rule)
    }
}

impl ProxyRegisters {
    /// Adds them to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        out.word(u64::from(self.lsa) << 32 | u64::from(self.eah));
        out.word(u64::from(self.eal) << 32 | u64::from(self.size_tag));
        out.word(u64::from(self.class_cmd) << 32 | u64::from(self.query_mask));
        out.word(u64::from(self.written));
    }
}
