//! Attributes that programs see for the user's files, independent of the host computer.
//!
//! MODEL: the user's files are on one disk and belong to the program's user. Inode numbers are assigned in the order
//! in which the program first uses the files. The size of each directory is 4096 B. Changes made by the program
//! receive timestamps of the simulated clock, which begins in 2007. All other timestamps are taken from the host
//! computer.

use crate::vfs::flags::device;
use crate::vfs::object::Stat;
use files::{Kind, Metadata, Stamp, When};
use std::cell::RefCell;
use std::collections::BTreeMap;

const DIRECTORY_BYTES: u64 = 4096;

/// Records of the user's files, by device and inode number on the host computer.
#[derive(Default)]
pub struct Attributes {
    user: u32,
    numbers: RefCell<BTreeMap<(u64, u64), u64>>,
    times: RefCell<BTreeMap<(u64, u64), Times>>,
}

/// Timestamps that the program has set, or that result from its changes.
#[derive(Clone, Copy, Default)]
struct Times {
    accessed: Option<Stamp>,
    modified: Option<Stamp>,
    changed: Option<Stamp>,
}

impl Attributes {
    /// Creates empty records for the files of this user.
    pub fn new(user: u32) -> Attributes {
        Attributes { user, ..Attributes::default() }
    }

    /// Inode number of a file.
    pub fn number(&self, identity: (u64, u64)) -> u64 {
        let mut numbers = self.numbers.borrow_mut();
        // The lowest inode numbers are skipped, because they are reserved on a disk.
        let next = numbers.len() as u64 + 11;
        *numbers.entry(identity).or_insert(next)
    }

    /// Notes that the program has changed a file's contents.
    pub fn modify(&self, identity: (u64, u64), now: Stamp) {
        self.set_times(identity, None, Some(When::Now), now);
    }

    /// Notes that the program has set a file's times.
    pub fn set_times(&self, identity: (u64, u64), accessed: Option<When>, modified: Option<When>, now: Stamp) {
        let mut times = self.times.borrow_mut();
        let entry = times.entry(identity).or_default();
        entry.accessed = accessed.map(|when| when.stamp(now)).or(entry.accessed);
        entry.modified = modified.map(|when| when.stamp(now)).or(entry.modified);
        entry.changed = Some(now);
    }

    /// Notes that the program has created a file.
    pub fn make(&self, identity: (u64, u64), now: Stamp) {
        let made = Times { accessed: Some(now), modified: Some(now), changed: Some(now) };
        self.times.borrow_mut().insert(identity, made);
    }

    /// Attributes of a file as reported to the program.
    pub fn stat(&self, known: &Metadata) -> Stat {
        let identity = (known.device, known.inode);
        let times = self.times.borrow().get(&identity).copied().unwrap_or_default();
        let is_directory = known.kind == Kind::Directory;
        Stat {
            user: self.user,
            links: if is_directory { 2 } else { known.links.min(u32::MAX.into()) as u32 },
            special: known.special.min(u32::MAX.into()) as u32,
            size_bytes: if is_directory { DIRECTORY_BYTES } else { known.size_bytes },
            accessed: times.accessed.unwrap_or(known.accessed),
            modified: times.modified.unwrap_or(known.modified),
            changed: times.changed.unwrap_or(known.changed),
            ..Stat::new(device::DISK, self.number(identity), known.kind, known.permissions)
        }
    }
}
