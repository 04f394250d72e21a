//! System calls that open and close files.

use super::costs;
use crate::request::Answer;
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::description::release;
use crate::vfs::flags::{at, open};
use std::rc::Rc;

/// Table rows of the calls that open and close files.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(5, "open", 3, |caller| {
        let [path, flags, mode, ..] = caller.request.arguments;
        open_at(caller, at::CURRENT, path, flags, mode)
    })
    .costing(costs::open),
    SystemCall::new(6, "close", 1, close).costing(costs::close),
    SystemCall::new(8, "creat", 2, |caller| {
        let [path, mode, ..] = caller.request.arguments;
        open_at(caller, at::CURRENT, path, open::WRITE_ONLY | open::CREATE | open::TRUNCATE, mode)
    })
    .costing(costs::open),
    SystemCall::new(286, "openat", 4, |caller| {
        let [start, path, flags, mode, ..] = caller.request.arguments;
        open_at(caller, start, path, flags, mode)
    })
    .costing(costs::open),
];

fn open_at(caller: &mut Caller<'_>, start: u32, path: u32, flags: u32, mode: u32) -> Answer {
    let path = caller.path(path)?;
    let (files, mut context) = caller.files();
    let description = files.open(&mut context, start, &path, (flags, mode))?;
    let object = Rc::clone(&description.object);
    // A file that gets no descriptor is closed again.
    Ok(files.add(description, flags).inspect_err(|_| object.closes(&mut context))?)
}

fn close(caller: &mut Caller<'_>) -> Answer {
    let number = caller.argument(0);
    let (files, mut context) = caller.files();
    let descriptor = files.descriptors.borrow_mut().take(number)?;
    release(&mut context, descriptor);
    Ok(0)
}
