//! A command at the moment it is ordered: who answers it, and what it does to everybody else.

use super::{Outcome, Spe, System};
use crate::atomic::LineState;
use crate::channel::event;
use crate::ea::Target;
use crate::eib::CommandNetwork;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::units::{LINE_BYTES, RampIndex, SpeId};

impl System<'_> {
    /// A command is ordered: every unit snoops it, and this is when it takes effect on them.  No
    /// outcome yet if it has to wait for room in a memory queue.
    pub(super) fn order(&mut self, id: RequestId) -> Option<Outcome> {
        let request = *self.requests.get(id);
        let request = &request;
        self.counters.command.count(request);
        let Some(line) = request.memory_line() else { return Some(self.order_uncached(request)) };
        if !self.still_wanted(request, line) {
            self.top_concentrator().forget(line, request.ramp);
            return Some(Outcome::Done);
        }
        let castout = request.is_castout();
        let holder = self.holder(request, line);
        let by_cache = request.kind == RequestKind::Claim || request.kind != RequestKind::Write && holder.is_some();
        if !castout && !self.take_free_line(line, request.ramp, by_cache) {
            return Some(Outcome::Retry);
        }
        let outcome = match (request.kind, holder) {
            (RequestKind::Claim, _) => Some(Outcome::Done),
            (RequestKind::Write, _) => {
                self.reserve_write(id, line * LINE_BYTES).then_some(Outcome::DataFrom(request.ramp))
            }
            (_, Some(holder)) => Some(Outcome::DataFrom(holder)),
            (_, None) => self.order_memory_read(id, line * LINE_BYTES),
        };
        if outcome.is_none() {
            self.counters.command.waits_memory_queue += 1;
        }
        if !castout {
            self.snoop(request, line);
        }
        outcome
    }

    /// Whether the line is free for this command; if so, the atomic units or memory now deal with it.
    fn take_free_line(&mut self, line: u64, ramp: RampIndex, by_cache: bool) -> bool {
        let now = self.now();
        let (cached, memory) = (self.machine.eib.cached_match_bus_cycles, self.machine.eib.address_match_bus_cycles);
        let concentrator = self.top_concentrator();
        let free = if by_cache {
            concentrator.take_line(line, ramp, now, now + cached)
        } else {
            concentrator.take_line_in_turn(line, ramp, now, now + memory)
        };
        self.counters.command.retries_address_match += u64::from(!free);
        free
    }

    /// The address concentrator that orders commands to memory.
    fn top_concentrator(&mut self) -> &mut CommandNetwork {
        let top = self.concentrators.len() - 1;
        &mut self.concentrators[top]
    }

    fn order_uncached(&mut self, request: &Request) -> Outcome {
        match (request.kind, request.target) {
            (RequestKind::Read, Target::LocalStore(spe, _) | Target::Register(spe, _)) => {
                Outcome::DataFrom(self.topology.spe_ramp(spe))
            }
            (RequestKind::Write, _) => Outcome::DataFrom(request.ramp),
            _ => Outcome::Done,
        }
    }

    /// The ramp of whoever gives the line instead of memory: an atomic unit or the PPE's L2 that has changed
    /// it, or, to an atomic unit, another one that has it.
    fn holder(&self, request: &Request, line: u64) -> Option<RampIndex> {
        let any_copy = request.kind != RequestKind::Read;
        let holds = |spe: &&Spe<'_>| {
            let state = spe.atomic.state(line);
            spe.ramp != request.ramp && (state == Some(LineState::Modified) || any_copy && state.is_some())
        };
        let l2_has_changed_it = || self.ppe.memory.state(line) == Some(LineState::Modified);
        let l2 = (request.ramp != self.ppe_ramp && l2_has_changed_it()).then_some(self.ppe_ramp);
        self.spes.iter().find(holds).map(|spe| spe.ramp).or(l2)
    }

    /// What an ordered command does to reservations and cached copies.
    fn snoop(&mut self, request: &Request, line: u64) {
        match request.issuer {
            Issuer::Atomic(spe) => self.atomic_ordered(spe, line),
            Issuer::Ppe => self.ppe_line_ordered(line),
            _ => (),
        }
        if request.takes_ownership() {
            match request.issuer {
                Issuer::Mfc(spe, _) => self.take_line_for_put(line, spe),
                Issuer::Atomic(spe) | Issuer::Castout(spe) => self.take_line(line, Some(spe)),
                Issuer::Ppe | Issuer::Bif => self.take_line(line, None),
            }
        } else {
            for spe in self.spes.iter_mut().filter(|spe| spe.ramp != request.ramp) {
                spe.atomic.snoop_read(line);
            }
            if request.issuer != Issuer::Ppe {
                self.ppe.memory.snoop_read(line);
            }
        }
    }

    /// Takes a line, and reservations on it, from the PPE and every atomic unit but one; from every atomic
    /// unit if it is the PPE that takes it.
    pub(super) fn take_line(&mut self, line: u64, but: Option<SpeId>) {
        if but.is_some() {
            self.ppe.memory.take_line(line);
        }
        for id in (0..self.spes.len() as u8).map(SpeId) {
            if Some(id) != but && self.spe(id).atomic.invalidate(line) {
                self.raise(id, event::LOCK_LINE);
            }
        }
    }

    /// As [`System::take_line`] for a put, which costs its own SPE the reservation too, but raises no
    /// event there (CBEA 8.4.3).
    pub(super) fn take_line_for_put(&mut self, line: u64, own: SpeId) {
        self.take_line(line, Some(own));
        self.spe(own).atomic.invalidate(line);
    }
}
