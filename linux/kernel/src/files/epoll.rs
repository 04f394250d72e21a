//! `epoll`: a list of open files that reports which files are ready.

use crate::errno::Errno;
use crate::vfs::description::Description;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Edges, Object, Stat, ready};
use crate::wait::{Queue, Wakes};
use files::Kind;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// Flags of an item.
mod how {
    /// One-shot: report the item only once until it is modified.
    pub const ONCE: u32 = 1 << 30;
    /// Edge-triggered: report arrivals and departures of data instead of readiness.
    pub const EDGE: u32 = 1 << 31;
    /// Mask for the flags in an item's events.
    pub const ALL: u32 = 0xf << 28;
}

/// Maximum nesting depth of `epoll` lists.
const DEPTH_MAX: u32 = 5;
/// Maximum number of `epoll` lists in one list. Together with [`DEPTH_MAX`], this number limits the work of a call.
const INNER_MAX: usize = 8;
/// Events that are reported even if the program did not request them.
const ALWAYS: u32 = ready::ERR | ready::HUP;

/// A reported item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpollEvent {
    /// Events: bits of [`ready`].
    pub events: u32,
    /// Data of the program.
    pub data: u64,
}

/// An open file in an `epoll` list.
struct Item {
    descriptor: u32,
    description: Weak<Description>,
    events: u32,
    data: u64,
    /// Readiness and edge counts at the last check of the item.
    seen: (u32, Edges),
}

/// An `epoll` list of open files.
pub struct Epoll {
    items: RefCell<Vec<Item>>,
    /// Maximum depth at which this list has been nested in other lists.
    above: Cell<u32>,
    /// Queue that is woken when the list changes.
    changed: Queue,
}

impl Epoll {
    /// An empty list.
    pub fn new(wakes: &mut Wakes) -> Epoll {
        Epoll { items: RefCell::default(), above: Cell::new(0), changed: wakes.new_queue() }
    }

    /// The `epoll` list to which an open file refers.
    ///
    /// # Errors
    /// `EINVAL`: the open file is not an `epoll` list.
    pub fn of(description: &Description) -> Result<&Epoll, Errno> {
        description.object.as_any().and_then(|object| object.downcast_ref()).ok_or(Errno::EINVAL)
    }

    /// Adds an open file to the list.
    ///
    /// # Errors
    /// The file is already in the list or cannot be polled, or the list would contain itself.
    pub fn add(
        &self,
        context: &mut Context<'_>,
        (descriptor, description): (u32, &Rc<Description>),
        event: EpollEvent,
    ) -> Result<(), Errno> {
        if self.position(descriptor, description).is_some() {
            return Err(Errno::EEXIST);
        }
        if !description.object.pollable() {
            return Err(Errno::EPERM);
        }
        self.items.borrow_mut().retain(|item| item.description.strong_count() > 0);
        if let Ok(inner) = Epoll::of(description) {
            let lists = self.inside().iter().filter(|open| Epoll::of(open).is_ok()).count();
            if lists >= INNER_MAX || !inner.may_be_inside(self, self.above.get() + 1) {
                return Err(Errno::ELOOP);
            }
            inner.record_depth(self.above.get() + 1);
        }
        let seen = (0, Edges::default());
        let description = Rc::downgrade(description);
        self.items.borrow_mut().push(Item { descriptor, description, events: event.events, data: event.data, seen });
        context.wakes.wake(self.changed);
        Ok(())
    }

    /// Modifies an item, and re-enables its reports.
    ///
    /// # Errors
    /// `ENOENT`: the file is not in the list.
    pub fn change(
        &self,
        context: &mut Context<'_>,
        (descriptor, description): (u32, &Rc<Description>),
        event: EpollEvent,
    ) -> Result<(), Errno> {
        let at = self.position(descriptor, description).ok_or(Errno::ENOENT)?;
        if let Some(item) = self.items.borrow_mut().get_mut(at) {
            (item.events, item.data, item.seen) = (event.events, event.data, (0, Edges::default()));
        }
        context.wakes.wake(self.changed);
        Ok(())
    }

    /// Removes an open file from the list.
    ///
    /// # Errors
    /// `ENOENT`: the file is not in the list.
    pub fn remove(&self, descriptor: u32, description: &Rc<Description>) -> Result<(), Errno> {
        let at = self.position(descriptor, description).ok_or(Errno::ENOENT)?;
        self.items.borrow_mut().remove(at);
        Ok(())
    }

