//! Loads and stores of a hardware thread during one of its turns.

use super::storage::{LINE_SHIFT, Line, NO_LINE, Storage};
use cell::door::{PpeOp, Supervisor};
use cell::ea::{Target, local_store_ea, register_ea};
use cell::page_table::{AccessKind, effective};
use cell::store::Store;
use cell::units::other_thread;
use ppu::memory::{Memory, Stop};

const LINE_BYTES: u32 = 1 << LINE_SHIFT;

/// The storage that instructions access during a turn, in 64-bit mode (`WIDE`) or in 32-bit mode.
pub struct View<'t, const WIDE: bool> {
    /// The machine.
    pub machine: &'t mut dyn Supervisor,
    /// Storage state of the hardware thread.
    pub storage: &'t mut Storage,
    /// Time at the beginning of the turn, in processor cycles.
    pub time: u64,
    /// Main memory, which the machine lends for the turn, so that accesses that hit need not call the machine.
    memory: Store,
    /// See [`PageTable::set_upper`](cell::page_table::PageTable::set_upper).
    upper: u64,
}

impl<const WIDE: bool> Drop for View<'_, WIDE> {
    fn drop(&mut self) {
        std::mem::swap(self.machine.memory(), &mut self.memory);
    }
}

/// Location of the accessed bytes, if the access can be made immediately.
#[derive(Clone, Copy)]
enum Location {
    Memory(u64),
    /// Address in an SPE's window.
    Window(u64),
}

