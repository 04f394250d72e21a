//! The connection with the debugger.

use gdbstub::conn::Connection;
use std::io::{self, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Time after which a client that sends nothing, or takes nothing, is given up.
const PATIENCE: Duration = Duration::from_secs(5);

/// The first bytes that a debugger sends: an acknowledgement, a packet, or an interrupt.
const FIRST_BYTES: [u8; 4] = [b'+', b'-', b'$', 0x03];

/// Whether a new client talks like a debugger. A web browser, for example, does not.
pub fn is_debugger(stream: &TcpStream) -> bool {
    let mut first = [0];
    let prepared = stream
        .set_nonblocking(false)
        .and_then(|()| stream.set_read_timeout(Some(PATIENCE)))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)))
        .and_then(|()| stream.set_nodelay(true));
    let talks = prepared.is_ok() && matches!(stream.peek(&mut first), Ok(1)) && FIRST_BYTES.contains(&first[0]);
    talks && stream.set_read_timeout(None).is_ok()
}

/// The way to the debugger. Bytes are sent by whole packets.
pub struct Outgoing {
    stream: TcpStream,
    packet: Vec<u8>,
}

impl Outgoing {
    /// The way to the debugger at the other end of a stream.
    pub fn new(stream: TcpStream) -> Outgoing {
        Outgoing { stream, packet: Vec::new() }
    }
}

impl Connection for Outgoing {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.packet.push(byte);
        Ok(())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.packet.extend(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let packet = std::mem::take(&mut self.packet);
        Write::write_all(&mut self.stream, &packet)
    }
}
