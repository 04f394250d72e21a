//! System calls for descriptors: `dup`, `fcntl`, `ioctl`, pipes, `eventfd`.

use crate::errno::Errno;
use crate::files::event::Event;
use crate::files::ioctl::{FIOCLEX, FIONBIO, FIONCLEX};
use crate::files::pipe::{PIPE_BYTES, pipe};
use crate::hardware::Hardware;
use crate::request::Answer;
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::description::{Description, Descriptor, release};
use crate::vfs::flags::open;
use crate::vfs::object::Object;
use std::rc::Rc;

/// Table rows of the descriptor calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(41, "dup", 1, |caller| duplicate(caller, 0, false)),
    SystemCall::new(42, "pipe", 1, |caller| make_pipe(caller, 0)),
    SystemCall::new(54, "ioctl", 3, ioctl),
    SystemCall::new(55, "fcntl", 3, fcntl),
    SystemCall::new(63, "dup2", 2, |caller| match caller.argument(0) == caller.argument(1) {
        true => caller.open_file().map(|_| caller.argument(0)).map_err(Into::into),
        false => duplicate_to(caller, 0),
    }),
    SystemCall::new(143, "flock", 2, |caller| Ok(caller.open_file().map(|_| 0)?)),
    SystemCall::new(204, "fcntl64", 3, fcntl),
    SystemCall::new(307, "eventfd", 1, |caller| eventfd(caller, 0)),
    SystemCall::new(314, "eventfd2", 2, |caller| eventfd(caller, caller.argument(1))),
    SystemCall::new(316, "dup3", 3, |caller| {
        let [old, new, flags, ..] = caller.request.arguments;
        if old == new || flags & !open::CLOSE_ON_EXEC != 0 {
            return Err(Errno::EINVAL.into());
        }
        duplicate_to(caller, flags)
    }),
    SystemCall::new(317, "pipe2", 2, |caller| make_pipe(caller, caller.argument(1))),
];

fn duplicate(caller: &mut Caller<'_>, from: u32, close_on_exec: bool) -> Answer {
    let descriptor = Descriptor { description: caller.open_file()?, close_on_exec };
    Ok(caller.kernel.files.descriptors.borrow_mut().add(descriptor, from)?)
}

fn duplicate_to(caller: &mut Caller<'_>, flags: u32) -> Answer {
    let new = caller.argument(1);
    let descriptor = Descriptor { description: caller.open_file()?, close_on_exec: flags & open::CLOSE_ON_EXEC != 0 };
    let (files, mut context) = caller.files();
    let old = files.descriptors.borrow_mut().put(new, descriptor)?;
    if let Some(old) = old {
        release(&mut context, old);
    }
    Ok(new)
}

/// `fcntl`
const F_DUPFD: u32 = 0;
const F_GETFD: u32 = 1;
const F_SETFD: u32 = 2;
const F_GETFL: u32 = 3;
const F_SETFL: u32 = 4;
const F_GETLK: u32 = 5;
const F_SETLK: u32 = 6;
const F_SETLKW: u32 = 7;
const F_SETOWN: u32 = 8;
const F_GETOWN: u32 = 9;
const F_GETLK64: u32 = 12;
const F_SETLK64: u32 = 13;
const F_SETLKW64: u32 = 14;
const F_DUPFD_CLOEXEC: u32 = 1030;
const F_SETPIPE_SZ: u32 = 1031;
const F_GETPIPE_SZ: u32 = 1032;
/// `F_GETFD`
const FD_CLOEXEC: u32 = 1;