impl<'t, const WIDE: bool> View<'t, WIDE> {
    /// The storage during a turn that begins at `time`.
    pub fn new(machine: &'t mut dyn Supervisor, storage: &'t mut Storage, time: u64) -> View<'t, WIDE> {
        let memory = std::mem::take(machine.memory());
        let upper = machine.pages().effective(u32::MAX) - u64::from(u32::MAX);
        View { machine, storage, time, memory, upper }
    }

    /// The right half of an address, or `None` if the process has no such address.
    #[inline(always)]
    fn low(&self, ea: u64) -> Option<u32> {
        (!WIDE || effective(self.upper, ea as u32) == ea).then_some(ea as u32)
    }

    /// As [`View::low`], for an access that faults if the process has no such address.
    #[inline(always)]
    fn checked(&mut self, ea: u64, store: bool) -> Result<u32, Stop> {
        self.low(ea).ok_or_else(|| {
            self.storage.outside = Some(ea);
            Stop::Fault { ea: ea as u32, store }
        })
    }

    /// Translates an address.
    fn target(&mut self, ea: u32, kind: AccessKind) -> Result<Target, Stop> {
        let pages = self.machine.pages();
        let before = pages.free_bytes();
        let target = pages.translate(ea, kind).map_err(|_| Stop::Fault { ea, store: kind == AccessKind::Store })?;
        self.storage.first_uses += u64::from(pages.free_bytes() != before);
        if kind != AccessKind::Fetch
            && let Some(block) = self.storage.translation.data(ea, || pages.page_bytes(pages.effective(ea)))
        {
            self.storage.forget(block);
        }
        Ok(target)
    }

    /// Locates an address whose cache line is present. Requests a missing line.
    fn locate(&mut self, ea: u32, store: bool) -> Result<Location, Stop> {
        let target = self.target(ea, if store { AccessKind::Store } else { AccessKind::Load })?;
        let real = match target {
            Target::Memory(real) => real,
            Target::LocalStore(spe, offset) => return Ok(Location::Window(local_store_ea(spe, offset))),
            Target::Register(spe, offset) => return Ok(Location::Window(register_ea(spe, offset))),
        };
        let line = real >> LINE_SHIFT;
        let hits = if store { self.machine.store_hits(line) } else { self.machine.load_hits(line) };
        if !hits && self.storage.granted != Some((line, store)) {
            self.storage.wanted = Some(PpeOp::Touch { real: line << LINE_SHIFT, store });
            return Err(Stop::Wait);
        }
        if store {
            self.take_from_others(line);
        }
        // A store whose line is being fetched waits in the store queue, where later accesses find it.
        if hits || store {
            self.remember(ea, line << LINE_SHIFT, store);
        }
        Ok(Location::Memory(real))
    }

    /// Invalidates a line in all other units, and cancels their reservations on the line.
    fn take_from_others(&mut self, line: u64) {
        if self.machine.is_of_others(line) {
            self.machine.take_line(line);
            let other = &self.storage.reserved[other_thread(self.storage.hardware_thread)];
            if other.get() == line {
                other.set(NO_LINE);
            }
        }
    }

    /// The recorded line that a load hits.
    #[inline(always)]
    fn recorded_for_load<const N: usize>(&self, ea: u32) -> Option<&Line> {
        let line = &self.storage.lines[Storage::index(ea)];
        (line.load == self.storage.tag(ea) && ea % LINE_BYTES + N as u32 <= LINE_BYTES).then_some(line)
    }

    /// The recorded line that a store hits.
    #[inline(always)]
    fn recorded_for_store<const N: usize>(&self, ea: u32) -> Option<&Line> {
        let line = &self.storage.lines[Storage::index(ea)];
        let is_free = line.real != self.storage.guarded;
        let hits = line.store == self.storage.tag(ea) && ea % LINE_BYTES + N as u32 <= LINE_BYTES && is_free;
        hits.then_some(line)
    }

    fn remember(&mut self, ea: u32, real: u64, store: bool) {
        let tag = self.storage.tag(ea);
        let line = &mut self.storage.lines[Storage::index(ea)];
        if line.load != tag && line.store != tag {
            *line = Line { load: NO_LINE, store: NO_LINE, real, place: self.memory.place(real) };
        }
        if store {
            line.store = tag;
        } else {
            line.load = tag;
        }
    }

    /// Locates an access of up to 16 bytes. An access that crosses a cache line has two locations.
    fn locate_span(&mut self, ea: u32, bytes: usize, store: bool) -> Result<(Location, usize, Option<Location>), Stop> {
        let left = (LINE_BYTES - ea % LINE_BYTES) as usize;
        let first = self.locate(ea, store)?;
        if bytes <= left {
            return Ok((first, bytes, None));
        }
        Ok((first, left, Some(self.locate(ea.wrapping_add(left as u32), store)?)))
    }

    #[cold]
    fn load_slowly<const N: usize>(&mut self, ea: u32) -> Result<[u8; N], Stop> {
        let (first, bytes, second) = self.locate_span(ea, N, false)?;
        let mut out = [0; N];
        let (low, high) = out.split_at_mut(bytes);
        for (location, out) in [(Some(first), low), (second, high)] {
            match location {
                Some(Location::Memory(real)) => self.memory.read(real, out),
                Some(Location::Window(at)) => self.load_from_window(at, out)?,
                None => (),
            }
        }
        Ok(out)
    }

    #[cold]
    fn store_slowly<const N: usize>(&mut self, ea: u32, bytes: [u8; N]) -> Result<(), Stop> {
        let (first, length, second) = self.locate_span(ea, N, true)?;
        let (low, high) = bytes.split_at(length);
        // Accesses to windows are made first. These accesses may have to wait, and memory must stay unchanged until
        // they are complete.
        let pieces = [(Some(first), low), (second, high)];
        for (location, bytes) in pieces {
            if let Some(Location::Window(at)) = location {
                self.store_to_window(at, bytes)?;
            }
        }
        for (location, bytes) in pieces {
            if let Some(Location::Memory(real)) = location {
                self.memory.write(real, bytes);
            }
        }
        Ok(())
    }

    fn load_from_window(&mut self, at: u64, out: &mut [u8]) -> Result<(), Stop> {
        for (offset, width) in Aligned::new(at, out.len()) {
            let op = PpeOp::Load { ea: at + offset as u64, bytes: width as u8 };
            let answer = self.storage.replay.answer(op).ok_or(Stop::Wait)?;
            let from = answer.to_be_bytes();
            out[offset..offset + width].copy_from_slice(&from[8 - width..]);
        }
        Ok(())
    }

    fn store_to_window(&mut self, at: u64, bytes: &[u8]) -> Result<(), Stop> {
        for (offset, width) in Aligned::new(at, bytes.len()) {
            let value = bytes[offset..offset + width].iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
            let op = PpeOp::Store { ea: at + offset as u64, bytes: width as u8, value };
            self.storage.replay.answer(op).ok_or(Stop::Wait)?;
        }
        Ok(())
    }

    /// Main-memory address of an access. The access must be aligned, and must not be to a window.
    fn in_memory(&mut self, ea: u32, bytes: u32, kind: AccessKind) -> Result<u64, Stop> {
        if !ea.is_multiple_of(bytes) {
            return Err(Stop::Alignment { ea });
        }
        match self.target(ea, kind)? {
            Target::Memory(real) => Ok(real),
            _ => Err(Stop::Alignment { ea }),
        }
    }
}

/// The last `N` bytes of a value.
fn right_aligned<const N: usize>(value: u64) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&value.to_be_bytes()[8 - N..]);
    bytes
}

/// Splits a span into aligned pieces of up to 8 bytes, and yields their offsets and widths.
struct Aligned {
    at: u64,
    done: usize,
    bytes: usize,
}

impl Aligned {
    fn new(at: u64, bytes: usize) -> Aligned {
        Aligned { at, done: 0, bytes }
    }
}

impl Iterator for Aligned {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let left = self.bytes - self.done;
        let at = self.at + self.done as u64;
        let width = [8, 4, 2, 1].into_iter().find(|width| *width <= left && at.is_multiple_of(*width as u64))?;
        self.done += width;
        Some((self.done - width, width))
    }
}

