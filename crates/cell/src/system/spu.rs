//! SPUs at work: asking programs what they want, and answering through the channels.

use super::{Event, System, Unit};
use crate::channel::{Channel, Direction, event};
use crate::channels::TagUpdate;
use crate::command::{Action, Command};
use crate::door::{Op, Step};
use crate::error::RunError;
use crate::fast_forward::Runner;
use crate::processor::State;
use crate::units::{BusCycle, SpeId};

/// How far, in bus cycles, a program may run ahead of the bus clock on operations of its own: enough
/// for the parameters of a command.
const RUN_AHEAD_BUS_CYCLES: u64 = 16;

/// Why a program cannot go on.
type Rule = String;

impl System<'_> {
    /// Starts the program that was loaded for an SPE, if there is one and it is not running.
    pub(super) fn start_program(&mut self, id: SpeId, argument: u64) {
        let (now, ratio) = (self.now(), self.ratio);
        let spe = self.spe(id);
        if spe.core.is_running() {
            return;
        }
        if let Some(factory) = &mut spe.factory {
            spe.program = Some(factory(argument));
            spe.core.start(0, now * ratio);
            self.wake(Unit::Spu(id), now);
        }
    }

    /// Lets a program run until it has to wait.
    pub(super) fn run_spu(&mut self, id: SpeId) -> Result<(), RunError> {
        loop {
            match self.spes[id.0 as usize].core.state {
                State::Ready(answer) => self.resume(id, answer)?,
                State::Asked(op) => {
                    if let Some(at) = self.must_wait_for_clock(id, op) {
                        self.wake(Unit::Spu(id), at);
                        return Ok(());
                    }
                    self.try_answer(id, op)?;
                }
                State::Stopping(code) => {
                    let at = self.spes[id.0 as usize].core.time.div_ceil(self.ratio);
                    if at > self.now() {
                        self.wake(Unit::Spu(id), at);
                        return Ok(());
                    }
                    self.stop(id, code);
                }
                State::Idle | State::Blocked(_) | State::Stopped(_) => return Ok(()),
            }
        }
    }

    fn resume(&mut self, id: SpeId, answer: u32) -> Result<(), RunError> {
        let spe = &mut self.spes[id.0 as usize];
        let Some(program) = &mut spe.program else { return Ok(()) };
        spe.core.note(u64::from(answer));
        let progress = spe.core.begin_turn();
        let step = progress.and_then(|()| program.resume(answer, &mut spe.local_store));
        let step = step.map_err(|why| self.broken(id, "program".to_string(), why))?;
        let write_cost = self.machine.spu.channel_write_spu_cycles;
        let core = &mut self.spes[id.0 as usize].core;
        match step {
            Step::Ask(op) => {
                if let Op::Write(..) = op {
                    core.time += write_cost;
                }
                core.state = State::Asked(op);
            }
            Step::Mark { remaining } => {
                core.mark(remaining);
                core.state = State::Ready(0);
                let skip = self.marked(Runner::Spu(id));
                self.spes[id.0 as usize].core.state = State::Ready(skip.min(u64::from(u32::MAX)) as u32);
            }
            Step::Stop(code) => core.state = State::Stopping(code),
        }
        Ok(())
    }

    fn stop(&mut self, id: SpeId, code: u32) {
        let skipped = self.skipped * self.ratio;
        let spe = self.spe(id);
        spe.core.state = State::Stopped(code);
        spe.stopped_at_spu_cycle = spe.core.time + skipped;
        spe.program = None;
        self.thread_stopped(id);
    }

    /// The bus cycle that an operation has to wait for, if that is still to come.
    fn must_wait_for_clock(&self, id: SpeId, op: Op) -> Option<BusCycle> {
        let at = self.spes[id.0 as usize].core.time.div_ceil(self.ratio);
        let slack = if is_private(op) { RUN_AHEAD_BUS_CYCLES } else { 0 };
        (at > self.now() + slack).then_some(at)
    }

    fn try_answer(&mut self, id: SpeId, op: Op) -> Result<(), RunError> {
        let answer = match op {
            Op::Compute(0) => Ok(Some(0)),
            Op::Compute(cycles) => {
                // It looks at its local store again when this has passed, and not before.
                let core = &mut self.spe(id).core;
                core.time = core.time.saturating_add(cycles);
                core.state = State::Asked(Op::Compute(0));
                return Ok(());
            }
            Op::Count(channel) => self.count(id, channel).map(Some),
            Op::Read(channel) => self.read_channel(id, channel),
            Op::Write(channel, value) => self.write_channel(id, channel, value),
        };
        let answer = answer.map_err(|rule| self.broken(id, describe(op), rule))?;
        let read_cost = self.machine.spu.channel_read_spu_cycles;
        let spe = self.spe(id);
        match answer {
            Some(value) => {
                if matches!(op, Op::Read(_) | Op::Count(_)) {
                    spe.core.time += read_cost;
                }
                spe.core.state = State::Ready(value);
            }
            None => {
                spe.core.state = State::Blocked(op);
                self.counters.spes[id.0 as usize].channel_stalls += 1;
            }
        }
        Ok(())
    }

    /// Something has happened to a channel: if the program waits for it, it tries again.
    pub(super) fn unblock(&mut self, id: SpeId, channel: Channel) {
        let (now, ratio) = (self.now(), self.ratio);
        let core = &mut self.spe(id).core;
        let State::Blocked(op) = core.state else { return };
        if !matches!(op, Op::Read(c) | Op::Write(c, _) if c == channel) {
            return;
        }
        core.state = State::Asked(op);
        core.time = core.time.max(now * ratio);
        self.wake(Unit::Spu(id), now);
    }

    /// Raises events and lets a program that waits for one see them.
    pub(super) fn raise(&mut self, id: SpeId, bits: u32) {
        let channels = &mut self.spe(id).channels;
        channels.raise(bits);
        if channels.events & channels.event_mask != 0 {
            self.unblock(id, Channel::RD_EVENT_STAT);
        }
    }

    pub(super) fn broken(&self, id: SpeId, command: String, rule: Rule) -> RunError {
        RunError::Rule { spe: Some(id), bus_cycle: self.bus_cycles(), command, rule }
    }

    fn count(&self, id: SpeId, channel: Channel) -> Result<u32, Rule> {
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

    fn read_channel(&mut self, id: SpeId, channel: Channel) -> Result<Option<u32>, Rule> {
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
            Channel::RD_DEC => Some(channels.read_decrementer(ticks)),
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

    fn write_channel(&mut self, id: SpeId, channel: Channel, value: u32) -> Result<Option<u32>, Rule> {
        expect_direction(channel, Direction::Write)?;
        let time = self.spes[id.0 as usize].core.time;
        let ticks = self.ticks_at(time / self.ratio);
        let channels = &mut self.spe(id).channels;
        let done = match channel {
            Channel::WR_EVENT_MASK => {
                channels.event_mask = value;
                self.arm_decrementer(id);
                true
            }
            Channel::WR_EVENT_ACK => {
                channels.events &= !value;
                true
            }
            Channel::WR_DEC => {
                channels.write_decrementer(value, ticks);
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
        self.counters.spes[id.0 as usize].dma_commands += 1;
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
        let expiry_ticks = channels.decrementer_expiry_ticks();
        let bus_hz = u128::from(self.machine.bus_hz());
        let cycles = (u128::from(expiry_ticks) * bus_hz).div_ceil(u128::from(self.machine.chip.timebase_hz));
        let at = (cycles as u64).saturating_sub(self.skipped).max(self.now());
        self.calendar.push(at, Event::Decrementer(id, expiry_ticks));
        // An alarm is set for a moment of absolute time, which no period of a loop brings back.
        self.fast_forward = None;
    }

    pub(super) fn decrementer_expired(&mut self, id: SpeId, expiry_ticks: u64) {
        if self.spe(id).channels.decrementer_expiry_ticks() == expiry_ticks {
            self.raise(id, event::DECREMENTER);
        }
    }
}

fn push(mailbox: &mut crate::channels::Mailbox, value: u32) -> bool {
    let room = mailbox.free() > 0;
    if room {
        mailbox.push_or_replace(value);
    }
    room
}

/// Whether an operation concerns nobody but the SPU itself, whenever it happens.
fn is_private(op: Op) -> bool {
    match op {
        Op::Write(channel, _) => {
            (Channel::MFC_LSA.0..=Channel::MFC_TAG_ID.0).contains(&channel.0)
                || matches!(channel, Channel::WR_TAG_MASK | Channel::WR_SRR0)
        }
        Op::Read(channel) => {
            matches!(channel, Channel::RD_TAG_MASK | Channel::RD_SRR0 | Channel::RD_EVENT_MASK | Channel::RD_DEC)
        }
        Op::Count(_) | Op::Compute(_) => false,
    }
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

fn describe(op: Op) -> String {
    match op {
        Op::Read(channel) => format!("read of {channel}"),
        Op::Write(channel, value) => format!("write of {value:#x} to {channel}"),
        Op::Count(channel) => format!("count of {channel}"),
        Op::Compute(_) => "compute".to_string(),
    }
}

/// A command with its parameters, for messages.
pub(super) fn describe_command(command: &Command) -> String {
    format!(
        "{} lsa={:#x} ea={:#x} size={} tag={}",
        command.code().name(),
        command.lsa,
        command.ea,
        command.size,
        command.tag
    )
}
