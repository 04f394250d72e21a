//! System calls that create, remove and rename files and directories.

use crate::errno::Errno;
use crate::files::paths::Found;
use crate::request::Answer;
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::flags::{at, open};
use crate::vfs::object::{New, Object};
use files::{Kind, Last, Location};
use std::rc::Rc;

/// Table rows of the calls that create, remove and rename files.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(9, "link", 2, |caller| {
        let [old, new, ..] = caller.request.arguments;
        link(caller, (at::CURRENT, old), (at::CURRENT, new), Last::Itself)
    }),
    SystemCall::new(10, "unlink", 1, |caller| remove(caller, (at::CURRENT, caller.argument(0)), false)),
    SystemCall::new(14, "mknod", 3, |caller| make_node(caller, at::CURRENT, 0)),
    SystemCall::new(38, "rename", 2, |caller| {
        let [old, new, ..] = caller.request.arguments;
        rename(caller, (at::CURRENT, old), (at::CURRENT, new))
    }),
    SystemCall::new(39, "mkdir", 2, |caller| {
        let [path, mode, ..] = caller.request.arguments;
        make_directory(caller, (at::CURRENT, path), mode)
    }),
    SystemCall::new(40, "rmdir", 1, |caller| remove(caller, (at::CURRENT, caller.argument(0)), true)),
    SystemCall::new(83, "symlink", 2, |caller| {
        let [target, path, ..] = caller.request.arguments;
        symbolic_link(caller, target, (at::CURRENT, path))
    }),
    SystemCall::new(85, "readlink", 3, |caller| {
        let [path, buffer, bytes, ..] = caller.request.arguments;
        read_link(caller, (at::CURRENT, path), (buffer, bytes))
    }),
    SystemCall::new(287, "mkdirat", 3, |caller| {
        let [start, path, mode, ..] = caller.request.arguments;
        make_directory(caller, (start, path), mode)
    }),
    SystemCall::new(288, "mknodat", 4, |caller| make_node(caller, caller.argument(0), 1)),
    SystemCall::new(292, "unlinkat", 3, |caller| {
        let [start, path, flags, ..] = caller.request.arguments;
        match flags {
            0 => remove(caller, (start, path), false),
            at::REMOVE_DIRECTORY => remove(caller, (start, path), true),
            _ => Err(Errno::EINVAL.into()),
        }
    }),
    SystemCall::new(293, "renameat", 4, |caller| {
        let [from, old, to, new, ..] = caller.request.arguments;
        rename(caller, (from, old), (to, new))
    }),
    SystemCall::new(294, "linkat", 5, |caller| {
        let [from, old, to, new, flags, ..] = caller.request.arguments;
        if flags & !at::FOLLOW != 0 {
            return Err(Errno::EINVAL.into());
        }
        let last = if flags & at::FOLLOW != 0 { Last::Target } else { Last::Itself };
        link(caller, (from, old), (to, new), last)
    }),
    SystemCall::new(295, "symlinkat", 3, |caller| {
        let [target, start, path, ..] = caller.request.arguments;
        symbolic_link(caller, target, (start, path))
    }),
    SystemCall::new(296, "readlinkat", 4, |caller| {
        let [start, path, buffer, bytes, ..] = caller.request.arguments;
        read_link(caller, (start, path), (buffer, bytes))
    }),
];

/// A path argument: the descriptor of the directory where the path starts, and the address of the path.
type Path = (u32, u32);

fn make_directory(caller: &mut Caller<'_>, (start, path): Path, mode: u32) -> Answer {
    let mode = mode & !caller.kernel.files.umask & 0o777;
    match caller.find(start, path, Last::Name)? {
        Found::Host(location) => location.ask(|location| location.create_directory(mode))?,
        Found::Machine { .. } => return Err(Errno::EEXIST.into()),
        Found::Absent { parent, name, .. } => make(caller, &parent, &name, New::Directory(mode))?,
    }
    Ok(0)
}

fn make(caller: &mut Caller<'_>, parent: &Rc<dyn Object>, name: &[u8], what: New) -> Result<(), Errno> {
    let directory = parent.as_directory().ok_or(Errno::ENOTDIR)?;
    directory.create(&mut caller.context(), name, what).map(|_| ())
}

fn symbolic_link(caller: &mut Caller<'_>, target: u32, (start, path): Path) -> Answer {
    let target = caller.path(target)?;
    if target.is_empty() {
        return Err(Errno::ENOENT.into());
    }
    match caller.find(start, path, Last::Name)? {
        Found::Host(location) => location.ask(|location| location.create_link(&target))?,
        Found::Machine { .. } => return Err(Errno::EEXIST.into()),
        Found::Absent { parent, name, .. } => make(caller, &parent, &name, New::Link(target))?,
    }
    Ok(0)
}

fn read_link(caller: &mut Caller<'_>, (start, path): Path, (buffer, bytes): (u32, u32)) -> Answer {
    if bytes == 0 || bytes > i32::MAX as u32 {
        return Err(Errno::EINVAL.into());
    }
    let target = match caller.find(start, path, Last::Itself)? {
        Found::Host(location) => location.read(Location::read_link)?,
        Found::Machine { object, .. } => object.link().ok_or(Errno::EINVAL)?,
        Found::Absent { .. } => return Err(Errno::ENOENT.into()),
    };
    let part = target.get(..bytes as usize).unwrap_or(&target);
    caller.hardware.write(buffer, part)?;
    Ok(part.len() as u32)
}

