//! The static timing of instructions: all that is known before they run.
//!
//! Latencies and stalls are the machine's ([`SpuPipeline`]); which class has which is from the architecture
//! handbook's table.  Dynamic timing is in [`crate::pipeline`].

use crate::class::{Class, Pipe};
use crate::instruction::Instruction;
use crate::table::Opcode;
use cell::machine::SpuPipeline;

/// A register number that nobody writes: read where an instruction has no such operand.
pub const ALWAYS_READY: u8 = 128;

/// A register number that nobody reads: written by instructions without result.
const NO_RESULT: u8 = 129;

/// The static timing of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Registers that must be ready, padded with [`ALWAYS_READY`].
    pub reads: [u8; 3],
    /// The register that gets the result; above 128 if none does.
    pub writes: u8,
    /// SPU cycles from issue to result.
    pub latency_spu_cycles: u8,
    /// SPU cycles from issue until the next instruction may issue: 0 if it may do so in the same cycle.
    pub occupancy_spu_cycles: u8,
}

impl Timing {
    /// The timing of the instruction in the first word of a pair, whose second is `partner`; of one
    /// in a second word if that is `None`.
    pub fn new(instruction: &Instruction, partner: Option<&Instruction>, costs: &SpuPipeline) -> Timing {
        let mut reads = [ALWAYS_READY; 3];
        for (place, register) in reads.iter_mut().zip(instruction.reads()) {
            *place = register;
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

/// Whether `second` may issue in the cycle of `first`, if its operands are ready then.
///
/// MODEL: two that write one register do not issue together.  Silicon may order them by pipe; no
/// compiler writes such a pair.
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

/// Machine files keep every sum here below 256.
fn narrow(spu_cycles: u64) -> u8 {
    u8::try_from(spu_cycles).unwrap_or(u8::MAX)
}

/// What the run loop does besides executing an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing.
    Plain,
    /// Check that there is time left, and let it occupy the local-store port.
    Load,
    /// The same, and check whether it changed code.
    Store,
    /// Compare its target with the prediction.
    Branch,
    /// Note the prediction.
    Hint,
    /// Wait until all results are there: `sync`, `dsync` and the stops.
    Drain,
    /// Leave the program: what it asks is answered outside.
    Channel,
    /// Stop if its condition holds.
    Halt,
    /// End the program: its word is no instruction.
    Unknown,
}

impl Kind {
    /// Whether the run loop has to look at it.
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
