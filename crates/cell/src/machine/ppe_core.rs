//! The section of a machine file for the PPE's instructions.

use super::schema::{Field, Kind, Section, Values, between, section};

section! {
    /// The PPE's pipelines, for what waits for no line: latencies, which are the cycles from an instruction to one that
    /// needs its result, and the cycles in which nothing of the hardware thread issues.
    ppe_core: PpeCore {
        /// Fixed-point addition, logic, shift or rotate.
        integer_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Fixed-point comparison.
        compare_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Fixed-point multiplication by an immediate, which is not pipelined.
        multiply_immediate_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point multiplication of words, which is not pipelined.
        multiply_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point multiplication of doublewords, which is not pipelined.
        multiply_doubleword_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point division of words, which is not pipelined.
        divide_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point division of doublewords, which is not pipelined.
        divide_doubleword_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Logic on condition bits, or a move to the condition register.
        condition_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Move from the condition register, which is not pipelined.
        condition_read_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Move to or from the link register, the count register or another special register.
        special_register_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// From a move to the link or count register to a branch to the address in it.
        branch_register_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Cycles without an issue after a taken branch.
        branch_taken_spu_cycles: u64, "SPU cycles", between(0, 100);
        /// Cycles without an issue after a branch that goes the other way than predicted.
        branch_mispredicted_spu_cycles: u64, "SPU cycles", between(0, 200);
        /// Load of a general register that hits the L1.
        load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// How much earlier a load or store needs its address than arithmetic needs an operand.
        address_spu_cycles: u64, "SPU cycles", between(0, 50);
        /// Synchronisation, or a load or store with reservation, without the access itself; not pipelined.
        sync_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Instruction for a cache line, without the access itself; not pipelined.
        cache_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// From a microcoded instruction to the first instruction of its microcode.
        microcode_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Additional time for each register of a multiple or string form.
        microcode_register_spu_cycles: u64, "SPU cycles", between(0, 50);
        /// Floating-point addition, multiplication, both together, conversion, estimate or move.
        float_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Floating-point comparison.
        float_compare_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Floating-point division, which is not pipelined.
        float_divide_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Floating-point square root, which is not pipelined.
        float_root_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Move to or from the floating-point status and control register, after all earlier instructions.
        float_status_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Floating-point load that hits the L1.
        float_load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector addition, comparison, logic or shift.
        vector_simple_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector integer multiplication or sum across.
        vector_complex_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector permutation, pack, merge or splat.
        vector_permute_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector floating-point arithmetic.
        vector_float_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector floating-point estimate.
        vector_estimate_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector load that hits the L1.
        vector_load_spu_cycles: u64, "SPU cycles", between(1, 100);
    }
}
