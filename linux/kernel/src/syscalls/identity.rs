//! System calls that return the identity of the process, the kernel's names, and resource limits.

use super::caller::{Caller, SystemCall};
use crate::errno::Errno;
use crate::identity::{PARENT, RELEASE, USER, VERSION};
use crate::layout::STACK_BYTES;
use crate::request::Answer;
use crate::tid::PROCESS;

/// Table rows of the identity and limit calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(20, "getpid", 0, |_| Ok(PROCESS.0)),
    SystemCall::new(23, "setuid", 1, only_own),
    SystemCall::new(24, "getuid", 0, |_| Ok(USER)),
    SystemCall::new(46, "setgid", 1, only_own),
    SystemCall::new(47, "getgid", 0, |_| Ok(USER)),
    SystemCall::new(49, "geteuid", 0, |_| Ok(USER)),
    SystemCall::new(50, "getegid", 0, |_| Ok(USER)),
    SystemCall::new(57, "setpgid", 2, |_| Ok(0)),
    SystemCall::new(64, "getppid", 0, |_| Ok(PARENT)),
    SystemCall::new(65, "getpgrp", 0, |_| Ok(PROCESS.0)),
    SystemCall::new(66, "setsid", 0, |_| Err(Errno::EPERM.into())),
    SystemCall::new(75, "setrlimit", 2, setrlimit),
    SystemCall::new(76, "getrlimit", 2, getrlimit),
    SystemCall::new(80, "getgroups", 2, |_| Ok(0)),
    SystemCall::new(116, "sysinfo", 1, sysinfo),
    SystemCall::new(122, "uname", 1, uname),
    SystemCall::new(132, "getpgid", 1, |_| Ok(PROCESS.0)),
    SystemCall::new(136, "personality", 1, |_| Ok(0)),
    SystemCall::new(147, "getsid", 1, |_| Ok(PROCESS.0)),
    SystemCall::new(165, "getresuid", 3, three_times_user),
    SystemCall::new(170, "getresgid", 3, three_times_user),
    SystemCall::new(171, "prctl", 5, prctl),
    SystemCall::new(190, "ugetrlimit", 2, getrlimit),
    SystemCall::new(325, "prlimit64", 4, prlimit64),
    SystemCall::new(359, "getrandom", 3, getrandom),
];

/// Fields of `uname`: system, computer, release, version, architecture, domain.
const NAMES: [&str; 6] = ["Linux", "cell", RELEASE, VERSION, "ppc64", "(none)"];
/// Size of each field.
const NAME_BYTES: usize = 65;

fn uname(caller: &mut Caller<'_>) -> Answer {
    let mut bytes = [0; NAME_BYTES * NAMES.len()];
    for (field, name) in bytes.chunks_exact_mut(NAME_BYTES).zip(NAMES) {
        for (to, from) in field.iter_mut().zip(name.bytes()) {
            *to = from;
        }
    }
    caller.hardware.write(caller.request.arguments[0], &bytes)?;
    Ok(0)
}

fn only_own(caller: &mut Caller<'_>) -> Answer {
    if caller.argument(0) == USER { Ok(0) } else { Err(Errno::EPERM.into()) }
}

fn three_times_user(caller: &mut Caller<'_>) -> Answer {
    for at in [0, 1, 2].map(|n| caller.argument(n)) {
        caller.hardware.put_word(at, USER)?;
    }
    Ok(0)
}

/// Resources with a limit.
const STACK: u32 = 3;
const CORE: u32 = 4;
const FILES: u32 = 7;
const RESOURCES: u32 = 16;
const NO_LIMIT: u64 = u64::MAX;
/// Limit of open files.
pub const OPEN_FILES: u32 = 1024;

/// Soft and hard limits of a resource.
fn limits(resource: u32) -> Result<[u64; 2], Errno> {
    match resource {
        STACK => Ok([STACK_BYTES.into(), NO_LIMIT]),
        CORE => Ok([0, NO_LIMIT]),
        FILES => Ok([OPEN_FILES.into(), OPEN_FILES.into()]),
        0..RESOURCES => Ok([NO_LIMIT; 2]),
        _ => Err(Errno::EINVAL),
    }
}

