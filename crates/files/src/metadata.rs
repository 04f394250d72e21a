//! What is known of a file.

use cap_std::fs::MetadataExt;

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Regular file.
    File,
    /// Directory.
    Directory,
    /// Symbolic link.
    Link,
    /// Named pipe.
    Fifo,
    /// Socket.
    Socket,
    /// Character device.
    CharacterDevice,
    /// Block device.
    BlockDevice,
}

impl Kind {
    /// The bits of a mode that say it.
    pub fn mode(self) -> u32 {
        match self {
            Kind::Fifo => 0o010_000,
            Kind::CharacterDevice => 0o020_000,
            Kind::Directory => 0o040_000,
            Kind::BlockDevice => 0o060_000,
            Kind::File => 0o100_000,
            Kind::Link => 0o120_000,
            Kind::Socket => 0o140_000,
        }
    }

    /// What the bits of a mode say.
    pub fn of_mode(mode: u32) -> Kind {
        const ALL: [Kind; 6] =
            [Kind::Fifo, Kind::CharacterDevice, Kind::Directory, Kind::BlockDevice, Kind::Link, Kind::Socket];
        ALL.into_iter().find(|kind| kind.mode() == mode & 0o170_000).unwrap_or(Kind::File)
    }
}

/// A time of day, since the beginning of 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Stamp {
    /// Whole seconds.
    pub seconds: i64,
    /// Nanoseconds beyond them, fewer than 10⁹.
    pub ns: u32,
}

/// A time that a file is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The present, of this computer.
    Now,
    /// Another one.
    At(Stamp),
}

impl When {
    /// As a stamp, where the present is this.
    pub fn stamp(self, now: Stamp) -> Stamp {
        match self {
            When::Now => now,
            When::At(stamp) => stamp,
        }
    }
}

/// What is known of a file, as this computer has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// What it is.
    pub kind: Kind,
    /// Permissions: the lower twelve bits of a mode.
    pub permissions: u32,
    /// Size.
    pub size_bytes: u64,
    /// Names that it has.
    pub links: u64,
    /// Device that it lies on: with `inode`, which file it is.
    pub device: u64,
    /// Number there.
    pub inode: u64,
    /// Number of the device that it is.
    pub special: u64,
    /// Last access.
    pub accessed: Stamp,
    /// Last change of its contents.
    pub modified: Stamp,
    /// Last change of what is known of it.
    pub changed: Stamp,
}

impl Metadata {
    /// Of a directory that is known by its name only: others may enter it, and see no more.
    pub(crate) const PASSAGE: Metadata = Metadata {
        kind: Kind::Directory,
        permissions: 0o555,
        size_bytes: 0,
        links: 2,
        device: 0,
        inode: 0,
        special: 0,
        accessed: Stamp { seconds: 0, ns: 0 },
        modified: Stamp { seconds: 0, ns: 0 },
        changed: Stamp { seconds: 0, ns: 0 },
    };
}

impl From<&cap_std::fs::Metadata> for Metadata {
    fn from(known: &cap_std::fs::Metadata) -> Metadata {
        Metadata {
            kind: Kind::of_mode(known.mode()),
            permissions: known.mode() & 0o7777,
            size_bytes: known.size(),
            links: known.nlink(),
            device: known.dev(),
            inode: known.ino(),
            special: known.rdev(),
            accessed: stamp(known.atime(), known.atime_nsec()),
            modified: stamp(known.mtime(), known.mtime_nsec()),
            changed: stamp(known.ctime(), known.ctime_nsec()),
        }
    }
}

fn stamp(seconds: i64, ns: i64) -> Stamp {
    Stamp { seconds, ns: u32::try_from(ns).unwrap_or(0) }
}
