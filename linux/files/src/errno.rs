//! Error numbers of Linux.

use std::fmt;
use std::io;

/// A Linux error number. The errors of file operations have the same numbers on PowerPC as on other processors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Errno(pub u32);

macro_rules! errnos {
    ($($(#[$doc:meta])* $name:ident = $number:literal;)*) => {
        impl Errno {
            $($(#[$doc])* pub const $name: Errno = Errno($number);)*

            /// Symbolic name of the error, if this crate uses the error.
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some(stringify!($name)),)*
                    _ => None,
                }
            }
        }
    };
}

errnos! {
    /// Operation not permitted.
    EPERM = 1;
    /// No such file or directory.
    ENOENT = 2;
    /// Input or output failed.
    EIO = 5;
    /// No such device, or no process at the other end of a pipe.
    ENXIO = 6;
    /// No such open file.
    EBADF = 9;
    /// Permission denied, or the file is out of the program's reach.
    EACCES = 13;
    /// Device or resource busy.
    EBUSY = 16;
    /// File exists.
    EEXIST = 17;
    /// A link or rename would cross file systems.
    EXDEV = 18;
    /// Not a directory.
    ENOTDIR = 20;
    /// Is a directory.
    EISDIR = 21;
    /// Invalid argument.
    EINVAL = 22;
    /// Too many open files.
    EMFILE = 24;
    /// File too large.
    EFBIG = 27;
    /// Not seekable.
    ESPIPE = 29;
    /// File system is read only.
    EROFS = 30;
    /// Name too long.
    ENAMETOOLONG = 36;
    /// Directory not empty.
    ENOTEMPTY = 39;
    /// Too many symbolic links.
    ELOOP = 40;
}

impl fmt::Debug for Errno {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => out.write_str(name),
            None => write!(out, "errno {}", self.0),
        }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, out)
    }
}

impl From<io::Error> for Errno {
    /// An error without a number comes from `cap-std`, which refused to leave a directory.
    fn from(error: io::Error) -> Errno {
        let number = error.raw_os_error().and_then(|number| u32::try_from(number).ok());
        number.map(Errno).unwrap_or(match error.kind() {
            io::ErrorKind::PermissionDenied => Errno::EACCES,
            io::ErrorKind::InvalidInput => Errno::EINVAL,
            _ => Errno::EIO,
        })
    }
}

impl From<rustix::io::Errno> for Errno {
    fn from(error: rustix::io::Errno) -> Errno {
        io::Error::from(error).into()
    }
}
