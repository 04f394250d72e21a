//! Constants of the system calls for files on 32-bit PowerPC.
//!
//! Source: Linux, `asm-generic/fcntl.h`, and `asm/fcntl.h` of PowerPC, which has different values for four flags of
//! `open`.

/// Flags of `open`.
pub mod open {
    /// Mask of the access mode.
    pub const ACCESS: u32 = 3;
    /// Write-only access. The value 0 means read-only access.
    pub const WRITE_ONLY: u32 = 1;
    /// Read and write.
    pub const READ_WRITE: u32 = 2;
    /// Create the file if it does not exist.
    pub const CREATE: u32 = 0o100;
    /// Fail if the file exists. Used with [`CREATE`].
    pub const EXCLUSIVE: u32 = 0o200;
    /// Truncate the file.
    pub const TRUNCATE: u32 = 0o1000;
    /// Append every write.
    pub const APPEND: u32 = 0o2000;
    /// Do not wait.
    pub const NONBLOCK: u32 = 0o4000;
    /// Write synchronously.
    pub const DSYNC: u32 = 0o10000;
    /// Send a signal when the file is ready.
    pub const ASYNC: u32 = 0o20000;
    /// `O_DIRECTORY`: fail unless the path leads to a directory.
    pub const DIRECTORY: u32 = 0o40000;
    /// Do not follow a symbolic link at the end of the path.
    pub const NOFOLLOW: u32 = 0o100_000;
    /// Support file sizes of 64 bits.
    pub const LARGE: u32 = 0o200_000;
    /// Bypass the page cache.
    pub const DIRECT: u32 = 0o400_000;
    /// Do not update the access time.
    pub const NOATIME: u32 = 0o1_000_000;
    /// Close the descriptor in `execve`.
    pub const CLOSE_ON_EXEC: u32 = 0o2_000_000;
    /// `O_PATH`: open the path only as a location, without access to contents.
    pub const PATH: u32 = 0o10_000_000;
    /// Create a file without a name. Used with [`DIRECTORY`].
    pub const TEMPORARY: u32 = 0o20_000_000;
    /// Flags that `F_SETFL` can change.
    pub const CHANGEABLE: u32 = APPEND | NONBLOCK | ASYNC | DIRECT | NOATIME;
}

/// Arguments of calls such as `openat`: start of relative paths, and treatment of symbolic links.
pub mod at {
    /// Special descriptor value that stands for the current directory.
    pub const CURRENT: u32 = -100_i32 as u32;
    /// Do not follow a symbolic link at the end of the path.
    pub const NOFOLLOW: u32 = 0x100;
    /// `unlinkat`: remove a directory.
    pub const REMOVE_DIRECTORY: u32 = 0x200;
    /// `linkat`: follow a symbolic link at the end of the path.
    pub const FOLLOW: u32 = 0x400;
    /// Do not automount anything to resolve the path.
    pub const NO_AUTOMOUNT: u32 = 0x800;
    /// An empty path stands for the descriptor itself.
    pub const EMPTY_PATH: u32 = 0x1000;
}

/// File system types for `statfs`.
pub(crate) mod file_system {
    /// Files of the user.
    pub const EXT2: u32 = 0xef53;
    /// Files in memory.
    pub const TMPFS: u32 = 0x0102_1994;
    /// Huge pages.
    pub const HUGETLBFS: u32 = 0x9584_58f6;
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

/// Device numbers of file systems for `st_dev`. The numbers are the same in every run.
pub(crate) mod device {
    /// Files of the user and of the system.
    pub const DISK: u32 = 0x803;
    pub const PROC: u32 = 3;
    pub const SYS: u32 = 4;
    pub const DEV: u32 = 5;
    /// `/dev/shm` and `/tmp`
    pub const MEMORY: u32 = 6;
    /// Pipes.
    pub const PIPE: u32 = 7;
    /// `eventfd`, `epoll`
    pub const ANONYMOUS: u32 = 8;
    pub const SPU: u32 = 9;
}
