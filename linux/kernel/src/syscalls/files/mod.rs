//! System calls for files.

pub mod attributes;
pub(crate) mod caller;
pub(crate) mod costs;
pub mod descriptors;
pub mod directories;
pub(crate) mod layout;
pub mod names;
pub mod opening;
pub mod polling;
pub mod refused;
pub mod seeking;
pub mod status;
pub mod transfer;
