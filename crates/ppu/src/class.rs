//! Classes of instructions that the PPE's execution units treat alike. A class has a unit, an issue behaviour and a
//! latency.
//!
//! Sources: GCC's description of the PPE (`cell.md`, which cites the processor's user manual).

use cell::machine::{PpeCore, PpeMemory};

/// Execution units to which instructions issue, as bit masks.
pub mod unit {
    /// Fixed-point unit.
    pub const FIXED: u8 = 1;
    /// Load and store unit, for general registers.
    pub const STORAGE: u8 = 2;
    /// Branch unit, which also executes condition register logic.
    pub const BRANCH: u8 = 4;
    /// First half of the vector and scalar unit: floating point, and vector arithmetic.
    pub const ARITHMETIC: u8 = 8;
    /// Second half of the vector and scalar unit: permutations, and loads and stores of floating-point and vector
    /// registers.
    pub const PERMUTE: u8 = 16;
    /// All units.
    pub const ALL: u8 = 31;
}

/// Issue behaviour while a unit executes an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The unit accepts another instruction in the next cycle.
    Pipelined,
    /// The thread issues no other instruction until the result is ready.
    Blocking,
    /// The floating-point unit accepts no other instruction until the result is ready.
    BlockingFloat,
    /// The load and store unit accepts no other instruction until the result is ready.
    BlockingStorage,
    /// The instruction is executed as a sequence of internal operations from a ROM. The thread issues no other
    /// instruction meanwhile.
    Microcoded,
    /// The instruction waits until all earlier results are ready. No later instruction issues before its result is
    /// ready.
    Serial,
}

/// Defines the classes, each with its unit, its flow and its latency on a machine.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident $unit:ident $flow:ident |$values:pat_param| $latency:expr;)*) => {
        /// A class of instructions that the units treat alike.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Class { $($(#[$doc])* $class,)* }

        /// The number of classes.
        pub const CLASSES: usize = [$(Class::$class),*].len();

        impl Class {
            /// The unit.
            pub fn unit(self) -> u8 {
                [$(unit::$unit),*][self as usize]
            }

            /// Whether instructions of this class load or store one register.
            pub fn accesses(self) -> bool {
                use Class::{FloatLoad, FloatStore, Load, Store, VectorLoad, VectorStore};
                matches!(self, FloatLoad | FloatStore | Load | Store | VectorLoad | VectorStore)
            }

            /// Issue behaviour while the unit executes an instruction of this class.
            pub fn flow(self) -> Flow {
                [$(Flow::$flow),*][self as usize]
            }
        }

        /// The latencies of all classes, in cycles.
        fn latencies(values: &PpeCore) -> [u8; CLASSES] {
            [$({
                let $values = values;
                narrow($latency)
            }),*]
        }
    };
}

classes! {
    /// Fixed-point additions and logic.
    Integer FIXED Pipelined |v| v.integer_spu_cycles;
    /// Shifts and rotates by an immediate, and sign extensions. Record forms are microcoded.
    Rotate FIXED Pipelined |v| v.integer_spu_cycles;
    /// Shifts and rotates by a register.
    Shift FIXED Microcoded |v| v.integer_spu_cycles;
    /// Fixed-point comparisons.
    Compare FIXED Pipelined |v| v.compare_spu_cycles;
    /// Fixed-point multiplications by an immediate.
    MultiplyImmediate FIXED Blocking |v| v.multiply_immediate_spu_cycles;
    /// Fixed-point multiplications of words. Record forms are microcoded.
    Multiply FIXED Blocking |v| v.multiply_spu_cycles;
    /// Fixed-point multiplications of doublewords. Record forms are microcoded.
    MultiplyDouble FIXED Blocking |v| v.multiply_doubleword_spu_cycles;
    /// Fixed-point divisions. They are late by a cycle for each significant bit of the dividend.
    Divide FIXED Blocking |v| v.divide_spu_cycles;
    /// Logic on condition bits.
    Condition BRANCH Pipelined |v| v.condition_spu_cycles;
    /// Moves to the condition register.
    ConditionWrite FIXED Pipelined |v| v.condition_spu_cycles;
    /// Moves from the condition register.
    ConditionRead FIXED Blocking |v| v.condition_read_spu_cycles;
    /// Moves to and from special registers.
    Special BRANCH Pipelined |v| v.special_register_spu_cycles;
    /// Branches.
    Branch BRANCH Pipelined |_| 1;
    /// Loads of general registers.
    Load STORAGE Pipelined |v| v.load_spu_cycles;
    /// Stores of general registers.
    Store STORAGE Pipelined |_| 1;
    /// Algebraic loads, which sign-extend the loaded value.
    Algebraic STORAGE Microcoded |v| v.load_spu_cycles + v.integer_spu_cycles;
    /// Instructions that load or store several registers or a string, with one access for each register.
    Multiple STORAGE Microcoded |_| 0;
    /// Synchronisation instructions, and loads and stores with reservation.
    Sync STORAGE BlockingStorage |v| v.sync_spu_cycles;
    /// Synchronisation of the context.
    Context STORAGE Serial |v| v.sync_spu_cycles;
    /// Instructions that act on a cache line.
    Cache STORAGE BlockingStorage |v| v.cache_spu_cycles;
    /// System calls.
    System BRANCH Serial |_| 1;
    /// Floating-point additions, multiplications, fused multiply-adds, conversions, estimates and moves.
    Float ARITHMETIC Pipelined |v| v.float_spu_cycles;
    /// Floating-point comparisons.
    FloatCompare ARITHMETIC Pipelined |v| v.float_compare_spu_cycles;
    /// Floating-point divisions.
    FloatDivide ARITHMETIC BlockingFloat |v| v.float_divide_spu_cycles;
    /// Floating-point square roots.
    FloatRoot ARITHMETIC BlockingFloat |v| v.float_root_spu_cycles;
    /// Moves to and from the floating-point status and control register.
    FloatStatus ARITHMETIC Serial |v| v.float_status_spu_cycles;
    /// Floating-point loads.
    FloatLoad PERMUTE Pipelined |v| v.float_load_spu_cycles;
    /// Floating-point stores.
    FloatStore PERMUTE Pipelined |_| 1;
    /// Vector additions, comparisons, logic and shifts.
    VectorSimple ARITHMETIC Pipelined |v| v.vector_simple_spu_cycles;
    /// Vector integer multiplications and sums across elements.
    VectorComplex ARITHMETIC Pipelined |v| v.vector_complex_spu_cycles;
    /// Vector permutations, packs, merges and splats.
    VectorPermute PERMUTE Pipelined |v| v.vector_permute_spu_cycles;
    /// Vector floating point.
    VectorFloat ARITHMETIC Pipelined |v| v.vector_float_spu_cycles;
    /// Vector floating-point estimates.
    VectorEstimate ARITHMETIC Pipelined |v| v.vector_estimate_spu_cycles;
    /// Moves to and from the vector status and control register.
    VectorStatus ARITHMETIC Serial |v| v.vector_simple_spu_cycles;
    /// Vector loads.
    VectorLoad PERMUTE Pipelined |v| v.vector_load_spu_cycles;
    /// Vector stores.
    VectorStore PERMUTE Pipelined |_| 1;
}

