//! System calls for file offsets and sizes, such as `lseek`, `truncate` and `fsync`.

use crate::errno::Errno;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::flags::{at, open};
use crate::width::Width;

/// Table rows of the calls for offsets and sizes.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(19, "lseek", 3, |caller| {
        let [_, offset, whence, ..] = caller.request.arguments;
        let offset = caller.width().pick(i64::from(offset as i32), caller.request.longs[1] as i64);
        let position = seek(caller, offset, whence)?;
        if caller.width() == Width::Narrow && i32::try_from(position).is_err() {
            return Err(Errno::EOVERFLOW.into());
        }
        caller.request.upper = (position >> 32) as u32;
        Ok(position as u32)
    }),
    SystemCall::new(36, "sync", 0, |_| Ok(0)),
    SystemCall::new(92, "truncate", 2, |caller| truncate(caller, size_argument(caller))),
    SystemCall::new(93, "ftruncate", 2, |caller| resize(caller, size_argument(caller))),
    SystemCall::new(118, "fsync", 1, sync),
    SystemCall::new(140, "_llseek", 5, |caller| {
        let [_, high, low, result, whence, ..] = caller.request.arguments;
        let position = seek(caller, (i64::from(high) << 32) | i64::from(low), whence)?;
        caller.hardware.put_doubleword(result, position)?;
        Ok(0)
    }),
    SystemCall::new(148, "fdatasync", 1, sync),
    SystemCall::new(191, "readahead", 5, |caller| Ok(caller.open_file().map(|_| 0)?)),
    // A 64-bit size is in a register pair that begins at an odd-numbered register.
    SystemCall::new(193, "truncate64", 4, |caller| truncate(caller, caller.request.doubleword(2))),
    SystemCall::new(194, "ftruncate64", 4, |caller| resize(caller, caller.request.doubleword(2))),
    SystemCall::new(233, "fadvise64", 5, |caller| Ok(caller.open_file().map(|_| 0)?)),
    SystemCall::new(254, "fadvise64_64", 6, |caller| Ok(caller.open_file().map(|_| 0)?)),
    SystemCall::new(308, "sync_file_range2", 6, |caller| Ok(caller.open_file().map(|_| 0)?)),
    SystemCall::new(309, "fallocate", 6, fallocate),
    SystemCall::new(348, "syncfs", 1, |caller| Ok(caller.open_file().map(|_| 0)?)),
];

/// The size in the second argument.
fn size_argument(caller: &Caller<'_>) -> u64 {
    caller.width().pick(caller.argument(1).into(), caller.request.longs[1])
}

/// Moves the offset of an open file. Returns the new offset.
fn seek(caller: &mut Caller<'_>, offset: i64, whence: u32) -> Result<u64, NotDone> {
    let file = caller.open_file()?;
    if !file.object.seekable() {
        return Err(Errno::ESPIPE.into());
    }
    let size = |caller: &mut Caller<'_>| file.object.stat(&mut caller.context()).map(|stat| stat.size_bytes as i64);
    let from = match whence {
        0 => 0,
        1 => file.offset.get() as i64,
        2 => size(caller)?,
        // `SEEK_DATA` and `SEEK_HOLE`: a file consists of data only, and its one hole is at the end.
        3 | 4 => {
            let size = size(caller)?;
            if !(0..size).contains(&offset) {
                return Err(Errno::ENXIO.into());
            }
            if whence == 3 { 0 } else { size - offset }
        }
        _ => return Err(Errno::EINVAL.into()),
    };
    let position = from.checked_add(offset).and_then(|position| u64::try_from(position).ok()).ok_or(Errno::EINVAL)?;
    file.offset.set(position);
    Ok(position)
}

fn new_size(size: u64) -> Result<u64, Errno> {
    if i64::try_from(size).is_err() { Err(Errno::EINVAL) } else { Ok(size) }
}

fn resize(caller: &mut Caller<'_>, size: u64) -> Answer {
    let size = new_size(size)?;
    let file = caller.open_file()?;
    if !file.writes() {
        return Err(Errno::EINVAL.into());
    }
    file.object.resize(&mut caller.context(), size)?;
    Ok(0)
}

fn truncate(caller: &mut Caller<'_>, size: u64) -> Answer {
    let size = new_size(size)?;
    let path = caller.path(caller.argument(0))?;
    let (files, mut context) = caller.files();
    let file = files.open(&mut context, at::CURRENT, &path, (open::WRITE_ONLY, 0))?;
    let resized = file.object.resize(&mut context, size);
    file.object.closes(&mut context);
    resized?;
    Ok(0)
}

fn sync(caller: &mut Caller<'_>) -> Answer {
    caller.open_file()?.object.sync(&mut caller.context())?;
    Ok(0)
}

/// Extends a file. Holes cannot be made.
fn fallocate(caller: &mut Caller<'_>) -> Answer {
    const KEEP_SIZE: u32 = 1;
    let (mode, offset, bytes) = (caller.argument(1), caller.long_argument(2, 2), caller.long_argument(3, 4));
    let file = caller.open_file()?;
    if !file.writes() {
        return Err(Errno::EBADF.into());
    }
    if mode & !KEEP_SIZE != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let end = offset.checked_add(bytes).ok_or(Errno::EFBIG)?;
    if bytes == 0 {
        return Err(Errno::EINVAL.into());
    }
    let end = new_size(end).map_err(|_| Errno::EFBIG)?;
    let mut context = caller.context();
    if mode == 0 && file.object.stat(&mut context)?.size_bytes < end {
        file.object.resize(&mut context, end)?;
    }
    Ok(0)
}
