//! Classes of instructions that take the same time, and the time of each class on a machine.
//!
//! MODEL: a thread of the PPE executes one instruction at a time. Each instruction takes the cycles of its class,
//! whatever precedes it. Silicon issues up to two instructions of a thread in a cycle, and stalls an instruction until
//! its operands are ready. Here both threads run at full speed; on silicon they take turns to issue.

use cell::machine::PpeCore;

/// Defines the classes, each with the machine value that holds its cycles.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident $field:ident;)*) => {
        /// A class of instructions that take the same time.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Class { $($(#[$doc])* $class,)* }

        /// The number of classes.
        pub const CLASSES: usize = [$(Class::$class),*].len();

        /// The cycles of all classes.
        fn cycles(values: &PpeCore) -> [u8; CLASSES] {
            [$(narrow(values.$field)),*]
        }
    };
}

classes! {
    /// Fixed-point additions, comparisons, logic, shifts and rotates.
    Integer integer_spu_cycles;
    /// Fixed-point multiplications by an immediate.
    MultiplyImmediate multiply_immediate_spu_cycles;
    /// Fixed-point multiplications of words.
    Multiply multiply_spu_cycles;
    /// Fixed-point multiplications of doublewords.
    MultiplyDouble multiply_doubleword_spu_cycles;
    /// Fixed-point divisions of words.
    Divide divide_spu_cycles;
    /// Fixed-point divisions of doublewords.
    DivideDouble divide_doubleword_spu_cycles;
    /// Logic on condition bits, and moves to the condition register.
    Condition condition_spu_cycles;
    /// Moves from the condition register.
    ConditionRead condition_read_spu_cycles;
    /// Moves to and from special registers.
    Special special_register_spu_cycles;
    /// Branches, whatever their targets.
    Branch branch_spu_cycles;
    /// Loads of general registers that hit the first-level cache.
    Load load_spu_cycles;
    /// Stores of general registers.
    Store store_spu_cycles;
    /// Synchronisation, and loads and stores with reservation.
    Sync sync_spu_cycles;
    /// Instructions that act on a cache line.
    Cache cache_spu_cycles;
    /// Instructions that the PPE executes as sequences of simpler ones: multiple and string forms, algebraic loads.
    Microcoded microcoded_spu_cycles;
    /// System calls and traps.
    System system_spu_cycles;
    /// Floating-point additions, multiplications, fused multiply-adds, conversions, comparisons and moves.
    Float float_spu_cycles;
    /// Floating-point divisions.
    FloatDivide float_divide_spu_cycles;
    /// Floating-point square roots.
    FloatRoot float_root_spu_cycles;
    /// Floating-point estimates of reciprocals.
    FloatEstimate float_estimate_spu_cycles;
    /// Moves to and from the floating-point status and control register.
    FloatStatus float_status_spu_cycles;
    /// Floating-point loads that hit the first-level cache.
    FloatLoad float_load_spu_cycles;
    /// Floating-point stores.
    FloatStore float_store_spu_cycles;
    /// Vector additions, comparisons, logic and shifts.
    VectorSimple vector_simple_spu_cycles;
    /// Vector integer multiplications and sums across elements.
    VectorComplex vector_complex_spu_cycles;
    /// Vector permutations, packs, merges and splats.
    VectorPermute vector_permute_spu_cycles;
    /// Vector floating point.
    VectorFloat vector_float_spu_cycles;
    /// Vector loads that hit the first-level cache.
    VectorLoad vector_load_spu_cycles;
    /// Vector stores.
    VectorStore vector_store_spu_cycles;
}

/// Narrows a time to 8 bits. Machine files keep every value below 256.
fn narrow(cycles: u64) -> u8 {
    u8::try_from(cycles).unwrap_or(u8::MAX)
}

/// The times of instructions on a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Costs {
    /// Cycles, indexed by class.
    cycles: [u8; CLASSES],
    /// Additional cycles for each register of a multiple or string form.
    pub register_cycles: u8,
    /// Additional cycles for a taken branch.
    pub branch_taken_cycles: u64,
    /// Additional cycles for a mispredicted branch.
    pub branch_mispredicted_cycles: u64,
}

impl Costs {
    /// The times of instructions on a machine.
    pub fn new(values: &PpeCore) -> Costs {
        Costs {
            cycles: cycles(values),
            register_cycles: narrow(values.microcoded_register_spu_cycles),
            branch_taken_cycles: values.branch_taken_spu_cycles,
            branch_mispredicted_cycles: values.branch_mispredicted_spu_cycles,
        }
    }

    /// Costs of one cycle for each instruction, so that cycles count instructions.
    pub fn one_each() -> Costs {
        let cycles = [1; CLASSES];
        Costs { cycles, register_cycles: 0, branch_taken_cycles: 0, branch_mispredicted_cycles: 0 }
    }

    /// The cycles of an instruction of this class. `registers` is the number of registers that a multiple or string
    /// form moves.
    pub fn of(&self, class: Class, registers: u8) -> u8 {
        self.cycles[class as usize].saturating_add(self.register_cycles.saturating_mul(registers))
    }
}
