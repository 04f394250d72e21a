//! The debugger of the simulator: waits for a client, and answers its questions while the process is stopped.

use crate::connection::is_debugger;
use crate::messages::{Event, Order};
use crate::session;
use linux::debug::{Debugger, Reply, StopReason, Stopped};
use linux::kernel::End;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between two checks whether the user has interrupted the run.
const BETWEEN_CHECKS: Duration = Duration::from_millis(50);

/// The message of a run that the user has interrupted while the process was stopped.
const INTERRUPTED: &str = "interrupted while the debugger had stopped the program";

/// Listens on a port of the loopback address, which only programs on this computer reach.
///
/// # Errors
/// Nobody can listen there.
pub fn listen(port: u16) -> Result<TcpListener, NoPort> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| NoPort { port, error })
}

/// A port on which nobody can listen.
#[derive(Debug)]
pub struct NoPort {
    port: u16,
    error: io::Error,
}

impl Display for NoPort {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let NoPort { port, error } = self;
        match error.kind() {
            ErrorKind::AddrInUse => write!(f, "port {port} is in use; give another one"),
            ErrorKind::PermissionDenied => write!(f, "port {port} is not for users; give one above 1023"),
            _ => write!(f, "cannot listen on port {port}: {error}"),
        }
    }
}

impl Error for NoPort {}

/// The server for one debugger.
pub struct Server {
    /// Waits for the client, until there is one.
    listener: Option<TcpListener>,
    /// Whether the run shall go on.
    goes_on: Box<dyn FnMut() -> bool>,
    session: Option<Session>,
    /// Whether the client wants the process to stop, or is gone.
    wants_stop: Arc<AtomicBool>,
}

/// The server's other threads, and the ways to and from them.
struct Session {
    events: Sender<Event>,
    orders: Receiver<Order>,
    stream: TcpStream,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server that waits for its client at the first stop. Whenever it waits, it calls `goes_on` regularly, and ends
    /// the run once this function returns false.
    pub fn new(listener: TcpListener, goes_on: Box<dyn FnMut() -> bool>) -> Server {
        Server { listener: Some(listener), goes_on, session: None, wants_stop: Arc::default() }
    }

    /// Waits for a client. Returns `None` if the run shall end. No other client can connect afterwards.
    fn accept(&mut self) -> Option<TcpStream> {
        let listener = self.listener.take()?;
        let _ = listener.set_nonblocking(true);
        loop {
            match listener.accept() {
                Ok((stream, _)) if is_debugger(&stream) => return Some(stream),
                Ok(_) => (),
                Err(_) => std::thread::sleep(BETWEEN_CHECKS),
            }
            if !(self.goes_on)() {
                return None;
            }
        }
    }

    /// Begins the session with the client.
    fn begin(&mut self, stream: TcpStream, stopped: &mut Stopped<'_>) -> io::Result<()> {
        let (events, received) = channel();
        let (order, orders) = channel();
        let outgoing = stream.try_clone()?;
        let incoming = stream.try_clone()?;
        let thread =
            session::spawn((incoming, outgoing), (events.clone(), received), order, session::facts(stopped), {
                Arc::clone(&self.wants_stop)
            });
        self.session = Some(Session { events, orders, stream, thread: Some(thread) });
        Ok(())
    }
}

impl Debugger for Server {
    fn stopped(&mut self, stopped: &mut Stopped<'_>) -> Reply {
        self.wants_stop.store(false, Ordering::SeqCst);
        if stopped.reason == StopReason::Start {
            let Some(stream) = self.accept() else { return Reply::Abandon(INTERRUPTED.to_string()) };
            if self.begin(stream, stopped).is_err() {
                return Reply::Detach;
            }
        }
        let Some(session) = &self.session else { return Reply::Detach };
        // If the session has ended, so have its orders.
        let _ = session.events.send(Event::Stopped(stopped.tid, stopped.reason));
        loop {
            match session.orders.recv_timeout(BETWEEN_CHECKS) {
                Ok(Order::Ask(question)) => question(stopped),
                Ok(Order::Go(reply)) => return reply,
                Err(RecvTimeoutError::Timeout) if (self.goes_on)() => (),
                Err(RecvTimeoutError::Timeout) => return Reply::Abandon(INTERRUPTED.to_string()),
                Err(RecvTimeoutError::Disconnected) => return Reply::Detach,
            }
        }
    }

    fn wants_stop(&self) -> bool {
        self.wants_stop.load(Ordering::Relaxed)
    }

    fn ended(&mut self, end: Option<&End>) {
        if let Some(session) = &mut self.session {
            let _ = session.events.send(Event::Ended(end.cloned()));
            // Before its end, the session tells the client.
            session.thread.take().map(JoinHandle::join);
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        self.thread.take().map(JoinHandle::join);
    }
}
