//! A small Linux in user mode around the PPE's processor: what a 32-bit PowerPC program finds when it calls the system.
//!
//! # How it hangs together
//! A [`kernel::Kernel`] holds one process: its address space, threads, signals, files.  It has no thread and no
//! time of its own; whoever drives the PPE calls it with the [`hardware::Hardware`] at hand.
//!
//! # System calls
//! [`table`] has a row for each system call: number, name, arguments, cost, function.  A function *attempts* the call
//! for the thread that makes it, and either answers with a value, or says why not ([`request::NotDone`]): it failed with
//! an `errno`; it has to wait; registers are set already; the run ends.  `?` works on [`errno::Errno`] and on
//! [`hardware::BadAddress`] (`EFAULT`).
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
//! What can be waited for has a [`wait::Queue`].  A call that cannot be done now names the queues, and when it gives
//! up ([`wait::Wait`]); the thread then costs nothing.  Whoever changes something calls [`wait::Wakes::wake`] with its
//! queue, and every thread that waits for it attempts its call again, from the beginning, in the order in which
//! threads went to sleep.  What a call must remember between attempts is in its [`request::Request`]: how often it was
//! attempted, when it gives up, whether that time has come, what it has moved so far.
//!
//! A signal with a handler attempts the call a last time, with [`request::Request::interrupted`]; a call that would go on
//! waiting then ends with `EINTR`, or is made again when the handler returns ([`wait::Restart`]).
//!
//! # Files
//! Open files (`files`) and SPEs' files (`spufs`) are fields of the kernel.  `mmap` asks an open file for its
//! [`backing::Backing`].

pub mod costs;
pub mod elf;
pub mod errno;
pub mod files;
pub mod hardware;
pub mod identity;
pub mod kernel;
pub mod layout;
pub mod memory;
pub mod names;
pub mod processor;
pub mod random;
pub mod request;
pub mod signals;
pub mod simulation;
pub mod spufs;
pub mod start;
pub mod syscalls;
pub mod threads;
pub mod tid;
pub mod time;
pub mod vdso;
pub mod vfs;
pub mod wait;
