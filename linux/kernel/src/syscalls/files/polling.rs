//! System calls such as `poll`, `select` and `epoll_wait`, which wait until one of several files is ready.

use crate::errno::Errno;
use crate::files::epoll::{Epoll, EpollEvent};
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::time::{SECOND, Width, read_timespec, read_timeval, write_timespec, write_timeval};
use crate::vfs::flags::open;
use crate::vfs::object::{Object, ready};
use crate::wait::{Nanos, Queue, Wait};
use std::rc::Rc;

/// Table rows of the polling calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(82, "select", 5, select_timeval),
    SystemCall::new(142, "_newselect", 5, select_timeval),
    SystemCall::new(167, "poll", 3, |caller| {
        let timeout = millis(caller.argument(2));
        poll(caller, timeout)
    }),
    SystemCall::new(236, "epoll_create", 1, |caller| match caller.argument(0) as i32 {
        ..=0 => Err(Errno::EINVAL.into()),
        _ => epoll_create(caller, 0),
    }),
    SystemCall::new(237, "epoll_ctl", 4, epoll_ctl),
    SystemCall::new(238, "epoll_wait", 4, epoll_wait),
    SystemCall::new(280, "pselect6", 6, |caller| pselect(caller, caller.width())),
    SystemCall::new(281, "ppoll", 5, |caller| ppoll(caller, caller.width())),
    SystemCall::new(303, "epoll_pwait", 6, |caller| {
        mask(caller, caller.argument(4), caller.argument(5))?;
        epoll_wait(caller)
    }),
    SystemCall::new(315, "epoll_create1", 1, |caller| epoll_create(caller, caller.argument(0))),
    SystemCall::new(413, "pselect6_time64", 6, |caller| pselect(caller, Width::Wide)),
    SystemCall::new(414, "ppoll_time64", 5, |caller| ppoll(caller, Width::Wide)),
];

/// Converts a timeout from milliseconds. A negative value means that the call has no timeout.
fn millis(timeout: u32) -> Option<Nanos> {
    u64::try_from(timeout as i32).ok().map(|millis| millis * (SECOND / 1000))
}

/// Sets the signal mask for the duration of the call, unless the address is 0.
fn mask(caller: &mut Caller<'_>, at: u32, bytes: u32) -> Result<(), NotDone> {
    const SET_BYTES: u32 = 8;
    if at == 0 {
        return Ok(());
    }
    if bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let set = caller.signal_set(at)?;
    caller.temporary_mask(set)
}

/// Makes the call wait until one of the queues is woken. Returns success once the timeout has passed.
fn wait(caller: &mut Caller<'_>, queues: Vec<Queue>, timeout: Option<Nanos>) -> Result<(), NotDone> {
    let now = caller.now();
    if timeout.is_some_and(|timeout| caller.request.expired(now, timeout)) {
        return Ok(());
    }
    Err(Wait { on: queues, ..Wait::default() }.until(caller.request.deadline).never_restarted().into())
}

/// Size of a `struct pollfd`: a descriptor, a halfword of requested events, and a halfword of reported events.
const POLLFD_BYTES: u32 = 8;

fn poll(caller: &mut Caller<'_>, timeout: Option<Nanos>) -> Answer {
    let [at, count, ..] = caller.request.arguments;
    if count > caller.kernel.files.descriptors.borrow().limit {
        return Err(Errno::EINVAL.into());
    }
    let mut bytes = caller.hardware.bytes(at, count * POLLFD_BYTES)?;
    let (mut reported, mut queues) = (0, Vec::new());
    for entry in bytes.chunks_exact_mut(POLLFD_BYTES as usize) {
        let [a, b, c, d, high, low, out @ ..] = entry else { continue };
        let descriptor = u32::from_be_bytes([*a, *b, *c, *d]);
        let asked = u32::from(u16::from_be_bytes([*high, *low])) | ready::ERR | ready::HUP;
        let events =
            if descriptor as i32 >= 0 { look(caller, descriptor, &mut queues) & (asked | ready::NVAL) } else { 0 };
        out.copy_from_slice(&(events as u16).to_be_bytes());
        reported += u32::from(events != 0);
    }
    if reported == 0 {
        wait(caller, queues, timeout)?;
    }
    caller.hardware.write(at, &bytes)?;
    Ok(reported)
}

