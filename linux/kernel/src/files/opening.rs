//! Opening of files by path.

use super::answers::Host;
use super::host::{HostDirectory, HostFile};
use super::paths::Found;
use super::state::Files;
use crate::errno::Errno;
use crate::vfs::description::{Description, opened};
use crate::vfs::flags::open;
use crate::vfs::object::{Context, Entry, New, Object, Refusal};
use files::{Kind, Last, Location, Open};
use std::rc::Rc;

impl Files {
    /// Opens a path with the flags of `open`. `mode` contains the permissions of a new file.
    ///
    /// # Errors
    /// The path cannot be opened with these flags.
    pub fn open(
        &self,
        context: &mut Context<'_>,
        start: u32,
        path: &[u8],
        (flags, mode): (u32, u32),
    ) -> Result<Description, Refusal> {
        let itself =
            flags & open::NOFOLLOW != 0 || flags & (open::CREATE | open::EXCLUSIVE) == open::CREATE | open::EXCLUSIVE;
        let last = if itself { Last::Itself } else { Last::Target };
        if flags & open::TEMPORARY != 0 {
            // After this error for `O_TMPFILE`, libraries create a named file and remove its name.
            return Err(if flags & open::ACCESS == 0 { Errno::EINVAL } else { Errno::EOPNOTSUPP }.into());
        }
        if flags & open::ACCESS == open::ACCESS {
            return Err(Errno::EINVAL.into());
        }
        let mode = mode & !self.umask & 0o777;
        match self.find(context, start, path, last)? {
            Found::Host(location) => self.open_host(context, location, flags, mode),
            Found::Machine { object, path, .. } => open_machine(context, &object, &path, flags),
            Found::Absent { .. } if flags & open::CREATE == 0 => Err(Errno::ENOENT.into()),
            Found::Absent { .. } if path.ends_with(b"/") => Err(Errno::EISDIR.into()),
            Found::Absent { parent, name, path } => {
                let directory = parent.as_directory().ok_or(Errno::ENOTDIR)?;
                let object = directory.create(context, &name, New::File(mode))?;
                Ok(Description::new(opened(context, object, flags)?, flags, &path))
            }
        }
    }

    fn open_host(
        &self,
        context: &mut Context<'_>,
        location: Host<Location>,
        flags: u32,
        mode: u32,
    ) -> Result<Description, Refusal> {
        let has = |flag| flags & flag != 0;
        let writes = matches!(flags & open::ACCESS, open::WRITE_ONLY | open::READ_WRITE) && !has(open::PATH);
        let how = Open {
            read: flags & open::ACCESS != open::WRITE_ONLY || has(open::PATH),
            write: writes,
            append: writes && has(open::APPEND),
            truncate: has(open::TRUNCATE) && !has(open::PATH),
            create: has(open::CREATE) && !has(open::PATH),
            exclusive: has(open::EXCLUSIVE),
            directory: has(open::DIRECTORY),
            mode,
        };
        let made = !location.known().exists();
        let opened = location.ask(|location| Ok::<_, files::Errno>(location.open(&how)?.map(Rc::new)))?;
        let Some(file) = opened else { return Ok(self.directory(location, flags)) };
        let file = HostFile::new(location.with(file), Rc::clone(&self.attributes))?;
        if made {
            self.attributes.make(file.identity(), context.stamp());
        } else if how.truncate && writes {
            self.attributes.modify(file.identity(), context.stamp());
        }
        Ok(Description::new(Rc::new(file), flags, &location.known().path()))
    }

    /// Opens a directory of the user. The directory `/` also contains the mounts of the simulated machine.
    fn directory(&self, location: Host<Location>, flags: u32) -> Description {
        let directory = location.known().as_directory();
        let mounts = match directory.path() == b"/" {
            true => self.mounts.keys().zip(1..).map(|(name, inode)| mount(name, inode)).collect(),
            false => Vec::new(),
        };
        let object = HostDirectory::new(location, mounts, Rc::clone(&self.attributes));
        Description::of_directory(Rc::new(object), flags, directory)
    }
}

fn mount(name: &[u8], inode: u64) -> Entry {
    Entry { name: name.to_vec(), kind: Kind::Directory, inode }
}

/// Opens an object of the simulated machine.
fn open_machine(
    context: &mut Context<'_>,
    object: &Rc<dyn Object>,
    path: &[u8],
    flags: u32,
) -> Result<Description, Refusal> {
    let has = |flag| flags & flag != 0;
    let writes = flags & open::ACCESS != 0 && !has(open::PATH);
    let is_directory = object.as_directory().is_some();
    if has(open::CREATE) && has(open::EXCLUSIVE) {
        return Err(Errno::EEXIST.into());
    }
    if object.link().is_some() {
        return Err(Errno::ELOOP.into());
    }
    if is_directory && (writes || has(open::CREATE)) {
        return Err(Errno::EISDIR.into());
    }
    if has(open::DIRECTORY) && !is_directory {
        return Err(Errno::ENOTDIR.into());
    }
    const ANY_WRITE: u32 = 0o222;
    let stat = object.stat(context)?;
    if writes && stat.mode & ANY_WRITE == 0 {
        return Err(Errno::EACCES.into());
    }
    let object = opened(context, Rc::clone(object), flags)?;
    if has(open::TRUNCATE) && writes && stat.kind() == Kind::File {
        object.resize(context, 0).inspect_err(|_| object.closes(context))?;
    }
    Ok(Description::new(object, flags, path))
}
