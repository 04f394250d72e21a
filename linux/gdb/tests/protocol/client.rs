//! A client of the protocol, and programs under a server.

use cell::machine::Machine;
use cell::placement::Placement;
use files::Reach;
use linux::files::streams::NoStreams;
use linux::simulation::{Options, debug};
use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::rc::Rc;
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// The exit status and the record of a run, or the reason for its failure.
pub type Ended = Result<(Option<u8>, String), String>;

/// Runs a program, under a server if there is a listener.
pub fn run(name: &str, listener: Option<TcpListener>) -> Ended {
    let machine = Machine::builtin("ps3").expect("a machine");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs").join(name);
    let options = Options {
        machine: &machine,
        placement: Placement::default_of(&machine),
        limit_bus_cycles: 1 << 34,
        program,
        arguments: vec![b"program".to_vec()],
        environment: Vec::new(),
        system_roots: Vec::new(),
        reach: Reach::None,
        directory: std::env::temp_dir(),
        window: None,
        profile: false,
        low_addresses: false,
    };
    let debugger = listener.map(|listener| Box::new(gdb::Server::new(listener, Box::new(|| true))) as _);
    let outcome = debug(options, Rc::new(RefCell::new(NoStreams)), debugger, || true);
    outcome.map(|outcome| (outcome.status, outcome.record.to_json())).map_err(|refusal| refusal.to_string())
}

/// Starts a program that waits for a client.
pub fn start(name: &'static str) -> (SocketAddr, JoinHandle<Ended>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    (address, spawn(move || run(name, Some(listener))))
}

/// A client.
pub struct Client(pub TcpStream);

impl Client {
    /// Starts a program, and connects to its server.
    pub fn of(name: &'static str) -> (Client, JoinHandle<Ended>) {
        let (address, run) = start(name);
        (Client::connect(address), run)
    }

    /// Connects to a server, and chooses the first thread.
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let mut client = Client(stream);
        // Registers are those of the first thread.
        assert_eq!(client.ask("Hg3e8"), "OK");
        client
    }

    /// Sends a packet.
    pub fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0_u8, u8::wrapping_add);
        write!(self.0, "${packet}#{sum:02x}").expect("a connection");
    }

    /// Receives a packet, without run-length encoding; empty at the end of the connection.
    pub fn receive(&mut self) -> String {
        let mut text = Vec::new();
        let mut byte = [0];
        while self.0.read(&mut byte).is_ok_and(|count| count == 1) && byte[0] != b'#' {
            match byte[0] {
                b'$' => text.clear(),
                b'+' if text.is_empty() => (),
                other => text.push(other),
            }
        }
        let _ = self.0.read_exact(&mut [0; 2]);
        let _ = self.0.write_all(b"+");
        expand(&text)
    }

    /// Sends a packet, and receives the answer.
    pub fn ask(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }

    /// A register of the process's first thread.
    pub fn register(&mut self, number: usize) -> u64 {
        let text = self.ask(&format!("p{number:x}"));
        u64::from_str_radix(&text, 16).unwrap_or_else(|_| panic!("register {number}: {text:?}"))
    }

    /// The answer to a command of `monitor`.
    pub fn monitor(&mut self, command: &str) -> String {
        let hex: String = command.bytes().map(|byte| format!("{byte:02x}")).collect();
        self.send(&format!("qRcmd,{hex}"));
        let mut text = String::new();
        loop {
            let part = self.receive();
            match part.strip_prefix('O') {
                Some(hex) if part != "OK" => text.push_str(&unhex(hex)),
                _ => return text,
            }
        }
    }
}

fn unhex(text: &str) -> String {
    let bytes = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or_default());
    let bytes = bytes.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
    String::from_utf8(bytes).expect("text")
}

/// Expands run-length encoding: `*` and the number of repetitions plus 29.
fn expand(text: &[u8]) -> String {
    let mut out: Vec<u8> = Vec::new();
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match (byte, out.last().copied()) {
            (b'*', Some(last)) => {
                let count = bytes.next().map_or(0, |count| count - 29);
                out.extend(std::iter::repeat_n(last, count.into()));
            }
            _ => out.push(*byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
