//! Do the system calls for files do what Linux does, at the edges too?

mod any_call;
mod descriptors;
mod harness;
mod machine;
mod paths;
mod pipes;
mod polling;
