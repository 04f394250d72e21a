//! Files of the simulated machine: `/proc`, `/sys`, `/dev`, and files in memory.

pub mod descriptor_links;
pub mod dev;
pub mod facts;
pub mod proc;
pub mod process;
pub mod sys;