    fn position(&self, descriptor: u32, description: &Rc<Description>) -> Option<usize> {
        let same = |item: &Item| {
            item.descriptor == descriptor && std::ptr::eq(item.description.as_ptr(), Rc::as_ptr(description))
        };
        self.items.borrow().iter().position(same)
    }

    /// Whether this list may be added to the list `other`. `above` is the nesting depth that this list would have.
    fn may_be_inside(&self, other: &Epoll, above: u32) -> bool {
        let inside = self.inside();
        let mut inner = inside.iter().filter_map(|open| Epoll::of(open).ok());
        !std::ptr::eq(self, other) && above < DEPTH_MAX && inner.all(|inner| inner.may_be_inside(other, above + 1))
    }

    /// Records `above` as a nesting depth of this list.
    fn record_depth(&self, above: u32) {
        self.above.set(self.above.get().max(above));
        for open in self.inside() {
            if let Ok(inner) = Epoll::of(&open) {
                inner.record_depth(above + 1);
            }
        }
    }

    /// The files in the list that are still open.
    fn inside(&self) -> Vec<Rc<Description>> {
        self.items.borrow().iter().filter_map(|item| item.description.upgrade()).collect()
    }

    /// Reports up to `most` items that have events. Moves the reported items to the end of the list.
    pub fn take(&self, context: &mut Context<'_>, most: usize) -> Vec<EpollEvent> {
        let items = std::mem::take(&mut *self.items.borrow_mut());
        let (mut reported, mut early, mut late) = (Vec::new(), Vec::new(), Vec::new());
        for mut item in items {
            // Closed files are removed from the list.
            let Some(description) = item.description.upgrade() else { continue };
            let events = if reported.len() < most { item.look(context, &description) } else { 0 };
            if events == 0 {
                early.push(item);
                continue;
            }
            reported.push(EpollEvent { events, data: item.data });
            if item.events & how::ONCE != 0 {
                item.events &= how::ALL;
            }
            late.push(item);
        }
        early.extend(late);
        *self.items.borrow_mut() = early;
        reported
    }
}

impl Item {
    /// Events to be reported for the item.
    fn look(&mut self, context: &mut Context<'_>, description: &Description) -> u32 {
        let wanted = self.events & !how::ALL;
        // After its report, a one-shot item reports nothing until it is modified, not even errors and hang-ups.
        if wanted == 0 && self.events & how::ONCE != 0 {
            return 0;
        }
        let now = description.object.ready(context) & (wanted | ALWAYS);
        if self.events & how::EDGE == 0 {
            return now;
        }
        let edges = description.object.edges();
        let (before, seen) = std::mem::replace(&mut self.seen, (now, edges));
        let arrived = if edges.arrivals == seen.arrivals { 0 } else { now & (ready::READ | ready::PRI | ready::HUP) };
        let departed = if edges.departures == seen.departures { 0 } else { now & (ready::WRITE | ready::ERR) };
        if now & !before | arrived | departed == 0 { 0 } else { now }
    }
}

impl Object for Epoll {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(Stat::new(device::ANONYMOUS, 2, Kind::File, 0o600))
    }

    fn file_system(&self) -> u32 {
        file_system::ANONYMOUS
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn seekable(&self) -> bool {
        false
    }

    /// MODEL: an inner list is ready while any of its items is ready, even if the item is edge-triggered.
    fn ready(&self, context: &mut Context<'_>) -> u32 {
        let wanted: Vec<u32> = self.items.borrow().iter().map(|item| item.events & !how::ALL | ALWAYS).collect();
        let inside: Vec<_> = self.items.borrow().iter().map(|item| item.description.upgrade()).collect();
        let any = inside
            .iter()
            .zip(wanted)
            .any(|(open, wanted)| open.as_ref().is_some_and(|open| open.object.ready(context) & wanted != 0));
        if any { ready::READ } else { 0 }
    }

    fn queues(&self) -> Vec<Queue> {
        let mut queues = vec![self.changed];
        queues.extend(self.inside().iter().flat_map(|open| open.object.queues()));
        queues
    }
}
