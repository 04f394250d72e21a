//! A request's way over the bus, from the DMAC to its completion.
//!
//! MODEL: the bytes of a line move in one piece and at one moment, when they arrive; silicon reads them
//! some cycles before.

use super::spu::describe_command;
use super::{Event, Outcome, System, Unit};
use crate::channel::{Channel, event};
use crate::ea::Target;
use crate::eib::{DataRequest, Grant};
use crate::error::RunError;
use crate::mfc::Returned;
use crate::record::TransferRecord;
use crate::request::{Issuer, Request, RequestId, RequestKind};
use crate::store;
use crate::units::{EntryId, LINE_BYTES, NEVER, RampIndex, SpeId};

impl System<'_> {
    /// Wakes a DMAC for the first moment at which it could do something.
    pub(super) fn wake_dmac(&mut self, id: SpeId) {
        let spe = &self.spes[id.0 as usize];
        if self.has_credit(spe.ramp) {
            let at = spe.mfc.next_advance(&self.machine.mfc);
            if at != NEVER {
                let at = at.max(self.now());
                self.wake(Unit::Dmac(id), at);
            }
        }
    }

    fn has_credit(&self, ramp: RampIndex) -> bool {
        self.concentrators[usize::from(self.topology.chip_of(ramp))].has_credit(self.topology.place(ramp))
    }

    /// One turn of a DMAC.
    pub(super) fn run_dmac(&mut self, id: SpeId) -> Result<(), RunError> {
        let now = self.now();
        if !self.has_credit(self.spes[id.0 as usize].ramp) {
            return Ok(());
        }
        let spe = &mut self.spes[id.0 as usize];
        let advance = match spe.mfc.advance(now, &self.machine, &spe.local_store) {
            Ok(advance) => advance,
            Err((entry, rule)) => {
                let command = describe_command(&spe.mfc.queue(entry.proxy).entry(entry.index).command);
                return Err(self.broken(id, command, rule));
            }
        };
        if let Some(request) = advance.request {
            spe.queues.outstanding.enter(now);
            self.send(request);
            if let Some(at) = advance.goes_on_at {
                // The command has more for the bus: no need to look at the others now.
                self.wake(Unit::Dmac(id), at);
                return Ok(());
            }
        }
        if let Some(entry) = advance.lock_line {
            self.begin_queued_lock_line(id, entry);
        }
        if let Some(entry) = advance.ended {
            self.command_ended(id, entry);
        }
        if let Some(tag) = advance.stalled_tag {
            self.list_stalled(id, tag);
        }
        self.wake_dmac(id);
        Ok(())
    }

    /// Sends a request's command to the address concentrator.
    pub(super) fn send(&mut self, request: Request) {
        let id = self.add_request(request);
        self.send_again(id);
    }

    /// Sends the command of a request that is under way.
    pub(super) fn send_again(&mut self, id: RequestId) {
        self.trace_issue(id);
        let (request, now) = (self.requests.get(id), self.now());
        let issue = match (request.issuer, request.target) {
            (Issuer::Ppe, Target::Memory(_)) => self.machine.ppe_memory.command_issue_bus_cycles,
            _ => self.machine.eib.command_issue_bus_cycles,
        };
        let chip = self.topology.chip_of(request.ramp);
        let place = self.topology.place(request.ramp);
        let arrival = self.concentrators[usize::from(chip)].send(place, id, now + issue);
        self.occupancy.commands.expect(arrival);
        self.wake(Unit::Commands(chip), arrival);
    }

    /// An address concentrator's cycle.
    pub(super) fn run_commands(&mut self, level: u8) {
        let (now, index) = (self.now(), usize::from(level));
        let of_both_chips = index == self.chips.len();
        let most = if of_both_chips { 1 } else { self.machine.eib.commands_per_bus_cycle };
        let mut taken = 0;
        for _ in 0..most {
            let Some(id) = self.concentrators[index].advance(now) else { break };
            taken += 1;
            self.occupancy.commands.leave(now);
            if !of_both_chips && self.is_global(self.requests.get(id)) {
                self.go_global(id);
                continue;
            }
            self.traced(|trace, now| trace.ordered(id, now));
            if let Some(outcome) = self.order(id) {
                let at = now + self.response_bus_cycles(self.requests.get(id));
                self.calendar.push(at, Event::Response(id, outcome));
            }
        }
        if of_both_chips && taken > 0 {
            self.concentrators[index].rest(now + self.machine.bif.global_command_bus_cycles);
        }
        let next = self.concentrators[index].next_arrival(now);
        if next <= now || taken > 1 {
            let together = taken + self.concentrators[index].arrived(now);
            self.occupancy.commands.max = self.occupancy.commands.max.max(together);
        }
        if next != NEVER {
            self.wake(Unit::Commands(level), next.max(now + 1));
        }
    }

    /// The combined response reaches the unit that issued the command.
    pub(super) fn respond(&mut self, id: RequestId, outcome: Outcome) {
        let request = *self.requests.get(id);
        let ramp = request.ramp;
        let was_out_of_credit = !self.has_credit(ramp);
        self.concentrators[usize::from(self.topology.chip_of(ramp))].return_credit(self.topology.place(ramp));
        self.traced(|trace, now| trace.responded(id, outcome.name(), now));
        match outcome {
            Outcome::Retry => {
                if let Issuer::Mfc(spe, _) | Issuer::Atomic(spe) | Issuer::Castout(spe) = request.issuer {
                    self.counters.spes[spe.0 as usize].retries += 1;
                }
                self.leave_link(&request);
                let at = self.now() + self.machine.eib.retry_bus_cycles;
                self.calendar.push(at, Event::Resend(id));
            }
            Outcome::DataFrom(ramp) => self.request_data(ramp, id),
            Outcome::Memory => self.memory_has_it(id),
            Outcome::Done => self.complete(id),
        }
        if was_out_of_credit && let Some(spe) = self.spes.iter().position(|spe| spe.ramp == ramp) {
            self.wake_dmac(SpeId(spe as u8));
        }
    }

    /// The unit that has the data fetches them and asks for a ring.
    fn request_data(&mut self, from: RampIndex, id: RequestId) {
        let request = self.requests.get(id);
        let (mfc, atomic) = (&self.machine.mfc, &self.machine.atomic);
        let access = match (request.kind, request.target, request.issuer) {
            (RequestKind::Write, _, Issuer::Mfc(..) | Issuer::Castout(_)) => mfc.local_store_read_bus_cycles,
            (RequestKind::Write, ..) => 0,
            (_, Target::Memory(_), _) if from == self.ppe_ramp => {
                self.machine.ppe_memory.l2_load_spu_cycles.div_ceil(self.ratio)
            }
            (_, Target::Memory(_), _) => atomic.intervention_bus_cycles,
            (_, Target::LocalStore(..), _) => mfc.local_store_read_bus_cycles,
            (_, Target::Register(..), _) => mfc.register_access_bus_cycles,
        };
        let to = self.destination(request);
        self.queue_data(from, to, self.now() + access, id);
    }

    /// Data at a ramp ask for a ring: to where they go, or to the interface on their way to the other chip.
    pub(super) fn queue_data(&mut self, from: RampIndex, to: RampIndex, at: u64, request: RequestId) {
        let ready_at = at + self.machine.eib.data_request_bus_cycles;
        let chip = self.topology.chip_of(from);
        let leaves = self.topology.chip_of(to) != chip;
        let to = if leaves { self.chips[usize::from(chip)].ioif0_ramp } else { to };
        let data = DataRequest { to: self.topology.place(to), ready_at, request };
        self.chips[usize::from(chip)].data.request(self.topology.place(from), data);
        self.occupancy.on_ramps[usize::from(from)].expect(ready_at);
        self.traced(|trace, _| trace.ready(request, from, to, ready_at));
        self.wake(Unit::Arbiter(chip), ready_at);
    }

    /// A data arbiter's cycle.
    pub(super) fn run_arbiter(&mut self, chip: u8) {
        let now = self.now();
        let first_ramp = chip * self.topology.ramps_on_chip();
        let first_ring = usize::from(chip) * self.chips[0].data.ring_count();
        for _ in 0..self.machine.eib.grants_per_bus_cycle {
            let data = &mut self.chips[usize::from(chip)].data;
            let Some(grant) = data.advance(now, &mut self.counters.rings[first_ring..]) else { break };
            let grant = Grant {
                ring: first_ring as u8 + grant.ring,
                from: first_ramp + grant.from,
                to: first_ramp + grant.to,
                ..grant
            };
            let ring = &mut self.counters.rings[grant.ring as usize];
            ring.grants += 1;
            ring.segment_busy_bus_cycles += u64::from(grant.hops) * self.chips[0].data.beats();
            let last_segment_free_at = grant.arrives_at - self.machine.eib.hop_bus_cycles;
            ring.busy_bus_cycles += self.occupancy.ring_busy(usize::from(grant.ring), now, last_segment_free_at);
            let on_ramp = &mut self.occupancy.on_ramps[usize::from(grant.from)];
            on_ramp.leave(now);
            // The line that goes now was ready too.
            on_ramp.max = on_ramp.max.max(1);
            let data = &self.chips[usize::from(chip)].data;
            while data.is_ready(grant.from - first_ramp, on_ramp.max as usize - 1, now) {
                on_ramp.max += 1;
            }
            self.traced(|trace, now| trace.granted(&grant, now));
            if let Some(transfers) = &mut self.transfers {
                transfers.push(TransferRecord {
                    granted_at: now + self.skipped,
                    arrived_at: grant.arrives_at + self.skipped,
                    ring: grant.ring,
                    from: grant.from,
                    to: grant.to,
                    bytes: self.requests.get(grant.request).bytes,
                });
            }
            self.arrive(&grant);
        }
        let next = self.chips[usize::from(chip)].data.next_advance(now);
        if next != NEVER {
            self.wake(Unit::Arbiter(chip), next);
        }
    }

    /// What follows when a line has left its ring.
    fn arrive(&mut self, grant: &Grant) {
        let request = self.requests.get(grant.request);
        let leaves = self.chips.len() > 1 && grant.to != self.destination(request);
        let (at, event) = if leaves {
            (grant.arrives_at, Event::AtLink(grant.request))
        } else {
            (grant.arrives_at + self.arrival_cost(request), Event::Deliver(grant.request))
        };
        self.expect_visit(grant.request, at);
        self.calendar.push(at, event);
    }

    /// From the off-ramp to where the data are of use.
    fn arrival_cost(&self, request: &Request) -> u64 {
        let mfc = &self.machine.mfc;
        match (request.kind, request.target, request.issuer) {
            (RequestKind::Write, Target::Memory(_), _) => 0,
            (RequestKind::Write, Target::LocalStore(..), _) => mfc.local_store_write_bus_cycles,
            (RequestKind::Write, Target::Register(..), _) => mfc.register_access_bus_cycles,
            (_, Target::Memory(_), Issuer::Ppe) => 0,
            (_, _, Issuer::Ppe) => self.machine.ppe.mmio_return_bus_cycles,
            _ => mfc.local_store_write_bus_cycles,
        }
    }

    /// Data have arrived: here bytes move.
    pub(super) fn deliver(&mut self, id: RequestId) -> Result<(), RunError> {
        self.end_visit(id);
        let request = *self.requests.get(id);
        let (lsa, n) = (u64::from(request.lsa), usize::from(request.bytes));
        match (request.issuer, request.kind, request.target) {
            (Issuer::Castout(_) | Issuer::Bif, _, Target::Memory(address))
            | (Issuer::Ppe, RequestKind::Write, Target::Memory(address)) => self.write_memory(address, id),
            (Issuer::Ppe, _, Target::Memory(_)) => (),
            (Issuer::Mfc(spe, _), RequestKind::Write, Target::Memory(address)) => {
                store::copy(&self.spes[spe.0 as usize].local_store, lsa, &mut self.memory, address, n);
                // Whoever got the line since the put was ordered has its old bytes.
                self.take_line_for_put(address / LINE_BYTES, spe);
                self.write_memory(address, id);
            }
            (Issuer::Mfc(spe, _), RequestKind::Write, Target::LocalStore(to, offset)) => {
                self.copy_local(spe, lsa, to, u64::from(offset), n);
            }
            (Issuer::Mfc(spe, _), RequestKind::Write, Target::Register(to, offset)) => {
                let value = self.spe(spe).local_store.read_u32(lsa);
                self.write_register(to, offset, value)?;
            }
            (
                Issuer::Mfc(spe, _) | Issuer::Atomic(spe),
                RequestKind::Read | RequestKind::ReadLine,
                Target::Memory(address),
            ) => {
                store::copy(&self.memory, address, &mut self.spes[spe.0 as usize].local_store, lsa, n);
            }
            (Issuer::Mfc(spe, _), _, Target::LocalStore(from, offset)) => {
                self.copy_local(from, u64::from(offset), spe, lsa, n);
            }
            (Issuer::Mfc(spe, _), _, Target::Register(from, offset)) => {
                let value = self.read_register(from, offset)?;
                self.spe(spe).local_store.write_u32(lsa, value);
            }
            (Issuer::Ppe, ..) => self.deliver_to_ppe(&request)?,
            (Issuer::Mfc(..) | Issuer::Atomic(_) | Issuer::Castout(_) | Issuer::Bif, ..) => (),
        }
        self.count_moved(&request);
        self.complete(id);
        Ok(())
    }

    fn count_moved(&mut self, request: &Request) {
        if let Issuer::Mfc(spe, _) = request.issuer {
            let counters = &mut self.counters.spes[spe.0 as usize];
            let (lines, bytes) = match request.kind {
                RequestKind::Write => (&mut counters.put_lines, &mut counters.put_bytes),
                _ => (&mut counters.get_lines, &mut counters.get_bytes),
            };
            *lines += 1;
            *bytes += u64::from(request.bytes);
        }
    }

    fn copy_local(&mut self, from: SpeId, source: u64, to: SpeId, target: u64, n: usize) {
        let (from, to) = (from.0 as usize, to.0 as usize);
        match self.spes.get_disjoint_mut([from, to]) {
            Ok([from, to]) => store::copy(&from.local_store, source, &mut to.local_store, target, n),
            // An SPE may well name its own local store.
            Err(_) => {
                let bytes = self.spes[from].local_store.bytes(source, n);
                self.spes[to].local_store.write(target, &bytes);
            }
        }
    }

    /// A request has done its work.
    pub(super) fn complete(&mut self, id: RequestId) {
        let request = *self.requests.get(id);
        self.remove_request(id);
        self.traced(|trace, now| trace.request_done(id, now));
        self.leave_link(&request);
        match request.issuer {
            Issuer::Mfc(spe, id) => self.return_to_mfc(request, spe, id),
            Issuer::Atomic(spe) => self.atomic_completed(spe),
            Issuer::Ppe => self.ppe_request_done(&request),
            Issuer::Castout(_) | Issuer::Bif => (),
        }
    }

    fn return_to_mfc(&mut self, request: Request, spe: SpeId, id: EntryId) {
        if let (RequestKind::Claim, Target::Memory(address)) = (request.kind, request.target) {
            // sdcrz: the line is claimed and becomes zero.
            self.memory.write(address, &[0; LINE_BYTES as usize][..usize::from(request.bytes)]);
        }
        let now = self.now();
        let is_read = request.kind == RequestKind::Read;
        let unit = &mut self.spes[spe.0 as usize];
        let was_full = unit.mfc.is_full(is_read, &self.machine.mfc);
        unit.queues.outstanding.leave(now);
        match unit.mfc.returned(id) {
            Returned::Pending => (),
            Returned::Ended => self.command_ended(spe, id),
            Returned::Stalled(tag) => self.list_stalled(spe, tag),
        }
        if was_full {
            self.wake_dmac(spe);
        }
    }

    pub(super) fn command_ended(&mut self, spe: SpeId, id: EntryId) {
        let at = self.now() + self.machine.mfc.completion_bus_cycles;
        self.calendar.push(at, Event::CommandDone(spe, id));
    }

    /// A command leaves its queue.
    pub(super) fn end_command(&mut self, spe: SpeId, id: EntryId) {
        let now = self.now();
        let unit = self.spe(spe);
        unit.queues.of(id.proxy).leave(now);
        let ended = unit.mfc.queue_mut(id.proxy).remove(id.index);
        self.traced(|trace, now| trace.command_done(spe, Some(id), now));
        if let Some(entry) = &ended {
            self.note_latency(spe, entry);
        }
        if ended.is_some_and(|entry| entry.decoded.start) {
            self.start_program(spe, 0);
        }
        self.wake_dmac(spe);
        if !id.proxy {
            self.unblock(spe, Channel::MFC_CMD);
            self.raise(spe, event::QUEUE_VACANCY);
            self.update_tag_status(spe);
        }
    }

    fn list_stalled(&mut self, spe: SpeId, tag: u32) {
        self.spe(spe).channels.list_stall |= 1 << tag;
        self.unblock(spe, Channel::RD_LIST_STALL_STAT);
        self.raise(spe, event::LIST_STALL);
    }
}
