//! Threads of the C library, pinned to a CPU before they start.

use crate::error::Error;
use std::ffi::c_void;
use std::mem::{MaybeUninit, zeroed};
use std::ptr::null_mut;

/// Attributes of the threads to create.
pub struct ThreadAttributes(libc::pthread_attr_t);

/// A created thread, which is joined when the value is dropped.
#[must_use]
pub struct IdleThread(libc::pthread_t);

impl ThreadAttributes {
    /// Attributes of threads that run only on the given CPU.
    pub fn on(cpu: usize) -> Result<ThreadAttributes, Error> {
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: the call initialises the attributes, which are not used after a failure.
        check(unsafe { libc::pthread_attr_init(attributes.as_mut_ptr()) })?;
        // SAFETY: initialised just above.
        let mut attributes = ThreadAttributes(unsafe { attributes.assume_init() });
        // SAFETY: a set of CPUs is an array of integers, and all integers may be zero.
        let mut set: libc::cpu_set_t = unsafe { zeroed() };
        if cpu >= libc::CPU_SETSIZE as usize {
            return Err(Error::Run(format!(
                "threads cannot be created on CPU {cpu}: the C library supports 1024 CPUs"
            )));
        }
        // SAFETY: the CPU is within the set's size.
        unsafe { libc::CPU_SET(cpu, &mut set) };
        // SAFETY: attributes and set outlive the call, and the call reads exactly the number of bytes passed.
        check(unsafe { libc::pthread_attr_setaffinity_np(&mut attributes.0, size_of_val(&set), &set) })?;
        Ok(attributes)
    }

    /// Creates a thread that does nothing.
    pub fn create_idle(&self) -> Result<IdleThread, Error> {
        let mut thread = 0;
        // SAFETY: the attributes are initialised, and the function ignores its argument and returns.
        check(unsafe { libc::pthread_create(&mut thread, &self.0, nothing, null_mut()) })?;
        Ok(IdleThread(thread))
    }
}

impl Drop for ThreadAttributes {
    fn drop(&mut self) {
        // SAFETY: the attributes were initialised, and are not used after this call.
        unsafe { libc::pthread_attr_destroy(&mut self.0) };
    }
}

impl Drop for IdleThread {
    fn drop(&mut self) {
        // SAFETY: the thread was created joinable, and is joined only here.
        unsafe { libc::pthread_join(self.0, null_mut()) };
    }
}

extern "C" fn nothing(argument: *mut c_void) -> *mut c_void {
    argument
}

fn check(status: libc::c_int) -> Result<(), Error> {
    let reason = || std::io::Error::from_raw_os_error(status);
    if status == 0 { Ok(()) } else { Err(Error::Run(format!("a thread cannot be created: {}", reason()))) }
}
