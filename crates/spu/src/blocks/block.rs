//! A block: straight-line code, and the branch or hint that ends it, if one does.

use crate::execute::{Effect, State, control, hinted};
use crate::instruction::Instruction;
use crate::pipeline::Pipeline;
use crate::predecode::{Code, Slot};
use crate::table::Opcode;
use crate::timing::Kind;
use cell::machine::SpuPipeline;
use cell::store::LocalStore;

/// The outcome of a branch that is not taken, and of a hint without effect: no address.
const NOT_TAKEN: u32 = u32::MAX;

/// Instructions of a block at most: a turn has to be longer than a block.
const LENGTH: usize = 64;

/// Instructions at least of a block without an end of its own.
const LENGTH_ALONE: usize = 16;

/// Straight-line code.
pub struct Block {
    /// The address of the first instruction.
    pub entry: u32,
    /// The instructions that are always followed by the next, cut behind each store, which may change code.
    body: Box<[Stretch]>,
    /// How many these are.
    pub length: usize,
    /// The branch or hint behind them; if there is none, the block ends where other code goes on.
    end: Option<Slot>,
    /// On what its outcome depends.
    decision: Decision,
    fetch_line_bytes: u32,
    local_store_bytes: u32,
}

/// On what the outcome depends.
#[derive(Clone, Copy)]
enum Decision {
    /// There is no branch or hint.
    Nothing,
    /// The branch is taken to `target` if the bits of `mask` are all zero in the register's preferred slot, or if they are not.
    Bits { register: u8, mask: u32, if_zero: bool, target: u32 },
    /// The branch goes where a register says, or leaves a link.
    Branch,
    /// The hint's target, which may lie in a register.
    Hint,
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

    /// Whether it saves more than it takes to come to it from the plain pipeline and back, where it leads nowhere.
    pub fn is_worth_it(&self) -> bool {
        self.end.is_some() || self.length >= LENGTH_ALONE
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

    /// What comes of it once its body is executed: where its branch goes if that is taken, or what its hint says.
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

    /// Issues the first instructions of the body on the plain pipeline, as far as a turn gets that ends at `limit`.
    pub fn issue(&self, instructions: usize, limit: u64, pipeline: &mut Pipeline) -> Progress {
        let mut looked_at = pipeline.next();
        for (number, slot) in self.slots().enumerate().take(instructions) {
            let pc = self.entry + 4 * number as u32;
            if self.begins_line(pc) {
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
        }
        Progress { instructions, looked_at, is_late: false }
    }

    /// The SPU cycle behind the last one in which a turn may end within the block.
    pub fn end_spu_cycle(&self, pipeline: &mut Pipeline) -> u64 {
        let looked_at = self.issue(self.length, u64::MAX, pipeline).looked_at;
        // If there is no end, what comes next may not look at the time.
        let looks_last = self.end.is_none() || self.begins_line(self.end_address());
        if looks_last { pipeline.next() + 1 } else { looked_at + 1 }
    }

    /// As far as a turn gets that ends at `limit`; `None` if it does not end within the block.
    pub fn issue_until(&self, limit: u64, pipeline: &mut Pipeline) -> Option<Progress> {
        let progress = self.issue(self.length, limit, pipeline);
        let ends_behind = self.end.is_some() && self.begins_line(self.end_address()) && pipeline.next() >= limit;
        (progress.instructions < self.length || ends_behind).then_some(progress)
    }

    /// Issues all of it on the plain pipeline, with its outcome; the address where it leads.
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
        let expected = pipeline.expect(address);
        let now = pipeline.issue(&slot.timing);
        pipeline.branched(address, now, target, expected);
        target.unwrap_or(address + 4)
    }

    /// Whether the instruction at `address` is the first of a line of code, and not of the block: the plain pipeline
    /// looks at the time in front of it.
    fn begins_line(&self, address: u32) -> bool {
        address.is_multiple_of(self.fetch_line_bytes) && address != self.entry
    }

    /// The instructions of the body.
    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.body.iter().flat_map(|stretch| stretch.iter())
    }

    /// The address behind the body.
    fn end_address(&self) -> u32 {
        self.entry + 4 * self.length as u32
    }
}

/// Whether it is a branch and does nothing else than to branch: interrupts are the processor's business.
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
