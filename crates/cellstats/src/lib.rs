//! CellStats: the tool's measurements on a simulated Cell, and their methods (abellan2008ps3, section 3).
//!
//! A [`Request`] describes one measurement; it is read from JSON, and a [`Refusal`] says why a request is invalid. The
//! request's [`Experiment`] is a FUNCTION of one of the `families`; each family is a folder with its parameters, its
//! memory layout, its SPE part and its PPE part. [`measure`] returns a result, [`trace`] shows the run bus cycle by
//! bus cycle, [`breakdown`] splits the latency of one DMA, and [`placements`] lists the SPEs that the threads could run
//! on.
//!
//! ```
//! use cell::machine::Machine;
//! use cellstats::{Request, measure};
//!
//! let ps3 = Machine::builtin("ps3").expect("it comes with the simulator");
//! let request = Request::parse(r#"{"function": "dmaget", "spes": 2, "size": 1024, "iterations": 100}"#, &ps3)?;
//! let result = measure(&ps3, &request, || true).expect("a run that ends");
//! assert_eq!(result.per_spe.len(), 2);
//! # Ok::<(), cellstats::Refusal>(())
//! ```

pub mod communication_model;
pub mod pattern;
pub mod programs;

mod addresses;
mod affinity;
mod chips;
mod choices;
mod control_block;
mod director;
mod families;
mod family;
mod json;
mod parameter;
mod parameters;
mod refusal;
mod request;
mod run;
mod settings;
mod setup;
mod sizes;
mod spe;
mod start;
mod transfers;
mod value;

pub use affinity::{affinities, affinity, first_of_affinity};
pub use chips::{Cells, MemoryChoice, groups_of_spes, usable_spes};
pub use choices::{PpePath, SpeProgram, TransferOp};
pub use families::{Experiment, functions, help, parameters_of, refusal, titles};
pub use family::{Computer, Workload};
pub use parameter::{Kind, Row};
pub use parameters::{Parameter, Parameters};
pub use refusal::Refusal;
pub use request::Request;
pub use run::alike::alike;
pub use run::breakdown::{BREAKDOWN_SCHEMA_VERSION, Breakdown, Component, breakdown};
pub use run::columns::{Measurement, PerSpe, PerThread, Recipe};
pub use run::histogram::{Bin, Distribution};
pub use run::measure::{measure, measure_alike};
pub use run::placements::{Placements, Runs, placements, same_runs, times};
pub use run::prepared::MeasureError;
pub use run::schema::result_schema;
pub use run::seen::{BetterPlacement, better_placement};
pub use run::session::Session;
pub use run::settling::Settling;
pub use run::short::start_up_share;
pub use run::span::TraceSpan;
pub use run::start_up::{StartUp, start_up};
pub use run::trace::trace;
pub use settings::Settings;
pub use value::PlacementChoice;
