//! System calls for features that are not simulated: network, extended attributes, mounts.

use crate::errno::Errno;
use crate::request::Answer;
use crate::syscalls::caller::{Caller, SystemCall};

/// Table rows of the refused calls.
///
/// MODEL: there is no network, not even within the machine. Network calls report that no address family is supported.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(21, "mount", 5, |_| Err(Errno::EPERM.into())),
    SystemCall::new(22, "umount", 1, |_| Err(Errno::EPERM.into())),
    SystemCall::new(52, "umount2", 2, |_| Err(Errno::EPERM.into())),
    SystemCall::new(102, "socketcall", 2, socketcall),
    SystemCall::new(209, "setxattr", 5, no_attributes),
    SystemCall::new(210, "lsetxattr", 5, no_attributes),
    SystemCall::new(211, "fsetxattr", 5, no_attributes),
    SystemCall::new(212, "getxattr", 4, no_attributes),
    SystemCall::new(213, "lgetxattr", 4, no_attributes),
    SystemCall::new(214, "fgetxattr", 4, no_attributes),
    SystemCall::new(215, "listxattr", 3, no_attributes),
    SystemCall::new(216, "llistxattr", 3, no_attributes),
    SystemCall::new(217, "flistxattr", 3, no_attributes),
    SystemCall::new(218, "removexattr", 2, no_attributes),
    SystemCall::new(219, "lremovexattr", 2, no_attributes),
    SystemCall::new(220, "fremovexattr", 2, no_attributes),
    SystemCall::new(326, "socket", 3, no_family),
    SystemCall::new(327, "bind", 3, no_socket),
    SystemCall::new(328, "connect", 3, no_socket),
    SystemCall::new(329, "listen", 2, no_socket),
    SystemCall::new(330, "accept", 3, no_socket),
    SystemCall::new(331, "getsockname", 3, no_socket),
    SystemCall::new(332, "getpeername", 3, no_socket),
    SystemCall::new(333, "socketpair", 4, no_family),
    SystemCall::new(334, "send", 4, no_socket),
    SystemCall::new(335, "sendto", 6, no_socket),
    SystemCall::new(336, "recv", 4, no_socket),
    SystemCall::new(337, "recvfrom", 6, no_socket),
    SystemCall::new(338, "shutdown", 2, no_socket),
    SystemCall::new(339, "setsockopt", 5, no_socket),
    SystemCall::new(340, "getsockopt", 5, no_socket),
    SystemCall::new(341, "sendmsg", 3, no_socket),
    SystemCall::new(342, "recvmsg", 3, no_socket),
    SystemCall::new(344, "accept4", 4, no_socket),
];

fn no_attributes(_: &mut Caller<'_>) -> Answer {
    Err(Errno::EOPNOTSUPP.into())
}

fn no_family(_: &mut Caller<'_>) -> Answer {
    Err(Errno::EAFNOSUPPORT.into())
}

/// Fails with `ENOTSOCK` for every open descriptor, because no sockets exist.
fn no_socket(caller: &mut Caller<'_>) -> Answer {
    caller.open_file()?;
    Err(Errno::ENOTSOCK.into())
}

/// `socketcall`, whose arguments are the number of a socket call and the address of that call's arguments.
fn socketcall(caller: &mut Caller<'_>) -> Answer {
    const SOCKET: u32 = 1;
    const SOCKETPAIR: u32 = 8;
    const LAST: u32 = 20;
    let [number, at, ..] = caller.request.arguments;
    match number {
        SOCKET | SOCKETPAIR => no_family(caller),
        1..=LAST => {
            let descriptor = caller.hardware.word(at)?;
            caller.kernel.files.get(descriptor)?;
            Err(Errno::ENOTSOCK.into())
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
