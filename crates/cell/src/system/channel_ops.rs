//! What reading, writing and counting each channel does.

use super::spu::{Rule, describe_command};
use super::{Event, System};
use crate::channel::{Channel, Direction, event};
use crate::channels::{Mailbox, TagUpdate};
use crate::command::{Action, Command};
use crate::trace::Trigger;
use crate::units::SpeId;

impl System<'_> {
    pub(super) fn count(&self, id: SpeId, channel: Channel) -> Result<u32, Rule> {
        channel.direction().ok_or_else(|| reserved(channel))?;
        let spe = &self.spes[id.0 as usize];
        let channels = &spe.channels;
        Ok(match channel {
            Channel::RD_EVENT_STAT => u32::from(channels.events & channels.event_mask != 0),
            Channel::RD_SIG_NOTIFY_1 => channels.signals[0].count(),
            Channel::RD_SIG_NOTIFY_2 => channels.signals[1].count(),
            Channel::WR_MS_SYNC_REQ => u32::from(!channels.ms_sync_pending),
            Channel::MFC_CMD => spe.mfc.spu_queue.free(),
            Channel::WR_TAG_UPDATE => u32::from(channels.tag_update.is_none()),
            Channel::RD_TAG_STAT => u32::from(channels.tag_status.is_some()),
            Channel::RD_LIST_STALL_STAT => u32::from(channels.list_stall != 0),
            Channel::RD_ATOMIC_STAT => u32::from(channels.atomic_status.is_some()),
            Channel::WR_OUT_MBOX => channels.out_mbox.free(),
            Channel::WR_OUT_INTR_MBOX => channels.out_intr_mbox.free(),
            Channel::RD_IN_MBOX => channels.in_mbox.len(),
            _ => 1,
        })
    }

    pub(super) fn read_channel(&mut self, id: SpeId, channel: Channel) -> Result<Option<u32>, Rule> {
        expect_direction(channel, Direction::Read)?;
        let time = self.spes[id.0 as usize].core.time;
        let ticks = self.ticks_at(time / self.ratio);
        let spe = self.spe(id);
        let channels = &mut spe.channels;
        Ok(match channel {
            Channel::RD_EVENT_STAT if channels.event_mask == 0 => {
                return Err("no event is enabled (write SPU_WrEventMask first): it can never answer".to_string());
            }
            Channel::RD_EVENT_STAT => {
                let events = channels.events & channels.event_mask;
                (events != 0).then_some(events)
            }
            Channel::RD_SIG_NOTIFY_1 => channels.signals[0].read(),
            Channel::RD_SIG_NOTIFY_2 => channels.signals[1].read(),
            Channel::RD_DEC => {
                let value = channels.read_decrementer(ticks);
                self.ends_to_measure(id);
                Some(value)
            }
            Channel::RD_EVENT_MASK => Some(channels.event_mask),
            Channel::RD_TAG_MASK => Some(channels.tag_mask),
            Channel::RD_MACH_STAT => Some(0),
            Channel::RD_SRR0 => Some(channels.srr0),
            Channel::RD_TAG_STAT if channels.tag_status.is_none() && channels.tag_update.is_none() => {
                return Err(
                    "no tag status was asked for (write MFC_WrTagUpdate first): it can never answer".to_string()
                );
            }
            Channel::RD_TAG_STAT => channels.tag_status.take(),
            Channel::RD_LIST_STALL_STAT if channels.list_stall == 0 && spe.mfc.lists() == 0 => {
                return Err("no list command is in the queue: it can never answer".to_string());
            }
            Channel::RD_LIST_STALL_STAT => {
                let stalled = std::mem::take(&mut channels.list_stall);
                (stalled != 0).then_some(stalled)
            }
            Channel::RD_ATOMIC_STAT if channels.atomic_status.is_none() && spe.atomic.pending.is_none() => {
                return Err("no atomic command was given: it can never answer".to_string());
            }
            Channel::RD_ATOMIC_STAT => channels.atomic_status.take(),
            Channel::RD_IN_MBOX => channels.in_mbox.pop(),
            _ => Some(0),
        })
    }

    pub(super) fn write_channel(&mut self, id: SpeId, channel: Channel, value: u32) -> Result<Option<u32>, Rule> {
        expect_direction(channel, Direction::Write)?;
        let time = self.spes[id.0 as usize].core.time;
        let ticks = self.ticks_at(time / self.ratio);
        let channels = &mut self.spe(id).channels;
        let done = match channel {
            Channel::WR_EVENT_MASK => {
                self.settle_decrementer(id, ticks);
                self.spe(id).channels.event_mask = value;
                self.arm_decrementer(id);
                true
            }
            Channel::WR_EVENT_ACK => {
                self.settle_decrementer(id, ticks);
                self.spe(id).channels.events &= !value;
                true
            }
            Channel::WR_DEC => {
                channels.write_decrementer(value, ticks);
                self.begins_to_measure(id);
                self.trigger_trace(Trigger::Decrementer);
                self.arm_decrementer(id);
                true
            }
            Channel::WR_MS_SYNC_REQ => self.begin_ms_sync(id),
            Channel::WR_SRR0 => {
                channels.srr0 = value;
                true
            }
            Channel::MFC_CMD => return self.give_command(id, value),
            Channel::WR_TAG_MASK => {
                channels.tag_mask = value;
                true
            }
            Channel::WR_TAG_UPDATE => return self.ask_tag_status(id, value),
            Channel::WR_LIST_STALL_ACK if value > 31 => return Err(format!("tag {value} is outside 0 to 31")),
            Channel::WR_LIST_STALL_ACK => {
                self.acknowledge_stall(id, value);
                true
            }
            Channel::WR_OUT_MBOX => push(&mut channels.out_mbox, value),
            Channel::WR_OUT_INTR_MBOX => push(&mut channels.out_intr_mbox, value),
            _ => {
                channels.parameters[usize::from(channel.0 - Channel::MFC_LSA.0)] = value;
                self.trace_parameter(id);
                true
            }
        };
        Ok(done.then_some(0))
    }

    fn give_command(&mut self, id: SpeId, opcode: u32) -> Result<Option<u32>, Rule> {
        let [lsa, eah, eal, size, tag] = self.spe(id).channels.parameters;
        let command = Command { opcode, lsa, ea: u64::from(eah) << 32 | u64::from(eal), size, tag };
        match command.code().decode().map(|decoded| decoded.action) {
            Some(Action::GetLlar | Action::PutLlc | Action::PutLluc) => self.give_lock_line_command(id, command),
            _ if self.spe(id).mfc.spu_queue.free() == 0 => Ok(None),
            action => {
                if action == Some(Action::PutQlluc) {
                    self.lock_line(&command)?;
                }
                self.enqueue(id, command, false)?;
                Ok(Some(0))
            }
        }
    }

    /// Puts a command into a queue with room.
    pub(super) fn enqueue(&mut self, id: SpeId, command: Command, proxy: bool) -> Result<(), Rule> {
        let now = self.now();
        let spe = &mut self.spes[id.0 as usize];
        let taken = spe.mfc.enqueue(command, proxy, now, &self.machine);
        taken.map_err(|rule| format!("{}: {rule}", describe_command(&command)))?;
        spe.queues.of(proxy).enter(now);
        self.counters.spes[id.0 as usize].dma_commands += 1;
        self.trace_command(id, proxy, &command);
        self.wake_dmac(id);
        Ok(())
    }

    fn ask_tag_status(&mut self, id: SpeId, update: u32) -> Result<Option<u32>, Rule> {
        let spe = self.spe(id);
        if spe.channels.tag_update.is_some() {
            return Ok(None);
        }
        let idle = spe.mfc.spu_queue.idle_tags();
        match update {
            0 => {
                spe.channels.tag_status = Some(idle & spe.channels.tag_mask);
                return Ok(Some(0));
            }
            1 => spe.channels.tag_update = Some(TagUpdate::Any),
            2 => spe.channels.tag_update = Some(TagUpdate::All),
            _ => return Err(format!("tag update code {update} is not 0 (immediate), 1 (any) or 2 (all)")),
        }
        spe.channels.tag_status = None;
        self.update_tag_status(id);
        Ok(Some(0))
    }

    /// Meets a waiting tag-status request if that is possible now.
    pub(super) fn update_tag_status(&mut self, id: SpeId) {
        let spe = self.spe(id);
        let idle = spe.mfc.spu_queue.idle_tags();
        if spe.channels.meet_tag_update(idle) {
            self.unblock(id, Channel::RD_TAG_STAT);
            self.unblock(id, Channel::WR_TAG_UPDATE);
            self.raise(id, event::TAG_STATUS);
        }
    }

    fn acknowledge_stall(&mut self, id: SpeId, tag: u32) {
        let now = self.now();
        let spe = &mut self.spes[id.0 as usize];
        spe.mfc.acknowledge_stall(tag, now, &self.machine);
        self.wake_dmac(id);
    }

    /// MODEL: a multi-source synchronisation takes as long as a command phase.  Silicon waits for the
    /// transfers from other units that were under way; here those are seen when they are complete.
    fn begin_ms_sync(&mut self, id: SpeId) -> bool {
        if self.spe(id).channels.ms_sync_pending {
            return false;
        }
        self.spe(id).channels.ms_sync_pending = true;
        let phase = self.machine.eib.command_issue_bus_cycles + self.machine.eib.command_response_bus_cycles;
        let at = self.now() + phase;
        self.calendar.push(at, Event::MsSyncDone(id));
        true
    }

    pub(super) fn end_ms_sync(&mut self, id: SpeId) {
        self.spe(id).channels.ms_sync_pending = false;
        self.unblock(id, Channel::WR_MS_SYNC_REQ);
        self.raise(id, event::MULTI_SOURCE);
    }

    /// Sets the alarm for the decrementer event, if the program wants it.
    fn arm_decrementer(&mut self, id: SpeId) {
        let channels = &self.spes[id.0 as usize].channels;
        if channels.event_mask & event::DECREMENTER == 0 {
            return;
        }
        let Some(expiry_ticks) = channels.decrementer_expiry_ticks() else { return };
        let bus_hz = u128::from(self.machine.bus_hz());
        let cycles = (u128::from(expiry_ticks) * bus_hz).div_ceil(u128::from(self.machine.chip.timebase_hz));
        let at = (cycles as u64).saturating_sub(self.skipped).max(self.now());
        self.calendar.push(at, Event::Decrementer(id));
        // An alarm is set for a moment of absolute time, which no period of a loop brings back.
        self.fast_forward = None;
    }

    /// The alarm rings, for a decrementer that may have been written since.
    pub(super) fn decrementer_alarm(&mut self, id: SpeId) {
        self.settle_decrementer(id, self.ticks_at(self.now()));
    }

    /// Raises the decrementer's event if it has turned negative: events are kept whether they are wanted or not.
    fn settle_decrementer(&mut self, id: SpeId, ticks: u64) {
        if self.spe(id).channels.take_decrementer_expiry(ticks) {
            self.raise(id, event::DECREMENTER);
        }
    }
}

fn push(mailbox: &mut Mailbox, value: u32) -> bool {
    let room = mailbox.free() > 0;
    if room {
        mailbox.push_or_replace(value);
    }
    room
}

fn reserved(channel: Channel) -> Rule {
    format!("channel {} is reserved", channel.0)
}

fn expect_direction(channel: Channel, wanted: Direction) -> Result<(), Rule> {
    match channel.direction().ok_or_else(|| reserved(channel))? {
        direction if direction == wanted => Ok(()),
        Direction::Read => Err("the channel can only be read".to_string()),
        Direction::Write => Err("the channel can only be written".to_string()),
    }
}
