//! Does the server answer as the protocol says, and does it survive any client? The tests need no GDB.

mod client;
mod reverse;

use client::{Client, run, start};
use std::io::Write;
use std::net::TcpStream;

const PC: usize = 64;
/// The first thread, and the signal of stops.
const STOPPED: &str = "T05thread:";

/// Steps the first thread. Returns its program counter.
fn step(client: &mut Client) -> u64 {
    let stop = client.ask("vCont;s:3e8;c");
    assert!(stop.starts_with(STOPPED), "{stop}");
    client.register(PC)
}

#[test]
fn a_program_is_stepped_stopped_and_left_as_it_is() {
    let (mut client, debugged) = Client::of("hello.elf");
    assert!(client.ask("qSupported:multiprocess-").contains("qXfer:features:read+"));
    assert!(client.ask("qXfer:features:read:target.xml:0,fff").contains("powerpc:common<"));
    assert!(client.ask("qXfer:auxv:read::0,fff").starts_with('m'));
    let start = client.register(PC);
    let places: Vec<u64> = (0..20).map(|_| step(&mut client)).collect();
    // The first instruction branches over a word.
    assert_eq!(places[0], start + 8);
    assert_eq!(places.len(), 20);
    // A breakpoint is not in memory.
    let later = start + 8;
    let word = client.ask(&format!("m{later:x},4"));
    assert_eq!(client.ask(&format!("Z0,{later:x},4")), "OK");
    assert_eq!(client.ask(&format!("m{later:x},4")), word);
    assert_eq!(client.ask(&format!("z0,{later:x},4")), "OK");
    assert_eq!(client.ask("m0,4").get(..1), Some("E"));
    assert!(client.monitor("time").contains("bus cycle"));
    assert!(client.monitor("spe").contains("SPE 0: no context"));
    assert!(client.monitor("spe 99").contains("no SPE 99"));
    assert!(client.monitor("help").contains("monitor trace"));
    assert!(client.monitor("nonsense").contains("there is no command"));
    assert_eq!(client.ask("vCont;c"), "W00");
    let debugged = debugged.join().expect("no panic");
    // Stops take no simulated time.
    assert_eq!(debugged, run("hello.elf", None));
}

#[test]
fn breakpoints_on_the_way_change_no_record() {
    let (mut client, debugged) = Client::of("wide.elf");
    let first = client.register(PC);
    let at = (0..5).map(|_| step(&mut client)).last().unwrap_or(first);
    let (mut again, debugged_again) = Client::of("wide.elf");
    assert_eq!(again.ask(&format!("Z0,{at:x},4")), "OK");
    let stop = again.ask("vCont;c");
    assert!(stop.contains("swbreak"), "{stop}");
    assert_eq!(again.register(PC), at);
    for client in [&mut client, &mut again] {
        client.ask(&format!("z0,{at:x},4"));
        assert_eq!(client.ask("vCont;c"), "W00");
    }
    let whole = run("wide.elf", None);
    assert_eq!(debugged.join().expect("no panic"), whole);
    assert_eq!(debugged_again.join().expect("no panic"), whole);
}

#[test]
fn a_watchpoint_stops_before_the_store() {
    let (mut client, debugged) = Client::of("hello.elf");
    let stack = client.register(1);
    let start = stack - 0x100;
    assert_eq!(client.ask(&format!("Z2,{start:x},100")), "OK");
    let stop = client.ask("vCont;c");
    assert!(stop.contains("watch:"), "{stop}");
    let pc = client.register(PC);
    let word = u32::from_str_radix(&client.ask(&format!("m{pc:x},4")), 16).expect("a word");
    // stw, stwu and stmw have primary opcodes 36, 37 and 47.
    assert!([36, 37, 47].contains(&(word >> 26)), "{word:#x}");
    assert_eq!(client.ask(&format!("z2,{start:x},100")), "OK");
    client.send("D");
    assert_eq!(debugged.join().expect("no panic").map(|(status, _)| status), Ok(Some(0)));
}

#[test]
fn a_program_without_end_is_interrupted_and_killed() {
    let (mut client, debugged) = Client::of("hello.elf");
    let pc = client.register(PC);
    // The first instruction becomes a branch to itself.
    assert_eq!(client.ask(&format!("M{pc:x},4:48000000")), "OK");
    client.send("vCont;c");
    client.0.write_all(b"\x03").expect("a connection");
    let stop = client.receive();
    assert!(stop.starts_with("T02thread:"), "{stop}");
    assert_eq!(client.register(PC), pc);
    // What is asked of a running program has no answer, and does not wait for one.
    client.send("vCont;c");
    client.send("g");
    assert_eq!(client.receive().get(..1), Some("E"));
    client.0.write_all(b"\x03").expect("a connection");
    assert!(client.receive().starts_with("T02thread:"));
    client.send("k");
    assert_eq!(debugged.join().expect("no panic").map(|(status, _)| status), Ok(Some(137)));
}

#[test]
fn registers_are_written_and_a_step_uses_them() {
    let (mut client, debugged) = Client::of("hello.elf");
    let pc = client.register(PC);
    // addi r5,r3,1
    assert_eq!(client.ask(&format!("M{pc:x},4:38a30001")), "OK");
    assert_eq!(client.ask("P3=00000029"), "OK");
    assert_eq!(step(&mut client), pc + 4);
    assert_eq!(client.register(5), 0x2a);
    assert_eq!(client.ask("P47=00000001000000020000000300000004"), "OK");
    assert_eq!(client.ask("p47"), "00000001000000020000000300000004");
    assert_eq!(client.ask("P3=29").get(..1), Some("E"));
    client.send("k");
    assert_eq!(debugged.join().expect("no panic").map(|(status, _)| status), Ok(Some(137)));
}

#[test]
fn clients_that_make_no_sense_end_nothing() {
    let long = format!("$m{}#00", "0".repeat(40_000));
    for garbage in
        ["$#00", "$g#ff", "+++$vCont;s#00", "$Z0,zz,4#11", "$qRcmd,zz#00", "$m0,ffffffffffffffff#00", "}}}}", &long]
    {
        let (address, debugged) = start("hello.elf");
        let mut stream = TcpStream::connect(address).expect("a server");
        // Some of these close the connection before everything is sent.
        let _ = stream.write_all(b"+").and_then(|()| stream.write_all(garbage.as_bytes()));
        drop(stream);
        assert_eq!(debugged.join().expect("no panic").map(|(status, _)| status), Ok(Some(0)), "{garbage}");
    }
}

#[test]
fn a_browser_is_no_debugger_and_a_second_client_is_refused() {
    let (address, debugged) = start("hello.elf");
    let mut browser = TcpStream::connect(address).expect("a server");
    browser.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("a connection");
    let mut client = Client::connect(address);
    assert!(client.register(PC) > 0);
    assert!(TcpStream::connect(address).is_err());
    // The connection is lost in the middle of a packet, while the program runs.
    client.send("vCont;c");
    client.0.write_all(b"$m1").expect("a connection");
    drop(client);
    assert_eq!(debugged.join().expect("no panic").map(|(status, _)| status), Ok(Some(0)));
}

#[test]
fn a_port_in_use_gets_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let line = gdb::listen(port).map(|_| ()).expect_err("a refusal");
    assert_eq!(line.to_string(), format!("port {port} is in use; give another one"));
}
