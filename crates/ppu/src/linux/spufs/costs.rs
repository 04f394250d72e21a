//! What calls on descriptors cost: those of SPEs' files have values of their own.
//!
//! MODEL: to open a file of any kind costs what one of an SPE does, found or not, and so does closing it. Reading
//! and writing other files costs what the plainest call does, and no more for more bytes; nor does a program that
//! is written into a local store.

use super::files::Node;
use crate::linux::call::Caller;
use crate::linux::wait::Nanos;

/// A call that reads from the descriptor in its first argument.
pub fn read(caller: &Caller<'_>) -> Nanos {
    transfer(caller, caller.kernel.costs.spufs_read_ns)
}

/// A call that writes to it.
pub fn write(caller: &Caller<'_>) -> Nanos {
    transfer(caller, caller.kernel.costs.spufs_write_ns)
}

fn transfer(caller: &Caller<'_>, of_spe: Nanos) -> Nanos {
    match node(caller) {
        Some(Node::File(..)) => of_spe,
        _ => caller.kernel.costs.system_call_ns,
    }
}

/// `open` and its kin.
pub fn open(caller: &Caller<'_>) -> Nanos {
    caller.kernel.costs.file_open_ns
}

/// `close`: a context goes with its directory's descriptor.
pub fn close(caller: &Caller<'_>) -> Nanos {
    match node(caller) {
        Some(Node::Context(_)) => caller.kernel.costs.spu_destroy_ns,
        _ => caller.kernel.costs.file_close_ns,
    }
}

fn node(caller: &Caller<'_>) -> Option<Node> {
    caller.spufs_node(caller.argument(0)).ok()
}
