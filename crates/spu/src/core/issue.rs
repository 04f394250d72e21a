//! Issues an instruction to the pipelines, and reports the issue to the probe.

use crate::pipeline::Pipeline;
use crate::predecode::Slot;
use crate::profile::{Cause, Issuing, Probe};
use crate::timing::Timing;

/// Issues one instruction. Returns the cycle in which the instruction issues.
#[inline(always)]
pub fn issue<P: Probe>(slot: &Slot, pc: u32, pipeline: &mut Pipeline, probe: &mut P) -> u64 {
    let (from, waits_for) = (pipeline.next(), waits_for::<P>(pipeline, &slot.timing));
    let now = pipeline.issue(&slot.timing);
    if P::ON {
        let class = slot.instruction.opcode.class();
        probe.issued(pc, from, now, waits_for, Issuing { class, writes: slot.timing.writes });
        probe.lost(pc, Cause::Double, now + 1, pipeline.next());
    }
    now
}

/// The operand register that will be the last to become ready; `None` if no operand delays the instruction, or if the
/// probe is off.
fn waits_for<P: Probe>(pipeline: &Pipeline, timing: &Timing) -> Option<u8> {
    if !P::ON {
        return None;
    }
    let latest = timing.reads.into_iter().max_by_key(|register| pipeline.ready(*register))?;
    (pipeline.ready(latest) > pipeline.next()).then_some(latest)
}

/// The index of the word at `address` within its line. `line_bytes` is a power of two.
pub fn index(address: u32, line_bytes: u32) -> usize {
    ((address & (line_bytes - 1)) / 4) as usize
}
