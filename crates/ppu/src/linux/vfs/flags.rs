//! Numbers of the file system's calls, as programs of 32-bit PowerPC know them.
//!
//! Source: Linux, `asm-generic/fcntl.h`, and `asm/fcntl.h` of PowerPC, which has four flags of `open` elsewhere.

/// Flags of `open`.
pub mod open {
    /// Reading, writing, or both.
    pub const ACCESS: u32 = 3;
    /// Writing only; 0 is reading only.
    pub const WRITE_ONLY: u32 = 1;
    /// Reading and writing.
    pub const READ_WRITE: u32 = 2;
    /// Make it if there is none.
    pub const CREATE: u32 = 0o100;
    /// ... and fail if there is one.
    pub const EXCLUSIVE: u32 = 0o200;
    /// Empty it.
    pub const TRUNCATE: u32 = 0o1000;
    /// Write at its end.
    pub const APPEND: u32 = 0o2000;
    /// Do not wait.
    pub const NONBLOCK: u32 = 0o4000;
    /// Write at once.
    pub const DSYNC: u32 = 0o10000;
    /// Signals when it is ready.
    pub const ASYNC: u32 = 0o20000;
    /// Only a directory.
    pub const DIRECTORY: u32 = 0o40000;
    /// No link at the path's end.
    pub const NOFOLLOW: u32 = 0o100_000;
    /// Sizes of 64 bits.
    pub const LARGE: u32 = 0o200_000;
    /// Without the page cache.
    pub const DIRECT: u32 = 0o400_000;
    /// Access times stay.
    pub const NOATIME: u32 = 0o1_000_000;
    /// Close it when another program starts.
    pub const CLOSE_ON_EXEC: u32 = 0o2_000_000;
    /// Only to name it.
    pub const PATH: u32 = 0o10_000_000;
    /// A file without a name; comes with [`DIRECTORY`].
    pub const TEMPORARY: u32 = 0o20_000_000;
    /// What `F_SETFL` may change.
    pub const CHANGEABLE: u32 = APPEND | NONBLOCK | ASYNC | DIRECT | NOATIME;
}

/// Where a relative path starts, and what is done with links.
pub mod at {
    /// The current directory, as a descriptor.
    pub const CURRENT: u32 = -100_i32 as u32;
    /// A link at the path's end stands for itself.
    pub const NOFOLLOW: u32 = 0x100;
    /// `unlinkat`: a directory.
    pub const REMOVE_DIRECTORY: u32 = 0x200;
    /// `linkat`: a link at the path's end is followed.
    pub const FOLLOW: u32 = 0x400;
    /// Nothing is mounted to see what is there.
    pub const NO_AUTOMOUNT: u32 = 0x800;
    /// An empty path stands for the descriptor.
    pub const EMPTY_PATH: u32 = 0x1000;
}

/// File systems, as `statfs` names them.
pub mod file_system {
    /// Files of the user.
    pub const EXT2: u32 = 0xef53;
    /// Files in memory.
    pub const TMPFS: u32 = 0x0102_1994;
    /// `/proc`
    pub const PROC: u32 = 0x9fa0;
    /// `/sys`
    pub const SYSFS: u32 = 0x6265_6572;
    /// Pipes.
    pub const PIPEFS: u32 = 0x5049_5045;
    /// `eventfd`, `epoll`
    pub const ANONYMOUS: u32 = 0x0904_1934;
    /// `/spu`
    pub const SPUFS: u32 = 0x23c9_b64e;
}

/// Devices that file systems lie on, as `st_dev` has them: each its own, and the same in every run.
pub mod device {
    /// Files of the user, and of the system.
    pub const DISK: u32 = 0x803;
    /// `/proc`
    pub const PROC: u32 = 3;
    /// `/sys`
    pub const SYS: u32 = 4;
    /// `/dev`
    pub const DEV: u32 = 5;
    /// `/dev/shm` and `/tmp`
    pub const MEMORY: u32 = 6;
    /// Pipes.
    pub const PIPE: u32 = 7;
    /// `eventfd`, `epoll`
    pub const ANONYMOUS: u32 = 8;
    /// `/spu`
    pub const SPU: u32 = 9;
}
