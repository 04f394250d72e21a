//! The section of a machine file for the PPE's instructions.

use super::schema::{Field, Kind, Section, Values, between, section};

section! {
    /// Cost of each PPE instruction that waits for no cache line, in cycles of its hardware thread.
    ppe_core: PpeCore {
        /// Fixed-point addition, comparison, logic, shift or rotate.
        integer_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Fixed-point multiplication by an immediate.
        multiply_immediate_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point multiplication of words.
        multiply_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point multiplication of doublewords.
        multiply_doubleword_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point division of words.
        divide_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Fixed-point division of doublewords.
        divide_doubleword_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Logic on condition bits, or a move to the condition register.
        condition_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Move from the condition register.
        condition_read_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Move to or from the link register, the count register or another special register.
        special_register_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Branch, taken or not.
        branch_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Additional time of a taken branch.
        branch_taken_spu_cycles: u64, "SPU cycles", between(0, 100);
        /// Additional time of a mispredicted branch.
        branch_mispredicted_spu_cycles: u64, "SPU cycles", between(0, 200);
        /// Load that hits the L1, of bytes, halfwords, words or doublewords.
        load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Store.
        store_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Synchronisation, or a load or store with reservation, without the time of the access itself.
        sync_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Cache-line instruction, without the time of the access itself.
        cache_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Microcoded instruction: time before the first instruction of its sequence.
        microcoded_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Additional time of a microcoded instruction for each register that it loads or stores.
        microcoded_register_spu_cycles: u64, "SPU cycles", between(0, 50);
        /// Floating-point addition, multiplication, both together, conversion, comparison or move.
        float_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Floating-point division.
        float_divide_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Floating-point square root.
        float_root_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Floating-point estimate of a reciprocal.
        float_estimate_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Move to or from the floating-point status and control register.
        float_status_spu_cycles: u64, "SPU cycles", between(1, 200);
        /// Floating-point load that hits the L1.
        float_load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Floating-point store.
        float_store_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector addition, comparison, logic or shift.
        vector_simple_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector integer multiplication or sum across.
        vector_complex_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector permutation, pack, merge or splat.
        vector_permute_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector floating-point arithmetic.
        vector_float_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector load that hits the L1.
        vector_load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Vector store.
        vector_store_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// System call or trap, without the work that it causes.
        system_spu_cycles: u64, "SPU cycles", between(1, 200);
    }
}
