//! Storage of a process, as instructions on one hardware thread see it: through its page table, on a machine.
//!
//! Main memory is read and written at once.  The time that it takes is known for lines that the caches have: a load that
//! hits the L1, and a store to a line that the L2 owns, take the cycles of their class.  Every other one first asks for
//! the line ([`PpeOp::Touch`]): a load until it is there, a store until it has its place in the store queue.  Accesses to windows of SPEs, and `sync`, go over the bus ([`PpeOp::Load`],
//! [`PpeOp::Store`], [`PpeOp::Sync`]).  Whoever has to ask ends its turn with [`Stop::Wait`]; the instruction is executed
//! again when the answer is there.  So the hardware thread must go on with the same program then: between the
//! question and the end of that instruction nobody else may have it.
//!
//! MODEL: an instruction fetch takes no time, as if it always hit the L1.  Lines that were found in a cache are not
//! looked up again until any line has left it, so that replacement sees fewer uses than there are.  A store is seen by
//! everybody once it has its place in the store queue, and those that follow it to the same line find it there.
//!
//! Sources: PowerPC User Instruction Set Architecture 2.02, Book II, storage model; CBE Programming Handbook, PPE.

mod lines;
mod replay;

use crate::core::Exit;
use crate::memory::{Memory, Stop};
use cell::door::{PpeOp, PpeTurn, Supervisor};
use cell::ea::{Target, local_store_ea, register_ea};
use cell::page_table::{AccessKind, BadAddress};
use cell::units::{LINE_BYTES, SpuCycles};
use lines::Lines;
use replay::Replay;

/// Bytes of a line, as distances of effective addresses.
const LINE: u32 = LINE_BYTES as u32;

/// What a hardware thread knows of its storage from turn to turn.
#[derive(Default)]
pub struct Path {
    lines: Lines,
    replay: Replay,
}

impl Path {
    /// Nothing yet.
    pub fn new() -> Path {
        Path::default()
    }
}

/// Storage of a process for the length of a turn.
pub struct ProcessMemory<'t, 'm, 'p> {
    machine: &'t mut Supervisor<'m, 'p>,
    path: &'t mut Path,
    /// The thread's own time at the beginning of the turn.
    began: SpuCycles,
}

impl<'t, 'm, 'p> ProcessMemory<'t, 'm, 'p> {
    /// Storage for a turn; its answer is that to what [`ProcessMemory::end`] gave to ask.
    pub fn begin(machine: &'t mut Supervisor<'m, 'p>, path: &'t mut Path, turn: PpeTurn) -> ProcessMemory<'t, 'm, 'p> {
        path.replay.answered(turn.answer);
        let generations = (machine.pages().generation(), machine.cache_generation());
        path.lines.begin(generations, machine.lines_of_others());
        ProcessMemory { machine, path, began: turn.time }
    }

    /// Ends the turn in which [`crate::Cpu::run`] has answered this; what has to be asked before the next one, if the
    /// exit is [`Stop::Wait`].
    pub fn end(self, cycles: u64, exit: Exit) -> Option<PpeOp> {
        let same_instruction = cycles == 0 && exit == Exit::Stop(Stop::Wait);
        self.path.replay.end(same_instruction)
    }

    /// Where an address leads.
    fn translate(&mut self, ea: u32, kind: AccessKind) -> Result<Target, Stop> {
        self.machine.pages().translate(ea, kind).map_err(|bad| match bad {
            BadAddress::Unmapped(_) | BadAddress::Forbidden(_) | BadAddress::NoMemory(_) => {
                Stop::Fault { ea, store: kind == AccessKind::Store }
            }
        })
    }

    /// As [`Memory::load`], of what is not known to hit.
    #[inline(never)]
    fn load_slowly<const N: usize>(&mut self, ea: u32) -> Result<[u8; N], Stop> {
        let mut bytes = [0; N];
        if ea % LINE + N as u32 > LINE {
            for (at, byte) in bytes.iter_mut().enumerate() {
                [*byte] = self.load(ea.wrapping_add(at as u32))?;
            }
            return Ok(bytes);
        }
        match self.translate(ea, AccessKind::Load)? {
            Target::Memory(real) => {
                if !self.machine.load_hits(real / LINE_BYTES) {
                    return self.path.replay.ask(PpeOp::Touch { real, store: false });
                }
                self.path.lines.loads_hit(ea, real);
                self.machine.memory().read(real, &mut bytes);
                Ok(bytes)
            }
            target => {
                self.load_from_window(window_ea(target), &mut bytes)?;
                Ok(bytes)
            }
        }
    }

    /// Loads from an SPE's window, in accesses that are aligned.
    fn load_from_window(&mut self, ea: u64, out: &mut [u8]) -> Result<(), Stop> {
        let piece = aligned_piece(ea, out.len());
        for (nth, bytes) in out.chunks_exact_mut(piece).enumerate() {
            let value = self.path.replay.perform(PpeOp::Load { ea: ea + (nth * piece) as u64, bytes: piece as u8 })?;
            bytes.copy_from_slice(&value.to_be_bytes()[8 - piece..]);
        }
        Ok(())
    }

    /// As [`Memory::store`], to what is not known to be owned.
    #[inline(never)]
    fn store_slowly<const N: usize>(&mut self, ea: u32, bytes: [u8; N]) -> Result<(), Stop> {
        if ea % LINE + N as u32 > LINE {
            // Both lines may be written, or nothing is.
            self.may_store(ea)?;
            self.may_store(ea.wrapping_add(N as u32 - 1))?;
            return (0..N as u32).try_for_each(|at| self.store(ea.wrapping_add(at), [bytes[at as usize]]));
        }
        match self.may_store(ea)? {
            Target::Memory(real) => {
                self.machine.memory().write(real, &bytes);
                Ok(())
            }
            target => self.store_to_window(window_ea(target), &bytes),
        }
    }

    /// Stores to an SPE's window, in accesses that are aligned.
    fn store_to_window(&mut self, ea: u64, bytes: &[u8]) -> Result<(), Stop> {
        let piece = aligned_piece(ea, bytes.len());
        for (nth, bytes) in bytes.chunks_exact(piece).enumerate() {
            let value = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
            let ea = ea + (nth * piece) as u64;
            self.path.replay.perform(PpeOp::Store { ea, bytes: piece as u8, value })?;
        }
        Ok(())
    }

    /// Where a store leads; in main memory nobody else has its line then, and the L2 owns it or will soon.
    fn may_store(&mut self, ea: u32) -> Result<Target, Stop> {
        let target = self.translate(ea, AccessKind::Store)?;
        if let Target::Memory(real) = target {
            let line = real / LINE_BYTES;
            if !self.machine.store_hits(line) {
                self.path.replay.perform(PpeOp::Touch { real: real & !(LINE_BYTES - 1), store: true })?;
            }
            if self.path.lines.taken_from_others(line) {
                self.machine.take_line(line);
            }
            self.path.lines.stores_hit(ea, real);
        }
        Ok(target)
    }
}

