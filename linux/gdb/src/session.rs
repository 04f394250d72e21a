//! A session with one client: moves its bytes through the protocol's state machine, and reports stops to it.

use crate::connection::Outgoing;
use crate::messages::{Event, Facts, Order};
use crate::registers::description;
use crate::signals::to_gdb;
use crate::target::Target;
use gdbstub::common::{Signal as Gdb, Tid as GdbTid};
use gdbstub::conn::Connection;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;
use gdbstub::target::ext::breakpoints::WatchKind;
use linux::debug::stop_reason::Kind;
use linux::debug::{Reply, StopReason, Stopped};
use linux::kernel::End;
use linux::tid::Tid;
use linux::width::Width;
use std::collections::VecDeque;
use std::io::Read;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread::{JoinHandle, spawn as spawn_thread};

/// Size of the largest packet.
const PACKET_BYTES: usize = 1 << 14;

/// The facts about a process before its first instruction.
pub fn facts(stopped: &mut Stopped<'_>) -> Facts {
    let width = stopped.width();
    Facts { description: description(width), auxiliary: auxiliary(stopped, width), width }
}

/// The auxiliary vector, which is on the stack behind the arguments and the environment.
fn auxiliary(stopped: &mut Stopped<'_>, width: Width) -> Vec<u8> {
    let bytes = width.bytes() as usize;
    let mut at = stopped.registers(stopped.tid).map_or(0, |cpu| cpu.doubleword(1));
    let mut next = || {
        let mut long = [0; 8];
        let read = stopped.read(at, &mut long[..bytes]);
        at += bytes as u64;
        (read == bytes).then(|| long[..bytes].to_vec())
    };
    let mut vector = Vec::new();
    // The count of arguments is never 0; the two lists end with a null pointer each.
    for _ in 0..2 {
        while next().is_some_and(|long| long.iter().any(|byte| *byte != 0)) {}
    }
    while let (Some(key), Some(value)) = (next(), next()) {
        let is_last = key.iter().all(|byte| *byte == 0);
        vector.extend(key.into_iter().chain(value));
        if is_last {
            break;
        }
    }
    vector
}

/// Starts the threads of a session. While the session waits for the process, it sets `wants_stop` if the client wants
/// the process to stop, or is gone.
pub fn spawn(
    (incoming, outgoing): (TcpStream, TcpStream),
    (events, received): (Sender<Event>, Receiver<Event>),
    orders: Sender<Order>,
    facts: Facts,
    wants_stop: Arc<AtomicBool>,
) -> JoinHandle<()> {
    let closer = outgoing.try_clone();
    spawn_thread(move || {
        let reader = spawn_thread(move || forward(incoming, &events));
        let last = Arc::clone(&wants_stop);
        let mut target = Target::new(orders, facts);
        let reply = talk(outgoing, &received, &mut target, &wants_stop);
        target.finish(reply);
        // If the process runs, its next stop shows that nobody listens to it any more.
        drop(target);
        last.store(true, Ordering::SeqCst);
        if let Ok(stream) = closer {
            let _ = stream.shutdown(Shutdown::Both);
        }
        let _ = reader.join();
    })
}

/// Forwards the bytes of the client until it is gone.
fn forward(mut stream: TcpStream, events: &Sender<Event>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut bytes) {
        if events.send(Event::Bytes(bytes[..count].to_vec())).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Closed);
}

type Machine<'t> = GdbStubStateMachine<'t, Target, Outgoing>;

/// Talks with the client until one side has enough. Returns how the process goes on.
fn talk(outgoing: TcpStream, events: &Receiver<Event>, target: &mut Target, wants_stop: &AtomicBool) -> Reply {
    let stub = GdbStub::builder(Outgoing::new(outgoing)).packet_buffer_size(PACKET_BYTES).build();
    let Some(mut machine) = stub.ok().and_then(|stub| stub.run_state_machine(target).ok()) else {
        return Reply::Detach;
    };
    let mut bytes = VecDeque::new();
    loop {
        machine = match machine {
            GdbStubStateMachine::Disconnected(mut gone) => {
                return match gone.get_reason() {
                    DisconnectReason::Kill => {
                        // GDB waits for this answer, and a client that is gone needs none.
                        let wire = gone.borrow_conn();
                        let _ = Connection::write_all(wire, b"$OK#9a").and_then(|()| wire.flush());
                        Reply::Kill
                    }
                    _ => Reply::Detach,
                };
            }
            GdbStubStateMachine::CtrlCInterrupt(interrupted) => {
                if !target.is_stopped() {
                    wants_stop.store(true, Ordering::SeqCst);
                }
                match interrupted.interrupt_handled(target, None::<MultiThreadStopReason<u64>>) {
                    Ok(machine) => machine,
                    Err(_) => return Reply::Detach,
                }
            }
            waiting => match step(waiting, events, target, &mut bytes) {
                Some(machine) => machine,
                None => return Reply::Detach,
            },
        };
    }
}

