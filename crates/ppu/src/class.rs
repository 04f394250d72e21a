//! Classes of instructions that take the same time, and how long that is on a machine.
//!
//! MODEL: an instruction takes the cycles of its class, one after the other.  Silicon issues up to two instructions
//! of a thread in a cycle, and lets them wait for each other's results.

/// Instructions that take the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Class {
    /// Fixed-point arithmetic, logic and rotates.
    Integer,
    /// Fixed-point multiplications of words.
    Multiply,
    /// Fixed-point multiplications of doublewords.
    MultiplyDouble,
    /// Fixed-point divisions of words.
    Divide,
    /// Fixed-point divisions of doublewords.
    DivideDouble,
    /// Logic on condition bits, moves to and from the condition register.
    Condition,
    /// Branches, whatever way they go.
    Branch,
    /// Moves to and from special registers.
    Special,
    /// Loads that find their data in the first-level cache.
    Load,
    /// The same, with their sign extended.
    LoadAlgebraic,
    /// Stores.
    Store,
    /// Loads and stores with reservation, synchronisation.
    Sync,
    /// Cache instructions.
    Cache,
    /// Instructions that the PPE carries out as a sequence of simple ones: multiple and string forms and the like.
    Microcoded,
    /// Traps and system calls.
    System,
    /// Floating-point additions, multiplications, both together, conversions, comparisons and moves.
    Float,
    /// Floating-point divisions.
    FloatDivide,
    /// Floating-point square roots.
    FloatRoot,
    /// Floating-point estimates of reciprocals.
    FloatEstimate,
    /// Moves to and from the floating-point status and control register.
    FloatStatus,
    /// Floating-point loads that find their data in the first-level cache.
    FloatLoad,
    /// Floating-point stores.
    FloatStore,
    /// Vector logic, additions, comparisons.
    VectorSimple,
    /// Vector integer multiplications and sums across.
    VectorComplex,
    /// Vector permutations, packs, merges, splats.
    VectorPermute,
    /// Vector floating point.
    VectorFloat,
    /// Vector loads that find their data in the first-level cache.
    VectorLoad,
    /// Vector stores.
    VectorStore,
}

/// Classes in all.
pub const CLASSES: usize = Class::VectorStore as usize + 1;

/// Cycles of each class of instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Costs {
    /// By the number of the class.
    pub cycles: [u8; CLASSES],
    /// What a taken branch takes on top.
    pub branch_taken_cycles: u64,
    /// What a branch that goes the other way than predicted takes on top.
    pub branch_mispredicted_cycles: u64,
}

impl Costs {
    /// One cycle each: for tests.
    pub fn one_each() -> Costs {
        Costs { cycles: [1; CLASSES], branch_taken_cycles: 0, branch_mispredicted_cycles: 0 }
    }

    /// Cycles of a class.
    pub fn of(&self, class: Class) -> u8 {
        self.cycles[class as usize]
    }
}
