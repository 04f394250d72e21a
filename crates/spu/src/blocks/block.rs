//! A block: straight-line code, and the branch that ends it, if one does.

use crate::execute::{Effect, State, control, hinted};
use crate::instruction::Instruction;
use crate::pipeline::Pipeline;
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

/// Instructions at least of a block without a branch.
const LENGTH_ALONE: usize = 16;

/// Straight-line code.
pub struct Block {
    /// The address of the first instruction.
    pub entry: u32,
    /// The instructions that are always followed by the next, cut behind each store, which may change code.
    body: Box<[Stretch]>,
    /// How many these are.
    pub length: usize,
    /// The branch behind them; if there is none, the block ends where other code goes on.
    branch: Option<Slot>,
    /// On what it depends where it leads.
    decision: Decision,
    fetch_line_bytes: u32,
    local_store_bytes: u32,
}

/// On what it depends whether a branch is taken.
#[derive(Clone, Copy)]
enum Decision {
    /// It never is; or there is none.
    Never,
    /// It is taken to `target` if the bits of `mask` are all zero in the register's preferred slot, or if they are not.
    Bits { register: u8, mask: u32, if_zero: bool, target: u32 },
    /// It goes where a register says, or leaves a link.
    Other,
}

/// How far a turn gets in the body of a block.
pub struct Progress {
    /// Instructions that issue.
    pub instructions: usize,
    /// The last SPU cycle in which the plain pipeline looks whether the turn is over.
    pub looked_at: u64,
    /// Whether a load or store comes too late; else it ends before it gets there.
    pub is_late: bool,
}

/// Instructions up to a store, or up to the end of a body.
type Stretch = Box<[Slot]>;

