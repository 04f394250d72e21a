//! The files of spufs as objects of the virtual file system.

use super::files::Node;
use super::state::{Spufs, World};
use crate::costs::Costs;
use crate::errno::Errno;
use crate::memory::backing::Backing;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Directory, Entry, Object, Refusal, Region, Span, Stat};
use crate::wait::{Nanos, Queue};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// A file or a directory of spufs.
pub struct SpuObject {
    /// The file or directory.
    pub node: Node,
    /// Whether this is the directory that `spu_create` has opened. The directory's name lasts as long as this descriptor.
    is_creators: bool,
    spufs: Rc<RefCell<Spufs>>,
}

impl SpuObject {
    /// The object of a node.
    pub fn new(node: Node, spufs: &Rc<RefCell<Spufs>>) -> SpuObject {
        SpuObject { node, is_creators: false, spufs: Rc::clone(spufs) }
    }

    /// The directory of a new node, for the descriptor that `spu_create` returns.
    pub fn created(node: Node, spufs: &Rc<RefCell<Spufs>>) -> SpuObject {
        SpuObject { is_creators: true, ..SpuObject::new(node, spufs) }
    }

    /// Inode number, computed from the context number and the file's table row.
    fn inode(&self) -> u64 {
        let number = match self.node {
            Node::Root => 0,
            Node::Gang(number) | Node::Context(number) | Node::File(number, _) => u64::from(number.0),
        };
        number << 8 | self.node.row().map_or(0, |row| row as u64 + 1)
    }
}

impl Object for SpuObject {
    fn stat(&self, _: &mut World<'_>) -> Result<Stat, Errno> {
        let (kind, permissions, size_bytes) = self.node.stat();
        Ok(Stat { size_bytes, ..Stat::new(device::SPU, self.inode(), kind, permissions) })
    }

    fn file_system(&self) -> u32 {
        file_system::SPUFS
    }

    fn opened(&self, _: &mut World<'_>, _: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        self.node.opened(&mut self.spufs.borrow_mut());
        Ok(None)
    }

    fn as_directory(&self) -> Option<&dyn Directory> {
        (!matches!(self.node, Node::File(..))).then_some(self)
    }

    fn seekable(&self) -> bool {
        self.node.is_seekable()
    }

    fn read(&self, world: &mut World<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        self.node.read(span, &mut self.spufs.borrow_mut(), world)
    }

    fn write(&self, world: &mut World<'_>, offset: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        self.node.write(offset, bytes, &mut self.spufs.borrow_mut(), world)
    }

    fn sync(&self, world: &mut World<'_>) -> Result<(), Refusal> {
        self.node.sync(&self.spufs.borrow(), world)
    }

    fn ready(&self, world: &mut World<'_>) -> u32 {
        self.node.readiness(&self.spufs.borrow(), world)
    }

    fn queues(&self) -> Vec<Queue> {
        self.node.queue(&self.spufs.borrow()).into_iter().collect()
    }

    fn backing(&self, _: &mut World<'_>, region: Region) -> Result<Backing, Errno> {
        self.node.backing(region.offset, region.bytes)
    }

    fn closes(&self, world: &mut World<'_>) {
        let spufs = &mut *self.spufs.borrow_mut();
        if self.is_creators {
            self.node.removed(spufs);
        }
        self.node.closed(spufs, world);
    }

    fn read_cost(&self, costs: &Costs) -> Nanos {
        if let Node::File(..) = self.node { costs.spufs_read_ns } else { costs.system_call_ns }
    }

    fn write_cost(&self, costs: &Costs) -> Nanos {
        if let Node::File(..) = self.node { costs.spufs_write_ns } else { costs.system_call_ns }
    }

    /// Closing the descriptor of `spu_create` has the cost of destroying the context.
    fn close_cost(&self, costs: &Costs) -> Nanos {
        if let (Node::Context(_), true) = (self.node, self.is_creators) {
            costs.spu_destroy_ns
        } else {
            costs.file_close_ns
        }
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

impl Directory for SpuObject {
    fn child(&self, _: &mut World<'_>, name: &[u8]) -> Result<Rc<dyn Object>, Errno> {
        let node = self.node.entry(name, &self.spufs.borrow()).ok_or(Errno::ENOENT)?;
        Ok(Rc::new(SpuObject::new(node, &self.spufs)))
    }

    fn list(&self, _: &mut World<'_>) -> Result<Vec<Entry>, Errno> {
        let names = self.node.names(&self.spufs.borrow());
        let entry = |name: Vec<u8>| {
            let node = self.node.entry(&name, &self.spufs.borrow())?;
            let inode = SpuObject::new(node, &self.spufs).inode();
            Some(Entry { name, kind: node.stat().0, inode })
        };
        Ok(names.into_iter().filter_map(entry).collect())
    }
}
