//! Properties that hold for all programs on all machines.

#[path = "../../../../workshop/fuzz/generator.rs"]
mod generator;

mod ahead;
mod any_bytes;
mod bytes;
mod copies;
mod digest;
mod fast_forward;
mod same_again;
mod transfers;
mod walks;
