//! The positions of a trace's programs, in a form for readers of large traces.
//!
//! Loops repeat the same instructions with the same times between them, so such stretches are stored once:
//!
//! ```text
//!   runs: SPE, time      ──> stretches: first period ──> periods: time, cause ──> instructions: address, text
//! ```
//! A period begins in an SPU cycle and ends where the next one begins. During it, an instruction issues, or no
//! instruction issues because of the period's instruction.

use crate::disassembly::disassemble;
use crate::lines::Line;
use crate::source::Source;
use cell::door::Position;
use cell::trace::Trace;
use cell::units::{BusCycle, SpuCycles};
use serde::Serialize;
use std::collections::HashMap;

/// A stretch ends before a period that begins more than this number of SPU cycles after the one before. Such times seldom
/// repeat.
const LONGEST_SPU_CYCLES: SpuCycles = 64;

/// All positions of a trace. Each table is stored by columns.
#[derive(Default, Debug, Serialize)]
pub struct Positions {
    /// The bus cycle from which on there are no positions, because there are too many.
    pub to: Option<BusCycle>,
    /// The instructions.
    pub instructions: Instructions,
    /// The source lines.
    pub lines: SourceLines,
    /// The causes for which no instruction issues; cause 1 is the first.
    pub causes: Vec<&'static str>,
    /// The periods of all stretches, one stretch after the other.
    pub periods: Periods,
    /// The first period of each stretch.
    pub stretches: Vec<usize>,
    /// The stretches that ran, SPE by SPE.
    pub runs: Runs,
}

/// Columns of the instructions.
#[derive(Default, Debug, Serialize)]
pub struct Instructions {
    /// Local-store address.
    pub address: Vec<u32>,
    /// Disassembled text.
    pub text: Vec<String>,
    /// The function, or the label, before the instruction.
    pub function: Vec<Option<String>>,
    /// Bytes from the beginning of the function.
    pub offset: Vec<Option<u32>>,
    /// The source line, as an index into the table of lines.
    pub line: Vec<Option<usize>>,
    /// Whether the instruction differs from the one in the executable.
    pub changed: Vec<bool>,
}

/// Columns of the source lines.
#[derive(Default, Debug, Serialize)]
pub struct SourceLines {
    /// The path of the file, as the compiler recorded it.
    pub file: Vec<String>,
    /// The number of the line.
    pub number: Vec<u32>,
}

/// Columns of the periods.
#[derive(Default, Debug, Serialize)]
pub struct Periods {
    /// SPU cycles since the period before; 0 in the first period of a stretch.
    pub after: Vec<SpuCycles>,
    /// The instruction, as an index into the table of instructions.
    pub instruction: Vec<usize>,
    /// The cause, or 0 for a period in which the instruction issues.
    pub cause: Vec<usize>,
}

/// Columns of the stretches that ran.
#[derive(Default, Debug, Serialize)]
pub struct Runs {
    /// The physical SPE.
    pub spe: Vec<u8>,
    /// SPU cycles since the SPE's previous run of a stretch began, or since the start of the run.
    pub after: Vec<SpuCycles>,
    /// The stretch, as an index into the table of stretches.
    pub stretch: Vec<usize>,
}

/// A period of a stretch: the columns of [`Periods`].
type Period = (SpuCycles, usize, usize);

/// Tables under construction.
struct Builder<'s> {
    sources: &'s [Source],
    tables: Positions,
    instructions: HashMap<(Option<usize>, u32, u32), usize>,
    lines: HashMap<(usize, Line), usize>,
    stretches: HashMap<Vec<Period>, usize>,
}

impl Positions {
    /// The positions of a trace; `None` if it has none. `sources` are executables that may contain the instructions.
    pub fn of(trace: &Trace, sources: &[Source]) -> Option<Positions> {
        let mut builder = Builder {
            sources,
            tables: Positions { to: trace.positions_to, ..Positions::default() },
            instructions: HashMap::new(),
            lines: HashMap::new(),
            stretches: HashMap::new(),
        };
        for (spe, positions) in &trace.positions {
            let starts = trace.programs.iter().filter(|row| row.spe == spe.0);
            let starts: Vec<_> = starts.map(|row| row.started_at * trace.spu_cycles_per_bus_cycle).collect();
            let mut before = 0;
            // Each program that runs on the SPE may be from another executable.
            for program in positions.chunk_by(|one, next| !starts.iter().any(|at| one.at < *at && *at <= next.at)) {
                builder.add(spe.0, program, &mut before);
            }
        }
        (!trace.positions.is_empty()).then_some(builder.tables)
    }
}

