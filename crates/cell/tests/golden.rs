//! Golden waveforms: text pictures of the rings over time, on a machine whose values never change.
//!
//! Each row of a picture is a segment of a ring, named after the ramp at the segment's start. Each column is a bus
//! cycle. Each letter is a transfer, whose beats pass the segments of the route in sequence. After an intended change
//! of behaviour, run the tests with UPDATE_GOLDEN=1 to rewrite the files, and review the diff.

use crate::common::{Check, ls_ea, wait};
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::record::TransferRecord;
use std::fmt::Write;
use std::path::Path;
use std::pin::Pin;

fn machine() -> Machine {
    Machine::parse(include_str!("machines/golden.toml"), "golden.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// The thread that is placed on a physical SPE.
fn on(spe: u32) -> u8 {
    machine().chip.spes.iter().position(|known| *known == spe).expect("an SPE of the machine") as u8
}

/// The letter of the `nth` transfer in the order of the grants.
fn letter(nth: usize) -> char {
    (b'a' + (nth % 26) as u8) as char
}

/// The list of transfers, and a picture of every ring that carried a transfer.
fn waveform(machine: &Machine, transfers: &[TransferRecord]) -> String {
    let ring = &machine.eib.ring;
    let mut text = String::new();
    for (nth, t) in transfers.iter().enumerate() {
        let (from, to) = (&ring[t.from as usize], &ring[t.to as usize]);
        let row = format!("{} ring {} {from:>5} -> {to:<5} {:>3} bytes", letter(nth), t.ring, t.bytes);
        writeln!(text, "{row}  granted {:>4}  arrived {:>4}", t.granted_at, t.arrived_at).expect("a string");
    }
    let begin = transfers.iter().map(|t| t.granted_at).min().unwrap_or(0);
    let end = transfers.iter().map(|t| t.arrived_at).max().unwrap_or(0);
    for number in 0..(machine.eib.clockwise_rings + machine.eib.counterclockwise_rings) as u8 {
        if transfers.iter().any(|t| t.ring == number) {
            text += &picture(machine, transfers, number, begin, end);
        }
    }
    text
}

fn picture(machine: &Machine, transfers: &[TransferRecord], number: u8, begin: u64, end: u64) -> String {
    let ramps = machine.eib.ring.len();
    let clockwise = u32::from(number) < machine.eib.clockwise_rings;
    let mut cells = vec![vec!['.'; (end - begin) as usize]; ramps];
    for (nth, t) in transfers.iter().enumerate().filter(|(_, t)| t.ring == number) {
        let (mut at, mut hop) = (usize::from(t.from), 0);
        while at != usize::from(t.to) {
            let first = t.granted_at + hop * machine.eib.hop_bus_cycles - begin;
            for beat in 0..128 / u64::from(machine.eib.beat_bytes) {
                let cell = &mut cells[at][(first + beat) as usize];
                *cell = if *cell == '.' { letter(nth) } else { '!' };
            }
            at = if clockwise { (at + 1) % ramps } else { (at + ramps - 1) % ramps };
            hop += 1;
        }
    }
    let direction = if clockwise { "clockwise" } else { "counter-clockwise" };
    let mut text = format!("\nring {number}, {direction}, from bus cycle {begin}\n");
    for (name, row) in machine.eib.ring.iter().zip(cells) {
        writeln!(text, "{name:>5} {}", row.into_iter().collect::<String>()).expect("a string");
    }
    text
}

/// Compares a run's waveform with the golden file, or rewrites the file.
fn golden(name: &str, check: Check) {
    let transfers = check.recording_transfers().run().record.transfers.unwrap_or_default();
    let text = waveform(&machine(), &transfers);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} has changed; UPDATE_GOLDEN=1 if it is meant to. It is now:\n{text}");
}

/// The body of a thread.
type Main = Box<dyn FnOnce(Spu) -> Pin<Box<dyn Future<Output = u32>>>>;

/// Runs each body on its SPE. The other SPEs stay idle.
fn threads(mains: Vec<(u32, Main)>) -> Check {
    let mut by_thread: Vec<Option<Main>> = (0..8).map(|_| None).collect();
    for (spe, main) in mains {
        by_thread[usize::from(on(spe))] = Some(main);
    }
    by_thread.into_iter().fold(Check::on(&machine()), |check, main| match main {
        Some(main) => check.spu(main),
        None => check.spu(|_| async { 0 }),
    })
}

/// A thread that reads `bytes` bytes with one `get` command.
fn get(spe: u32, ea: u64, bytes: u32) -> (u32, Main) {
    let main: Main = Box::new(move |spu| {
        Box::pin(async move {
            spu.mfc_get(0x4000, ea, bytes, 0).await;
            wait(&spu, 0).await;
            0
        })
    });
    (spe, main)
}

/// A thread that writes `bytes` bytes with one `put` command.
fn put(spe: u32, ea: u64, bytes: u32) -> (u32, Main) {
    let main: Main = Box::new(move |spu| {
        Box::pin(async move {
            spu.mfc_put(0x4000, ea, bytes, 0).await;
            wait(&spu, 0).await;
            0
        })
    });
    (spe, main)
}

/// Effective address in the local store of a physical SPE.
fn ls(spe: u32) -> u64 {
    ls_ea(&machine(), on(spe), 0x8000)
}

#[test]
fn one_get_of_two_lines_from_memory() {
    golden("get_from_memory", threads(vec![get(1, 0x10000, 256)]));
}

#[test]
fn a_get_that_begins_and_ends_within_a_line() {
    golden("partial_lines", threads(vec![get(2, 0x10040, 160)]));
}

#[test]
fn two_opposing_transfers() {
    golden("opposing", threads(vec![put(1, ls(5), 384), put(5, ls(1), 384)]));
}

#[test]
fn three_transfers_behind_each_other_on_one_ring() {
    // The routes do not overlap: one is near the PPE, one on the far side of the ring, and one near the MIC.
    golden("three_on_one_ring", threads(vec![put(1, ls(3), 256), put(7, ls(6), 256), put(2, ls(0), 256)]));
}

#[test]
fn three_transfers_that_want_the_same_segments() {
    golden("same_segments", threads(vec![put(1, ls(7), 256), put(3, ls(7), 256), put(5, ls(7), 256)]));
}

#[test]
fn a_hot_spot_that_everybody_gets_from() {
    golden("hot_spot", threads((1..8).map(|spe| get(spe, ls(0), 128)).collect()));
}

#[test]
fn everybody_puts_to_memory() {
    golden("puts_to_memory", threads((0..8).map(|spe| put(spe, 0x10000 + 0x1000 * u64::from(spe), 128)).collect()));
}

#[test]
fn pairs_half_way_around() {
    golden("half_way_round", threads(vec![put(0, ls(7), 256), put(7, ls(0), 256)]));
}
