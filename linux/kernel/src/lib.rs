//! A small Linux for the PPE: it runs a PowerPC program of 32 or 64 bits in user mode and handles the program's system calls.
//!
//! # Layers
//! A module imports only modules below it.
//!
//! ```text
//!   simulation                          entry point: a program, its files, a kernel, a machine
//!   processor                           hardware threads as programs of the machine
//!   start                               loading of executables
//!   syscalls                            system calls, their table and their dispatch
//!   debug                               what a debugger sees, and where it stops the process
//!   kernel                              one process: a struct of the parts below
//!   files   spufs   time   vdso         kinds of files; SPE contexts; timers; the vDSO
//!   vfs   threads   ipc                 common parts of all files; scheduler, futexes, signals; System V IPC
//!   memory   signals                    the address space; signal actions and frames
//!   hardware   clock   wait   request   the machine as the kernel sees it; time; wait queues; calls in progress
//!   width                               the width of a process
//! ```
//!
//! A [`kernel::Kernel`] holds one process. The kernel has neither a thread nor a clock: its caller, which drives the
//! PPE, passes the [`hardware::Hardware`].
//!
//! # System calls
//! [`syscalls::table`] has a table row for each system call: number, name, number of arguments, cost, function. The
//! function of a table row *attempts* the call for a thread. The attempt returns a value, or a [`request::NotDone`] if
//! the call fails with an `errno`, must wait, has set the registers itself, or ends the run. `?` accepts an
//! [`errno::Errno`] as an error, and converts a [`hardware::BadAddress`] to `EFAULT`.
//!
//! ```ignore
//! fn read(caller: &mut Caller<'_>) -> Answer {
//!     let [descriptor, address, bytes, ..] = caller.request.arguments;
//!     let pipe = ...;
//!     if pipe.is_empty() {
//!         return Err(Wait::on(pipe.readable).into());
//!     }
//!     caller.hardware.write(address, &pipe.take(bytes))?;
//!     Ok(bytes)
//! }
//! ```
//!
//! # Waiting
//! A system call that must wait returns a [`wait::Wait`], which contains a deadline and the [`wait::Queue`]s that wake
//! the call. The thread then sleeps. Code that changes the state of an object calls [`wait::Wakes::wake`] with the
//! object's queue. Every thread in a woken queue attempts its call again, in the order in which the threads went to
//! sleep. Every attempt at a call starts from the beginning of the call. The [`request::Request`] keeps state between
//! attempts: the number of attempts, the deadline, and the progress of the call.
//!
//! If a signal with a handler arrives, the call is attempted one last time, with [`request::Request::interrupted`] set.
//! If the call still must wait, it fails with `EINTR`, or is restarted after the handler returns ([`wait::Restart`]).

mod clock;
mod costs;
pub mod debug;
mod elf;
pub mod errno;
pub mod files;
pub mod hardware;
pub mod identity;
mod ipc;
pub mod kernel;
pub mod layout;
mod memory;
mod names;
pub mod processor;
mod random;
pub mod request;
pub mod signals;
pub mod simulation;
pub mod spufs;
pub mod start;
pub mod syscalls;
mod threads;
pub mod tid;
mod time;
mod vdso;
pub mod vfs;
pub mod wait;
pub mod width;