fn fcntl(caller: &mut Caller<'_>) -> Answer {
    let [number, command, argument, ..] = caller.request.arguments;
    let description = caller.open_file()?;
    match command {
        F_DUPFD | F_DUPFD_CLOEXEC => {
            if argument >= caller.kernel.files.descriptors.borrow().limit {
                return Err(Errno::EINVAL.into());
            }
            drop(description);
            duplicate(caller, argument, command == F_DUPFD_CLOEXEC)
        }
        F_GETFD | F_SETFD => {
            let mut descriptors = caller.kernel.files.descriptors.borrow_mut();
            let descriptor = descriptors.get_mut(number)?;
            if command == F_GETFD {
                return Ok(if descriptor.close_on_exec { FD_CLOEXEC } else { 0 });
            }
            descriptor.close_on_exec = argument & FD_CLOEXEC != 0;
            Ok(0)
        }
        F_GETFL => Ok(description.flags.get()),
        F_SETFL => {
            let kept = description.flags.get() & !open::CHANGEABLE;
            description.flags.set(kept | argument & open::CHANGEABLE);
            Ok(0)
        }
        // Locks always succeed, because no other process exists that could hold a lock.
        F_GETLK | F_GETLK64 => unlocked(caller.hardware, argument),
        F_SETLK | F_SETLKW | F_SETLK64 | F_SETLKW64 | F_SETOWN | F_GETOWN => Ok(0),
        F_SETPIPE_SZ | F_GETPIPE_SZ if !description.object.seekable() => Ok(PIPE_BYTES as u32),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// Writes `F_UNLCK` into a `struct flock`, which begins with the halfword `l_type`.
fn unlocked(hardware: &mut dyn Hardware, at: u32) -> Answer {
    const F_UNLCK: u16 = 2;
    hardware.write(at, &F_UNLCK.to_be_bytes())?;
    Ok(0)
}

fn ioctl(caller: &mut Caller<'_>) -> Answer {
    let [number, request, argument, ..] = caller.request.arguments;
    let description = caller.open_file()?;
    match request {
        FIOCLEX | FIONCLEX => {
            let mut descriptors = caller.kernel.files.descriptors.borrow_mut();
            descriptors.get_mut(number)?.close_on_exec = request == FIOCLEX;
            Ok(0)
        }
        FIONBIO => {
            let wanted = caller.hardware.word(argument)? != 0;
            let others = description.flags.get() & !open::NONBLOCK;
            description.flags.set(if wanted { others | open::NONBLOCK } else { others });
            Ok(0)
        }
        _ => Ok(description.object.ioctl(&mut caller.context(), request, argument)?),
    }
}

fn make_pipe(caller: &mut Caller<'_>, flags: u32) -> Answer {
    let at = caller.argument(0);
    if flags & !(open::CLOSE_ON_EXEC | open::NONBLOCK | open::DIRECT) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let files = &mut caller.kernel.files;
    files.pipes += 1;
    let (read, write, path) = pipe(&mut caller.kernel.wakes, files.pipes, files.user);
    let ends: [(Rc<dyn Object>, u32); 2] = [(Rc::new(read), 0), (Rc::new(write), open::WRITE_ONLY)];
    let mut numbers = Vec::new();
    for (end, access) in ends {
        let description = Description::new(end, access | flags & !open::CLOSE_ON_EXEC, &path);
        match caller.kernel.files.add(description, flags) {
            Ok(number) => numbers.push(number),
            Err(errno) => {
                close_all(caller, &numbers);
                return Err(errno.into());
            }
        }
    }
    let words: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
    if caller.hardware.write(at, &words).is_err() {
        close_all(caller, &numbers);
        return Err(Errno::EFAULT.into());
    }
    Ok(0)
}

fn close_all(caller: &mut Caller<'_>, numbers: &[u32]) {
    let (files, mut context) = caller.files();
    for number in numbers {
        let taken = files.descriptors.borrow_mut().take(*number);
        if let Ok(descriptor) = taken {
            release(&mut context, descriptor);
        }
    }
}

fn eventfd(caller: &mut Caller<'_>, flags: u32) -> Answer {
    const SEMAPHORE: u32 = 1;
    if flags & !(SEMAPHORE | open::CLOSE_ON_EXEC | open::NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let count = caller.argument(0);
    let event = Event::new(&mut caller.kernel.wakes, count, flags & SEMAPHORE != 0);
    let flags = open::READ_WRITE | flags & !SEMAPHORE;
    Ok(caller.kernel.files.add_object(Rc::new(event), flags, b"anon_inode:[eventfd]")?)
}
