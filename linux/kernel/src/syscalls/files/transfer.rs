//! System calls that read and write files.

use super::costs;
use crate::errno::Errno;
use crate::request::{Answer, NotDone};
use crate::signals::number::Signal;
use crate::signals::pending::{Info, code};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::vfs::description::Description;
use crate::vfs::flags::open;
use crate::vfs::object::{Refusal, Span};

/// Table rows of the calls that read and write.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(3, "read", 3, |caller| {
        let buffers = one_buffer(caller)?;
        read(caller, &buffers, None)
    })
    .costing(costs::read),
    SystemCall::new(4, "write", 3, |caller| {
        let buffers = one_buffer(caller)?;
        write(caller, &buffers, None)
    })
    .costing(costs::write),
    SystemCall::new(145, "readv", 3, |caller| {
        let buffers = buffers(caller)?;
        read(caller, &buffers, None)
    })
    .costing(costs::read),
    SystemCall::new(146, "writev", 3, |caller| {
        let buffers = buffers(caller)?;
        write(caller, &buffers, None)
    })
    .costing(costs::write),
    // A 64-bit offset is in a register pair that begins at an odd-numbered register.
    SystemCall::new(179, "pread64", 6, |caller| {
        let (buffers, offset) = (one_buffer(caller)?, checked_offset(caller.long_argument(3, 4))?);
        read(caller, &buffers, Some(offset))
    })
    .costing(costs::read),
    SystemCall::new(180, "pwrite64", 6, |caller| {
        let (buffers, offset) = (one_buffer(caller)?, checked_offset(caller.long_argument(3, 4))?);
        write(caller, &buffers, Some(offset))
    })
    .costing(costs::write),
    // For these calls, the 64-bit offset is in two registers, with the lower half first. In a 64-bit process, it is in
    // the first of them.
    SystemCall::new(320, "preadv", 5, |caller| {
        let (buffers, offset) = (buffers(caller)?, checked_offset(two_halves(caller))?);
        read(caller, &buffers, Some(offset))
    })
    .costing(costs::read),
    SystemCall::new(321, "pwritev", 5, |caller| {
        let (buffers, offset) = (buffers(caller)?, checked_offset(two_halves(caller))?);
        write(caller, &buffers, Some(offset))
    })
    .costing(costs::write),
];

/// A buffer in memory: address and size.
type Buffer = (u32, u32);

/// Maximum number of bytes that a call transfers.
const BYTES_MAX: u32 = 0x7fff_f000;
/// Maximum number of bytes copied at once, so that a huge request does not allocate a huge buffer.
const PIECE_BYTES: u32 = 1 << 20;
/// Maximum number of buffers in one call.
const BUFFERS_MAX: u32 = 1024;

fn one_buffer(caller: &Caller<'_>) -> Result<Vec<Buffer>, Errno> {
    let [_, at, bytes, ..] = caller.request.arguments;
    Ok(vec![(at, bytes.min(BYTES_MAX))])
}

fn buffers(caller: &mut Caller<'_>) -> Result<Vec<Buffer>, NotDone> {
    let [_, at, count, ..] = caller.request.arguments;
    if count > BUFFERS_MAX {
        return Err(Errno::EINVAL.into());
    }
    let width = caller.width().bytes();
    let pairs = caller.hardware.bytes(at, count * 2 * width)?;
    let (mut buffers, mut room) = (Vec::new(), BYTES_MAX);
    for pair in pairs.chunks_exact(2 * width as usize) {
        let (address, bytes) = pair.split_at(width as usize);
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        if number(bytes) > caller.width().pick(i32::MAX as u64, i64::MAX as u64) {
            return Err(Errno::EINVAL.into());
        }
        let bytes = number(bytes).min(room.into()) as u32;
        room -= bytes;
        buffers.push((caller.hardware.narrow(number(address)), bytes));
    }
    Ok(buffers)
}

fn checked_offset(offset: u64) -> Result<u64, Errno> {
    if i64::try_from(offset).is_err() { Err(Errno::EINVAL) } else { Ok(offset) }
}

fn two_halves(caller: &Caller<'_>) -> u64 {
    let halves = u64::from(caller.argument(4)) << 32 | u64::from(caller.argument(3));
    caller.width().pick(halves, caller.request.longs[3])
}

