//! Tests of the positions of executables in a trace.

use cell::door::Position;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use cell::trace::{Trace, Trigger, Window};
use cell::units::ThreadId;
use spu::calls::Calls;
use spu::calls::host::Host;
use spu::elf::Image;
use spu::positions::Positions;
use spu::program::{SpuProgram, Start};
use spu::report::Report;
use spu::source::Source;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const BARRIER: &[u8] = include_bytes!("../../../../programs/samples/barrier.elf");

struct Silent;

impl Host for Silent {
    fn write(&mut self, _: u32, _: &[u8]) -> Result<(), spu::calls::host::Refusal> {
        Ok(())
    }
}

/// The trace of a window of an executable on SPEs, beginning this number of bus cycles after the first DMA command.
fn traced(executable: &[u8], spes: u8, skip_bus_cycles: u64, bus_cycles: u64) -> Trace {
    let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
    let placement = Placement::default_of(&machine);
    let image = Arc::new(Image::parse(executable).expect("an executable"));
    let calls = Rc::new(RefCell::new(Calls::new(Box::new(Silent))));
    let mut system = System::new(&machine, placement.clone());
    for rank in 0..spes {
        let start =
            Start { spe: placement.spe(ThreadId(rank)), argp: rank.into(), envp: spes.into(), arguments: Vec::new() };
        let report = Rc::new(RefCell::new(Report::<()>::default()));
        let mut program = Some(SpuProgram::new(&machine, Arc::clone(&image), start, Rc::clone(&calls), report));
        system.load(ThreadId(rank), Box::new(move |_| Box::new(program.take().expect("one start"))));
    }
    let window = Window { trigger: Trigger::Command, skip_bus_cycles, bus_cycles };
    let trace = system.run_window(window, || true).unwrap_or_else(|error| panic!("{error}"));
    trace.expect("a window of the run")
}

/// The position in an SPU cycle: the last that begins up to then.
fn at(positions: &[Position], now: u64) -> Position {
    positions[positions.partition_point(|position| position.at <= now) - 1]
}

#[test]
fn a_stalled_spu_is_at_its_channel_instruction() {
    let trace = traced(BARRIER, 6, 0, 4000);
    let mut waits = 0;
    for (spe, positions) in &trace.positions {
        assert!(positions.is_sorted_by_key(|position| position.at));
        for stall in trace.stalls.iter().filter(|row| row.spe == spe.0 && row.from >= trace.from) {
            let Some(to) = stall.to else { continue };
            let begin = at(positions, stall.from * trace.spu_cycles_per_bus_cycle);
            let end = at(positions, to * trace.spu_cycles_per_bus_cycle - 1);
            let text = spu::disassemble(end.word, end.address);
            assert!(text.starts_with("rdch") || text.starts_with("wrch"), "{text} in {stall:?}");
            assert_eq!((begin.address, begin.word), (end.address, end.word), "{stall:?}");
            waits += 1;
        }
    }
    assert!(waits > 20, "{waits} waits");
}

#[test]
fn positions_do_not_depend_on_where_the_window_begins() {
    // The late window begins so late that the turns before it are not recorded.
    let whole = traced(BARRIER, 6, 0, 10_000);
    let late = traced(BARRIER, 6, 9000, 700);
    let (from, to) = (late.from * late.spu_cycles_per_bus_cycle, late.to * late.spu_cycles_per_bus_cycle);
    assert_eq!(late.positions.len(), 6);
    for ((_, expected), (_, found)) in whole.positions.iter().zip(&late.positions) {
        let inside: Vec<_> = expected.iter().filter(|position| from < position.at && position.at < to).collect();
        assert_eq!(found.iter().skip(1).collect::<Vec<_>>(), inside);
        assert_eq!(found[0].address, at(expected, from).address);
    }
}

#[test]
fn tables_name_functions_and_repeat_no_stretch() {
    let trace = traced(BARRIER, 6, 0, 3000);
    let sources: Vec<Source> = Source::read(BARRIER).into_iter().collect();
    let tables = Positions::of(&trace, &sources).expect("positions");
    assert!(tables.instructions.function.iter().flatten().any(|name| name == "main"));
    assert!(tables.instructions.changed.iter().all(|changed| !changed));
    assert_eq!(tables.runs.stretch.iter().max().map(|last| last + 1), Some(tables.stretches.len()));
    // Read back, the tables are the positions.
    let mut now = [0; 16];
    let mut rows = Vec::new();
    for ((spe, after), stretch) in tables.runs.spe.iter().zip(&tables.runs.after).zip(&tables.runs.stretch) {
        now[usize::from(*spe)] += after;
        let end = tables.stretches.get(stretch + 1).copied().unwrap_or(tables.periods.after.len());
        let mut at = now[usize::from(*spe)];
        for period in tables.stretches[*stretch]..end {
            at += tables.periods.after[period];
            rows.push((*spe, at, tables.instructions.address[tables.periods.instruction[period]]));
        }
    }
    let expected = trace.positions.iter().flat_map(|(spe, positions)| {
        positions.iter().map(|position| (spe.0, position.at, position.address)).collect::<Vec<_>>()
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
}

#[test]
fn instructions_that_no_executable_has_keep_their_text() {
    let trace = traced(BARRIER, 1, 0, 300);
    let tables = Positions::of(&trace, &[]).expect("positions");
    assert!(tables.instructions.text.iter().any(|text| text.starts_with("rdch")));
    assert!(tables.instructions.function.iter().all(Option::is_none));
    assert!(tables.instructions.changed.iter().all(|changed| !changed));
}

#[test]
fn an_instruction_that_differs_from_the_executable_is_marked() {
    let trace = traced(BARRIER, 1, 0, 300);
    let (_, positions) = &trace.positions[0];
    let executed = positions.last().expect("a position");
    let mut other = BARRIER.to_vec();
    let places = (0..other.len()).step_by(4).filter(|place| other[*place..].starts_with(&executed.word.to_be_bytes()));
    for place in places.collect::<Vec<_>>() {
        other[place] ^= 1;
    }
    let tables = Positions::of(&trace, &[Source::read(&other).expect("an executable")]).expect("positions");
    let columns = &tables.instructions;
    let row = columns.address.iter().position(|address| *address == executed.address).expect("its instruction");
    assert_eq!((columns.changed[row], &columns.function[row]), (true, &None));
    assert_eq!(columns.text[row], spu::disassemble(executed.word, executed.address));
    assert!(columns.function.iter().flatten().next().is_some(), "the others keep their names");
}
