//! An open file.

use crate::errno::Errno;
use crate::metadata::{Metadata, When};
use cap_std::fs::{FileExt, Permissions, PermissionsExt};
use rustix::fs::{Timespec, Timestamps, UTIME_NOW, UTIME_OMIT};
use std::io::ErrorKind;

/// Maximum number of bytes that one call can read.
pub const READ_BYTES_MAX: usize = 16 << 20;
/// Increment by which a read buffer grows, so that a large read request on a short file takes little memory.
const PIECE_BYTES: usize = 256 << 10;

/// An open regular file, or one of the devices that never block. The caller keeps track of the file offset.
#[derive(Debug)]
pub struct File {
    pub(crate) file: cap_std::fs::File,
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) append: bool,
    /// Whether the file is in a place where files may be changed.
    pub(crate) changeable: bool,
}

impl File {
    /// Reads up to `n` bytes, but at most [`READ_BYTES_MAX`]; returns no bytes at the end of the file.
    ///
    /// # Errors
    /// The file is not open for reading, or the read fails.
    pub fn read_at(&self, offset: u64, n: usize) -> Result<Vec<u8>, Errno> {
        if !self.read {
            return Err(Errno::EBADF);
        }
        let (n, mut bytes) = (n.min(READ_BYTES_MAX), Vec::new());
        while bytes.len() < n {
            let had = bytes.len();
            bytes.resize(n.min(had + PIECE_BYTES), 0);
            let read = self.read_piece(&mut bytes[had..], offset.saturating_add(had as u64));
            bytes.truncate(had + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) => break,
                Err(errno) if had == 0 => return Err(errno),
                Err(_) => break,
                Ok(_) => (),
            }
        }
        Ok(bytes)
    }

    fn read_piece(&self, piece: &mut [u8], offset: u64) -> Result<usize, Errno> {
        loop {
            match self.file.read_at(piece, offset) {
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                read => return Ok(read?),
            }
        }
    }

    /// Writes `bytes`, at the end of the file if it was opened to append. Returns the number of bytes written.
    ///
    /// # Errors
    /// The file is not open for writing, or no byte could be written.
    pub fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<usize, Errno> {
        if !self.write {
            return Err(Errno::EBADF);
        }
        let mut written = 0;
        while written < bytes.len() {
            match self.file.write_at(&bytes[written..], offset.saturating_add(written as u64)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) if written == 0 => return Err(error.into()),
                Ok(0) | Err(_) => break,
                Ok(n) => written += n,
            }
        }
        Ok(written)
    }

    /// Whether the file was opened to append.
    pub fn appends(&self) -> bool {
        self.append
    }

    /// Metadata of the file.
    ///
    /// # Errors
    /// The metadata cannot be read.
    pub fn metadata(&self) -> Result<Metadata, Errno> {
        Ok(Metadata::from(&self.file.metadata()?))
    }

    /// Shortens the file, or extends it with zeros.
    ///
    /// # Errors
    /// The file is not open for writing, or cannot have this size.
    pub fn set_size(&self, size_bytes: u64) -> Result<(), Errno> {
        if !self.write {
            return Err(Errno::EINVAL);
        }
        Ok(self.file.set_len(size_bytes)?)
    }

    /// Waits until the file is on the storage device.
    ///
    /// # Errors
    /// The device cannot store the file.
    pub fn sync(&self) -> Result<(), Errno> {
        Ok(self.file.sync_all()?)
    }

    /// Sets the file's read, write and execute permissions; set-user-ID and similar bits are dropped.
    ///
    /// # Errors
    /// The file belongs to somebody else, or may not be changed.
    pub fn set_permissions(&self, mode: u32) -> Result<(), Errno> {
        self.changeable()?;
        Ok(self.file.set_permissions(Permissions::from_mode(mode & 0o777))?)
    }

    /// Sets the file's access time and modification time; `None` leaves a time unchanged.
    ///
    /// # Errors
    /// The file belongs to somebody else, or may not be changed.
    pub fn set_times(&self, accessed: Option<When>, modified: Option<When>) -> Result<(), Errno> {
        self.changeable()?;
        Ok(rustix::fs::futimens(&self.file, &timestamps(accessed, modified))?)
    }

    /// A file that is open for reading only has attributes that its owner could change.
    fn changeable(&self) -> Result<(), Errno> {
        if self.changeable { Ok(()) } else { Err(Errno::EROFS) }
    }
}

/// Converts an access time and a modification time to the form that the host's system calls take.
pub(crate) fn timestamps(accessed: Option<When>, modified: Option<When>) -> Timestamps {
    let exact = |when| match when {
        Some(When::At(stamp)) => Timespec { tv_sec: stamp.seconds, tv_nsec: stamp.ns.into() },
        Some(When::Now) => Timespec { tv_sec: 0, tv_nsec: UTIME_NOW },
        None => Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
    };
    Timestamps { last_access: exact(accessed), last_modification: exact(modified) }
}
