//! Files of the simulated machine: `/proc`, `/sys`, `/dev`, and files in memory.

pub(crate) mod descriptor_links;
pub(crate) mod dev;
pub mod facts;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod sys;