/// Creates a regular file. Requests to create pipes or devices are refused.
fn make_node(caller: &mut Caller<'_>, start: u32, first: usize) -> Answer {
    let (path, mode) = (caller.argument(first), caller.argument(first + 1));
    if mode & 0o170_000 != 0 && Kind::of_mode(mode) != Kind::File {
        return Err(Errno::EPERM.into());
    }
    let path = caller.path(path)?;
    let (files, mut context) = caller.files();
    let flags = open::CREATE | open::EXCLUSIVE;
    files.open(&mut context, start, &path, (flags, mode))?;
    Ok(0)
}

fn remove(caller: &mut Caller<'_>, (start, path): Path, directory: bool) -> Answer {
    let found = caller.find(start, path, Last::Name)?;
    let text = caller.path(path)?;
    match text.rsplit(|byte| *byte == b'/').next() {
        Some(b".") if directory => return Err(Errno::EINVAL.into()),
        Some(b"..") if directory => return Err(Errno::ENOTEMPTY.into()),
        _ => (),
    }
    match found {
        Found::Host(location) if directory => location.ask(Location::remove_directory)?,
        Found::Host(location) => location.ask(Location::remove_file)?,
        Found::Machine { object, parent: Some((parent, name)), .. } => {
            removable(caller, &object, directory)?;
            let parent = parent.as_directory().ok_or(Errno::ENOTDIR)?;
            parent.remove(&mut caller.context(), &name)?;
        }
        Found::Machine { .. } => return Err(Errno::EBUSY.into()),
        Found::Absent { .. } => return Err(Errno::ENOENT.into()),
    }
    Ok(0)
}

/// Checks that an object can be removed. If `directory` is true, the object must be an empty directory. Otherwise, it
/// must not be a directory.
fn removable(caller: &mut Caller<'_>, object: &Rc<dyn Object>, directory: bool) -> Result<(), Errno> {
    match (object.as_directory(), directory) {
        (Some(_), false) => Err(Errno::EISDIR),
        (None, true) => Err(Errno::ENOTDIR),
        (None, false) => Ok(()),
        (Some(inside), true) if inside.list(&mut caller.context())?.is_empty() => Ok(()),
        (Some(_), true) => Err(Errno::ENOTEMPTY),
    }
}

fn link(caller: &mut Caller<'_>, old: Path, new: Path, last: Last) -> Answer {
    let old = caller.find(old.0, old.1, last)?;
    match (old, caller.find(new.0, new.1, Last::Name)?) {
        (Found::Absent { .. }, _) => return Err(Errno::ENOENT.into()),
        (_, Found::Machine { .. }) => return Err(Errno::EEXIST.into()),
        (Found::Host(old), Found::Host(new)) => old.ask(|old| old.create_name(new.known()))?,
        (Found::Machine { object, .. }, Found::Absent { parent, name, .. }) => {
            if object.as_directory().is_some() {
                return Err(Errno::EPERM.into());
            }
            insert(caller, &object, &parent, &name)?;
        }
        _ => return Err(Errno::EXDEV.into()),
    }
    Ok(0)
}

/// Adds a name for an object to a directory of the same file system.
fn insert(caller: &mut Caller<'_>, object: &Rc<dyn Object>, parent: &Rc<dyn Object>, name: &[u8]) -> Result<(), Errno> {
    let mut context = caller.context();
    if object.stat(&mut context)?.device != parent.stat(&mut context)?.device {
        return Err(Errno::EXDEV);
    }
    parent.as_directory().ok_or(Errno::ENOTDIR)?.insert(&mut context, name, object)
}

fn rename(caller: &mut Caller<'_>, old: Path, new: Path) -> Answer {
    let old = caller.find(old.0, old.1, Last::Name)?;
    let (parent, name, replaced) = match (&old, caller.find(new.0, new.1, Last::Name)?) {
        (Found::Absent { .. }, _) => return Err(Errno::ENOENT.into()),
        (Found::Host(old), Found::Host(new)) => {
            old.ask(|old| old.rename(new.known()))?;
            return Ok(0);
        }
        (Found::Machine { .. }, Found::Absent { parent, name, .. }) => (parent, name, None),
        (Found::Machine { .. }, Found::Machine { object, parent: Some((parent, name)), .. }) => {
            (parent, name, Some(object))
        }
        _ => return Err(Errno::EXDEV.into()),
    };
    let Found::Machine { object, parent: Some((old_parent, old_name)), .. } = old else {
        return Err(Errno::EBUSY.into());
    };
    if replaced.as_ref().is_some_and(|replaced| Rc::ptr_eq(replaced, &object)) {
        return Ok(0);
    }
    // A directory cannot be moved into another directory, because it might become part of itself.
    if object.as_directory().is_some() && !Rc::ptr_eq(&old_parent, &parent) {
        return Err(Errno::EXDEV.into());
    }
    if let Some(replaced) = replaced {
        removable(caller, &replaced, object.as_directory().is_some())?;
        parent.as_directory().ok_or(Errno::ENOTDIR)?.remove(&mut caller.context(), &name)?;
    }
    insert(caller, &object, &parent, &name)?;
    old_parent.as_directory().ok_or(Errno::ENOTDIR)?.remove(&mut caller.context(), &old_name)?;
    Ok(0)
}
