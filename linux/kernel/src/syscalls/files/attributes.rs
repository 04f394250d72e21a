//! System calls that change attributes of files: permissions, owners, times.

use crate::errno::Errno;
use crate::files::host;
use crate::files::paths::Found;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::flags::at;
use files::{Last, Stamp, When};

/// Table rows of the calls that change attributes.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(15, "chmod", 2, |caller| {
        let [path, mode, ..] = caller.request.arguments;
        set_permissions(caller, at::CURRENT, path, mode)
    }),
    SystemCall::new(16, "lchown", 3, |caller| change_owner(caller, at::CURRENT, 0, Last::Itself)),
    SystemCall::new(30, "utime", 2, |caller| {
        let [path, times, ..] = caller.request.arguments;
        let times = read_times(caller, times, Shape::Seconds)?;
        set_times(caller, (at::CURRENT, path), times, Last::Target)
    }),
    SystemCall::new(60, "umask", 1, |caller| {
        let new = caller.argument(0) & 0o777;
        Ok(std::mem::replace(&mut caller.kernel.files.umask, new))
    }),
    SystemCall::new(94, "fchmod", 2, |caller| {
        let (file, mode) = (caller.open_file()?, caller.argument(1));
        file.object.set_permissions(&mut caller.context(), mode & 0o7777)?;
        Ok(0)
    }),
    SystemCall::new(95, "fchown", 3, |caller| {
        caller.open_file()?;
        only_own(caller, 1)
    }),
    SystemCall::new(181, "chown", 3, |caller| change_owner(caller, at::CURRENT, 0, Last::Target)),
    SystemCall::new(251, "utimes", 2, |caller| {
        let [path, times, ..] = caller.request.arguments;
        let times = read_times(caller, times, Shape::Micros)?;
        set_times(caller, (at::CURRENT, path), times, Last::Target)
    }),
    SystemCall::new(289, "fchownat", 5, |caller| {
        let last = if caller.argument(4) & at::NOFOLLOW != 0 { Last::Itself } else { Last::Target };
        change_owner(caller, caller.argument(0), 1, last)
    }),
    SystemCall::new(290, "futimesat", 3, |caller| {
        let [start, path, times, ..] = caller.request.arguments;
        let times = read_times(caller, times, Shape::Micros)?;
        set_times(caller, (start, path), times, Last::Target)
    }),
    SystemCall::new(297, "fchmodat", 3, |caller| {
        let [start, path, mode, ..] = caller.request.arguments;
        set_permissions(caller, start, path, mode)
    }),
    SystemCall::new(304, "utimensat", 4, |caller| utimensat(caller, caller.width().pick(Shape::Nanos, Shape::Nanos64))),
    SystemCall::new(412, "utimensat_time64", 4, |caller| utimensat(caller, Shape::Nanos64)),
];

fn set_permissions(caller: &mut Caller<'_>, start: u32, path: u32, mode: u32) -> Answer {
    match caller.find(start, path, Last::Target)? {
        Found::Host(location) => location.ask(|location| location.set_permissions(mode))?,
        Found::Machine { object, .. } => object.set_permissions(&mut caller.context(), mode & 0o7777)?,
        Found::Absent { .. } => return Err(Errno::ENOENT.into()),
    }
    Ok(0)
}

/// Handles `chown`, which succeeds only if the owner would not change. The path is argument number `first`, and the
/// user and group are the next two arguments.
fn change_owner(caller: &mut Caller<'_>, start: u32, first: usize, last: Last) -> Answer {
    let found = caller.find(start, caller.argument(first), last)?;
    super::status::stat_found(caller, &found)?;
    only_own(caller, first + 1)
}

fn only_own(caller: &Caller<'_>, first: usize) -> Answer {
    let own = |id: u32| id == u32::MAX || id == caller.kernel.files.user;
    if own(caller.argument(first)) && own(caller.argument(first + 1)) { Ok(0) } else { Err(Errno::EPERM.into()) }
}

