//! System calls that read directories, and that get or change the current directory.

use super::layout;
use crate::errno::Errno;
use crate::files::paths::Found;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::description::Description;
use crate::vfs::flags::{at, open};
use crate::vfs::object::Entry;
use crate::width::Width;
use files::{Access, Directory, Kind, Last, Location};
use std::rc::Rc;

/// Table rows of the directory calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(12, "chdir", 1, chdir),
    SystemCall::new(61, "chroot", 1, |_| Err(Errno::EPERM.into())),
    SystemCall::new(133, "fchdir", 1, |caller| {
        let directory = caller.open_file()?.directory.clone().ok_or(Errno::ENOTDIR)?;
        caller.kernel.files.current = directory;
        Ok(0)
    }),
    SystemCall::new(141, "getdents", 3, |caller| read_entries(caller, layout::entry)),
    SystemCall::new(182, "getcwd", 2, getcwd),
    SystemCall::new(202, "getdents64", 3, |caller| read_entries(caller, layout::entry64)),
];

fn chdir(caller: &mut Caller<'_>) -> Answer {
    let directory = match caller.find(at::CURRENT, caller.argument(0), Last::Target)? {
        Found::Host(location) => {
            if location.ask(Location::metadata)?.kind != Kind::Directory {
                return Err(Errno::ENOTDIR.into());
            }
            location.ask(|location| location.access(Access { execute: true, ..Access::default() }))?;
            location.known().as_directory()
        }
        Found::Machine { object, path, .. } => {
            object.as_directory().ok_or(Errno::ENOTDIR)?;
            Directory::of_machine(&path)
        }
        Found::Absent { .. } => return Err(Errno::ENOENT.into()),
    };
    caller.kernel.files.current = directory;
    Ok(0)
}

/// Writes the path of the current directory, terminated by a NUL. Returns the number of bytes written.
fn getcwd(caller: &mut Caller<'_>) -> Answer {
    let [at, bytes, ..] = caller.request.arguments;
    let mut path = caller.kernel.files.current.path();
    path.push(0);
    if path.len() > bytes as usize {
        return Err(Errno::ERANGE.into());
    }
    caller.hardware.write(at, &path)?;
    Ok(path.len() as u32)
}

/// Reads as many directory entries as fit into the buffer. Starts where the last call ended.
fn read_entries(caller: &mut Caller<'_>, layout: fn(&Entry, u64, Width) -> Vec<u8>) -> Answer {
    let [_, at, room, ..] = caller.request.arguments;
    let file = caller.open_file()?;
    if file.object.as_directory().is_none() || file.has(open::PATH) {
        return Err(Errno::ENOTDIR.into());
    }
    let first = file.offset.get();
    if first == 0 {
        *file.listing.borrow_mut() = listing(caller, &file)?;
    }
    let listing = Rc::clone(&file.listing.borrow());
    let (mut bytes, mut next) = (Vec::new(), first);
    for entry in listing.iter().skip(usize::try_from(first).unwrap_or(usize::MAX)) {
        let record = layout(entry, next + 1, caller.width());
        if bytes.len() + record.len() > room as usize {
            break;
        }
        bytes.extend(record);
        next += 1;
    }
    if bytes.is_empty() && (next as usize) < listing.len() {
        return Err(Errno::EINVAL.into());
    }
    caller.hardware.write(at, &bytes)?;
    file.offset.set(next);
    Ok(bytes.len() as u32)
}

/// All current entries of a directory.
fn listing(caller: &mut Caller<'_>, file: &Description) -> Result<Rc<[Entry]>, NotDone> {
    let mut context = caller.context();
    let inode = file.object.stat(&mut context)?.inode;
    let dot = |name: &str| Entry { name: name.into(), kind: Kind::Directory, inode };
    let mut entries = vec![dot("."), dot("..")];
    if let Some(directory) = file.object.as_directory() {
        entries.extend(directory.list(&mut context)?);
    }
    Ok(entries.into())
}
