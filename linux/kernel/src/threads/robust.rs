//! Robust futexes. When a thread ends, the locks that it still holds are marked for their next owners.
//!
//! Source: Linux, Documentation/robust-futexes and robust-futex-ABI.

use super::futex::{Futexes, OWNER, OWNER_DIED, WAITERS};
use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::tid::Tid;
use crate::wait::Wakes;

/// Maximum number of entries that are read from a list, because the list may be cyclic.
const ENTRIES: usize = 2048;
/// Flag bit of a list entry: the lock has priority inheritance.
const PI: u32 = 1;

/// Releases the locks in the list at `head`. The list head consists of a pointer to the first entry, the
/// offset from an entry to its futex, and the entry that the thread was locking or unlocking.
///
/// # Errors
/// The list has a bad address.
pub fn release(
    futexes: &mut Futexes,
    wakes: &mut Wakes,
    hardware: &mut dyn Hardware,
    (tid, head): (Tid, u32),
) -> Result<(), Errno> {
    if head == 0 {
        return Ok(());
    }
    let step = hardware.width().bytes();
    let offset = hardware.short(head.wrapping_add(step))?;
    let pending = hardware.short(head.wrapping_add(2 * step))?;
    let mut entry = hardware.short(head)?;
    for _ in 0..ENTRIES {
        let at = entry & !PI;
        if at == head {
            break;
        }
        // The next pointer is read first, because the lock's next owner may free the entry.
        let next = hardware.short(at)?;
        if at != pending & !PI {
            give_up(futexes, wakes, hardware, tid, (at.wrapping_add(offset), entry & PI != 0))?;
        }
        entry = next;
    }
    if pending & !PI != 0 {
        give_up(futexes, wakes, hardware, tid, ((pending & !PI).wrapping_add(offset), pending & PI != 0))?;
    }
    Ok(())
}

fn give_up(
    futexes: &mut Futexes,
    wakes: &mut Wakes,
    hardware: &mut dyn Hardware,
    tid: Tid,
    (ea, pi): (u32, bool),
) -> Result<(), Errno> {
    let word = hardware.word(ea)?;
    if word & OWNER != tid.0 {
        return Ok(());
    }
    if pi && word & WAITERS != 0 {
        return futexes.hand_over(wakes, hardware, ea, OWNER_DIED);
    }
    hardware.put_word(ea, word & WAITERS | OWNER_DIED)?;
    if word & WAITERS != 0 {
        futexes.wake(wakes, ea, 1, u32::MAX);
    }
    Ok(())
}
