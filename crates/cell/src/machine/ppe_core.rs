//! The section of a machine file for the PPE's instructions.

use super::schema::{Field, Kind, Section, Values, between, section};

section! {
    /// The PPE's pipelines, for instructions that do not wait for a cache line. A latency is the number of cycles from
    /// an instruction to an instruction that needs its result. The other values are numbers of cycles in which the
    /// hardware thread does not issue.
    ppe_core: PpeCore {
        /// Fixed-point addition, logic, shift or rotate.
        integer_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Fixed-point comparison.
        compare_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Fixed-point multiplication by an immediate, not pipelined.
        multiply_immediate_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point multiplication of words, which is not pipelined.
        multiply_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point multiplication of doublewords, which is not pipelined.
        multiply_doubleword_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point division, which is not pipelined, without a cycle for each significant bit of the dividend.
        divide_spu_cycles: u64, "SPU cycles", between(1, 190);
        /// Logic on condition bits, or a move to the condition register.
        condition_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Move from the condition register, which is not pipelined.
        condition_read_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Move to or from the link register, the count register or another special register.
        special_register_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Cycles from a move to the link or count register until a branch to the address in that register.
        branch_register_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Cycles without an issue after a taken branch.
        branch_taken_spu_cycles: u64, "SPU cycles", between(0, 100);
        /// Cycles without an issue after a mispredicted branch.
        branch_mispredicted_spu_cycles: u64, "SPU cycles", between(0, 200);
        /// Load into a general register, if the load hits the L1.
        load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// A load or store needs its address this number of cycles earlier than an arithmetic instruction needs its
        /// operands.
        address_spu_cycles: u64, "SPU cycles", between(0, 50);
        /// Synchronisation instruction, or load or store with reservation, excluding the time of the memory access; not
        /// pipelined.
        sync_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Cache-line instruction, excluding the time of the memory access; not pipelined.
        cache_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Cycles from a microcoded instruction until the first instruction of its microcode.
        microcode_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Additional time for each register of a load or store of several registers (multiple or string form).
        microcode_register_spu_cycles: u64, "SPU cycles", between(0, 50);
        /// Floating-point addition, multiplication, multiply-add, conversion, estimate or move.
        float_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Floating-point comparison.
        float_compare_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Floating-point division, which is not pipelined.
        float_divide_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Floating-point square root, which is not pipelined.
        float_root_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Move to or from the floating-point status and control register, which waits for all earlier instructions.
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
