//! The speed of simulating eight SPEs with instructions and heavy DMA, compared with the chip: `make bench`.
//!
//! Every SPE gets chunks of 16 KB from its neighbour's local store, at the full rate of all ramps. In one load it only
//! waits for the chunks; in another it works on every quadword of a chunk during the next transfer. A third load is the
//! sample that copies main memory through two buffers. The numbers are medians of three, by CPU time. Nothing here
//! passes or fails. (The target is a 250th of the chip's speed.) Where valgrind is installed, callgrind counts the
//! host's instructions for one SPU cycle of the chip.

#[path = "callgrind.rs"]
mod callgrind;
#[path = "../../crates/spu/tests/processor/common.rs"]
mod common;
#[path = "spu/cpu_time.rs"]
mod cpu_time;

use cell::ea::local_store_ea;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use cell::units::ThreadId;
use common::word;
use cpu_time::{cpu_seconds, median};
use spu::Opcode::*;
use spu::calls::Calls;
use spu::calls::host::NoFiles;
use spu::elf::{Image, StartUp};
use spu::program::{SpuProgram, Start};
use spu::report::Report;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const SPES: u8 = 8;
const CHUNK_BYTES: i32 = 16 << 10;
/// The local-store address of the first of four chunks. Each chunk has a tag group.
const CHUNKS_LSA: i32 = 0x10000;
const CHUNKS: i32 = 4;

/// Gets chunks from `$4` and, if `works`, works on each when it has arrived, round after round.
fn exchange(rounds: i32, works: bool) -> Image {
    let mut code = vec![word(Ila, &[80, rounds]), word(Rotqbyi, &[10, 4, 4])];
    let start = code.len();
    for chunk in 0..CHUNKS {
        let lsa = CHUNKS_LSA + CHUNK_BYTES * chunk;
        code.extend([word(Il, &[11, 1 << chunk]), word(Wrch, &[22, 11])]);
        code.extend([word(Il, &[11, 2]), word(Wrch, &[23, 11]), word(Rdch, &[12, 24])]);
        if works {
            code.extend(work(lsa));
        }
        code.extend([word(Ila, &[11, lsa]), word(Wrch, &[16, 11]), word(Wrch, &[17, 4]), word(Wrch, &[18, 10])]);
        for (channel, value) in [(19, CHUNK_BYTES), (20, chunk), (21, 0x40)] {
            code.extend([word(Il, &[11, value]), word(Wrch, &[channel, 11])]);
        }
    }
    code.push(word(Ai, &[80, 80, -1]));
    let back = code.len() - start;
    code.extend([word(Brnz, &[80, -4 * back as i32]), 0x2000]);
    let bytes = code.iter().flat_map(|word| word.to_be_bytes()).collect();
    Image { entry: 0, segments: vec![(0, bytes)], start_up: StartUp::Numbers, symbols: Default::default() }
}

/// Adds to each quadword of a chunk, four quadwords in a round.
fn work(lsa: i32) -> Vec<u32> {
    let mut body = Vec::new();
    for at in 0..4 {
        body.push(word(Lqd, &[20 + at, 16 * at, 11]));
    }
    for at in 0..4 {
        body.push(word(Fma, &[20 + at, 20 + at, 13, 20 + at]));
    }
    for at in 0..4 {
        body.push(word(Stqd, &[20 + at, 16 * at, 11]));
    }
    body.extend([word(Ai, &[11, 11, 64]), word(Ai, &[12, 12, -1])]);
    let back = 4 * body.len() as i32;
    let mut code = vec![word(Ila, &[11, lsa]), word(Ila, &[12, CHUNK_BYTES / 64]), word(Hbrr, &[4 + back, 4])];
    code.extend(body);
    code.push(word(Brnz, &[12, -back]));
    code
}

/// Runs an executable on eight SPEs. Returns SPU cycles, the instructions of all SPEs, and seconds.
fn run(machine: &Machine, image: &Arc<Image>) -> (u64, u64, f64) {
    let placement = Placement::default_of(machine);
    let calls = Rc::new(RefCell::new(Calls::new(Box::new(NoFiles))));
    let mut system = System::new(machine, placement.clone());
    let reports: Vec<_> = (0..SPES).map(|_| Rc::new(RefCell::new(Report::<()>::default()))).collect();
    for (rank, report) in (0..SPES).zip(&reports) {
        let (spe, neighbour) = (placement.spe(ThreadId(rank)), placement.spe(ThreadId(rank ^ 1)));
        // `$4` is an address for the exchange, and the rank for the sample.
        let argp = match image.symbols.is_empty() {
            true => local_store_ea(neighbour, 0x30000),
            false => rank.into(),
        };
        let start = Start { spe, argp, envp: SPES.into(), arguments: Vec::new() };
        let mut program =
            Some(SpuProgram::new(machine, Arc::clone(image), start, Rc::clone(&calls), Rc::clone(report)));
        system.load(ThreadId(rank), Box::new(move |_| Box::new(program.take().expect("one start"))));
    }
    let start = cpu_seconds();
    let record = system.run(u64::MAX, || true).unwrap_or_else(|error| panic!("{error}"));
    let seconds = cpu_seconds() - start;
    let instructions = reports.iter().map(|report| report.borrow().instructions).sum();
    (record.bus_cycles * machine.chip.processor_cycles_per_bus_cycle, instructions, seconds)
}

/// The loads: a name, and the program of each SPE.
fn loads() -> [(&'static str, Image); 3] {
    let copy = include_bytes!("../../programs/samples/copy.elf");
    [
        ("16 KB from each other", exchange(50, false)),
        ("the same, and work on every quadword", exchange(20, true)),
        ("programs/samples/copy.elf", Image::parse(copy).expect("an executable")),
    ]
}

fn main() {
    let machine = Machine::builtin("eval-board").expect("a machine that is shipped");
    if let Some(names) = callgrind::asked() {
        for (_, image) in loads().into_iter().filter(|(name, _)| names.iter().any(|asked| asked == name)) {
            run(&machine, &Arc::new(image));
        }
        return;
    }
    let heading = ["SPU cycles", "instructions", "of the chip", "callgrind"];
    println!("{:<42} {}", "8 SPEs, eval-board", heading.map(|name| format!("{name:>14}")).join(" "));
    let start_up = callgrind::instructions(&[]).map(|start_up| (start_up, 0));
    for (name, image) in loads() {
        let image = Arc::new(image);
        let (spu_cycles, instructions, _) = run(&machine, &image);
        let seconds = median(3, || run(&machine, &image).2);
        let slower = machine.chip.processor_clock_hz as f64 * seconds / spu_cycles as f64;
        let all = callgrind::instructions(&[name.to_string()]).map(|all| (all, spu_cycles));
        let host = callgrind::each(start_up, all);
        println!("{name:<42} {spu_cycles:>14} {instructions:>14} {:>14} {host:>14}", format!("1/{slower:.0}"));
    }
}
