//! All integration tests of this crate. One executable is built sooner than one for each file.

mod common;
mod eib;
mod golden;
mod machine;
mod mechanisms;
mod models;
mod properties;
