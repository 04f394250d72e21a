//! Do the system calls for files behave as in Linux, even in edge cases?

mod any_call;
mod descriptors;
mod harness;
mod huge;
mod machine;
mod paths;
mod pipes;
mod polling;
