//! The static timing of instructions, which is known before the program runs.
//!
//! The latencies and stalls are parameters of the machine ([`SpuPipeline`]). The latency of each class follows the
//! table in the architecture handbook. Dynamic timing is in [`crate::pipeline`].

use crate::class::{Class, Pipe};
use crate::instruction::Instruction;
use crate::table::Opcode;
use cell::machine::SpuPipeline;

/// A register number that no instruction writes, used for missing operands.
pub const ALWAYS_READY: u8 = 128;

/// A register number that no instruction reads. This number is the target of instructions without a result.
const NO_RESULT: u8 = 129;

/// The static timing of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The source registers, which must be ready before the instruction issues. The array is padded with
    /// [`ALWAYS_READY`].
    pub reads: [u8; 3],
    /// The number of the register that receives the result; a number above 128 if there is no result.
    pub writes: u8,
    /// The number of SPU cycles from the issue until the result is ready.
    pub latency_spu_cycles: u8,
    /// The number of SPU cycles from the issue until the next instruction may issue; 0 if the next instruction may
    /// issue in the same cycle.
    pub occupancy_spu_cycles: u8,
}

impl Timing {
    /// The timing of an instruction. `partner` is the second instruction of an aligned pair if `instruction` is the
    /// first, and `None` otherwise.
    pub fn new(instruction: &Instruction, partner: Option<&Instruction>, costs: &SpuPipeline) -> Timing {
        let mut reads = [ALWAYS_READY; 3];
        for (slot, register) in reads.iter_mut().zip(instruction.reads()) {
            *slot = register;
        }
        let stall = match instruction.opcode.class() {
            Class::Double => costs.double_stall_spu_cycles,
            _ => 0,
        };
        let pairs = stall == 0 && partner.is_some_and(|second| may_pair(instruction, second));
        Timing {
            reads,
            writes: instruction.writes().unwrap_or(NO_RESULT),
            latency_spu_cycles: narrow(latency(instruction, costs)),
            occupancy_spu_cycles: if pairs { 0 } else { narrow(1 + stall) },
        }
    }
}

/// Whether `second` may issue in the same cycle as `first` if the operands of `second` are ready.
///
/// MODEL: two instructions that write the same register do not issue together. Silicon may order the two writes by
/// pipeline. No compiler emits such a pair.
pub fn may_pair(first: &Instruction, second: &Instruction) -> bool {
    let pipes = (first.opcode.class().pipe(), second.opcode.class().pipe());
    pipes == (Pipe::Even, Pipe::Odd) && (first.writes().is_none() || first.writes() != second.writes())
}

fn latency(instruction: &Instruction, costs: &SpuPipeline) -> u64 {
    match instruction.opcode.class() {
        Class::SimpleFixed => costs.simple_fixed_spu_cycles,
        Class::Byte => costs.byte_spu_cycles,
        Class::Shift => costs.word_shift_spu_cycles,
        Class::Shuffle => costs.shuffle_spu_cycles,
        Class::LoadStore => costs.load_spu_cycles,
        Class::Single => costs.single_spu_cycles,
        Class::IntegerMultiply => costs.integer_multiply_spu_cycles,
        Class::Double => costs.double_spu_cycles,
        Class::Branch => costs.branch_spu_cycles,
        Class::Channel => costs.special_register_spu_cycles,
        Class::Hint | Class::Control | Class::Nop | Class::Lnop => 1,
    }
}

/// Narrows a number of cycles to 8 bits. The limits on machine files keep every number that is passed here below 256.
fn narrow(spu_cycles: u64) -> u8 {
    u8::try_from(spu_cycles).unwrap_or(u8::MAX)
}

/// The action that the run loop takes for an instruction, in addition to executing it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No further action.
    Plain,
    /// Check that the turn has time left, and occupy the local-store port.
    Load,
    /// Take the same action as for a load, and check whether the store changed code.
    Store,
    /// Compare the branch's target with the prediction.
    Branch,
    /// Record the prediction.
    Hint,
    /// Wait until all results are ready. This kind includes `sync`, `dsync` and the stop instructions.
    Drain,
    /// End the turn, because the channel's answer comes from outside the processor.
    Channel,
    /// End the program if the halt condition holds.
    Halt,
    /// End the program, because the word does not encode an instruction.
    Unknown,
}

impl Kind {
    /// Whether the instruction ends a stretch of straight-line code.
    #[inline]
    pub fn is_special(self) -> bool {
        !matches!(self, Kind::Plain | Kind::Load | Kind::Store)
    }

    /// The kind of an instruction.
    pub fn of(instruction: &Instruction) -> Kind {
        match (instruction.opcode.class(), instruction.opcode) {
            (Class::LoadStore, _) if instruction.writes().is_none() => Kind::Store,
            (Class::LoadStore, _) => Kind::Load,
            (Class::Branch, _) => Kind::Branch,
            (Class::Hint, _) => Kind::Hint,
            (Class::Control, _) => Kind::Drain,
            (_, Opcode::Rdch | Opcode::Wrch | Opcode::Rchcnt) => Kind::Channel,
            (Class::SimpleFixed, _) if instruction.writes().is_none() => Kind::Halt,
            _ => Kind::Plain,
        }
    }
}
