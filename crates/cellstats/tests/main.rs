//! All integration tests of this crate. One executable is built sooner than one for each file.

mod alike;
mod any_request;
mod bandwidth;
mod breakdown;
#[path = "../../cell/tests/common/mod.rs"]
mod common;
mod fast_forward;
mod lists;
mod offered_load;
mod refusals;
mod settling;
mod start_up;
mod trace;
mod windows;
