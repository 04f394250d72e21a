//! `spu_create`: contexts, gangs, affinity.
//!
//! MODEL: a context is placed on the free SPE with the fewest hops to its neighbour, or to the memory controller.
//! Among SPEs at the same distance, the first in placement order is used. Linux, in contrast, searches for SPEs for a
//! whole gang at once.

use crate::errno::Errno;
use crate::memory::context_part::Number;
use crate::request::{Answer, NotDone};
use crate::spufs::context::{Account, Context, Gang, Queues, Residency, flag};
use crate::spufs::faults::Faults;
use crate::spufs::files::Node;
use crate::spufs::maps;
use crate::spufs::object::SpuObject;
use crate::spufs::program::Runner;
use crate::spufs::stop::Origin;
use crate::spufs::traffic::Traffic;
use crate::syscalls::caller::Caller;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Valid flags.
const FLAGS: u32 = 0x3f;
/// Mount point of spufs.
pub const MOUNTED_AT: &[u8] = b"/spu/";
const PATH_BYTES_MAX: u32 = 4095;

/// `int spu_create(const char *pathname, unsigned int flags, mode_t mode, int neighbor_fd)`: returns a descriptor of
/// the new directory.
pub fn spu_create(caller: &mut Caller<'_>) -> Answer {
    let [path, flags, _mode, neighbour, ..] = caller.request.arguments;
    let path = caller.hardware.text(path, PATH_BYTES_MAX)?;
    let Some(path) = path.strip_prefix(MOUNTED_AT) else { return Err(Errno::EINVAL.into()) };
    let path = path.strip_suffix(b"/").unwrap_or(path);
    if path.is_empty() || flags & !FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    let gang = gang_of(path, caller)?;
    if caller.kernel.spufs.borrow().has(path) {
        return Err(Errno::EEXIST.into());
    }
    if flags & flag::GANG != 0 {
        return create_gang(path, flags, gang, caller);
    }
    if flags & flag::ISOLATE != 0 {
        // Isolated programs are encrypted for one chip. Without NOSCHED, the flag ISOLATE is invalid.
        return Err(if flags & flag::NOSCHED == 0 { Errno::EINVAL } else { Errno::ENODEV }.into());
    }
    let neighbour = affinity(flags, neighbour, gang, caller)?;
    let descriptor = create_context(path, flags, neighbour, caller)?;
    let spufs = &mut *caller.kernel.spufs.borrow_mut();
    let newcomer = spufs.context_at(path);
    let gang = gang.and_then(|gang| spufs.gangs.get_mut(&gang));
    if let (Some(gang), Some(neighbour), Some(newcomer)) = (gang, neighbour, newcomer) {
        gang.add_beside(neighbour, newcomer);
    }
    Ok(descriptor)
}

/// The gang whose directory contains a path, or `None` if the path is directly in the root of spufs.
fn gang_of(path: &[u8], caller: &Caller<'_>) -> Result<Option<Number>, Errno> {
    let Some(end) = path.iter().rposition(|byte| *byte == b'/') else { return Ok(None) };
    let gangs = &caller.kernel.spufs.borrow().gangs;
    let found = gangs.iter().find(|(_, gang)| gang.path == path[..end]);
    found.map(|(number, _)| Some(*number)).ok_or(Errno::ENOENT)
}

fn create_gang(path: &[u8], flags: u32, inside: Option<Number>, caller: &mut Caller<'_>) -> Answer {
    if flags != flag::GANG || inside.is_some() {
        return Err(Errno::EINVAL.into());
    }
    let number = caller.kernel.spufs.borrow_mut().new_number();
    let descriptor = caller.open_spufs(Node::Gang(number), path)?;
    caller.kernel.spufs.borrow_mut().gangs.insert(number, Gang { path: path.to_vec(), ..Gang::default() });
    Ok(descriptor)
}

