//! The hardware as data: every number in which machines can differ.
//!
//! A machine file is TOML. Each value states its unit, its basis and its source:
//!
//! ```toml
//! base = "ps3"
//!
//! [mfc]
//! spu_queue_entries = { value = 32, unit = "entries", basis = "assumed", range = [16, 32], source = "what if" }
//! ```
//!
//! A value that is only an experiment needs nothing but a number, `spu_queue_entries = 32`. A *setting*,
//! `mfc.spu_queue_entries=32`, changes a value of any machine without a file.
//!
//! The module `sections` declares what a file may contain. The module `read` checks one file, `library` merges the file
//! with its base, and `check` checks combinations of values. The module `parse` calls these three modules and creates a
//! [`Machine`]. An unknown key, a wrong unit or a missing source causes a one-line error that names the correct form.
//! No value has a default in the code.

mod check;
mod description;
mod error;
mod library;
mod linux;
mod parse;
mod ppe_core;
mod read;
mod schema;
mod sections;
mod settings;
mod translation;
mod value;

pub use description::Machine;
pub use error::MachineError;
pub use sections::{
    Atomic, Bif, Chip, Eib, Linux, Mfc, Mic, Os, Ppe, PpeCore, PpeMemory, Software, Spu, SpuPipeline, Translation,
};
pub use value::{Basis, Value};