/// Format of access and modification times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Seconds, of the process's width.
    Seconds,
    /// Seconds and microseconds, of the process's width.
    Micros,
    /// Seconds and nanoseconds, each as a word.
    Nanos,
    /// Seconds and nanoseconds, each as a doubleword.
    Nanos64,
}

type Times = [Option<When>; 2];

/// Reads both times. Address 0 stands for the present time.
fn read_times(caller: &mut Caller<'_>, at: u32, shape: Shape) -> Result<Times, NotDone> {
    if at == 0 {
        return Ok([Some(When::Now); 2]);
    }
    let mut numbers = [[0; 2]; 2];
    for (n, pair) in (0..).zip(&mut numbers) {
        *pair = match shape {
            Shape::Seconds => [long(caller, at.wrapping_add(caller.width().bytes() * n))?, 0],
            Shape::Micros => {
                let width = caller.width().bytes();
                let at = at.wrapping_add(2 * width * n);
                [long(caller, at)?, long(caller, at.wrapping_add(width))?]
            }
            Shape::Nanos => {
                let at = at.wrapping_add(8 * n);
                [signed(caller.hardware.word(at)?), signed(caller.hardware.word(at.wrapping_add(4))?)]
            }
            Shape::Nanos64 => {
                let at = at.wrapping_add(16 * n);
                // The upper half of the nanoseconds is ignored.
                [caller.hardware.doubleword(at)? as i64, signed(caller.hardware.word(at.wrapping_add(12))?)]
            }
        };
    }
    let [first, second] = numbers;
    Ok([when(first, shape)?, when(second, shape)?])
}

/// Reads a signed number of the process's width.
fn long(caller: &mut Caller<'_>, at: u32) -> Result<i64, Errno> {
    let number = caller.hardware.long(at)?;
    Ok(caller.width().pick(i64::from(number as i32), number as i64))
}

fn signed(word: u32) -> i64 {
    i64::from(word as i32)
}

fn when([seconds, part]: [i64; 2], shape: Shape) -> Result<Option<When>, Errno> {
    const NOW: i64 = 0x3fff_ffff;
    const OMIT: i64 = 0x3fff_fffe;
    let ns = match shape {
        Shape::Nanos | Shape::Nanos64 if part == NOW => return Ok(Some(When::Now)),
        Shape::Nanos | Shape::Nanos64 if part == OMIT => return Ok(None),
        Shape::Micros => part.saturating_mul(1000),
        _ => part,
    };
    let ns = u32::try_from(ns).ok().filter(|ns| *ns < 1_000_000_000).ok_or(Errno::EINVAL)?;
    Ok(Some(When::At(Stamp { seconds, ns })))
}

fn utimensat(caller: &mut Caller<'_>, shape: Shape) -> Answer {
    let [start, path, times, flags, ..] = caller.request.arguments;
    if flags & !(at::NOFOLLOW | at::EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let times = read_times(caller, times, shape)?;
    let last = if flags & at::NOFOLLOW != 0 { Last::Itself } else { Last::Target };
    let empty = path == 0 || flags & at::EMPTY_PATH != 0 && caller.path(path)?.is_empty();
    if !empty {
        return set_times(caller, (start, path), times, last);
    }
    let file = caller.open_file()?;
    file.object.set_times(&mut caller.context(), times[0], times[1])?;
    Ok(0)
}

fn set_times(caller: &mut Caller<'_>, (start, path): (u32, u32), [accessed, modified]: Times, last: Last) -> Answer {
    let found = caller.find(start, path, last)?;
    let (files, mut context) = caller.files();
    match found {
        Found::Host(location) => host::set_times(&location, &files.attributes, (accessed, modified), &context)?,
        Found::Machine { object, .. } => object.set_times(&mut context, accessed, modified)?,
        Found::Absent { .. } => return Err(Errno::ENOENT.into()),
    }
    Ok(0)
}
