//! Sets of semaphores.

use super::table::Permissions;
use crate::errno::Errno;
use crate::tid::Tid;
use crate::wait::Queue;
use crate::width::Width;
use std::collections::BTreeMap;

/// Largest value of a semaphore.
pub const VALUE_MAX: i32 = 32767;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Semaphore {
    pub value: i32,
    /// The process that changed the value last, or 0.
    pub last: u32,
}

/// One operation of `semop` (`struct sembuf`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Number of the semaphore.
    pub number: u16,
    /// What is added to its value. Zero waits until the value is zero.
    pub by: i16,
    pub flags: u16,
}

/// What a waiting thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The index of the operation that cannot be done yet.
    pub operation: usize,
    /// The number of its semaphore.
    pub number: u16,
    /// Whether it waits for zero, not for a larger value.
    pub for_zero: bool,
}

/// A set of semaphores.
pub struct Set {
    pub semaphores: Vec<Semaphore>,
    /// The threads in `semop`.
    pub waiting: BTreeMap<Tid, Blocked>,
    /// Queue woken when a value changes, and when the set is removed.
    pub changed: Queue,
    /// Time of day of the last `semop`, in seconds, or 0.
    pub operated_at: u64,
    /// Time of day of the last change by `semctl`, in seconds.
    pub changed_at: u64,
}

impl Set {
    /// A new set of `count` semaphores, whose values are 0.
    pub fn new(count: u32, changed: Queue, now: u64) -> Set {
        let semaphores = vec![Semaphore::default(); count as usize];
        Set { semaphores, waiting: BTreeMap::new(), changed, operated_at: 0, changed_at: now }
    }

    /// The values after all of these operations, or the first operation that has to wait.
    ///
    /// # Errors
    /// `EFBIG`: there is no such semaphore. `ERANGE`: a value would become too large.
    pub fn after(&self, operations: &[Operation]) -> Result<Result<Vec<i32>, Blocked>, Errno> {
        if operations.iter().any(|operation| usize::from(operation.number) >= self.semaphores.len()) {
            return Err(Errno::EFBIG);
        }
        let mut values: Vec<i32> = self.semaphores.iter().map(|semaphore| semaphore.value).collect();
        for (index, Operation { number, by, .. }) in operations.iter().enumerate() {
            let value = &mut values[usize::from(*number)];
            let new = *value + i32::from(*by);
            if *by == 0 && *value != 0 || new < 0 {
                return Ok(Err(Blocked { operation: index, number: *number, for_zero: *by == 0 }));
            }
            if new > VALUE_MAX {
                return Err(Errno::ERANGE);
            }
            *value = new;
        }
        Ok(Ok(values))
    }

    /// Number of threads that wait for a semaphore: for zero, or for a larger value.
    pub fn waiters(&self, number: u32, for_zero: bool) -> u32 {
        let waits = |blocked: &&Blocked| u32::from(blocked.number) == number && blocked.for_zero == for_zero;
        self.waiting.values().filter(waits).count() as u32
    }

    /// `struct semid64_ds`.
    pub fn encoded(&self, permissions: &Permissions, width: Width) -> Vec<u8> {
        let mut bytes = permissions.encoded();
        for time in [self.operated_at, self.changed_at] {
            bytes.extend(time.to_be_bytes());
        }
        for number in [self.semaphores.len() as u64, 0, 0] {
            bytes.extend(width.encode(number));
        }
        bytes.extend(width.pick([0; 4].as_slice(), &[]));
        bytes
    }
}
