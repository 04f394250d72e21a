//! Does the past come back as it was, and does the future stay as it would have been?

use crate::client::{Client, run};
use crate::{PC, STOPPED, step};

/// What the client sees of the process: all registers, and the end of the stack.
fn look(client: &mut Client) -> [String; 2] {
    let stack = client.register(1);
    [client.ask("g"), client.ask(&format!("m{stack:x},200"))]
}

/// One step back.
fn step_back(client: &mut Client) {
    let stop = client.ask("bs");
    assert!(stop.starts_with(STOPPED), "{stop}");
}

/// The text of an `O` packet.
fn text(packet: &str) -> String {
    let hex = packet.strip_prefix('O').unwrap_or_else(|| panic!("no text: {packet}"));
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    String::from_utf8((0..hex.len()).step_by(2).map(byte).collect()).expect("text")
}

#[test]
fn steps_back_meet_the_same_registers_and_memory() {
    for program in ["hello.elf", "wide.elf"] {
        let (mut client, debugged) = Client::of(program);
        let supported = client.ask("qSupported:multiprocess-");
        assert!(supported.contains("ReverseStep+") && supported.contains("ReverseContinue+"), "{supported}");
        let mut seen = vec![look(&mut client)];
        for _ in 0..20 {
            step(&mut client);
            seen.push(look(&mut client));
        }
        for past in seen[10..20].iter().rev() {
            step_back(&mut client);
            assert_eq!(&look(&mut client), past);
        }
        // Forward, and back again.
        for future in &seen[11..15] {
            step(&mut client);
            assert_eq!(&look(&mut client), future);
        }
        step_back(&mut client);
        assert_eq!(look(&mut client), seen[13]);
        for back in ["bc", "bc", "bs"] {
            let stop = client.ask(back);
            assert!(stop.contains("replaylog:begin"), "{stop}");
            assert_eq!(look(&mut client), seen[0]);
        }
        assert_eq!(client.ask("vCont;c"), "W00");
        assert_eq!(debugged.join().expect("no panic"), run(program, None));
    }
}

#[test]
fn the_way_back_stops_at_the_last_breakpoint() {
    let (mut client, debugged) = Client::of("hello.elf");
    let first = client.register(PC);
    let places: Vec<u64> = (0..20).map(|_| step(&mut client)).collect();
    let [early, late] = [places[5], places[15]];
    for at in [first, early, late] {
        assert_eq!(client.ask(&format!("Z0,{at:x},4")), "OK");
    }
    for at in [late, early, first] {
        let stop = client.ask("bc");
        assert!(stop.contains("swbreak"), "{stop}");
        assert_eq!(client.register(PC), at);
    }
    assert!(client.ask("bc").contains("replaylog:begin"));
    // And forward: the first instruction is where the process is.
    for at in [early, late] {
        assert!(client.ask("vCont;c").contains("swbreak"));
        assert_eq!(client.register(PC), at);
    }
    client.send("D");
    assert_eq!(debugged.join().expect("no panic"), run("hello.elf", None));
}

#[test]
fn a_watched_store_is_met_after_it_and_undone_by_a_step() {
    let (mut client, debugged) = Client::of("hello.elf");
    let start = client.register(1) - 0x100;
    assert_eq!(client.ask(&format!("Z2,{start:x},100")), "OK");
    let stop = client.ask("vCont;c");
    assert!(stop.contains("watch:"), "{stop}");
    let before = look(&mut client);
    let after = step(&mut client);
    for _ in 0..2 {
        let stop = client.ask("bc");
        assert!(stop.contains("watch:"), "{stop}");
        assert_eq!(client.register(PC), after);
        step_back(&mut client);
        assert_eq!(look(&mut client), before);
        step(&mut client);
    }
    assert_eq!(client.ask(&format!("z2,{start:x},100")), "OK");
    assert_eq!(client.ask("vCont;c"), "W00");
    assert_eq!(debugged.join().expect("no panic"), run("hello.elf", None));
}

#[test]
fn the_past_cannot_be_changed_and_a_changed_present_has_no_past() {
    let (mut client, debugged) = Client::of("hello.elf");
    for _ in 0..5 {
        step(&mut client);
    }
    step_back(&mut client);
    let (stack, seen) = (client.register(1), look(&mut client));
    assert_eq!(client.ask(&format!("M{stack:x},4:01020304")).get(..1), Some("E"));
    assert_eq!(client.ask("P3=00000029").get(..1), Some("E"));
    assert_eq!(look(&mut client), seen);
    // This is where the process was: from here on it can be changed.
    step(&mut client);
    let unused = stack - 0x1000;
    assert_eq!(client.ask(&format!("M{unused:x},4:01020304")), "OK");
    let pc = client.register(PC);
    for back in ["bs", "bc"] {
        assert_eq!(text(&client.ask(back)), "no way back: the debugger has changed registers or memory\n");
        assert!(client.receive().contains("replaylog:begin"));
        assert_eq!(client.register(PC), pc);
    }
    client.send("k");
    assert_eq!(debugged.join().expect("no panic").map(|(status, _)| status), Ok(Some(137)));
}

#[test]
fn threads_beside_spes_go_back_together_from_wherever_they_are() {
    let (mut client, debugged) = Client::of("counter.elf");
    let early = (0..9).map(|_| step(&mut client)).last().expect("a step");
    // Long before its end, even if this thread wakes late and the simulator is optimised.
    client.send("vCont;c");
    std::thread::sleep(std::time::Duration::from_millis(10));
    std::io::Write::write_all(&mut client.0, b"\x03").expect("a connection");
    let stop = client.receive();
    assert!(stop.starts_with("T02thread:"), "{stop}");
    let mut seen = Vec::new();
    for _ in 0..20 {
        seen.push(look(&mut client));
        let stop = client.ask("vCont;s:3e8;c");
        assert!(stop.starts_with(STOPPED), "{stop}");
    }
    for past in seen[1..].iter().rev() {
        step_back(&mut client);
        assert_eq!(&look(&mut client), past);
    }
    assert_eq!(client.ask(&format!("Z0,{early:x},4")), "OK");
    assert!(client.ask("bc").contains("swbreak"));
    assert_eq!(client.register(PC), early);
    assert_eq!(client.ask(&format!("z0,{early:x},4")), "OK");
    assert_eq!(client.ask("vCont;c"), "W00");
    assert_eq!(debugged.join().expect("no panic"), run("counter.elf", None));
}