/// Returns the readiness of a descriptor. Adds to `queues` the queues that are woken when this readiness changes.
fn look(caller: &mut Caller<'_>, descriptor: u32, queues: &mut Vec<Queue>) -> u32 {
    let Ok(file) = caller.kernel.files.get(descriptor) else { return ready::NVAL };
    queues.extend(file.object.queues());
    file.object.ready(&mut caller.context())
}

fn ppoll(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [_, _, at, set, bytes, ..] = caller.request.arguments;
    let timeout = timeout(caller, at, |caller, at| read_timespec(caller.hardware, at, width))?;
    mask(caller, set, bytes)?;
    let reported = poll(caller, timeout)?;
    put_rest(caller, at, Some(width));
    Ok(reported)
}

/// During the first attempt at the call, reads the timeout at an address. Address 0 means that the call has no
/// timeout.
fn timeout(
    caller: &mut Caller<'_>,
    at: u32,
    read: impl Fn(&mut Caller<'_>, u32) -> Result<Nanos, Errno>,
) -> Result<Option<Nanos>, Errno> {
    match caller.request.deadline {
        _ if at == 0 => Ok(None),
        Some(deadline) => Ok(Some(deadline)),
        None => read(caller, at).map(Some),
    }
}

/// Writes the remaining time to the address of the timeout. The format is a `timeval` if `width` is `None`.
fn put_rest(caller: &mut Caller<'_>, at: u32, width: Option<Width>) {
    let (true, Some(deadline)) = (at != 0, caller.request.deadline) else { return };
    let rest = deadline.saturating_sub(caller.now());
    // As in Linux, it is not an error if the timeout cannot be written.
    let _ = match width {
        None => write_timeval(caller.hardware, at, rest),
        Some(width) => write_timespec(caller.hardware, at, width, rest),
    };
}

fn select_timeval(caller: &mut Caller<'_>) -> Answer {
    let at = caller.argument(4);
    let timeout = timeout(caller, at, |caller, at| read_timeval(caller.hardware, at))?;
    let reported = select(caller, timeout)?;
    put_rest(caller, at, None);
    Ok(reported)
}

/// The last argument points to a pair of numbers: the address and the size of a signal set.
fn pselect(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [_, _, _, _, at, set, ..] = caller.request.arguments;
    let timeout = timeout(caller, at, |caller, at| read_timespec(caller.hardware, at, width))?;
    if set != 0 {
        let second = set.wrapping_add(caller.width().bytes());
        let (signals, bytes) = (caller.hardware.short(set)?, caller.hardware.short(second)?);
        mask(caller, signals, bytes)?;
    }
    let reported = select(caller, timeout)?;
    put_rest(caller, at, Some(width));
    Ok(reported)
}

/// A descriptor set of `select`: its address, its words, and the events that keep a descriptor in the set. The set
/// consists of numbers of the process's width.
struct Set {
    at: u32,
    width: Width,
    words: Vec<u32>,
    wanted: u32,
}

impl Set {
    fn read(caller: &mut Caller<'_>, at: u32, words: u32, wanted: u32) -> Result<Set, NotDone> {
        let bytes = if at == 0 { Vec::new() } else { caller.hardware.bytes(at, words * 4)? };
        let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        Ok(Set { at, width: caller.width(), words: bytes.chunks_exact(4).map(word).collect(), wanted })
    }

    /// Index of the word that holds a descriptor.
    fn index(&self, descriptor: u32) -> usize {
        // In a doubleword, the word with the lower descriptors comes second.
        (descriptor as usize / 32) ^ self.width.pick(0, 1)
    }

    fn has(&self, descriptor: u32) -> bool {
        self.words.get(self.index(descriptor)).is_some_and(|word| word >> (descriptor % 32) & 1 != 0)
    }

    fn drop(&mut self, descriptor: u32) {
        let index = self.index(descriptor);
        if let Some(word) = self.words.get_mut(index) {
            *word &= !(1 << (descriptor % 32));
        }
    }
}

fn select(caller: &mut Caller<'_>, timeout: Option<Nanos>) -> Answer {
    let [count, reads, writes, exceptions, ..] = caller.request.arguments;
    if count as i32 <= -1 {
        return Err(Errno::EINVAL.into());
    }
    let count = count.min(caller.kernel.files.descriptors.borrow().limit);
    let words = count.div_ceil(32).next_multiple_of(caller.width().bytes() / 4);
    let mut sets = [
        Set::read(caller, reads, words, ready::READ | ready::HUP | ready::ERR)?,
        Set::read(caller, writes, words, ready::WRITE | ready::ERR)?,
        Set::read(caller, exceptions, words, ready::PRI)?,
    ];
    let (mut reported, mut queues) = (0, Vec::new());
    for descriptor in 0..words * 32 {
        if !sets.iter().any(|set| set.has(descriptor)) {
            continue;
        }
        // Descriptors at or above the `count` argument are ignored.
        let events = if descriptor < count { look(caller, descriptor, &mut queues) } else { 0 };
        if events == ready::NVAL {
            return Err(Errno::EBADF.into());
        }
        for set in &mut sets {
            match events & set.wanted {
                0 => set.drop(descriptor),
                _ => reported += u32::from(set.has(descriptor)),
            }
        }
    }
    if reported == 0 {
        wait(caller, queues, timeout)?;
    }
    for set in sets.iter().filter(|set| set.at != 0) {
        let bytes: Vec<u8> = set.words.iter().flat_map(|word| word.to_be_bytes()).collect();
        caller.hardware.write(set.at, &bytes)?;
    }
    Ok(reported)
}

fn epoll_create(caller: &mut Caller<'_>, flags: u32) -> Answer {
    if flags & !open::CLOSE_ON_EXEC != 0 {
        return Err(Errno::EINVAL.into());
    }
    let list = Epoll::new(&mut caller.kernel.wakes);
    Ok(caller.kernel.files.add_object(Rc::new(list), open::READ_WRITE | flags, b"anon_inode:[eventpoll]")?)
}

fn epoll_ctl(caller: &mut Caller<'_>) -> Answer {
    const ADD: u32 = 1;
    const REMOVE: u32 = 2;
    const CHANGE: u32 = 3;
    let [_, operation, descriptor, at, ..] = caller.request.arguments;
    let event = match operation {
        REMOVE => EpollEvent { events: 0, data: 0 },
        _ => EpollEvent { events: caller.hardware.word(at)?, data: caller.hardware.doubleword(at.wrapping_add(8))? },
    };
    let (file, other) = (caller.open_file()?, caller.kernel.files.get(descriptor)?);
    let list = Epoll::of(&file)?;
    if Rc::ptr_eq(&file, &other) {
        return Err(Errno::EINVAL.into());
    }
    let mut context = caller.context();
    match operation {
        ADD => list.add(&mut context, (descriptor, &other), event)?,
        REMOVE => list.remove(descriptor, &other)?,
        CHANGE => list.change(&mut context, (descriptor, &other), event)?,
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(0)
}

fn epoll_wait(caller: &mut Caller<'_>) -> Answer {
    /// Size of a `struct epoll_event`, which holds events, padding, and the program's data.
    const EVENT_BYTES: u32 = 16;
    let [_, at, most, timeout, ..] = caller.request.arguments;
    if most == 0 || most > i32::MAX as u32 / EVENT_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let file = caller.open_file()?;
    let list = Epoll::of(&file)?;
    let reported = list.take(&mut caller.context(), most as usize);
    if reported.is_empty() {
        wait(caller, list.queues(), millis(timeout))?;
    }
    let mut bytes = Vec::new();
    for event in &reported {
        bytes.extend(event.events.to_be_bytes());
        bytes.extend([0; 4]);
        bytes.extend(event.data.to_be_bytes());
    }
    caller.hardware.write(at, &bytes)?;
    Ok(reported.len() as u32)
}
