//! Shared memory: `shmget`, `shmat`, `shmdt`, `shmctl`.

use super::common::{IPC_INFO, IPC_RMID, IPC_SET, IPC_STAT, read_permissions, seconds};
use crate::errno::Errno;
use crate::hardware::{Access, PAGE_BYTES};
use crate::ipc::shared_memory::Shared;
use crate::ipc::table::{PRIVATE, READ, WRITE};
use crate::memory::area::Kind;
use crate::memory::mapping::pages;
use crate::memory::segment::Segment;
use crate::memory::space::Space;
use crate::request::Answer;
use crate::syscalls::caller::Caller;
use crate::width::Width;
use std::ops::Range;
use std::rc::Rc;

/// Flag of `shmget`: huge pages.
const SHM_HUGETLB: u32 = 0o4000;
/// Flags of `shmat`.
const SHM_RDONLY: u32 = 0o10_000;
const SHM_RND: u32 = 0o20_000;
const SHM_REMAP: u32 = 0o40_000;
const SHM_EXEC: u32 = 0o100_000;
/// Commands of `shmctl`.
const SHM_LOCK: u32 = 11;
const SHM_UNLOCK: u32 = 12;
const SHM_STAT: u32 = 13;
const SHM_INFO: u32 = 14;
const SHM_STAT_ANY: u32 = 15;
/// Greatest number of segments.
const SEGMENTS_MAX: u32 = 4096;

/// Finds or creates a segment. Returns its identifier.
pub fn shmget(caller: &mut Caller<'_>, key: u32, bytes: u32, flags: u32) -> Answer {
    let now = seconds(caller);
    let huge = flags & SHM_HUGETLB != 0;
    let page = if huge { caller.kernel.mm.huge_page_bytes } else { PAGE_BYTES };
    let Caller { kernel, hardware, .. } = caller;
    let segments = &mut kernel.ipc.segments;
    segments.retain(|shared| !shared.segment.is_gone());
    let fits = |shared: &Shared| if bytes > shared.segment.bytes { Err(Errno::EINVAL) } else { Ok(()) };
    let create = || {
        if bytes == 0 {
            return Err(Errno::EINVAL);
        }
        let size = bytes.checked_next_multiple_of(page).ok_or(Errno::ENOMEM)?;
        let frames = hardware.take_frames(size).ok_or(Errno::ENOMEM)?;
        Ok(Shared::new(Segment::new(bytes, huge, frames), now))
    };
    Ok(segments.get((key, flags), SEGMENTS_MAX, fits, create)?)
}

/// Maps a segment. Returns the right half of its address.
pub fn shmat(caller: &mut Caller<'_>, identifier: u32, wish: u32, flags: u32) -> Answer {
    let now = seconds(caller);
    let Caller { kernel, hardware, .. } = caller;
    kernel.ipc.segments.retain(|shared| !shared.segment.is_gone());
    let entry = kernel.ipc.segments.entry(identifier)?;
    let writes = flags & SHM_RDONLY == 0;
    entry.permissions.check(READ | if writes { WRITE } else { 0 })?;
    let access = Access { read: true, write: writes, execute: flags & SHM_EXEC != 0 };
    let segment = Rc::clone(&entry.object.segment);
    let page = if segment.huge { kernel.mm.huge_page_bytes } else { PAGE_BYTES };
    let range = place(&kernel.mm.space, wish, segment.bytes.next_multiple_of(page), page, flags)?;
    kernel.mm.space.map_segment(*hardware, range.start, &segment, access);
    let name = format!("/SYSV{:08x}", entry.permissions.key);
    kernel.mm.space.note_origin(&range, &Rc::from(name.as_bytes()), 0);
    entry.object.attached_at = now;
    Ok(range.start)
}

/// The range of a new mapping.
fn place(space: &Space, wish: u32, bytes: u32, page: u32, flags: u32) -> Result<Range<u32>, Errno> {
    let start = if flags & SHM_RND != 0 { wish - wish % page } else { wish };
    if start == 0 {
        if flags & SHM_REMAP != 0 {
            return Err(Errno::EINVAL);
        }
        // A gap that is larger by a page contains a range that begins at a multiple of the page.
        let gap = space.gap(0, bytes.checked_add(page - PAGE_BYTES).ok_or(Errno::ENOMEM)?);
        let start = gap.ok_or(Errno::ENOMEM)?.next_multiple_of(page);
        return Ok(start..start + bytes);
    }
    let range = pages(start, bytes).map_err(|_| Errno::EINVAL)?;
    if !start.is_multiple_of(page) || flags & SHM_REMAP == 0 && !space.is_free(&range) {
        return Err(Errno::EINVAL);
    }
    Ok(range)
}

