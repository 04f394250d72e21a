//! A model of the pipelines that follows the rules cycle by cycle, without any precomputed table.
//!
//! Instructions are passed to the model in the order of execution. For each instruction, the model advances cycle by
//! cycle until the instruction may issue. Instruction fetches are not modelled.

use cell::machine::{Machine, SpuPipeline};
use spu::{Class, Instruction, Opcode, Pipe, decode};
use std::collections::BTreeMap;

/// The active hint.
struct Hint {
    branch: u32,
    target: u32,
    /// The number of instructions that have issued since the hint.
    behind: u64,
    issued: u64,
}

pub struct PlainPipeline {
    costs: SpuPipeline,
    channel_read_spu_cycles: u64,
    /// The current cycle, and the instructions that have issued in this cycle.
    now: u64,
    issued: Vec<(u32, Instruction)>,
    /// The first cycle in which an instruction may issue.
    blocked_until: u64,
    ready: BTreeMap<u8, u64>,
    hint: Option<Hint>,
}

impl PlainPipeline {
    pub fn new(machine: &Machine) -> PlainPipeline {
        PlainPipeline {
            costs: machine.spu_pipeline.clone(),
            channel_read_spu_cycles: machine.spu.channel_read_spu_cycles,
            now: 0,
            issued: Vec::new(),
            blocked_until: 0,
            ready: BTreeMap::new(),
            hint: None,
        }
    }

    /// Issues the instruction at `address` as early as the rules allow. `next` is the address of the instruction that
    /// is executed next.
    pub fn issue(&mut self, code: &[u32], address: u32, next: Option<u32>) -> u64 {
        let instruction = decode(code[address as usize / 4]).expect("it was executed");
        let hint = self.hint_for(&instruction, address);
        while !self.may_issue(&instruction, address, hint) {
            self.now += 1;
            self.issued.clear();
        }
        self.issued.push((address, instruction));
        if let Some(register) = instruction.writes() {
            self.ready.insert(register, self.now + self.latency(&instruction));
        }
        if let Some(hint) = &mut self.hint {
            hint.behind += 1;
        }
        let follows = next.is_none_or(|next| next == address + 4);
        match instruction.opcode.class() {
            Class::Double => self.blocked_until = self.now + 1 + self.costs.double_stall_spu_cycles,
            Class::Branch => {
                let goes_to = next.unwrap_or(address + 4);
                let foreseen = hint.map_or(follows, |(target, _)| goes_to == target);
                let lost = if foreseen { 0 } else { self.costs.branch_miss_spu_cycles };
                self.blocked_until = self.now + 1 + lost;
            }
            Class::Hint => {
                let branch = address.wrapping_add_signed(4 * i32::from(instruction.branch_offset_words));
                let target = address.wrapping_add_signed(instruction.immediate);
                self.hint = Some(Hint { branch, target, behind: 0, issued: self.now });
            }
            Class::Channel => self.blocked_until = self.now + self.channel_read_spu_cycles,
            _ => {}
        }
        self.now
    }

    /// The hinted target of a branch and the earliest cycle in which the branch may issue. Returns `None` if no hint is
    /// far enough ahead of the branch.
    fn hint_for(&self, instruction: &Instruction, address: u32) -> Option<(u32, u64)> {
        let hint = self.hint.as_ref().filter(|hint| hint.branch == address && instruction.is_branch())?;
        let far = hint.behind >= u64::from(self.costs.hint_distance_instructions);
        far.then_some((hint.target, hint.issued + 1 + self.costs.hint_spu_cycles))
    }

    fn may_issue(&self, instruction: &Instruction, address: u32, hint: Option<(u32, u64)>) -> bool {
        let drains = instruction.opcode.class() == Class::Control;
        let is_ready = |register: u8| self.ready.get(&register).is_none_or(|ready| *ready <= self.now);
        self.now >= self.blocked_until
            && hint.is_none_or(|(_, ready)| self.now >= ready)
            && instruction.reads().all(is_ready)
            && (!drains || (0..128).all(is_ready))
            && self.has_room(instruction, address)
    }

    /// Whether `second` may issue in the current cycle: so far, either no instruction has issued in the cycle, or only
    /// the first instruction of the same aligned pair.
    fn has_room(&self, second: &Instruction, address: u32) -> bool {
        match self.issued[..] {
            [] => true,
            [(at, first)] => {
                let aligned = at % 8 == 0 && address == at + 4;
                let pipes = (first.opcode.class().pipe(), second.opcode.class().pipe());
                let same_result = first.writes().is_some() && first.writes() == second.writes();
                aligned && pipes == (Pipe::Even, Pipe::Odd) && !same_result
            }
            _ => false,
        }
    }

    fn latency(&self, instruction: &Instruction) -> u64 {
        match (instruction.opcode, instruction.opcode.class()) {
            (Opcode::Rdch, _) => self.channel_read_spu_cycles,
            (_, Class::SimpleFixed) => self.costs.simple_fixed_spu_cycles,
            (_, Class::Byte) => self.costs.byte_spu_cycles,
            (_, Class::Shift) => self.costs.word_shift_spu_cycles,
            (_, Class::Shuffle) => self.costs.shuffle_spu_cycles,
            (_, Class::LoadStore) => self.costs.load_spu_cycles,
            (_, Class::Single) => self.costs.single_spu_cycles,
            (_, Class::IntegerMultiply) => self.costs.integer_multiply_spu_cycles,
            (_, Class::Double) => self.costs.double_spu_cycles,
            (_, class) => panic!("{class:?} has no result here"),
        }
    }
}
