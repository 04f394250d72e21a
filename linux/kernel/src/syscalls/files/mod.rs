//! System calls for files.

pub mod attributes;
pub mod caller;
pub mod costs;
pub mod descriptors;
pub mod directories;
pub mod layout;
pub mod names;
pub mod opening;
pub mod polling;
pub mod refused;
pub mod seeking;
pub mod status;
pub mod transfer;
