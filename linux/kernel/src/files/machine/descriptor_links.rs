//! `/proc/<number>/fd`: the open descriptors as symbolic links.

use crate::errno::Errno;
use crate::vfs::description::{Description, Descriptors};
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Directory, Entry, Object, Stat};
use files::Kind;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// First inode number of the links in `fd`. This number is higher than the inode numbers of all other files in
/// `/proc`.
const FIRST_INODE: u64 = 0x1_0000;

/// The directory of descriptors.
pub struct DescriptorLinks {
    descriptors: Weak<RefCell<Descriptors>>,
    user: u32,
}

impl DescriptorLinks {
    /// The directory of a descriptor table, owned by this user.
    pub fn new(descriptors: Weak<RefCell<Descriptors>>, user: u32) -> DescriptorLinks {
        DescriptorLinks { descriptors, user }
    }

    fn stat(&self, inode: u64, kind: Kind, permissions: u32) -> Stat {
        Stat { user: self.user, ..Stat::new(device::PROC, FIRST_INODE + inode, kind, permissions) }
    }
}

impl Object for DescriptorLinks {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(DescriptorLinks::stat(self, 0, Kind::Directory, 0o500))
    }

    fn file_system(&self) -> u32 {
        file_system::PROC
    }

    fn as_directory(&self) -> Option<&dyn Directory> {
        Some(self)
    }
}

impl Directory for DescriptorLinks {
    fn child(&self, _: &mut Context<'_>, name: &[u8]) -> Result<Rc<dyn Object>, Errno> {
        let number = std::str::from_utf8(name).ok().and_then(|name| name.parse().ok());
        let number: u32 = number.ok_or(Errno::ENOENT)?;
        let descriptors = self.descriptors.upgrade().ok_or(Errno::ENOENT)?;
        let description = descriptors.borrow().get(number).map_err(|_| Errno::ENOENT)?;
        let stat = DescriptorLinks::stat(self, u64::from(number) + 1, Kind::Link, 0o700);
        Ok(Rc::new(Number { description: Rc::downgrade(&description), stat }))
    }

    fn list(&self, _: &mut Context<'_>) -> Result<Vec<Entry>, Errno> {
        let descriptors = self.descriptors.upgrade().ok_or(Errno::ENOENT)?;
        let entry = |number: u32| Entry {
            name: number.to_string().into_bytes(),
            kind: Kind::Link,
            inode: FIRST_INODE + u64::from(number) + 1,
        };
        Ok(descriptors.borrow().iter().map(|(number, _)| entry(number)).collect())
    }
}

/// A descriptor as a symbolic link.
struct Number {
    description: Weak<Description>,
    stat: Stat,
}

impl Object for Number {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.stat)
    }

    fn file_system(&self) -> u32 {
        file_system::PROC
    }

    fn link(&self) -> Option<Vec<u8>> {
        Some(self.description.upgrade().map(|open| open.path.clone()).unwrap_or_default())
    }

    fn leads_to(&self) -> Option<Rc<dyn Object>> {
        self.description.upgrade().map(|open| Rc::clone(&open.object))
    }
}
