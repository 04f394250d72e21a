//! What the server's threads send each other.

use linux::debug::{Reply, StopReason, Stopped};
use linux::kernel::End;
use linux::tid::Tid;
use linux::width::Width;

/// A function that gets the stopped process.
pub type Question = Box<dyn FnOnce(&mut Stopped<'_>) + Send>;

/// What a session asks of the simulator while the process is stopped.
pub enum Order {
    /// Answer a question.
    Ask(Question),
    Go(Reply),
}

/// What a session learns.
pub enum Event {
    /// The client has sent bytes.
    Bytes(Vec<u8>),
    /// The client is gone.
    Closed,
    /// A thread has stopped.
    Stopped(Tid, StopReason),
    /// The process has ended; `None` if the run has failed.
    Ended(Option<End>),
}

/// What the client asks at its beginning.
pub struct Facts {
    /// The target description.
    pub description: String,
    /// The auxiliary vector, by which the client finds where the program and its libraries are.
    pub auxiliary: Vec<u8>,
    /// Width of the process.
    pub width: Width,
}