impl Block {
    /// The block that begins at `entry`.
    pub fn new(entry: u32, code: &mut Code, ls: &mut LocalStore, costs: &SpuPipeline) -> Block {
        // The last word is left out: behind it, addresses go on at 0.
        let local_store_bytes = ls.size_bytes() as u32;
        let (mut body, mut branch, mut address) = (Vec::new(), None, entry);
        while address < local_store_bytes - 4
            && body.len() < LENGTH
            && let Some(slot) = code.in_block(entry, address, ls, costs)
        {
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
        let length = body.len();
        let stretches = body.split_inclusive(|slot| slot.kind == Kind::Store).map(Stretch::from);
        let decision = branch.map_or(Decision::Never, |slot| decision(&slot.instruction, local_store_bytes));
        let fetch_line_bytes = costs.fetch_line_bytes;
        let body = stretches.collect();
        Block { entry, body, length, branch, decision, fetch_line_bytes, local_store_bytes }
    }

    /// Whether it saves more than it takes to come to it from the plain pipeline and back, where it leads nowhere.
    pub fn is_worth_it(&self) -> bool {
        self.branch.is_some() || self.length >= LENGTH_ALONE
    }

    /// Executes the first instructions of the body.  If one of them changes code, it is the last; then the answer is how
    /// many there were.
    #[inline(always)]
    pub fn execute(&self, instructions: usize, state: &mut State) -> Option<usize> {
        let mut left = instructions;
        for stretch in &self.body {
            let slots = &stretch[..left.min(stretch.len())];
            for slot in slots {
                (slot.computation)(&slot.instruction, state);
            }
            left -= slots.len();
            if state.ls.watched_was_written() {
                return Some(instructions - left);
            }
            if left == 0 {
                break;
            }
        }
        None
    }

    /// Where it leads once its body is executed: where its branch goes if that is taken.
    #[inline(always)]
    pub fn outcome(&self, state: &mut State) -> u32 {
        match (self.decision, &self.branch) {
            (Decision::Bits { register, mask, if_zero, target }, _) => {
                let is_zero = state.registers.get(register).preferred() & mask == 0;
                if is_zero == if_zero { target } else { NOT_TAKEN }
            }
            (Decision::Other, Some(slot)) => match control(&slot.instruction, self.end(), state) {
                Effect::Branch { target, .. } => target,
                _ => NOT_TAKEN,
            },
            _ => NOT_TAKEN,
        }
    }

    /// Issues the first instructions of the body on the plain pipeline, as far as a turn gets that ends at `limit`.
    pub fn issue(&self, instructions: usize, limit: u64, pipeline: &mut Pipeline) -> Progress {
        let mut looked_at = pipeline.next();
        let mut behind_hint = false;
        for (number, slot) in self.slots().enumerate().take(instructions) {
            let pc = self.entry + 4 * number as u32;
            if behind_hint || pc.is_multiple_of(self.fetch_line_bytes) {
                looked_at = pipeline.next();
                if looked_at >= limit {
                    return Progress { instructions: number, looked_at, is_late: false };
                }
            }
            pipeline.enter(pc);
            let uses_local_store = matches!(slot.kind, Kind::Load | Kind::Store);
            if uses_local_store {
                looked_at = pipeline.issues_behind_line_at(&slot.timing);
                if looked_at >= limit {
                    return Progress { instructions: number, looked_at, is_late: true };
                }
            }
            let now = pipeline.issue(&slot.timing);
            if uses_local_store {
                pipeline.port_taken(now);
            }
            behind_hint = slot.kind == Kind::Hint;
            if behind_hint {
                pipeline.hint(pc, self.hinted(slot, pc), now);
            }
        }
        Progress { instructions, looked_at, is_late: false }
    }

    /// The SPU cycle behind the last one in which a turn may end within the block.
    pub fn end_spu_cycle(&self, pipeline: &mut Pipeline) -> u64 {
        let looked_at = self.issue(self.length, u64::MAX, pipeline).looked_at;
        match self.branch {
            Some(_) if self.looks_before_branch() => pipeline.next() + 1,
            Some(_) => looked_at + 1,
            // What comes next may not look at the time.
            None => pipeline.next() + 1,
        }
    }

    /// As far as a turn gets that ends at `limit`; `None` if it does not end within the block.
    pub fn issue_until(&self, limit: u64, pipeline: &mut Pipeline) -> Option<Progress> {
        let progress = self.issue(self.length, limit, pipeline);
        if progress.instructions < self.length {
            return Some(progress);
        }
        let ends = self.branch.is_some() && self.looks_before_branch() && pipeline.next() >= limit;
        ends.then_some(Progress { is_late: false, ..progress })
    }

    /// Whether the turn may end between body and branch: in front of a line, and behind a hint.
    fn looks_before_branch(&self) -> bool {
        let behind_hint = self.slots().last().is_some_and(|slot| slot.kind == Kind::Hint);
        self.length > 0 && (behind_hint || self.end().is_multiple_of(self.fetch_line_bytes))
    }

    /// Issues all of it on the plain pipeline and goes where it leads; the address there.
    pub fn issue_and_leave(&self, outcome: u32, pipeline: &mut Pipeline) -> u32 {
        self.issue(self.length, u64::MAX, pipeline);
        let target = (outcome != NOT_TAKEN).then_some(outcome);
        let Some(slot) = &self.branch else { return self.end() };
        pipeline.enter(self.end());
        let expected = pipeline.expect(self.end());
        let now = pipeline.issue(&slot.timing);
        pipeline.branched(self.end(), now, target, expected);
        target.unwrap_or(self.end() + 4)
    }

    /// The instructions of the body.
    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.body.iter().flat_map(|stretch| stretch.iter())
    }

    /// Where a hint's branch is and where that goes; no hint in a block reads a register.
    fn hinted(&self, slot: &Slot, pc: u32) -> Option<(u32, u32)> {
        hinted(&slot.instruction, pc, &Registers::default(), self.local_store_bytes)
    }

    /// The address behind the body.
    fn end(&self) -> u32 {
        self.entry + 4 * self.length as u32
    }
}

/// Whether a branch does nothing else than to branch: interrupts are the processor's business.
fn only_branches(slot: &Slot) -> bool {
    let features = slot.instruction.features();
    let touches_interrupts = features.enable_interrupts || features.disable_interrupts;
    !touches_interrupts && !matches!(slot.instruction.opcode, Opcode::Bisled | Opcode::Iret)
}

fn decision(branch: &Instruction, local_store_bytes: u32) -> Decision {
    let (mask, if_zero) = match branch.opcode {
        Opcode::Br | Opcode::Bra => (0, true),
        Opcode::Brz => (u32::MAX, true),
        Opcode::Brnz => (u32::MAX, false),
        Opcode::Brhz => (0xffff, true),
        Opcode::Brhnz => (0xffff, false),
        _ => return Decision::Other,
    };
    let target = branch.immediate as u32 & (local_store_bytes - 1) & !3;
    Decision::Bits { register: branch.rt, mask, if_zero, target }
}
