//! A cycle-level Cell Broadband Engine that runs programs.
//!
//! A [`machine`] describes the hardware as data, programs use it through the interfaces in [`door`], and a run produces
//! a [`record`]. Start reading at [`system`], which connects the units. The documentation of that module follows the
//! transfer of one cache line from the command to its completion. This crate does no input or output, keeps no global
//! state, starts no thread and never reads the time of day. Equal inputs therefore produce records that are equal byte
//! for byte.

mod atomic;
mod bif;
mod bits;
pub mod calendar;
pub mod channel;
pub mod channels;
pub mod command;
pub mod coroutine;
pub mod counters;
mod decrementer;
pub mod described;
pub mod door;
pub mod ea;
pub mod eib;
pub mod error;
pub mod fault;
pub mod last_gets;
mod libspe;
pub mod machine;
mod mfc;
mod mic;
mod occupancy;
pub mod pace;
pub mod page_table;
pub mod placement;
pub mod ppe;
pub mod ppe_threads;
mod processor;
pub mod record;
pub mod request;
mod snapshot;
pub mod spu_mfcio;
pub mod store;
pub mod system;
pub mod trace;
pub mod translation;
pub mod units;