/// The address at which the machine has a place in an SPE's window.
fn window_ea(target: Target) -> u64 {
    match target {
        Target::Memory(real) => real,
        Target::LocalStore(spe, offset) => local_store_ea(spe, offset),
        Target::Register(spe, offset) => register_ea(spe, offset),
    }
}

/// Bytes of each of the accesses to a window that together are one of so many, a power of two: as many as `ea` is
/// aligned to, and at most 8.
fn aligned_piece(ea: u64, bytes: usize) -> usize {
    bytes.min(1 << ea.trailing_zeros().min(3))
}

impl Memory for ProcessMemory<'_, '_, '_> {
    #[inline(always)]
    fn load<const N: usize>(&mut self, ea: u32) -> Result<[u8; N], Stop> {
        match self.path.lines.load(ea, N) {
            Some(real) => Ok(*self.machine.memory().chunk(real).unwrap_or(&[0; N])),
            None => self.load_slowly(ea),
        }
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, ea: u32, bytes: [u8; N]) -> Result<(), Stop> {
        if let Some(real) = self.path.lines.store(ea, N)
            && let Some(place) = self.machine.memory().chunk_mut(real)
        {
            *place = bytes;
            return Ok(());
        }
        self.store_slowly(ea, bytes)
    }

    fn fetch(&mut self, ea: u32) -> Result<u32, Stop> {
        match self.translate(ea, AccessKind::Fetch)? {
            Target::Memory(real) => Ok(self.machine.memory().read_u32(real)),
            // Nothing is cached of a window, and no instruction is fetched from there.
            _ => Err(Stop::Fault { ea, store: false }),
        }
    }

    fn reserve<const N: usize>(&mut self, ea: u32) -> Result<[u8; N], Stop> {
        let bytes = self.load(ea)?;
        match self.translate(ea, AccessKind::Load)? {
            Target::Memory(real) => self.machine.reserve(real / LINE_BYTES),
            // Storage that is not cached has no reservations.
            _ => return Err(Stop::Alignment { ea }),
        }
        Ok(bytes)
    }

    fn store_conditional<const N: usize>(&mut self, ea: u32, bytes: [u8; N]) -> Result<bool, Stop> {
        let Target::Memory(real) = self.may_store(ea)? else { return Err(Stop::Alignment { ea }) };
        let holds = self.machine.take_reservation(real / LINE_BYTES);
        if holds {
            self.machine.memory().write(real, &bytes);
        }
        Ok(holds)
    }

    fn zero_line(&mut self, ea: u32) -> Result<(), Stop> {
        const ZEROS: [u8; LINE as usize] = [0; LINE as usize];
        self.store_slowly(ea & !(LINE - 1), ZEROS)
    }

    fn sync(&mut self) -> Result<(), Stop> {
        self.path.replay.perform(PpeOp::Sync).map(|_| ())
    }

    fn time_base(&mut self, cycles: u64) -> u64 {
        let machine = self.machine.machine();
        let bus_cycles = (self.began + cycles) / machine.chip.processor_cycles_per_bus_cycle;
        let ticks = u128::from(bus_cycles) * u128::from(machine.chip.timebase_hz) / u128::from(machine.bus_hz());
        ticks as u64
    }
}
