//! The partner of each thread in each traffic pattern.

use crate::choices::Target;
use crate::request::Function;

/// The partner of a thread's copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partner {
    /// The thread with the given number.
    Thread(usize),
    /// A random other thread for each copy.
    Any,
    /// No partner: the thread only holds a buffer.
    Nobody,
}

/// Chooses the partner of a thread in the same way as on the Cell.
pub fn partner(function: Function, target: Option<&Target>, thread: usize, threads: usize) -> Partner {
    match function {
        Function::Complement => Partner::Thread(threads - 1 - thread),
        Function::Pairwise => Partner::Thread(thread ^ 1),
        Function::Cycle | Function::Neighbour => Partner::Thread((thread + 1) % threads),
        Function::Tornado => Partner::Thread((thread + (threads.div_ceil(2) - 1).max(1)) % threads),
        Function::Couples if thread % 2 == 1 => Partner::Nobody,
        Function::Couples => Partner::Thread(thread + 1),
        Function::Uniform => Partner::Any,
        _ => match target {
            Some(Target::Thread(hot)) if *hot == thread && threads > 1 => Partner::Nobody,
            Some(Target::Thread(hot)) => Partner::Thread(*hot),
            Some(Target::Partners(partners)) if partners[thread] == thread => Partner::Nobody,
            Some(Target::Partners(partners)) => Partner::Thread(partners[thread]),
            _ => Partner::Thread(0),
        },
    }
}
