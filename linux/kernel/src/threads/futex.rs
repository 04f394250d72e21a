//! Futexes: threads that wait on words of memory.

use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::tid::Tid;
use crate::wait::{Queue, Wakes};

/// Bit of a lock word: other threads wait for the lock.
pub const WAITERS: u32 = 0x8000_0000;
/// Bit of a lock word: the owner ended while it held the lock.
pub const OWNER_DIED: u32 = 0x4000_0000;
/// Bits of a lock word: number of the thread that owns the lock.
pub const OWNER: u32 = 0x3fff_ffff;

/// A waiting thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiter {
    pub tid: Tid,
    /// Queue that wakes the thread.
    pub queue: Queue,
    /// Address of the word.
    pub ea: u32,
    /// Bit mask of the waiting thread. The thread is woken only if this mask and the mask of the wakeup have a common
    /// bit.
    pub bits: u32,
}

/// Waiting threads in the order in which they began to wait.
#[derive(Default, Debug)]
pub struct Futexes {
    waiters: Vec<Waiter>,
}

impl Futexes {
    /// Adds a waiting thread.
    pub fn add(&mut self, waiter: Waiter) {
        self.waiters.push(waiter);
    }

    /// Whether a thread is still waiting for a futex.
    pub fn waits(&self, tid: Tid) -> bool {
        self.waiters.iter().any(|waiter| waiter.tid == tid)
    }

    /// Removes a waiting thread.
    pub fn forget(&mut self, tid: Tid) {
        self.waiters.retain(|waiter| waiter.tid != tid);
    }

    /// Wakes up to `count` threads at an address. Returns the number of threads woken.
    pub fn wake(&mut self, wakes: &mut Wakes, ea: u32, count: u32, bits: u32) -> u32 {
        let mut woken = 0;
        self.waiters.retain(|waiter| {
            let stays = woken >= count || waiter.ea != ea || waiter.bits & bits == 0;
            if !stays {
                woken += 1;
                wakes.wake(waiter.queue);
            }
            stays
        });
        woken
    }

    /// Moves up to `count` threads to another futex address. Returns the number of threads moved.
    pub fn requeue(&mut self, from: u32, to: u32, count: u32) -> u32 {
        let mut moved = 0;
        let waiting = std::mem::take(&mut self.waiters);
        // The moved threads are queued after the threads that already wait at the new address.
        let (moving, mut rest): (Vec<Waiter>, Vec<Waiter>) = waiting.into_iter().partition(|waiter| {
            let moves = waiter.ea == from && moved < count;
            moved += u32::from(moves);
            moves
        });
        rest.extend(moving.into_iter().map(|waiter| Waiter { ea: to, ..waiter }));
        self.waiters = rest;
        moved
    }

    /// Passes a lock to the first thread that waits for it, and sets additional bits in the lock word.
    ///
    /// # Errors
    /// The word cannot be written.
    pub fn hand_over(
        &mut self,
        wakes: &mut Wakes,
        hardware: &mut dyn Hardware,
        ea: u32,
        bits: u32,
    ) -> Result<(), Errno> {
        let Some((next, more)) = self.first(ea) else {
            hardware.put_word(ea, bits)?;
            return Ok(());
        };
        hardware.put_word(ea, next.tid.0 | bits | if more { WAITERS } else { 0 })?;
        self.forget(next.tid);
        wakes.wake(next.queue);
        Ok(())
    }

    /// The first thread that waits at an address, and whether more threads wait there.
    pub fn first(&self, ea: u32) -> Option<(Waiter, bool)> {
        let mut at = self.waiters.iter().filter(|waiter| waiter.ea == ea);
        Some((*at.next()?, at.next().is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_came_first_are_woken_first_and_moved_ones_keep_their_order() {
        let (mut futexes, mut wakes) = (Futexes::default(), Wakes::default());
        let queues: Vec<Queue> = (0..4).map(|_| wakes.new_queue()).collect();
        for (n, queue) in queues.iter().enumerate() {
            futexes.add(Waiter { tid: Tid(n as u32), queue: *queue, ea: 0x100, bits: 1 << n });
        }
        assert_eq!(futexes.wake(&mut wakes, 0x104, 9, u32::MAX), 0);
        assert_eq!(futexes.wake(&mut wakes, 0x100, 1, 6), 1);
        assert_eq!(wakes.take(), [queues[1]]);
        assert_eq!(futexes.requeue(0x100, 0x200, 2), 2);
        assert_eq!(futexes.first(0x200).map(|(waiter, more)| (waiter.tid, more)), Some((Tid(0), true)));
        assert_eq!(futexes.wake(&mut wakes, 0x100, 9, u32::MAX), 1);
        assert_eq!(futexes.wake(&mut wakes, 0x200, 9, u32::MAX), 2);
        assert_eq!(wakes.take(), [queues[3], queues[0], queues[2]]);
        assert!((0..4).all(|n| !futexes.waits(Tid(n))));
    }
}