fn getrlimit(caller: &mut Caller<'_>) -> Answer {
    let [resource, at, ..] = caller.request.arguments;
    let most = caller.width().pick(u32::MAX.into(), NO_LIMIT);
    caller.hardware.put_longs(at, &limits(resource)?.map(|limit| limit.min(most)))?;
    Ok(0)
}

/// MODEL: setting a limit succeeds without effect.
fn setrlimit(caller: &mut Caller<'_>) -> Answer {
    limits(caller.argument(0))?;
    Ok(0)
}

fn prlimit64(caller: &mut Caller<'_>) -> Answer {
    let [process, resource, _, old, ..] = caller.request.arguments;
    if ![0, PROCESS.0].contains(&process) {
        return Err(Errno::ESRCH.into());
    }
    let limits = limits(resource)?;
    if old != 0 {
        for (at, limit) in [old, old.wrapping_add(8)].into_iter().zip(limits) {
            caller.hardware.put_doubleword(at, limit)?;
        }
    }
    Ok(0)
}

/// Writes a `struct sysinfo`: uptime, three load averages, total and free memory, shared memory, buffers, total and
/// free swap, number of processes, total and free high memory, and the memory unit.
fn sysinfo(caller: &mut Caller<'_>) -> Answer {
    let (total, free) = (caller.kernel.mm.main_memory_bytes, caller.hardware.free_bytes());
    let seconds = caller.now() / crate::time::SECOND;
    let width = caller.width();
    let clamp = |bytes: u64| bytes.min(width.pick(u32::MAX.into(), u64::MAX));
    // The number of processes is in the first halfword of its field. The memory unit is a word.
    let (processes, unit) = (width.pick(1 << 16, 1 << 48), width.pick(1, 1 << 32));
    let numbers = [seconds, 0, 0, 0, clamp(total), clamp(free), 0, 0, 0, 0, processes, 0, 0, unit, 0, 0];
    let at = caller.argument(0);
    // In a 64-bit process, the structure has no padding at its end.
    caller.hardware.put_longs(at, &numbers[..width.pick(16, 14)])?;
    Ok(0)
}

const PR_SET_NAME: u32 = 15;
const PR_GET_NAME: u32 = 16;
const PR_SET_PDEATHSIG: u32 = 1;
const PR_GET_DUMPABLE: u32 = 3;
const PR_SET_DUMPABLE: u32 = 4;
const PR_GET_FPEXC: u32 = 11;
const PR_SET_FPEXC: u32 = 12;
const PR_SET_TIMERSLACK: u32 = 29;
const PR_SET_NO_NEW_PRIVS: u32 = 38;
const PR_SET_VMA: u32 = 0x5356_4d41;
/// Precise mode: a floating-point exception is reported at the instruction that causes it.
const PR_FP_EXC_PRECISE: u32 = 3;

fn prctl(caller: &mut Caller<'_>) -> Answer {
    let [option, at, ..] = caller.request.arguments;
    match option {
        PR_SET_NAME => {
            let mut name = caller.hardware.text(at, 4096)?;
            name.truncate(15);
            caller.thread()?.set_name(&name);
            Ok(0)
        }
        PR_GET_NAME => {
            let name = caller.thread()?.name;
            caller.hardware.write(at, &name)?;
            Ok(0)
        }
        PR_GET_DUMPABLE => Ok(1),
        PR_GET_FPEXC => {
            let mode = caller.thread()?.float_exceptions;
            caller.hardware.put_word(at, mode)?;
            Ok(0)
        }
        PR_SET_FPEXC if at <= PR_FP_EXC_PRECISE => {
            caller.thread()?.float_exceptions = at;
            Ok(0)
        }
        PR_SET_PDEATHSIG | PR_SET_DUMPABLE | PR_SET_TIMERSLACK | PR_SET_NO_NEW_PRIVS => Ok(0),
        PR_SET_VMA => Err(Errno::EINVAL.into()),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// MODEL: random numbers are the same in every run.
fn getrandom(caller: &mut Caller<'_>) -> Answer {
    let [at, bytes, ..] = caller.request.arguments;
    let bytes = bytes.min(1 << 20);
    let random = caller.kernel.random.bytes(bytes as usize);
    caller.hardware.write(at, &random)?;
    Ok(bytes)
}
