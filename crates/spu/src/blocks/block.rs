//! A block is straight-line code, which may end with a branch or a hint.

use crate::execute::{Effect, State, control, hinted};
use crate::instruction::Instruction;
use crate::pipeline::Pipeline;
use crate::predecode::{Code, Slot};
use crate::table::Opcode;
use crate::timing::Kind;
use cell::machine::SpuPipeline;
use cell::store::LocalStore;

/// The value that represents the outcome of an untaken branch or of a hint without effect. No address has this value.
const NOT_TAKEN: u32 = u32::MAX;

/// The maximum number of instructions in a block. A block must be shorter than a turn.
const LENGTH: usize = 64;

/// The minimum number of instructions in a block that ends without a branch or hint.
const LENGTH_ALONE: usize = 16;

/// Straight-line code, and the branch or hint at its end.
pub struct Block {
    /// The address of the first instruction.
    pub entry: u32,
    /// The straight-line instructions, split after each store, because a store may change code.
    body: Box<[Stretch]>,
    /// The number of instructions in the body.
    pub length: usize,
    /// The branch or hint after the body; `None` if the block ends without a branch or hint.
    end: Option<Slot>,
    /// The input on which the outcome of the block depends.
    decision: Decision,
    fetch_line_bytes: u32,
    local_store_bytes: u32,
}

/// The input on which the outcome of a block depends.
#[derive(Clone, Copy)]
enum Decision {
    /// The block has no branch or hint.
    Nothing,
    /// A branch whose condition is the preferred slot of a register. The branch to `target` is taken if `(slot & mask
    /// == 0) == if_zero`.
    Bits { register: u8, mask: u32, if_zero: bool, target: u32 },
    /// Any other branch. The branch takes its target from a register, or stores a return address.
    Branch,
    /// A hint, whose target may be in a register.
    Hint,
}

/// The part of a block's body that a turn executes before the turn's limit.
pub struct Progress {
    /// The number of instructions that issue.
    pub instructions: usize,
    /// The SPU cycle in which the plain pipeline last checks whether the turn is over.
    pub last_check: u64,
    /// Whether the turn ends because a load or store would issue after the limit. Otherwise, the turn ends before a new
    /// code line.
    pub is_late: bool,
}

/// A part of a body: instructions up to and including the next store, or up to the end of the body.
type Stretch = Box<[Slot]>;

impl Block {
    /// The block that begins at `entry`.
    pub fn new(entry: u32, code: &mut Code, ls: &mut LocalStore, costs: &SpuPipeline) -> Block {
        // The last word of the local store is never in a block, because the address after it is 0.
        let local_store_bytes = ls.size_bytes() as u32;
        let (mut body, mut end, mut address) = (Vec::new(), None, entry);
        while address < local_store_bytes - 4
            && body.len() < LENGTH
            && let Some(slot) = code.in_block(entry, address, ls, costs)
        {
            if !matches!(slot.kind, Kind::Plain | Kind::Load | Kind::Store) {
                end = Some(slot).filter(|slot| slot.kind == Kind::Hint || only_branches(slot));
                break;
            }
            body.push(slot);
            address += 4;
        }
        let stretches = body.split_inclusive(|slot| slot.kind == Kind::Store).map(Stretch::from);
        Block {
            entry,
            body: stretches.collect(),
            length: body.len(),
            end,
            decision: end.map_or(Decision::Nothing, |slot| decision(&slot.instruction, local_store_bytes)),
            fetch_line_bytes: costs.fetch_line_bytes,
            local_store_bytes,
        }
    }

    /// Whether running the block saves more host time than it costs to leave and re-enter the plain pipeline.
    pub fn is_worthwhile(&self) -> bool {
        self.end.is_some() || self.length >= LENGTH_ALONE
    }

    /// Executes the first `instructions` instructions of the body. If an instruction changes code, execution stops
    /// after that instruction, and the function returns the number of instructions executed.
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

    /// The outcome of the block, once its body has executed. The outcome is the target of a taken branch, the target
    /// specified by a hint, or otherwise `NOT_TAKEN`.
    #[inline(always)]
    pub fn outcome(&self, state: &mut State) -> u32 {
        match (self.decision, &self.end) {
            (Decision::Bits { register, mask, if_zero, target }, _) => {
                let is_zero = state.registers.get(register).preferred() & mask == 0;
                if is_zero == if_zero { target } else { NOT_TAKEN }
            }
            (Decision::Branch, Some(slot)) => match control(&slot.instruction, self.end_address(), state) {
                Effect::Branch { target, .. } => target,
                _ => NOT_TAKEN,
            },
            (Decision::Hint, Some(slot)) => {
                let address = self.end_address();
                let hinted = hinted(&slot.instruction, address, state.registers, self.local_store_bytes);
                hinted.map_or(NOT_TAKEN, |(_, target)| target)
            }
            _ => NOT_TAKEN,
        }
    }

