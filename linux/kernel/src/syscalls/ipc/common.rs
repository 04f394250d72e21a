//! What the calls for shared memory and for semaphores have in common.

use crate::clock::START_SECONDS;
use crate::errno::Errno;
use crate::syscalls::caller::Caller;
use crate::time::SECOND;

/// Command of `shmctl` and `semctl`: remove the object.
pub const IPC_RMID: u32 = 0;
/// Command: change owner and permissions.
pub const IPC_SET: u32 = 1;
/// Command: show the object.
pub const IPC_STAT: u32 = 2;
/// Command: show the limits of the system.
pub const IPC_INFO: u32 = 3;

/// Time of day in seconds.
pub fn seconds(caller: &Caller<'_>) -> u64 {
    START_SECONDS + caller.now() / SECOND
}

/// Reads a `struct ipc64_perm` up to its mode.
///
/// # Errors
/// `EFAULT`
pub fn read_permissions(caller: &mut Caller<'_>, at: u32) -> Result<[u32; 6], Errno> {
    let bytes = caller.hardware.bytes(at, 24)?;
    let mut words = [0; 6];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    Ok(words)
}
