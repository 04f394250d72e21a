//! `/dev`, and the mounts of the machine.

use super::facts::Facts;
use super::proc::proc;
use super::sys::sys;
use crate::files::devices::{Device, Which};
use crate::files::fixed::Maker;
use crate::files::memory::{MemoryDirectory, Pool};
use crate::files::state::{Files, reserved};
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::Object;
use std::rc::Rc;

impl Files {
    /// Mounts `/proc`, `/sys`, `/dev`, `/huge` and `/tmp` of a machine.
    pub fn mount_machine(&mut self, facts: &Facts) {
        // As in Linux, in-memory files are limited to half of main memory.
        let half = facts.main_memory_bytes / 2;
        let pool = Pool::new(half, self.user, file_system::TMPFS);
        self.mount("proc", proc(facts, &Rc::downgrade(&self.descriptors)));
        self.mount("sys", sys(facts));
        self.mount("dev", dev(&pool));
        let huge = Pool::new(half, self.user, file_system::HUGETLBFS);
        self.mount("huge", Rc::new(MemoryDirectory::shared(&huge)));
        if reserved(self.view.known().reach()).contains(&"tmp") {
            self.mount("tmp", Rc::new(MemoryDirectory::shared(&pool)));
        }
    }

    /// Mounts a directory at a reserved name in `/`.
    pub fn mount(&mut self, name: &str, directory: Rc<dyn Object>) {
        self.mounts.insert(name.as_bytes().to_vec(), directory);
    }
}

fn dev(pool: &Rc<Pool>) -> Rc<dyn Object> {
    let make = Maker::new(device::DEV, file_system::TMPFS);
    let mut entries: Vec<(String, Rc<dyn Object>)> = Vec::new();
    for (name, which, number) in Which::ALL {
        entries.push((name.to_string(), Rc::new(Device::new(which, number))));
    }
    entries.push(("fd".into(), make.link("/proc/self/fd")));
    for (number, name) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
        entries.push((name.into(), make.link(format!("/proc/self/fd/{number}"))));
    }
    entries.push(("shm".into(), Rc::new(MemoryDirectory::shared(pool))));
    make.directory(entries)
}