/// Unmaps the segment that is mapped at an address.
pub fn shmdt(caller: &mut Caller<'_>, start: u32) -> Answer {
    let now = seconds(caller);
    let kernel = &mut *caller.kernel;
    let ranges = attached_at(&kernel.mm.space, start);
    let (segment, ranges) = ranges.ok_or(Errno::EINVAL)?;
    kernel.ipc.segments.objects_mut().filter(|shared| Rc::ptr_eq(&shared.segment, &segment)).for_each(|shared| {
        shared.detached_at = now;
    });
    for range in ranges {
        kernel.mm.space.unmap(caller.hardware, &range);
    }
    Ok(0)
}

/// The segment that `shmat` has mapped at `start`, and the areas that are left of this mapping. Parts of it may have
/// been unmapped or mapped anew since then.
fn attached_at(space: &Space, start: u32) -> Option<(Rc<Segment>, Vec<Range<u32>>)> {
    let mut found: Option<Rc<Segment>> = None;
    let mut ranges = Vec::new();
    for (at, area) in space.areas().filter(|(at, _)| *at >= start) {
        let Kind::Segment { segment, offset } = &area.kind else { continue };
        let is_of_it = at - start == *offset && found.as_ref().is_none_or(|found| Rc::ptr_eq(found, segment));
        if is_of_it {
            found = Some(Rc::clone(segment));
            ranges.push(at..area.end);
        }
    }
    found.map(|segment| (segment, ranges))
}

/// Shows, changes or removes a segment.
pub fn shmctl(caller: &mut Caller<'_>, identifier: u32, command: u32, at: u32) -> Answer {
    caller.kernel.ipc.segments.retain(|shared| !shared.segment.is_gone());
    let now = seconds(caller);
    let width = caller.width();
    match command {
        IPC_INFO => {
            caller.hardware.put_longs(at, &limits(width))?;
            return Ok(caller.kernel.ipc.segments.last_slot());
        }
        SHM_INFO => {
            let usage = usage(caller.kernel.ipc.segments.objects(), width);
            caller.hardware.write(at, &usage)?;
            return Ok(caller.kernel.ipc.segments.last_slot());
        }
        _ => (),
    }
    let set = if command == IPC_SET { Some(read_permissions(caller, at)?) } else { None };
    let segments = &mut caller.kernel.ipc.segments;
    let (known, entry) = match command {
        SHM_STAT | SHM_STAT_ANY => segments.entry_at(identifier)?,
        _ => (0, segments.entry(identifier)?),
    };
    match command {
        IPC_STAT | SHM_STAT | SHM_STAT_ANY => {
            if command != SHM_STAT_ANY {
                entry.permissions.check(READ)?;
            }
            let bytes = entry.object.encoded(&entry.permissions, width);
            caller.hardware.write(at, &bytes)?;
            return Ok(known);
        }
        IPC_SET => {
            entry.permissions.set(set.unwrap_or_default());
            entry.object.changed_at = now;
        }
        // The key no longer leads to the segment. Its identifier does as long as the segment is mapped.
        IPC_RMID => {
            entry.permissions.key = PRIVATE;
            entry.object.segment.remove(caller.hardware);
        }
        SHM_LOCK | SHM_UNLOCK => entry.object.locked = command == SHM_LOCK,
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(0)
}

/// `struct shminfo64`: largest and smallest size, number of segments in all and of a process, pages in all.
fn limits(width: Width) -> [u64; 9] {
    let most = width.pick(u32::MAX.into(), u64::MAX) - (1 << 24);
    [most, 1, SEGMENTS_MAX.into(), SEGMENTS_MAX.into(), most, 0, 0, 0, 0]
}

/// `struct shm_info`: number of segments, and their pages in all, in memory and in the swap area.
fn usage<'s>(segments: impl Iterator<Item = &'s Shared>, width: Width) -> Vec<u8> {
    let pages: Vec<u64> = segments.map(|shared| u64::from(shared.segment.bytes.div_ceil(PAGE_BYTES))).collect();
    let (count, total) = (pages.len() as u64, pages.iter().sum());
    // The number is a word, which is padded in a 64-bit process.
    let numbers = [width.pick(count, count << 32), total, total, 0, 0, 0];
    numbers.into_iter().flat_map(|number| width.encode(number)).collect()
}
