//! Code in the order of its addresses, for timing without a run: instructions issue, and none is executed.

use super::issue::{index, issue};
use super::special::prepare;
use super::state::Spu;
use crate::predecode::Slot;
use crate::profile::{Cause, Probe};
use crate::table::Opcode;
use crate::timing::Kind;
use cell::store::LocalStore;
use cell::units::LINE_BYTES;

impl Spu {
    /// Issues the instructions from `pc` up to the address `end`. Returns the address of the first word that is no
    /// instruction, if there is one; the walk ends there.
    ///
    /// No branch is taken, so hints have no effect. No channel blocks, and no halt condition holds.
    pub fn walk<P: Probe>(&mut self, ls: &mut LocalStore, end: u32, probe: &mut P) -> Option<u32> {
        let end = end.min(self.local_store_bytes);
        while self.pc < end {
            let from = self.pipeline.next();
            self.pipeline.enter(self.pc);
            probe.lost(self.pc, Cause::Fetch, from, self.pipeline.next());
            let line_bytes = self.costs.fetch_line_bytes;
            let line_end = end.min((self.pc / line_bytes + 1) * line_bytes);
            while self.pc < line_end {
                let slot = self.code.line(self.pc, ls, &self.costs)[index(self.pc, LINE_BYTES as u32)];
                if slot.kind == Kind::Unknown {
                    probe.paused(ls);
                    return Some(self.pc);
                }
                self.walk_over(&slot, probe);
                if slot.kind.is_special() {
                    break;
                }
            }
        }
        probe.paused(ls);
        None
    }

    /// Issues the instruction at `pc`, and goes on to the next one.
    fn walk_over<P: Probe>(&mut self, slot: &Slot, probe: &mut P) {
        prepare(slot.kind, self.pc, &mut self.pipeline, probe);
        let now = issue(slot, self.pc, &mut self.pipeline, probe);
        match (slot.kind, slot.instruction.opcode) {
            (Kind::Load | Kind::Store, _) => self.pipeline.port_taken(now),
            (Kind::Drain, Opcode::Sync) => return self.refetch(probe),
            (Kind::Channel, opcode) => {
                let result = (opcode != Opcode::Wrch).then_some(slot.instruction.rt);
                let cycles =
                    if result.is_some() { self.channel_read_spu_cycles } else { self.channel_write_spu_cycles };
                probe.lost(self.pc, Cause::Channel, now + 1, now + cycles);
                self.pipeline.answered(now, cycles, result);
            }
            _ => (),
        }
        // At the end of the local store, the walk ends.
        self.pc += 4;
    }
}