impl<const WIDE: bool> Memory for View<'_, WIDE> {
    const WIDE: bool = WIDE;

    #[inline(always)]
    fn load_at_once<const N: usize>(&mut self, ea: u64) -> Option<[u8; N]> {
        let ea = self.low(ea)?;
        self.recorded_for_load::<N>(ea).map(|line| self.memory.array(line.place, ea % LINE_BYTES))
    }

    #[inline(always)]
    fn store_at_once<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> bool {
        let Some(ea) = self.low(ea) else { return false };
        let Some(place) = self.recorded_for_store::<N>(ea).map(|line| line.place) else { return false };
        self.memory.array_mut(place, ea % LINE_BYTES).map(|target| *target = bytes).is_some()
    }

    fn load<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop> {
        match self.load_at_once(ea) {
            Some(bytes) => Ok(bytes),
            None => {
                let ea = self.checked(ea, false)?;
                self.load_slowly(ea)
            }
        }
    }

    fn store<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<(), Stop> {
        let ea = self.checked(ea, true)?;
        match self.recorded_for_store::<N>(ea).map(|line| line.real) {
            Some(real) => self.memory.write(real + u64::from(ea % LINE_BYTES), &bytes),
            None => self.store_slowly(ea, bytes)?,
        }
        Ok(())
    }

    fn fetch(&mut self, ea: u64) -> Result<u32, Stop> {
        let ea = self.checked(ea, false)?;
        match self.target(ea, AccessKind::Fetch)? {
            Target::Memory(real) => Ok(self.memory.read_u32(real)),
            _ => Err(Stop::Fault { ea, store: false }),
        }
    }

    #[inline(always)]
    fn code_address(&mut self, pc: u64) -> Result<u32, Stop> {
        self.checked(pc, false)
    }

    #[inline]
    fn enters(&mut self, ea: u64) {
        self.storage.translation.code(ea as u32, || self.machine.pages().page_bytes(ea));
    }

    fn fetch_line(&mut self, ea: u64) -> Result<(), Stop> {
        let ea = self.checked(ea, false)?;
        match self.target(ea, AccessKind::Fetch)? {
            Target::Memory(real) if self.storage.fetched.take() != Some(real >> LINE_SHIFT) => {
                self.storage.wanted = Some(PpeOp::Fetch { real: real >> LINE_SHIFT << LINE_SHIFT });
                Err(Stop::Wait)
            }
            Target::Memory(_) => Ok(()),
            _ => Err(Stop::Fault { ea, store: false }),
        }
    }

    fn reserve<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop> {
        let ea = self.checked(ea, false)?;
        let real = self.in_memory(ea, N as u32, AccessKind::Load)?;
        // The other hardware thread reports its stores to the line from now on.
        self.storage.reserved[self.storage.hardware_thread].set(real >> LINE_SHIFT);
        let value = self.storage.replay.answer(PpeOp::LoadReserved { real, bytes: N as u8 }).ok_or(Stop::Wait)?;
        Ok(right_aligned(value))
    }

    fn store_conditional<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<bool, Stop> {
        let ea = self.checked(ea, true)?;
        let real = self.in_memory(ea, N as u32, AccessKind::Store)?;
        let value = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let op = PpeOp::StoreConditional { real, bytes: N as u8, value };
        let stored = self.storage.replay.answer(op).ok_or(Stop::Wait)? != 0;
        self.storage.reserved[self.storage.hardware_thread].set(NO_LINE);
        Ok(stored)
    }

    fn zero_line(&mut self, ea: u64) -> Result<(), Stop> {
        const ZEROS: [u8; LINE_BYTES as usize] = [0; LINE_BYTES as usize];
        let ea = self.checked(ea, true)?;
        match self.locate(ea & !(LINE_BYTES - 1), true)? {
            Location::Memory(real) => self.memory.write(real, &ZEROS),
            // On silicon, `dcbz` to a window raises an alignment interrupt, and Linux stores the zeros one by one.
            Location::Window(at) => self.store_to_window(at, &ZEROS)?,
        }
        Ok(())
    }

    fn touch(&mut self, ea: u64, store: bool) -> Result<(), Stop> {
        self.low(ea).map_or(Ok(()), |ea| self.touch_line(ea, store))
    }

    fn describe_stream(&mut self, ea: u64) -> Result<(), Stop> {
        self.describe(ea as u32)
    }

    fn control_streams(&mut self, ea: u64) -> Result<(), Stop> {
        self.control(ea as u32)
    }

    fn sync(&mut self) -> Result<(), Stop> {
        self.storage.replay.answer(PpeOp::Sync).map(drop).ok_or(Stop::Wait)
    }

    fn time_base(&mut self, cycles: u64) -> u64 {
        let chip = &self.machine.machine().chip;
        let processor_cycles = u128::from(self.time + cycles + self.storage.translation.cycles);
        (processor_cycles * u128::from(chip.timebase_hz) / u128::from(chip.processor_clock_hz)) as u64
    }
}
