//! The PPE's accesses to main memory: from a program's question to the caches, and from there to the bus.

use super::ppe::big_endian;
use super::{Event, System, Unit};
use crate::door::{Access, PpeOp, Walk};
use crate::ea::{self, Target};
use crate::error::RunError;
use crate::ppe::Happening;
use crate::processor::State;
use crate::request::{Issuer, Request, RequestKind};
use crate::units::{BusCycle, LINE_BYTES, NEVER, SpuCycles};

/// How far the PPE may run ahead of the bus clock while nothing else can happen: so far that it costs
/// little to come back, and not so far that nobody could interrupt it.
const RUN_AHEAD_BUS_CYCLES: BusCycle = 1 << 14;

impl System<'_> {
    /// Begins a question that goes through the caches; false if it is another one.
    pub(super) fn begin_walk(&mut self, thread: usize, op: PpeOp) -> Result<bool, RunError> {
        let walk = match op {
            PpeOp::Walk(walk) if walk.count == 0 => return Ok(false),
            PpeOp::Walk(walk) => self.checked(walk)?,
            PpeOp::Load { ea, bytes } => match self.decode_for_ppe(ea, bytes)? {
                Target::Memory(from) => single(Access::Load { from }, bytes),
                _ => return Ok(false),
            },
            PpeOp::Store { ea, bytes, value } => match self.decode_for_ppe(ea, bytes)? {
                Target::Memory(to) => single(Access::Store { to, value }, bytes),
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let core = &mut self.ppe.threads[thread].core;
        core.state = State::Blocked(op);
        self.ppe.memory.begin(thread, walk, core.time);
        Ok(true)
    }

    /// The walk, if there can be one, with addresses of main memory.
    fn checked(&self, walk: Walk) -> Result<Walk, RunError> {
        let (bytes, stride) = (u64::from(walk.bytes), u64::from(walk.stride_bytes));
        let broken = |rule| self.ppe_broken("walk", rule);
        if !matches!(bytes, 1 | 2 | 4 | 8 | 16) || !stride.is_multiple_of(bytes) {
            let rule = "an element is of 1, 2, 4, 8 or 16 bytes, and the distance a multiple of that";
            return Err(broken(format!("{bytes} bytes every {stride}: {rule}")));
        }
        let length = (walk.count - 1).checked_mul(stride).and_then(|offset| offset.checked_add(bytes));
        let fits = length.filter(|length| *length <= self.machine.chip.main_memory_bytes);
        let place = |ea: u64| match fits.and_then(|length| ea::decode(&self.machine, ea, length)) {
            _ if !ea.is_multiple_of(bytes) => {
                Err(broken(format!("{bytes} bytes at {ea:#x}: elements are aligned to their size")))
            }
            Some(Target::Memory(address)) => Ok(address),
            _ => Err(broken(format!("{} elements from {ea:#x} on do not lie in main memory", walk.count))),
        };
        let access = match walk.access {
            Access::Load { from } => Access::Load { from: place(from)? },
            Access::Store { to, value } => Access::Store { to: place(to)?, value },
            Access::Copy { from, to } => Access::Copy { from: place(from)?, to: place(to)? },
        };
        Ok(Walk { access, ..walk })
    }

    /// Lets the caches go on; whether a program may go on now.
    pub(super) fn run_ppe_memory(&mut self) -> bool {
        loop {
            let ahead = self.now() + RUN_AHEAD_BUS_CYCLES;
            let limit = self.calendar.next_at().unwrap_or(NEVER).min(ahead) * self.ratio;
            match self.ppe.memory.advance(limit, &mut self.counters.ppe) {
                Happening::Send(kind, line, at) => self.send_line(kind, line, at),
                Happening::Stored(walk, first, last) => self.store_elements(&walk, first, last),
                Happening::Ended(thread, at) => {
                    self.end_walk(thread, at);
                    return true;
                }
                Happening::Nothing(at) => {
                    if at != NEVER {
                        self.wake(Unit::Ppe, at / self.ratio + 1);
                    }
                    return false;
                }
            }
        }
    }

    fn end_walk(&mut self, thread: usize, at: SpuCycles) {
        let State::Blocked(op) = self.ppe.threads[thread].core.state else { return };
        let values = &self.machine.ppe_memory;
        let (answer, waits) = match op {
            PpeOp::Load { ea, bytes } => {
                let address = match ea::decode(&self.machine, ea, u64::from(bytes)) {
                    Some(Target::Memory(address)) => address,
                    _ => return,
                };
                let value = big_endian(&self.memory.bytes(address, usize::from(bytes)));
                (value, values.load_use_spu_cycles.saturating_sub(values.access_spu_cycles))
            }
            _ => (0, 0),
        };
        let core = &mut self.ppe.threads[thread].core;
        core.time = at + waits;
        core.state = State::Ready(answer);
    }

    /// Elements of one line change, and nobody else has the line from here on.
    fn store_elements(&mut self, walk: &Walk, first: u64, last: u64) {
        let (bytes, stride) = (u64::from(walk.bytes), u64::from(walk.stride_bytes));
        // Neighbours move together.
        let (pieces, length) = if stride == bytes { (1, (last - first) * bytes) } else { (last - first, bytes) };
        let mut piece = [0; LINE_BYTES as usize];
        for offset in (0..pieces).map(|nth| (first + nth) * stride) {
            let piece = &mut piece[..length as usize];
            let to = match walk.access {
                Access::Copy { from, to } => {
                    self.memory.read(from + offset, piece);
                    to
                }
                Access::Store { to, value } => {
                    let word = value.to_be_bytes();
                    let element = &word[8 - walk.bytes.min(8) as usize..];
                    piece.iter_mut().zip(element.iter().cycle()).for_each(|(to, from)| *to = *from);
                    to
                }
                Access::Load { .. } => return,
            };
            self.memory.write(to + offset, piece);
            self.take_line((to + offset) / LINE_BYTES, None);
        }
    }

    fn send_line(&mut self, kind: RequestKind, line: u64, at: SpuCycles) {
        let target = Target::Memory(line * LINE_BYTES);
        let (ramp, bytes) = (self.ppe_ramp, LINE_BYTES as u8);
        let request = Request { kind, issuer: Issuer::Ppe, ramp, bytes, lsa: 0, target, value: 0 };
        let request = self.requests.add(request);
        self.calendar.push((at / self.ratio + 1).max(self.now()), Event::Resend(request));
    }

    /// The command of the L2 about a line is ordered.
    pub(super) fn ppe_line_ordered(&mut self, line: u64) {
        let shared = self.spes.iter().any(|spe| spe.atomic.state(line).is_some());
        self.ppe.memory.ordered(line, shared);
    }

    /// A line has come for the L2, or a claim has been granted.
    pub(super) fn ppe_line_arrived(&mut self, line: u64) {
        let now = self.now();
        self.ppe.memory.arrived(line, now * self.ratio);
        self.wake(Unit::Ppe, now + 1);
    }
}

fn single(access: Access, bytes: u8) -> Walk {
    Walk { access, bytes, stride_bytes: u32::from(bytes), count: 1 }
}
