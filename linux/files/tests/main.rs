//! All integration tests of this crate. One executable is built sooner than one for each file.

mod deep;
mod operations;
mod reach;
