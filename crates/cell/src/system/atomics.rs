//! Lock-line commands at work.

use super::{Event, Spe, System};
use crate::atomic::{LineState, Pending};
use crate::channel::Channel;
use crate::command::{Action, Command};
use crate::ea::{self, Target};
use crate::request::{Issuer, Request, RequestKind};
use crate::units::{EntryId, LINE_BYTES, SpeId};

/// `MFC_RdAtomicStat` values (`spu_mfcio.h`).
const PUTLLC_FAILED: u32 = 1;
const PUTLLUC_DONE: u32 = 2;
const GETLLAR_DONE: u32 = 4;

impl System<'_> {
    /// An immediate lock-line command from the channel; it waits while another one is under way.
    pub(super) fn give_lock_line_command(&mut self, id: SpeId, command: Command) -> Result<Option<u32>, String> {
        let line = self.lock_line(&command)?;
        let spe = self.spe(id);
        if spe.atomic.pending.is_some() || spe.mfc.spu_queue.free() == 0 {
            return Ok(None);
        }
        let lsa = command.lsa & !(LINE_BYTES as u32 - 1);
        let action = command.code().decode().map_or(Action::GetLlar, |decoded| decoded.action);
        self.traced(|trace, now| trace.given(id, None, &command, None, now));
        let spe = self.spe(id);
        spe.channels.atomic_status = None;
        self.begin_lock_line(id, Pending { action, line, lsa, entry: None, succeeded: false });
        Ok(Some(0))
    }

    /// The line that a lock-line command is about.  The low bits of the addresses are ignored: a lock
    /// line is aligned (CBEA 7.8).
    ///
    /// # Errors
    /// It does not lie in main memory.
    pub(super) fn lock_line(&self, command: &Command) -> Result<u64, String> {
        let ea = command.ea & !(LINE_BYTES - 1);
        match ea::decode(&self.machine, ea, LINE_BYTES) {
            Some(Target::Memory(address)) => Ok(address / LINE_BYTES),
            _ => Err(format!("lock lines lie in main memory, effective address {ea:#x} does not")),
        }
    }

    /// A `putqlluc` whose turn in the queue has come.
    pub(super) fn begin_queued_lock_line(&mut self, id: SpeId, entry: EntryId) {
        let command = self.spe(id).mfc.queue(entry.proxy).entry(entry.index).command;
        let pending = Pending {
            action: Action::PutQlluc,
            line: command.ea / LINE_BYTES,
            lsa: command.lsa & !(LINE_BYTES as u32 - 1),
            entry: Some(entry),
            succeeded: false,
        };
        if self.spe(id).atomic.pending.is_some() {
            self.spe(id).atomic.queued = Some(pending);
        } else {
            self.begin_lock_line(id, pending);
        }
    }

    fn begin_lock_line(&mut self, id: SpeId, pending: Pending) {
        self.counters.spes[id.0 as usize].atomic_commands += 1;
        self.traced(|trace, _| trace.lock_line(id, pending.entry));
        let lookup = match pending.action {
            Action::GetLlar => self.machine.atomic.getllar_hit_bus_cycles,
            _ => self.machine.atomic.putllc_hit_bus_cycles,
        };
        let spe = self.spe(id);
        spe.atomic.pending = Some(pending);
        // What the cache cannot serve goes to the bus as soon as any DMA command would.
        let serves = match (pending.action, spe.atomic.state(pending.line)) {
            // Without a reservation there is nothing to look up.
            (Action::PutLlc, _) if spe.atomic.reservation != Some(pending.line) => false,
            (_, state) => matches!(state, Some(LineState::Modified | LineState::Exclusive)),
        };
        let wait = if serves { lookup } else { self.machine.mfc.issue_bus_cycles };
        let at = self.now() + wait;
        self.calendar.push(at, Event::AtomicLookup(id));
    }

    /// The unit looks into its cache: done, or a command for the bus.
    pub(super) fn atomic_lookup(&mut self, id: SpeId) {
        let spe = self.spe(id);
        let Some(pending) = spe.atomic.pending else { return };
        let state = spe.atomic.state(pending.line);
        let kind = match (pending.action, state) {
            (Action::GetLlar, Some(state @ (LineState::Modified | LineState::Exclusive))) => {
                spe.atomic.set(pending.line, state);
                spe.atomic.reservation = Some(pending.line);
                self.counters.spes[id.0 as usize].getllar_hits += 1;
                return self.finish_getllar_hit(id, pending);
            }
            (Action::GetLlar, _) => RequestKind::ReadLine,
            (Action::PutLlc, _) if spe.atomic.reservation != Some(pending.line) => {
                return self.finish_lock_line(id, pending);
            }
            (_, Some(LineState::Modified | LineState::Exclusive)) => {
                self.put_line(id, pending);
                let pending = Pending { succeeded: true, ..pending };
                return self.finish_lock_line(id, pending);
            }
            (_, Some(LineState::Shared)) => RequestKind::Claim,
            (_, None) => RequestKind::ClaimWithData,
        };
        self.send(Request {
            kind,
            issuer: Issuer::Atomic(id),
            ramp: self.spes[id.0 as usize].ramp,
            bytes: LINE_BYTES as u8,
            lsa: pending.lsa,
            target: Target::Memory(pending.line * LINE_BYTES),
            value: 0,
        });
    }

    /// Whether a request that is about to be ordered still has a purpose: a conditional put whose
    /// reservation has gone meanwhile fails without touching the line.
    pub(super) fn still_wanted(&mut self, request: &Request, line: u64) -> bool {
        let Issuer::Atomic(id) = request.issuer else { return true };
        let atomic = &self.spe(id).atomic;
        let conditional = atomic.pending.is_some_and(|pending| pending.action == Action::PutLlc);
        !conditional || atomic.reservation == Some(line)
    }

    /// The command of an atomic unit is ordered: a get reserves, a put takes place.
    pub(super) fn atomic_ordered(&mut self, id: SpeId, line: u64) {
        let Some(pending) = self.spe(id).atomic.pending else { return };
        if pending.action == Action::GetLlar {
            let elsewhere = |(n, spe): (usize, &Spe<'_>)| n != id.0 as usize && spe.atomic.state(line).is_some();
            let shared = self.spes.iter().enumerate().any(elsewhere) || self.ppe.memory.state(line).is_some();
            let atomic = &mut self.spe(id).atomic;
            atomic.reservation = Some(line);
            let evicted = atomic.set(line, if shared { LineState::Shared } else { LineState::Exclusive });
            self.cast_out(id, evicted);
        } else {
            self.put_line(id, pending);
            self.spe(id).atomic.pending = Some(Pending { succeeded: true, ..pending });
        }
    }

    /// The bytes of a put, the one moment at which they change for everybody.
    fn put_line(&mut self, id: SpeId, pending: Pending) {
        let local_store = &self.spes[id.0 as usize].local_store;
        let address = pending.line * LINE_BYTES;
        crate::store::copy(local_store, u64::from(pending.lsa), &mut self.memory, address, LINE_BYTES as usize);
        let atomic = &mut self.spe(id).atomic;
        let evicted = atomic.set(pending.line, LineState::Modified);
        if pending.action == Action::PutLlc || atomic.reservation == Some(pending.line) {
            atomic.reservation = None;
        }
        self.cast_out(id, evicted);
    }

    /// Writes a line back that had to make room.
    fn cast_out(&mut self, id: SpeId, evicted: Option<u64>) {
        let Some(line) = evicted else { return };
        self.counters.spes[id.0 as usize].castouts += 1;
        self.send(Request {
            kind: RequestKind::Write,
            issuer: Issuer::Castout(id),
            ramp: self.spes[id.0 as usize].ramp,
            bytes: LINE_BYTES as u8,
            lsa: 0,
            target: Target::Memory(line * LINE_BYTES),
            value: 0,
        });
    }

    fn finish_getllar_hit(&mut self, id: SpeId, pending: Pending) {
        let spe = &mut self.spes[id.0 as usize];
        let address = pending.line * LINE_BYTES;
        crate::store::copy(&self.memory, address, &mut spe.local_store, u64::from(pending.lsa), LINE_BYTES as usize);
        self.finish_lock_line(id, pending);
    }

    /// The bus has done its part.
    pub(super) fn atomic_completed(&mut self, id: SpeId) {
        if let Some(pending) = self.spe(id).atomic.pending {
            self.finish_lock_line(id, pending);
        }
    }

    fn finish_lock_line(&mut self, id: SpeId, pending: Pending) {
        let status = match pending.action {
            Action::GetLlar => GETLLAR_DONE,
            Action::PutLlc if pending.succeeded => 0,
            Action::PutLlc => {
                self.counters.spes[id.0 as usize].putllc_failures += 1;
                PUTLLC_FAILED
            }
            _ => PUTLLUC_DONE,
        };
        let at = self.now() + self.machine.mfc.completion_bus_cycles;
        self.calendar.push(at, Event::AtomicDone(id, status));
    }

    /// The status reaches its channel, or the queued command its end.
    pub(super) fn atomic_done(&mut self, id: SpeId, status: u32) {
        let spe = self.spe(id);
        let Some(pending) = spe.atomic.pending.take() else { return };
        match pending.entry {
            Some(entry) => self.end_command(id, entry),
            None => {
                spe.channels.atomic_status = Some(status);
                self.traced(|trace, now| trace.command_done(id, None, now));
                self.unblock(id, Channel::RD_ATOMIC_STAT);
            }
        }
        if let Some(queued) = self.spe(id).atomic.queued.take() {
            self.begin_lock_line(id, queued);
        }
        self.unblock(id, Channel::MFC_CMD);
    }
}