/// The neighbour of a new context.
///
/// # Errors
/// `EEXIST`: the gang already has a context near memory, both sides of the neighbour are occupied, or there are too few
/// SPEs. `EBUSY`: some contexts of the gang are already on SPEs. `EINVAL`: the context is not in a gang, or the
/// neighbour is not in the same gang.
fn affinity(
    flags: u32,
    descriptor: u32,
    gang: Option<Number>,
    caller: &mut Caller<'_>,
) -> Result<Option<Number>, Errno> {
    if flags & (flag::AFFINITY_SPU | flag::AFFINITY_MEM) == 0 {
        return Ok(None);
    }
    let spes = caller.hardware.spes().map_or(0, |spes| spes.placement().threads().count());
    let spufs = caller.kernel.spufs.borrow();
    let Some(gang) = gang.and_then(|gang| spufs.gangs.get(&gang)) else { return Err(Errno::EINVAL) };
    let below = [gang.path.as_slice(), b"/"].concat();
    let in_gang = |context: &Context| context.path.as_ref().is_some_and(|path| path.starts_with(&below));
    let near_memory = |context: &Context| in_gang(context) && context.flags & flag::AFFINITY_MEM != 0;
    if flags & flag::AFFINITY_MEM != 0 && spufs.contexts.values().any(near_memory) {
        return Err(Errno::EEXIST);
    }
    if gang.placed {
        return Err(Errno::EBUSY);
    }
    if flags & flag::AFFINITY_SPU == 0 {
        return Ok(None);
    }
    let Node::Context(neighbour) = caller.spufs_node(descriptor)? else { return Err(Errno::EINVAL) };
    if gang.is_between(neighbour) {
        return Err(Errno::EEXIST);
    }
    if !spufs.contexts.get(&neighbour).is_some_and(in_gang) {
        return Err(Errno::EINVAL);
    }
    if gang.with_one_more(neighbour) > spes { Err(Errno::EEXIST) } else { Ok(Some(neighbour)) }
}

fn create_context(path: &[u8], flags: u32, neighbour: Option<Number>, caller: &mut Caller<'_>) -> Answer {
    let number = caller.kernel.spufs.borrow_mut().new_number();
    let descriptor = caller.open_spufs(Node::Context(number), path)?;
    let spes = caller.hardware.spes().ok_or(NotDone::Failed(Errno::ENOSYS))?;
    let id = spes.new_context();
    let runner = Runner::new(spes.machine(), caller.kernel.spufs.borrow().profile);
    let account = Account {
        path: String::from_utf8_lossy(path).into_owned(),
        spe: None,
        runs: 0,
        running_ns: 0,
        waiting_ns: 0,
        instructions: 0,
        preemptions: 0,
        traffic: Traffic::default(),
        faults: Faults::default(),
        stop: None,
        origin: Origin::default(),
    };
    let context = Context {
        path: Some(path.to_vec()),
        flags,
        residency: Residency::Saved(id),
        runner: Rc::new(RefCell::new(runner)),
        end: Rc::default(),
        run_by: None,
        npc: 0,
        status: 0,
        events: 0,
        neighbour,
        tags: 0,
        queues: Queues::new(&mut caller.kernel.wakes),
        resident_at: 0,
        waits_since: None,
        started_at: 0,
        account,
        counted_before: Traffic::default(),
        object_id: 0,
        references: 1,
    };
    caller.kernel.spufs.borrow_mut().contexts.insert(number, context);
    Ok(descriptor)
}

impl Caller<'_> {
    /// Opens a node of spufs, and returns its descriptor.
    fn open_spufs(&mut self, node: Node, path: &[u8]) -> Result<u32, Errno> {
        let object = Rc::new(SpuObject::created(node, &self.kernel.spufs));
        let path = [MOUNTED_AT, path].concat();
        self.kernel.files.add_object(object, 0, &path)
    }

    /// The node of spufs to which a descriptor refers.
    ///
    /// # Errors
    /// `EBADF`: the descriptor is not open. `EINVAL`: the descriptor's object is not in spufs.
    pub fn spufs_node(&self, descriptor: u32) -> Result<Node, Errno> {
        let open = self.kernel.files.get(descriptor)?;
        let object = open.object.as_any().and_then(|object| object.downcast_ref::<SpuObject>());
        object.map(|object| object.node).ok_or(Errno::EINVAL)
    }
}

impl Caller<'_> {
    /// Directs a new mapping of a context's memory to the context's SPE, or to the saved copy of the memory.
    pub fn show_context(&mut self, number: Number, range: &Range<u32>) {
        let spufs = Rc::clone(&self.kernel.spufs);
        maps::copy_back(number, &spufs.borrow(), &mut self.context());
        maps::show(number, range, &spufs.borrow(), &mut self.context());
    }
}