/// Narrows a number of cycles to 8 bits. Machine files keep every value below 256.
fn narrow(cycles: u64) -> u8 {
    u8::try_from(cycles).unwrap_or(u8::MAX)
}

/// Instruction timings of a machine, in cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Costs {
    /// Latencies, indexed by class.
    latencies: [u8; CLASSES],
    /// Cycles by which an address operand is needed earlier than an arithmetic operand.
    pub address: u8,
    /// Cycles from a move to the link or count register to a branch that uses the register as its target.
    pub branch_register: u8,
    /// Cycles from a microcoded instruction to the first internal operation of its sequence.
    pub microcode: u8,
    /// Cycles for each register of a load or store multiple or string instruction.
    pub register: u8,
    /// Cycles after a taken branch.
    pub branch_taken: u8,
    /// Cycles after a mispredicted branch.
    pub branch_mispredicted: u8,
    /// Cycles for which a vector load keeps other loads and stores from issuing.
    pub vector_load: u8,
    /// Cycles from a store to a load that hits it.
    pub load_hit_store: u8,
    /// Cycles between two accesses that wait for a missing line, or behind such an access.
    pub replay: u8,
    /// The same while the other hardware thread runs.
    pub replay_beside: u8,
    /// Cycles by which a thread may run ahead of the accesses that wait.
    pub replay_lead: u8,
    /// Size of the instruction cache, and lines in one of its sets. With a size of 0, all instructions hit.
    pub code_cache: (u32, u32),
    /// Whether each instruction takes one cycle, whatever its class.
    pub one_each: bool,
}

impl Costs {
    /// The instruction timings of a machine.
    pub fn new(values: &PpeCore, memory: &PpeMemory) -> Costs {
        Costs {
            latencies: latencies(values),
            address: narrow(values.address_spu_cycles),
            branch_register: narrow(values.branch_register_spu_cycles),
            microcode: narrow(values.microcode_spu_cycles),
            register: narrow(values.microcode_register_spu_cycles),
            branch_taken: narrow(values.branch_taken_spu_cycles),
            branch_mispredicted: narrow(values.branch_mispredicted_spu_cycles),
            vector_load: narrow(memory.vector_load_spu_cycles),
            load_hit_store: narrow(memory.load_hit_store_spu_cycles),
            replay: narrow(memory.replay_spu_cycles),
            replay_beside: narrow(memory.replay_beside_spu_cycles),
            replay_lead: narrow(memory.replay_spu_cycles * u64::from(memory.replay_entries)),
            code_cache: (memory.l1_code_bytes, memory.l1_code_ways),
            one_each: false,
        }
    }

    /// Timings in which every instruction takes one cycle, so that the cycle count equals the instruction count.
    pub fn one_each() -> Costs {
        Costs {
            latencies: [1; CLASSES],
            address: 0,
            branch_register: 0,
            microcode: 0,
            register: 0,
            branch_taken: 0,
            branch_mispredicted: 0,
            vector_load: 0,
            load_hit_store: 0,
            replay: 0,
            replay_beside: 0,
            replay_lead: 0,
            code_cache: (0, 1),
            one_each: true,
        }
    }

    /// Cycles from an instruction of this class to an instruction that needs its result.
    pub fn latency(&self, class: Class) -> u8 {
        self.latencies[class as usize]
    }
}
