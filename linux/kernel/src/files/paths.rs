//! Path lookup, which finds the user's files and the simulated machine's objects.

use super::answers::Host;
use super::state::Files;
use crate::errno::Errno;
use crate::vfs::object::{Context, Object};
use files::{Directory, Last, Location, Place};
use std::rc::Rc;

/// Maximum number of symbolic links that a lookup follows.
const LINKS_MAX: u32 = 40;

/// Result of a lookup.
pub enum Found {
    /// A file of the user, or a path at which a file of the user could be created.
    Host(Host<Location>),
    /// An object of the simulated machine.
    Machine {
        object: Rc<dyn Object>,
        /// The directory that contains the object, and the object's name in it. `None` for a mount.
        parent: Option<(Rc<dyn Object>, Vec<u8>)>,
        /// Absolute path.
        path: Vec<u8>,
    },
    /// A name that does not exist, in a directory of the simulated machine.
    Absent {
        parent: Rc<dyn Object>,
        name: Vec<u8>,
        /// Absolute path of the name.
        path: Vec<u8>,
    },
}

/// Result of a walk along a path: the result of the lookup, or a new path to look up, if the walk met a symbolic link.
enum Step {
    Found(Found),
    Link(Vec<u8>),
}

/// A lookup of a path in the simulated machine's files.
struct Lookup<'p> {
    path: &'p [u8],
    /// The open directory where the lookup starts, and its path.
    from: Option<(Rc<dyn Object>, &'p [u8])>,
    last: Last,
    /// Whether the path ends with a slash, and so must lead to a directory.
    slash: bool,
}

impl Files {
    /// Looks up a path, starting at a descriptor's directory.
    ///
    /// # Errors
    /// The path does not exist.
    pub fn find(&self, context: &mut Context<'_>, at: u32, path: &[u8], last: Last) -> Result<Found, Errno> {
        let (mut start, open) = self.start(at, path)?;
        let mut open = open.as_deref().map(|open| (Rc::clone(&open.object), open.path.clone()));
        let mut path = path.to_vec();
        for _ in 0..=LINKS_MAX {
            let machine = match self.view.ask(|view| view.resolve(&start, &path, last))? {
                Place::Here(location) => return Ok(Found::Host(self.view.with(Rc::new(location)))),
                Place::Machine(machine) => machine,
            };
            let slash = path.ends_with(b"/") || path.ends_with(b"/.") || path.ends_with(b"/..");
            let from = open.as_ref().map(|(object, at)| (Rc::clone(object), at.as_slice()));
            match self.walk(context, Lookup { path: &machine, from, last, slash })? {
                Step::Found(found) => return Ok(found),
                Step::Link(target) => {
                    start = Directory::of_machine(b"/");
                    open = None;
                    path = target;
                    if slash {
                        path.push(b'/');
                    }
                }
            }
        }
        Err(Errno::ELOOP)
    }

    /// Walks along a path to its end, starting at a mount or an open directory.
    fn walk(&self, context: &mut Context<'_>, lookup: Lookup<'_>) -> Result<Step, Errno> {
        let below =
            |from: &[u8]| lookup.path.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with(b"/"));
        let open = lookup.from.as_ref().and_then(|(object, at)| Some((Rc::clone(object), at.to_vec(), below(at)?)));
        let (mut object, mut path, rest) = match open {
            Some(open) => open,
            None => {
                let mut parts = lookup.path.splitn(3, |byte| *byte == b'/').skip(1);
                let top = parts.next().unwrap_or_default();
                let mount = self.mounts.get(top).ok_or(Errno::ENOENT)?;
                (Rc::clone(mount), [b"/", top].concat(), parts.next().unwrap_or_default())
            }
        };
        let mut parent = None;
        let names: Vec<&[u8]> = rest.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).collect();
        for (n, name) in names.iter().enumerate() {
            let behind = names.get(n + 1..).unwrap_or_default();
            let is_last = behind.is_empty();
            let directory = object.as_directory().ok_or(Errno::ENOTDIR)?;
            let above = std::mem::take(&mut path);
            path = [&above, b"/".as_slice(), name].concat();
            let child = match directory.child(context, name) {
                Err(Errno::ENOENT) if is_last => {
                    return Ok(Step::Found(Found::Absent { parent: object, name: name.to_vec(), path }));
                }
                child => child?,
            };
            let follow = !is_last || lookup.last == Last::Target || lookup.slash && lookup.last == Last::Itself;
            if follow && let Some(target) = child.link() {
                match child.leads_to() {
                    Some(there) => object = there,
                    None => return Ok(Step::Link(spliced(&target, &above, behind))),
                }
                continue;
            }
            parent = Some((std::mem::replace(&mut object, child), name.to_vec()));
        }
        if lookup.slash && object.as_directory().is_none() {
            return Err(Errno::ENOTDIR);
        }
        Ok(Step::Found(Found::Machine { object, parent, path }))
    }
}

/// The path to look up after a symbolic link in `directory`. This path consists of the link's target and the remaining
/// names.
fn spliced(target: &[u8], directory: &[u8], behind: &[&[u8]]) -> Vec<u8> {
    let mut path = Vec::new();
    if !target.starts_with(b"/") {
        path.extend(directory);
        path.push(b'/');
    }
    path.extend(target);
    for name in behind {
        path.push(b'/');
        path.extend(*name);
    }
    path
}
