//! SPUs at work: asking programs what they want, and answering through the channels.

use super::fast_forward::Runner;
use super::{System, Unit};
use crate::channel::Channel;
use crate::command::Command;
use crate::door::{Op, Step, Turn};
use crate::error::RunError;
use crate::processor::State;
use crate::units::{BusCycle, SpeId};

/// How far, in bus cycles, a program may run ahead of the bus clock on operations of its own: enough
/// for the parameters of a command.
const RUN_AHEAD_BUS_CYCLES: u64 = 16;

/// Why a program cannot go on.
pub(super) type Rule = String;

impl System<'_> {
    /// Starts the program that was loaded for an SPE, if there is one and it is not running.
    pub(super) fn start_program(&mut self, id: SpeId, argument: u64) {
        let (now, ratio) = (self.now(), self.ratio);
        let spe = self.spe(id);
        if spe.core.is_running() {
            return;
        }
        if let Some(factory) = &mut spe.factory {
            let program = factory(argument);
            spe.ahead = program.runs_ahead();
            spe.program = Some(program);
            spe.core.start(0, now * ratio);
            self.wake(Unit::Spu(id), now);
            self.trace_start(id);
        }
    }

    /// The SPUs that run ahead, in the order of their numbers: what they do must not depend on when it became
    /// known that they would do it.
    pub(super) fn run_spus_ahead(&mut self) -> Result<(), RunError> {
        let mut spus = std::mem::take(&mut self.spus_ahead);
        while spus != 0 {
            self.run_spu(SpeId(spus.trailing_zeros() as u8))?;
            spus &= spus - 1;
        }
        Ok(())
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
        let ahead = self.spes[id.0 as usize].ahead;
        let (quiet, visited) = if ahead { (self.quiet(id), self.visited_at(id)) } else { (0, None) };
        let skipped = self.skipped * self.ratio;
        let spe = &mut self.spes[id.0 as usize];
        let Some(program) = &mut spe.program else { return Ok(()) };
        let event = spe.channels.events & spe.channels.event_mask != 0;
        let time = spe.core.time + skipped;
        let line_at = visited.map(|at| at + skipped).filter(|at| *at >= time);
        let turn = Turn { answer, time, quiet, line_at, event };
        spe.core.note(u64::from(answer));
        let progress = spe.core.begin_turn();
        let step = progress.and_then(|()| program.resume(turn, &mut spe.local_store));
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
        self.traced(|trace, now| trace.stopped(id, now));
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
                self.trace_read(id, op, value);
            }
            None => {
                spe.core.state = State::Blocked(op);
                self.counters.spes[id.0 as usize].channel_stalls += 1;
                self.trace_stall(id, op);
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
        self.traced(|trace, now| trace.resumed(id, now));
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
        let place = self.spes[id.0 as usize].program.as_ref().and_then(|program| program.place());
        RunError::Rule { spe: Some(id), bus_cycle: self.bus_cycles(), place, command, rule }
    }
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
