//! System calls for SPE contexts.

mod create;
mod run;

use super::caller::SystemCall;

/// Table rows of the calls for SPE contexts.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(278, "spu_run", 3, run::spu_run),
    SystemCall::new(279, "spu_create", 4, create::spu_create).costing(|caller| caller.kernel.costs.spu_create_ns),
];
