//! System calls that read file attributes, such as `stat`, `access` and `statfs`.

use super::layout;
use crate::errno::Errno;
use crate::files::paths::Found;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::flags::{at, file_system};
use crate::vfs::object::Stat;
use crate::width::Width;
use files::{Access, Kind, Last, Location};

/// Table rows of the calls that read attributes.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(33, "access", 2, |caller| {
        let [path, mode, ..] = caller.request.arguments;
        access(caller, at::CURRENT, path, mode)
    }),
    SystemCall::new(99, "statfs", 2, |caller| {
        let found = caller.find(at::CURRENT, caller.argument(0), Last::Target)?;
        put_statfs(caller, system_of(&found)?)
    }),
    SystemCall::new(100, "fstatfs", 2, |caller| {
        let file = caller.open_file()?;
        put_statfs(caller, file.object.file_system())
    }),
    SystemCall::new(106, "stat", 2, |caller| {
        let stat = stat_path(caller, at::CURRENT, caller.argument(0), Last::Target)?;
        put_stat(caller, &stat)
    }),
    SystemCall::new(107, "lstat", 2, |caller| {
        let stat = stat_path(caller, at::CURRENT, caller.argument(0), Last::Itself)?;
        put_stat(caller, &stat)
    }),
    SystemCall::new(108, "fstat", 2, |caller| {
        let stat = stat_open(caller)?;
        put_stat(caller, &stat)
    }),
    SystemCall::new(195, "stat64", 2, |caller| {
        let stat = stat_path(caller, at::CURRENT, caller.argument(0), Last::Target)?;
        put(caller, 1, &layout::stat64(&stat))
    }),
    SystemCall::new(196, "lstat64", 2, |caller| {
        let stat = stat_path(caller, at::CURRENT, caller.argument(0), Last::Itself)?;
        put(caller, 1, &layout::stat64(&stat))
    }),
    SystemCall::new(197, "fstat64", 2, |caller| {
        let stat = stat_open(caller)?;
        put(caller, 1, &layout::stat64(&stat))
    }),
    SystemCall::new(252, "statfs64", 3, |caller| {
        let found = caller.find(at::CURRENT, caller.argument(0), Last::Target)?;
        put_statfs64(caller, system_of(&found)?)
    }),
    SystemCall::new(253, "fstatfs64", 3, |caller| {
        let file = caller.open_file()?;
        put_statfs64(caller, file.object.file_system())
    }),
    SystemCall::new(291, "fstatat64", 4, fstatat64),
    SystemCall::new(298, "faccessat", 3, |caller| {
        let [start, path, mode, ..] = caller.request.arguments;
        access(caller, start, path, mode)
    }),
];

/// Writes a structure to the address in an argument.
fn put(caller: &mut Caller<'_>, argument: usize, bytes: &[u8]) -> Answer {
    let at = caller.argument(argument);
    caller.hardware.write(at, bytes)?;
    Ok(0)
}

fn put_stat(caller: &mut Caller<'_>, stat: &Stat) -> Answer {
    let bytes = match caller.width() {
        Width::Narrow => layout::stat(stat).ok_or(Errno::EOVERFLOW)?,
        Width::Wide => layout::wide_stat(stat),
    };
    put(caller, 1, &bytes)
}

fn put_statfs(caller: &mut Caller<'_>, file_system: u32) -> Answer {
    let bytes = caller.width().pick::<fn(u32) -> Vec<u8>>(layout::statfs, layout::wide_statfs)(file_system);
    put(caller, 1, &bytes)
}

/// Writes a `struct statfs64`. The second argument of the call is the size of the structure.
fn put_statfs64(caller: &mut Caller<'_>, file_system: u32) -> Answer {
    let bytes = caller.width().pick::<fn(u32) -> Vec<u8>>(layout::statfs64, layout::wide_statfs)(file_system);
    let given = caller.argument(1) as usize;
    // Programs may omit the structure's final padding.
    if given != bytes.len() && given + 4 != bytes.len() {
        return Err(Errno::EINVAL.into());
    }
    put(caller, 2, bytes.get(..given).unwrap_or_default())
}

fn stat_path(caller: &mut Caller<'_>, start: u32, path: u32, last: Last) -> Result<Stat, NotDone> {
    let found = caller.find(start, path, last)?;
    Ok(stat_found(caller, &found)?)
}

/// Attributes of the object found at a path.
///
/// # Errors
/// The path does not exist.
pub fn stat_found(caller: &mut Caller<'_>, found: &Found) -> Result<Stat, Errno> {
    match found {
        Found::Host(location) => Ok(caller.kernel.files.attributes.stat(&location.ask(Location::metadata)?)),
        Found::Machine { object, .. } => object.stat(&mut caller.context()),
        Found::Absent { .. } => Err(Errno::ENOENT),
    }
}

fn stat_open(caller: &mut Caller<'_>) -> Result<Stat, NotDone> {
    let file = caller.open_file()?;
    Ok(file.object.stat(&mut caller.context())?)
}

fn fstatat64(caller: &mut Caller<'_>) -> Answer {
    let [start, path, _, flags, ..] = caller.request.arguments;
    if flags & !(at::NOFOLLOW | at::EMPTY_PATH | at::NO_AUTOMOUNT) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let last = if flags & at::NOFOLLOW != 0 { Last::Itself } else { Last::Target };
    let empty = flags & at::EMPTY_PATH != 0 && caller.path(path)?.is_empty();
    let stat = match empty {
        true if start == at::CURRENT => {
            let (files, mut context) = caller.files();
            let found = files.find(&mut context, start, b".", last)?;
            stat_found(caller, &found)?
        }
        true => stat_open(caller)?,
        false => stat_path(caller, start, path, last)?,
    };
    let bytes = caller.width().pick::<fn(&Stat) -> Vec<u8>>(layout::stat64, layout::wide_stat)(&stat);
    put(caller, 2, &bytes)
}

fn system_of(found: &Found) -> Result<u32, Errno> {
    match found {
        Found::Host(location) if !location.known().exists() => Err(Errno::ENOENT),
        Found::Host(_) => Ok(file_system::EXT2),
        Found::Machine { object, .. } => Ok(object.file_system()),
        Found::Absent { .. } => Err(Errno::ENOENT),
    }
}

fn access(caller: &mut Caller<'_>, start: u32, path: u32, mode: u32) -> Answer {
    const EXECUTE: u32 = 1;
    const WRITE: u32 = 2;
    const READ: u32 = 4;
    if mode & !(READ | WRITE | EXECUTE) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let found = caller.find(start, path, Last::Target)?;
    if let Found::Host(location) = &found {
        let asked = Access { read: mode & READ != 0, write: mode & WRITE != 0, execute: mode & EXECUTE != 0 };
        location.ask(|location| location.access(asked))?;
        return Ok(0);
    }
    let stat = stat_found(caller, &found)?;
    let own = stat.user == caller.kernel.files.user;
    let allowed = if own { stat.mode >> 6 } else { stat.mode };
    // For this check, terminals and pipes permit every access: their access mode was set when they were opened.
    let any = matches!(stat.kind(), Kind::Fifo | Kind::CharacterDevice);
    if any || mode & !allowed & 7 == 0 { Ok(0) } else { Err(Errno::EACCES.into()) }
}
