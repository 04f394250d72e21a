//! Costs of system calls that operate on descriptors. The files of SPE contexts have separate costs.
//!
//! MODEL: opening or closing any file costs as much as opening or closing a file of an SPE context. `open` costs the
//! same whether or not the file exists. Reading or writing a file that is not in spufs costs as much as the plainest
//! system call, regardless of the number of bytes. Writing a program into a local store also costs only as much as the
//! plainest system call.

use crate::costs::Costs;
use crate::syscalls::caller::Caller;
use crate::vfs::object::Object;
use crate::wait::Nanos;

/// Cost of a system call that reads from the descriptor in its first argument.
pub fn read(caller: &Caller<'_>) -> Nanos {
    of_object(caller, caller.kernel.costs.system_call_ns, |object, costs| object.read_cost(costs))
}

/// Cost of a system call that writes to the descriptor in its first argument.
pub fn write(caller: &Caller<'_>) -> Nanos {
    of_object(caller, caller.kernel.costs.system_call_ns, |object, costs| object.write_cost(costs))
}

/// Cost of `open` and its variants.
pub fn open(caller: &Caller<'_>) -> Nanos {
    caller.kernel.costs.file_open_ns
}

/// Cost of `close`.
pub fn close(caller: &Caller<'_>) -> Nanos {
    of_object(caller, caller.kernel.costs.system_call_ns, |object, costs| object.close_cost(costs))
}

/// Cost of a system call on the descriptor in its first argument, or `otherwise` if the descriptor is not open.
fn of_object(caller: &Caller<'_>, otherwise: Nanos, cost: fn(&dyn Object, &Costs) -> Nanos) -> Nanos {
    let open = caller.kernel.files.get(caller.argument(0));
    open.map_or(otherwise, |open| cost(&*open.object, &caller.kernel.costs))
}
