//! Converts the tuples that Python programs yield into requests to the simulator.

use crate::errors::usage;
use crate::number::{byte, number, word};
use crate::text::{joined, shown, type_name};
use cell::channel::Channel;
use cell::command::Command;
use cell::door::{
    Access, CYCLES_MAX, ITERATIONS_MAX, Op, PpeOp, PpeStep, STOP_CODE_MAX, SpeEvents, Step, Syscall, TIMEOUT_NS_MAX,
    TagUpdate, Walk,
};
use cell::units::ThreadId;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyString, PyTuple};

/// Number of channels that an SPU can have (CBEA 9.1).
const CHANNELS: u8 = 128;

const SPU_REQUESTS: &str = "('read', channel), ('write', channel, value), ('count', channel), \
     ('compute', spu_cycles), ('stop', code) and ('mark', iterations_left)";
const PPE_REQUESTS: &str = "('load', ea, bytes), ('store', ea, bytes, value), \
     ('walk', 'load' or 'store' or 'copy', ea, value or to, bytes, stride, count), ('syscall', name, thread, argument), \
     ('read', ea, bytes), ('write', ea, data), ('mfc_command', thread, opcode, ls, ea, size, tag), ('tag_status', thread, mask, 'immediate' or 'any' or 'all'), \
     ('events', masks, timeout_ns or None), ('sync',), ('compute', cycles), ('timebase',) and ('mark', iterations_left)";

const SYSCALLS: [&str; 11] = [
    "thread_create",
    "thread_join",
    "thread_continue",
    "in_mbox_write",
    "out_mbox_status",
    "out_mbox_read",
    "out_intr_mbox_read",
    "signal_open",
    "signal_write",
    "signal_close",
    "signal_type",
];

/// Parses the tuple that an SPU program yielded.
pub fn spu_step(request: &Bound<'_, PyAny>) -> PyResult<Step> {
    let unknown = || unknown_request(request, SPU_REQUESTS);
    let Ok(tuple) = request.cast::<PyTuple>() else { return Err(unknown()) };
    let at = |index| tuple.get_item(index);
    Ok(match (name_of(tuple).ok_or_else(unknown)?.to_str().unwrap_or_default(), tuple.len()) {
        ("read", 2) => Step::Ask(Op::Read(channel(&at(1)?)?)),
        ("write", 3) => Step::Ask(Op::Write(channel(&at(1)?)?, word(&at(2)?, "the value for a channel")?)),
        ("count", 2) => Step::Ask(Op::Count(channel(&at(1)?)?)),
        ("compute", 2) => Step::Ask(Op::Compute(cycles(&at(1)?)?)),
        ("stop", 2) => Step::Stop(number(&at(1)?, "stop code", 0..=STOP_CODE_MAX)? as u32),
        ("mark", 2) => Step::Mark { remaining: remaining(&at(1)?)? },
        _ => return Err(unknown()),
    })
}

/// A block of main memory to move.
pub enum Bulk {
    Read { ea: u64, bytes: u64 },
    Write { ea: u64, bytes: PyBackedBytes },
}

/// A request of a PPE program: a step for the simulator, or a block move for the program's driver.
pub enum PpeRequest {
    Step(PpeStep),
    Bulk(Bulk),
}

/// Parses the tuple that a PPE program yielded.
pub fn ppe_request(request: &Bound<'_, PyAny>) -> PyResult<PpeRequest> {
    let unknown = || unknown_request(request, PPE_REQUESTS);
    let Ok(tuple) = request.cast::<PyTuple>() else { return Err(unknown()) };
    let at = |index| tuple.get_item(index);
    let op = match (name_of(tuple).ok_or_else(unknown)?.to_str().unwrap_or_default(), tuple.len()) {
        ("load", 3) => PpeOp::Load { ea: effective_address(&at(1)?)?, bytes: width(&at(2)?)? },
        ("store", 4) => {
            let bytes = width(&at(2)?)?;
            let most = u64::MAX >> (64 - 8 * u32::from(bytes));
            PpeOp::Store { ea: effective_address(&at(1)?)?, bytes, value: number(&at(3)?, "the value", 0..=most)? }
        }
        ("walk", 7) => PpeOp::Walk(Walk {
            access: access(&at(1)?, effective_address(&at(2)?)?, number(&at(3)?, "value or address", 0..=u64::MAX)?)?,
            bytes: byte(&at(4)?, "bytes of an element", u8::MAX)?,
            stride_bytes: word(&at(5)?, "the distance of elements")?,
            count: number(&at(6)?, "a number of elements,", 0..=ITERATIONS_MAX)?,
        }),
        ("syscall", 4) => PpeOp::Syscall(syscall(&at(1)?, &at(2)?, &at(3)?)?),
        ("mfc_command", 7) => {
            let thread = ThreadId(byte(&at(1)?, "thread", u8::MAX)?);
            let word_at = |index, what| word(&at(index)?, what);
            PpeOp::Syscall(Syscall::MfcCommand(
                thread,
                Command {
                    opcode: word_at(2, "the command")?,
                    lsa: word_at(3, "the local-store address")?,
                    ea: effective_address(&at(4)?)?,
                    // The size and the tag have 16 bits each in the MFC's registers.
                    size: number(&at(5)?, "size", 0..=0xffff)? as u32,
                    tag: number(&at(6)?, "tag", 0..=0xffff)? as u32,
                },
            ))
        }
        ("tag_status", 4) => {
            let thread = ThreadId(byte(&at(1)?, "thread", u8::MAX)?);
            PpeOp::Syscall(Syscall::MfcTagStatus(thread, word(&at(2)?, "the tag mask")?, tag_update(&at(3)?)?))
        }
        ("events", 3) => {
            let wanted = SpeEvents::from_word(number(&at(1)?, "masks of events", 0..=u64::MAX)?);
            let timeout = at(2)?;
            let timeout_ns = match timeout.is_none() {
                true => None,
                false => Some(number(&timeout, "timeout_ns", 0..=TIMEOUT_NS_MAX)?),
            };
            PpeOp::Syscall(Syscall::EventWait(wanted, timeout_ns))
        }
        ("compute", 2) => PpeOp::Compute(cycles(&at(1)?)?),
        ("sync", 1) => PpeOp::Sync,
        ("timebase", 1) => PpeOp::TimeBase,
        ("read", 3) => {
            let ea = effective_address(&at(1)?)?;
            return Ok(PpeRequest::Bulk(Bulk::Read { ea, bytes: number(&at(2)?, "size", 0..=u64::MAX)? }));
        }
        ("write", 3) => {
            let (ea, bytes) = (effective_address(&at(1)?)?, at(2)?);
            let Ok(bytes) = bytes.extract::<PyBackedBytes>() else {
                return Err(usage(format!("memory is written with {}; give bytes", type_name(&bytes))));
            };
            return Ok(PpeRequest::Bulk(Bulk::Write { ea, bytes }));
        }
        ("mark", 2) => return Ok(PpeRequest::Step(PpeStep::Mark { remaining: remaining(&at(1)?)? })),
        _ => return Err(unknown()),
    };
    Ok(PpeRequest::Step(PpeStep::Ask(op)))
}

