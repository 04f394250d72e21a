//! Runs of measurements: results, traces, the end of start-up, the breakdown of one DMA, many placements.

pub mod alike;
pub mod breakdown;
pub mod columns;
pub mod histogram;
pub mod measure;
mod offered;
pub mod placements;
pub mod prepared;
pub mod result;
pub mod schema;
pub mod seen;
pub mod session;
pub mod settling;
pub mod short;
pub mod span;
pub mod start_up;
mod symmetry;
pub mod trace;