impl Builder<'_> {
    fn add(&mut self, spe: u8, positions: &[Position], before: &mut SpuCycles) {
        let source = best(self.sources, positions);
        let goes_on = |one: &Position, next: &Position| {
            (one.address..=one.address + 4).contains(&next.address) && next.at - one.at <= LONGEST_SPU_CYCLES
        };
        for stretch in positions.chunk_by(goes_on) {
            let mut last = stretch[0].at;
            let periods = stretch.iter().map(|position| {
                let after = position.at - std::mem::replace(&mut last, position.at);
                (after, self.instruction(source, position), self.cause(position))
            });
            let periods: Vec<Period> = periods.collect();
            let number = self.stretch(periods);
            let runs = &mut self.tables.runs;
            runs.spe.push(spe);
            runs.after.push(stretch[0].at - std::mem::replace(before, stretch[0].at));
            runs.stretch.push(number);
        }
    }

    fn stretch(&mut self, periods: Vec<Period>) -> usize {
        if let Some(known) = self.stretches.get(&periods) {
            return *known;
        }
        let table = &mut self.tables.periods;
        self.tables.stretches.push(table.after.len());
        for (after, instruction, cause) in &periods {
            table.after.push(*after);
            table.instruction.push(*instruction);
            table.cause.push(*cause);
        }
        self.stretches.insert(periods, self.tables.stretches.len() - 1);
        self.tables.stretches.len() - 1
    }

    fn cause(&mut self, position: &Position) -> usize {
        let Some(cause) = position.cause else { return 0 };
        let causes = &mut self.tables.causes;
        let known = causes.iter().position(|known| *known == cause).unwrap_or_else(|| {
            causes.push(cause);
            causes.len() - 1
        });
        known + 1
    }

    fn instruction(&mut self, source: Option<usize>, position: &Position) -> usize {
        let Position { address, word, .. } = *position;
        if let Some(known) = self.instructions.get(&(source, address, word)) {
            return *known;
        }
        let own =
            source.map(|number| (number, &self.sources[number])).filter(|(_, source)| source.code().has(address, word));
        let function = own.and_then(|(_, source)| source.code().function(address));
        let line = own.and_then(|(number, source)| Some((number, source.line(address)?)));
        let line = line.map(|(number, line)| self.line(number, line));
        let table = &mut self.tables.instructions;
        table.address.push(address);
        table.text.push(disassemble(word, address));
        table.function.push(function.map(|(name, _)| name.to_string()));
        table.offset.push(function.map(|(_, offset)| offset));
        table.line.push(line);
        table.changed.push(source.is_some() && own.is_none());
        self.instructions.insert((source, address, word), table.address.len() - 1);
        table.address.len() - 1
    }

    fn line(&mut self, source: usize, line: Line) -> usize {
        let (table, sources) = (&mut self.tables.lines, self.sources);
        *self.lines.entry((source, line)).or_insert_with(|| {
            table.file.push(sources[source].file(line.file).to_string());
            table.number.push(line.number);
            table.number.len() - 1
        })
    }
}

/// The executable that contains most of these instructions; `None` if none contains any.
fn best(sources: &[Source], positions: &[Position]) -> Option<usize> {
    let mut instructions: Vec<_> = positions.iter().map(|position| (position.address, position.word)).collect();
    instructions.sort_unstable();
    instructions.dedup();
    let contained =
        |source: &Source| instructions.iter().filter(|(address, word)| source.code().has(*address, *word)).count();
    let counts = sources.iter().map(contained).enumerate();
    // Of equal counts, the first executable's wins.
    counts.rev().max_by_key(|(_, count)| *count).filter(|(_, count)| *count > 0).map(|(number, _)| number)
}
