//! Metadata of a file.

use cap_std::fs::MetadataExt;

/// Type of a file.
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
    /// The mode bits that encode this file type.
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

    /// The file type that the mode bits encode.
    pub fn of_mode(mode: u32) -> Kind {
        const ALL: [Kind; 6] =
            [Kind::Fifo, Kind::CharacterDevice, Kind::Directory, Kind::BlockDevice, Kind::Link, Kind::Socket];
        ALL.into_iter().find(|kind| kind.mode() == mode & 0o170_000).unwrap_or(Kind::File)
    }
}

/// A point in time, counted from the beginning of 1970 (UTC).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Stamp {
    /// Whole seconds.
    pub seconds: i64,
    /// Nanoseconds within the second, fewer than 10⁹.
    pub ns: u32,
}

/// A time to set on a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The current time of this computer.
    Now,
    /// A given time.
    At(Stamp),
}

impl When {
    /// The time to set, where `now` is the current time.
    pub fn stamp(self, now: Stamp) -> Stamp {
        match self {
            When::Now => now,
            When::At(stamp) => stamp,
        }
    }
}

/// Metadata of a file on this computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// Type.
    pub kind: Kind,
    /// Permissions: the lower twelve bits of a mode.
    pub permissions: u32,
    /// Size.
    pub size_bytes: u64,
    /// Number of hard links.
    pub links: u64,
    /// Device that holds the file. Device and `inode` together identify a file.
    pub device: u64,
    /// Inode number of the file, unique on its device.
    pub inode: u64,
    /// Major and minor number, if the file is a device.
    pub special: u64,
    /// Last access.
    pub accessed: Stamp,
    /// Time of the last change to the file's contents.
    pub modified: Stamp,
    /// Time of the last change to the file's metadata.
    pub changed: Stamp,
}

impl Metadata {
    /// Metadata of a directory that is accessible only because it contains the current directory or a parent of it.
    /// Programs may enter the directory but learn nothing else about it.
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