fn read(caller: &mut Caller<'_>, buffers: &[Buffer], offset: Option<u64>) -> Answer {
    let description = caller.open_file()?;
    if !description.reads() {
        return Err(Errno::EBADF.into());
    }
    if description.object.as_directory().is_some() {
        return Err(Errno::EISDIR.into());
    }
    let start = start(&description, offset)?;
    let mut done = 0;
    let total: u32 = buffers.iter().map(|(_, bytes)| bytes).sum();
    while done < total || total == 0 {
        let (address, bytes) = rest(buffers, done);
        let span = Span { offset: start + u64::from(done), bytes: bytes.min(PIECE_BYTES) };
        let got = match description.object.read(&mut caller.context(), span) {
            Ok(got) => got,
            Err(_) if done > 0 => break,
            Err(refusal) => return Err(refused(&description, refusal)),
        };
        let count = u32::try_from(got.len()).unwrap_or(u32::MAX).min(span.bytes);
        if caller.hardware.write(address, &got).is_err() {
            if done > 0 {
                break;
            }
            return Err(Errno::EFAULT.into());
        }
        done += count;
        // The call reads from an object without a file offset, such as a pipe, only once.
        if count < span.bytes || !description.object.seekable() || total == 0 {
            break;
        }
    }
    advance(&description, offset, start, done);
    Ok(done)
}

/// The remaining part of the current buffer after a transfer of `done` bytes.
fn rest(buffers: &[Buffer], done: u32) -> Buffer {
    let mut skipped = 0;
    for (address, bytes) in buffers {
        if done < skipped + bytes {
            let into = done - skipped;
            return (address.wrapping_add(into), bytes - into);
        }
        skipped += bytes;
    }
    (0, 0)
}

/// File offset at which a transfer starts.
fn start(description: &Description, offset: Option<u64>) -> Result<u64, Errno> {
    match offset {
        Some(_) if !description.object.seekable() => Err(Errno::ESPIPE),
        Some(offset) => Ok(offset),
        None => Ok(description.offset.get()),
    }
}

fn advance(description: &Description, offset: Option<u64>, start: u64, done: u32) {
    if offset.is_none() && description.object.seekable() {
        description.offset.set(start + u64::from(done));
    }
}

/// Result of a call that has transferred no bytes.
fn refused(description: &Description, refusal: Refusal) -> NotDone {
    match refusal {
        Refusal::Waits(_) if description.has(open::NONBLOCK) => Errno::EAGAIN.into(),
        refusal => refusal.into(),
    }
}

fn write(caller: &mut Caller<'_>, buffers: &[Buffer], offset: Option<u64>) -> Answer {
    let description = caller.open_file()?;
    if !description.writes() {
        return Err(Errno::EBADF.into());
    }
    let mut start = start(&description, offset)?;
    if description.has(open::APPEND) && description.object.seekable() {
        start = description.object.stat(&mut caller.context())?.size_bytes;
    }
    let total: u32 = buffers.iter().map(|(_, bytes)| bytes).sum();
    // An earlier attempt may have written some of the bytes.
    let mut done = caller.request.progress;
    let before = done;
    while done < total || total == 0 {
        let piece = match gather(caller, buffers, done) {
            Ok(piece) => piece,
            Err(_) if done > 0 => break,
            Err(errno) => return Err(errno.into()),
        };
        let offset = start + u64::from(done - before);
        match description.object.write(&mut caller.context(), offset, &piece) {
            Ok(count) => {
                done += count.min(total - done);
                if count == 0 || (count as usize) < piece.len() && !description.object.takes_all() {
                    break;
                }
            }
            Err(Refusal::Waits(_)) if done > 0 && (description.has(open::NONBLOCK) || caller.request.interrupted) => {
                break;
            }
            Err(Refusal::Waits(on)) => {
                caller.request.progress = done;
                return Err(refused(&description, Refusal::Waits(on)));
            }
            Err(_) if done > 0 => break,
            Err(refusal) => return Err(broken_pipe(caller, refusal)),
        }
    }
    advance(&description, offset, start, done - before);
    Ok(done)
}

/// Copies from the buffers the bytes to be written next.
fn gather(caller: &mut Caller<'_>, buffers: &[Buffer], mut done: u32) -> Result<Vec<u8>, Errno> {
    let mut piece = Vec::new();
    loop {
        let (address, bytes) = rest(buffers, done);
        let bytes = bytes.min(PIECE_BYTES - piece.len() as u32);
        if bytes == 0 {
            return Ok(piece);
        }
        match caller.hardware.bytes(address, bytes) {
            Ok(more) => piece.extend(more),
            Err(_) if !piece.is_empty() => return Ok(piece),
            Err(bad) => return Err(bad.into()),
        }
        done += bytes;
    }
}

/// Sends `SIGPIPE` if the pipe's read end is closed.
fn broken_pipe(caller: &mut Caller<'_>, refusal: Refusal) -> NotDone {
    if refusal == Refusal::Errno(Errno::EPIPE) {
        // If the thread has ended, the signal is discarded.
        let _ = caller.kernel.send_to_thread(caller.tid, Info::from_self(Signal::SIGPIPE, code::USER));
    }
    refusal.into()
}