/// Handles the next byte or event. Returns `None` at the end of the session.
fn step<'t>(
    machine: Machine<'t>,
    events: &Receiver<Event>,
    target: &mut Target,
    bytes: &mut VecDeque<u8>,
) -> Option<Machine<'t>> {
    if let Some(byte) = bytes.pop_front() {
        return match machine {
            GdbStubStateMachine::Idle(idle) => idle.incoming_data(target, byte).ok(),
            GdbStubStateMachine::Running(running) => running.incoming_data(target, byte).ok(),
            _ => None,
        };
    }
    match events.recv().ok()? {
        Event::Bytes(more) => {
            bytes.extend(more);
            Some(machine)
        }
        Event::Closed => None,
        Event::Stopped(tid, why) => {
            target.begin_stop();
            match (machine, reason(tid, why)) {
                (GdbStubStateMachine::Running(mut running), Some(reason)) => {
                    if let StopReason::NoWayBack(obstacle) = why {
                        say(running.borrow_conn(), &format!("{obstacle}\n")).ok()?;
                    }
                    running.report_stop(target, reason).ok()
                }
                (machine, _) => Some(machine),
            }
        }
        Event::Ended(end) => match machine {
            GdbStubStateMachine::Running(running) => running.report_stop(target, last_reason(end)).ok(),
            _ => None,
        },
    }
}

/// Shows a text to the user, before the reason of a stop.
fn say(wire: &mut Outgoing, text: &str) -> std::io::Result<()> {
    let body: String = std::iter::once("O".to_string()).chain(text.bytes().map(|byte| format!("{byte:02x}"))).collect();
    let sum = body.bytes().fold(0_u8, u8::wrapping_add);
    Connection::write_all(wire, format!("${body}#{sum:02x}").as_bytes())
}

/// The protocol's reason for a stop; `None` for the stop at which the session began.
fn reason(tid: Tid, reason: StopReason) -> Option<MultiThreadStopReason<u64>> {
    let tid = GdbTid::new(tid.0 as usize)?;
    let signal = |signal: Gdb| MultiThreadStopReason::SignalWithThread { tid, signal };
    Some(match reason {
        StopReason::Start => return None,
        StopReason::Breakpoint => MultiThreadStopReason::SwBreak(tid),
        StopReason::Watchpoint(watched) => {
            let kind = match watched.kind {
                Kind::Write => WatchKind::Write,
                Kind::Read => WatchKind::Read,
                Kind::Access => WatchKind::ReadWrite,
            };
            MultiThreadStopReason::Watch { tid, kind, addr: watched.ea }
        }
        StopReason::Stepped => signal(Gdb::SIGTRAP),
        StopReason::Signal(arrived) => signal(to_gdb(arrived)),
        StopReason::Interrupted => signal(Gdb::SIGINT),
        StopReason::Beginning | StopReason::NoWayBack(_) => {
            MultiThreadStopReason::ReplayLog { tid: Some(tid), pos: ReplayLogPosition::Begin }
        }
    })
}

/// The protocol's reason for the end of the process. A run that failed looks like a process that aborted.
fn last_reason(end: Option<End>) -> MultiThreadStopReason<u64> {
    match end {
        Some(End::Exited(status)) => MultiThreadStopReason::Exited(status),
        Some(End::Killed { signal, .. }) => MultiThreadStopReason::Terminated(to_gdb(signal)),
        Some(End::Broken { .. }) | None => MultiThreadStopReason::Terminated(Gdb::SIGABRT),
    }
}
