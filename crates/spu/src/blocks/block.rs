//! A block: straight-line code, and the branch that ends it, if one does.

use crate::execute::{Effect, State, control, hinted};
use crate::pipeline::Pipeline;
use crate::pipeline::hint::Expected;
use crate::predecode::{Code, Slot};
use crate::registers::Registers;
use crate::table::Opcode;
use crate::timing::Kind;
use cell::machine::SpuPipeline;
use cell::store::LocalStore;

/// The outcome of a branch that is not taken: no address.
pub const NOT_TAKEN: u32 = u32::MAX;

/// Instructions of a block at most: a turn has to be longer than a block.
const LENGTH: usize = 64;

/// Straight-line code.
pub struct Block {
    /// The address of the first instruction.
    pub entry: u32,
    /// The instructions that are always followed by the next.
    pub body: Box<[Slot]>,
    /// The branch behind them; if there is none, the block ends where other code goes on.
    branch: Option<Slot>,
    local_store_bytes: u32,
}

impl Block {
    /// The block that begins at `entry`.
    pub fn new(entry: u32, code: &mut Code, ls: &mut LocalStore, costs: &SpuPipeline) -> Block {
        // The last word is left out: behind it, addresses go on at 0.
        let local_store_bytes = ls.size_bytes() as u32;
        let (mut body, mut branch, mut address) = (Vec::new(), None, entry);
        while address < local_store_bytes - 4 && body.len() < LENGTH {
            let slot = code.in_block(address, ls, costs);
            match slot.kind {
                Kind::Branch if only_branches(&slot) => branch = Some(slot),
                Kind::Plain | Kind::Load | Kind::Store => body.push(slot),
                Kind::Hint if slot.instruction.opcode != Opcode::Hbr => body.push(slot),
                _ => {}
            }
            address += 4;
            if entry + 4 * body.len() as u32 != address {
                break;
            }
        }
        Block { entry, body: body.into(), branch, local_store_bytes }
    }

    /// How many instructions it has.
    #[inline(always)]
    pub fn instructions(&self) -> usize {
        self.body.len() + usize::from(self.branch.is_some())
    }

    /// Where it leads once its body is executed: where its branch goes if that is taken.
    #[inline(always)]
    pub fn outcome(&self, state: &mut State) -> u32 {
        let Some(slot) = &self.branch else { return NOT_TAKEN };
        match control(&slot.instruction, self.end(), state) {
            Effect::Branch { target, .. } => target,
            _ => NOT_TAKEN,
        }
    }

    /// Issues the first instructions of the body on the plain pipeline; the cycle of the last.
    pub fn issue(&self, instructions: usize, pipeline: &mut Pipeline) -> u64 {
        let mut now = pipeline.next();
        for (slot, pc) in self.body[..instructions].iter().zip((self.entry..).step_by(4)) {
            pipeline.enter(pc);
            now = pipeline.issue(&slot.timing);
            match slot.kind {
                Kind::Load | Kind::Store => pipeline.port_taken(now),
                Kind::Hint => pipeline.hint(pc, self.hinted(slot, pc), now),
                _ => {}
            }
        }
        now
    }

    /// Issues all of it on the plain pipeline; the cycle in which, if not before, a turn may end behind it without
    /// that making a difference.  Behind a branch the plain pipeline looks at the time; elsewhere it does not, and must
    /// have some left.
    pub fn end_spu_cycle(&self, pipeline: &mut Pipeline) -> u64 {
        self.issue(self.body.len(), pipeline);
        1 + self.issue_branch(pipeline).map_or(pipeline.next(), |(now, _)| now)
    }

    /// Issues all of it on the plain pipeline and goes where it leads; the address there.
    pub fn issue_and_leave(&self, outcome: u32, pipeline: &mut Pipeline) -> u32 {
        self.issue(self.body.len(), pipeline);
        let target = (outcome != NOT_TAKEN).then_some(outcome);
        match self.issue_branch(pipeline) {
            Some((now, expected)) => {
                pipeline.branched(self.end(), now, target, expected);
                target.unwrap_or(self.end() + 4)
            }
            None => self.end(),
        }
    }

    fn issue_branch(&self, pipeline: &mut Pipeline) -> Option<(u64, Option<Expected>)> {
        let slot = self.branch.as_ref()?;
        pipeline.enter(self.end());
        let expected = pipeline.expect(self.end());
        Some((pipeline.issue(&slot.timing), expected))
    }

    /// Where a hint's branch is and where that goes; no hint in a block reads a register.
    fn hinted(&self, slot: &Slot, pc: u32) -> Option<(u32, u32)> {
        hinted(&slot.instruction, pc, &Registers::default(), self.local_store_bytes)
    }

    /// The address behind the body.
    fn end(&self) -> u32 {
        self.entry + 4 * self.body.len() as u32
    }
}

/// Whether a branch does nothing else than to branch: interrupts are the processor's business.
fn only_branches(slot: &Slot) -> bool {
    let features = slot.instruction.features();
    let touches_interrupts = features.enable_interrupts || features.disable_interrupts;
    !touches_interrupts && !matches!(slot.instruction.opcode, Opcode::Bisled | Opcode::Iret)
}