    /// Issues the first `instructions` instructions of the body on the plain pipeline, or fewer if the turn ends at
    /// `limit` before that.
    pub fn issue(&self, instructions: usize, limit: u64, pipeline: &mut Pipeline) -> Progress {
        let mut last_check = pipeline.next();
        for (number, slot) in self.slots().enumerate().take(instructions) {
            let pc = self.entry + 4 * number as u32;
            if self.begins_line(pc) {
                last_check = pipeline.next();
                if last_check >= limit {
                    return Progress { instructions: number, last_check, is_late: false };
                }
            }
            pipeline.enter(pc);
            let uses_local_store = matches!(slot.kind, Kind::Load | Kind::Store);
            if uses_local_store {
                last_check = pipeline.issues_behind_line_at(&slot.timing);
                if last_check >= limit {
                    return Progress { instructions: number, last_check, is_late: true };
                }
            }
            let now = pipeline.issue(&slot.timing);
            if uses_local_store {
                pipeline.port_taken(now);
            }
        }
        Progress { instructions, last_check, is_late: false }
    }

    /// The SPU cycle after the block's last check for the end of the turn.
    pub fn end_spu_cycle(&self, pipeline: &mut Pipeline) -> u64 {
        let last_check = self.issue(self.length, u64::MAX, pipeline).last_check;
        // The instruction after a block without a branch or hint does not always check the time.
        let looks_last = self.end.is_none() || self.begins_line(self.end_address());
        if looks_last { pipeline.next() + 1 } else { last_check + 1 }
    }

    /// The part of the block that is executed by a turn that ends at `limit`; `None` if the turn does not end within
    /// the block.
    pub fn issue_until(&self, limit: u64, pipeline: &mut Pipeline) -> Option<Progress> {
        let progress = self.issue(self.length, limit, pipeline);
        let ends_behind = self.end.is_some() && self.begins_line(self.end_address()) && pipeline.next() >= limit;
        (progress.instructions < self.length || ends_behind).then_some(progress)
    }

    /// Issues all instructions of the block on the plain pipeline, with the given outcome. Returns the address of the
    /// next instruction.
    pub fn issue_and_leave(&self, outcome: u32, pipeline: &mut Pipeline) -> u32 {
        self.issue(self.length, u64::MAX, pipeline);
        let address = self.end_address();
        let target = (outcome != NOT_TAKEN).then_some(outcome);
        let Some(slot) = &self.end else { return address };
        pipeline.enter(address);
        if slot.kind == Kind::Hint {
            let now = pipeline.issue(&slot.timing);
            let branch = slot.instruction.hinted_branch(address) & (self.local_store_bytes - 1);
            pipeline.hint(address, target.map(|target| (branch, target)), now);
            return address + 4;
        }
        let prediction = pipeline.predict(address);
        let now = pipeline.issue(&slot.timing);
        pipeline.branched(address, now, target, prediction);
        target.unwrap_or(address + 4)
    }

    /// Whether a new code line begins at `address` within the block. The plain pipeline checks the time before each new
    /// line.
    fn begins_line(&self, address: u32) -> bool {
        address.is_multiple_of(self.fetch_line_bytes) && address != self.entry
    }

    /// The instructions of the body.
    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.body.iter().flat_map(|stretch| stretch.iter())
    }

    /// The address of the first word after the body.
    fn end_address(&self) -> u32 {
        self.entry + 4 * self.length as u32
    }
}

/// Whether the instruction is a branch without side effects. Branches that enable or disable interrupts, or that depend
/// on events, are executed outside blocks.
fn only_branches(slot: &Slot) -> bool {
    let features = slot.instruction.features();
    let touches_interrupts = features.enable_interrupts || features.disable_interrupts;
    let is_other = matches!(slot.instruction.opcode, Opcode::Bisled | Opcode::Iret);
    slot.kind == Kind::Branch && !touches_interrupts && !is_other
}

fn decision(end: &Instruction, local_store_bytes: u32) -> Decision {
    let (mask, if_zero) = match end.opcode {
        Opcode::Br | Opcode::Bra => (0, true),
        Opcode::Brz => (u32::MAX, true),
        Opcode::Brnz => (u32::MAX, false),
        Opcode::Brhz => (0xffff, true),
        Opcode::Brhnz => (0xffff, false),
        Opcode::Hbr | Opcode::Hbra | Opcode::Hbrr => return Decision::Hint,
        _ => return Decision::Branch,
    };
    let target = end.immediate as u32 & (local_store_bytes - 1) & !3;
    Decision::Bits { register: end.rt, mask, if_zero, target }
}