fn tag_update(name: &Bound<'_, PyAny>) -> PyResult<TagUpdate> {
    Ok(match name.extract::<String>().unwrap_or_default().as_str() {
        "immediate" => TagUpdate::Immediate,
        "any" => TagUpdate::Any,
        "all" => TagUpdate::All,
        _ => return Err(usage(format!("there is no tag update {}; give immediate, any or all", shown(name)))),
    })
}

/// Reads the kind and the first address of a walk over memory.
fn access(name: &Bound<'_, PyAny>, ea: u64, other: u64) -> PyResult<Access> {
    let text = name.extract::<String>().unwrap_or_default();
    Ok(match text.as_str() {
        "load" => Access::Load { from: ea },
        "store" => Access::Store { to: ea, value: other },
        "copy" => Access::Copy { from: ea, to: other },
        _ => return Err(usage(format!("a walk cannot {}; it can load, store or copy", shown(name)))),
    })
}

fn syscall(name: &Bound<'_, PyAny>, thread: &Bound<'_, PyAny>, argument: &Bound<'_, PyAny>) -> PyResult<Syscall> {
    let thread = ThreadId(byte(thread, "thread", u8::MAX)?);
    let unknown = || usage(format!("there is no system call {}; known are {}", shown(name), joined(SYSCALLS)));
    let Ok(text) = name.cast::<PyString>() else { return Err(unknown()) };
    Ok(match text.to_str().unwrap_or_default() {
        "thread_create" => Syscall::ThreadCreate(thread, number(argument, "argp", 0..=u64::MAX)?),
        "thread_join" => Syscall::ThreadJoin(thread),
        "thread_continue" => Syscall::ThreadContinue(thread),
        "in_mbox_write" => Syscall::InMboxWrite(thread, word(argument, "the message")?),
        "out_mbox_status" => Syscall::OutMboxStatus(thread),
        "out_mbox_read" => Syscall::OutMboxRead(thread),
        "out_intr_mbox_read" => Syscall::OutIntrMboxRead(thread),
        "signal_open" => Syscall::SignalOpen(thread),
        "signal_write" => {
            let (register, value) = signal(argument)?;
            Syscall::SignalWrite(thread, register, value)
        }
        "signal_type" => {
            let (register, or_mode) = signal(argument)?;
            Syscall::SignalType(thread, register, or_mode != 0)
        }
        "signal_close" => Syscall::SignalClose(thread),
        _ => return Err(unknown()),
    })
}

/// Splits an argument into a signal register (upper half) and its value (lower half).
fn signal(argument: &Bound<'_, PyAny>) -> PyResult<(u8, u32)> {
    let argument = number(argument, "the register and value of a signal", 0..=u64::MAX)?;
    match argument >> 32 {
        register @ (1 | 2) => Ok((register as u8, argument as u32)),
        register => Err(usage(format!("there is no signal register {register}; give 1 or 2"))),
    }
}

fn name_of<'py>(tuple: &Bound<'py, PyTuple>) -> Option<Bound<'py, PyString>> {
    tuple.get_item(0).ok()?.cast_into::<PyString>().ok()
}

fn unknown_request(request: &Bound<'_, PyAny>, known: &str) -> PyErr {
    usage(format!("a program asked {}; possible questions are {known}", shown(request)))
}

fn channel(value: &Bound<'_, PyAny>) -> PyResult<Channel> {
    byte(value, "channel", CHANNELS - 1).map(Channel)
}

fn cycles(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    number(value, "a number of cycles,", 0..=CYCLES_MAX)
}

fn remaining(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    number(value, "a number of iterations,", 1..=ITERATIONS_MAX)
}

fn effective_address(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    number(value, "effective address", 0..=u64::MAX)
}

fn width(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    match value.extract::<u8>() {
        Ok(bytes @ (1 | 2 | 4 | 8)) => Ok(bytes),
        _ => Err(usage(format!("an access of {} bytes is not possible; give 1, 2, 4 or 8", shown(value)))),
    }
}
