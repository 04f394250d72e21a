//! A server for GDB's remote protocol, by which a debugger controls a simulated Linux program.
//!
//! ```text
//!   simulator's thread                           server's thread                 reader's thread
//!   Server: linux::debug::Debugger  ─────>  session: gdbstub's state machine  <─────  bytes of the connection
//!                                        events                                    events
//!                                        <─────  target: questions and orders
//!                                        orders
//! ```
//!
//! While the process is stopped, the simulator's thread waits in [`Server`] and answers *questions*: functions that get
//! the stopped process. Nothing else crosses threads, so the simulator has no locks, and a run without a debugger pays
//! nothing.
//!
//! If the connection is lost, the program goes on without a debugger.

mod connection;
mod messages;
mod monitor;
mod registers;
mod server;
mod session;
mod signals;
mod target;

pub use server::{NoPort, Server, listen};
