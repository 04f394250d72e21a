//! The PPE's accesses to main memory: from a program's operation through the caches to the bus.
use crate::system::wires::Wires;

use super::rules::{broken, decode};
use crate::door::{Access, PpeOp, Prefetch, Walk};
use crate::ea::{self, Target};
use crate::error::RunError;
use crate::ppe::Happening;
use crate::processor::State;
use crate::request::{Issuer, Request, RequestKind};
use crate::store::Store;
use crate::system::board::Board;
use crate::system::event::Event;
use crate::system::processors::Processors;
use crate::system::processors::ppe::Ppe;
use crate::system::snoop::{Owner, take_line};
use crate::system::stage::Unit;
use crate::units::{BusCycle, LINE_BYTES, NEVER, SpuCycles};

/// Maximum number of bus cycles by which the PPE runs ahead of the bus clock while nothing else is due. The number is
/// high enough to make turns cheap, and low enough to keep a run interruptible.
const RUN_AHEAD_BUS_CYCLES: BusCycle = 1 << 14;

/// Begins an access that goes through the caches. Returns false for any other operation.
///
/// # Errors
/// The access is not aligned, has an impossible width, or is not in main memory.
pub(crate) fn begin(thread: usize, op: PpeOp, ppe: &mut Ppe<'_>, wires: &Wires) -> Result<bool, RunError> {
    let walk = match op {
        PpeOp::Walk(walk) if walk.count == 0 => return Ok(false),
        PpeOp::Walk(walk) => in_memory(walk, &wires.board).map_err(|rule| broken("walk", rule, &wires.time))?,
        PpeOp::Load { ea, bytes } => match decode(ea, bytes, wires)? {
            Target::Memory(from) => single(Access::Load { from }, bytes),
            _ => return Ok(false),
        },
        PpeOp::Store { ea, bytes, value } => match decode(ea, bytes, wires)? {
            Target::Memory(to) => single(Access::Store { to, value }, bytes),
            _ => return Ok(false),
        },
        PpeOp::Touch { real, store } => {
            let line = real & !(LINE_BYTES - 1);
            touch(if store { Access::Own { to: line } } else { Access::Load { from: line } }, wires)?
        }
        PpeOp::Prefetch(Prefetch::Stop { numbers }) => {
            ppe.memory.stop_streams(thread, numbers);
            return Ok(false);
        }
        PpeOp::Prefetch(Prefetch::Line { real, store }) => {
            touch(Access::Touch { from: real & !(LINE_BYTES - 1), store }, wires)?
        }
        PpeOp::Prefetch(Prefetch::Stream { number, real, lines }) => {
            // The thread touches the first line, and the engine fetches the others.
            let walk = touch(Access::Touch { from: real & !(LINE_BYTES - 1), store: false }, wires)?;
            ppe.memory.start_stream(thread, number, real / LINE_BYTES, lines);
            walk
        }
        PpeOp::LoadReserved { real, .. } | PpeOp::StoreConditional { real, .. } | PpeOp::Fetch { real } => {
            let core = &mut ppe.threads[thread].core;
            core.state = State::Blocked(op);
            let stores = matches!(op, PpeOp::StoreConditional { .. });
            ppe.memory.begin_in_l2(thread, real / LINE_BYTES, stores, core.time);
            return Ok(true);
        }
        _ => return Ok(false),
    };
    let core = &mut ppe.threads[thread].core;
    core.state = State::Blocked(op);
    ppe.memory.begin(thread, walk, core.time);
    Ok(true)
}

/// The walk of an access to the beginning of a line.
fn touch(access: Access, wires: &Wires) -> Result<Walk, RunError> {
    in_memory(single(access, 8), &wires.board).map_err(|rule| broken("touch", rule, &wires.time))
}

fn single(access: Access, bytes: u8) -> Walk {
    Walk { access, bytes, stride_bytes: u32::from(bytes), count: 1 }
}

/// Converts the effective addresses of a walk to addresses of main memory.
fn in_memory(walk: Walk, board: &Board) -> Result<Walk, String> {
    let (bytes, stride) = (u64::from(walk.bytes), u64::from(walk.stride_bytes));
    if !matches!(bytes, 1 | 2 | 4 | 8 | 16) || !stride.is_multiple_of(bytes) {
        let rule = "an element is of 1, 2, 4, 8 or 16 bytes, and the distance a multiple of that";
        return Err(format!("{bytes} bytes every {stride}: {rule}"));
    }
    let length = (walk.count - 1).checked_mul(stride).and_then(|offset| offset.checked_add(bytes));
    let fits = length.filter(|length| *length <= board.machine.chip.main_memory_bytes);
    let address_of = |ea: u64| match fits.and_then(|length| ea::decode(&board.machine, ea, length)) {
        _ if !ea.is_multiple_of(bytes) => Err(format!("{bytes} bytes at {ea:#x}: elements are aligned to their size")),
        Some(Target::Memory(address)) => Ok(address),
        _ => Err(format!("{} elements from {ea:#x} on are not in main memory", walk.count)),
    };
    let access = match walk.access {
        Access::Load { from } => Access::Load { from: address_of(from)? },
        Access::Store { to, value } => Access::Store { to: address_of(to)?, value },
        Access::Own { to } => Access::Own { to: address_of(to)? },
        Access::Touch { from, store } => Access::Touch { from: address_of(from)?, store },
        Access::Copy { from, to } => Access::Copy { from: address_of(from)?, to: address_of(to)? },
    };
    Ok(Walk { access, ..walk })
}

/// Advances the caches. Returns true if a program can continue now.
pub(crate) fn run(chip: u8, memory: &mut Store, processors: &mut Processors<'_>, wires: &mut Wires) -> bool {
    if processors.ppe(chip).memory.is_idle() {
        return false;
    }
    loop {
        let ahead = wires.time.now() + RUN_AHEAD_BUS_CYCLES;
        let limit = wires.time.next_at().unwrap_or(NEVER).min(ahead) * wires.time.ratio;
        match processors.ppe(chip).memory.advance(limit, &mut wires.probes.counters.ppe) {
            Happening::Send(kind, line, at) => send_line(chip, (kind, line, at), wires),
            Happening::Stored(walk, first, last) => {
                store_elements(&walk, first, last, memory, |line| take_line(line, Owner::Ppe(chip), processors, wires));
            }
            Happening::Ended(thread, at) => {
                end((chip, thread), at, memory, processors, wires);
                return true;
            }
            Happening::Nothing(at) => {
                if at != NEVER {
                    wires.time.wake(Unit::Ppe(chip), at / wires.time.ratio + 1);
                }
                return false;
            }
        }
    }
}

fn end(
    (chip, thread): (u8, usize),
    at: SpuCycles,
    memory: &mut Store,
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) {
    let State::Blocked(op) = processors.ppe(chip).threads[thread].core.state else { return };
    let machine = &wires.board.machine;
    let values = &machine.ppe_memory;
    let use_waits = values.load_use_spu_cycles.saturating_sub(values.access_spu_cycles);
    let l2_waits = values.replay_spu_cycles;
    let (answer, waits) = match op {
        PpeOp::Load { ea, bytes } => {
            let Some(Target::Memory(address)) = ea::decode(machine, ea, u64::from(bytes)) else { return };
            (loaded(memory, address, bytes), use_waits)
        }
        // The load is executed again, and has its value that much later.
        PpeOp::Touch { store: false, .. } => (processors.ppe(chip).memory.replayed_at(thread).saturating_sub(at), 0),
        PpeOp::LoadReserved { real, bytes } => {
            let line = real / LINE_BYTES;
            let is_here = processors.ppe(chip).memory.state(line).is_some();
            processors.ppe(chip).reservations[thread] = is_here.then_some(line);
            (loaded(memory, real, bytes), l2_waits + use_waits)
        }
        PpeOp::StoreConditional { real, bytes, value } => {
            let line = real / LINE_BYTES;
            let stores = processors.ppe(chip).reservations[thread].take() == Some(line);
            if stores {
                memory.write(real, &value.to_be_bytes()[8 - usize::from(bytes)..]);
                take_line(line, Owner::Ppe(chip), processors, wires);
                processors.ppe(chip).stored(thread, line);
                processors.ppe(chip).memory.changed_line(line);
            }
            (u64::from(stores), l2_waits)
        }
        _ => (0, 0),
    };
    let core = &mut processors.ppe(chip).threads[thread].core;
    core.time = at + waits;
    core.state = State::Ready(answer);
}

/// The value of up to 8 bytes, right-aligned.
fn loaded(memory: &Store, address: u64, bytes: u8) -> u64 {
    let mut word = [0; 8];
    memory.read(address, &mut word[8 - usize::from(bytes)..]);
    u64::from_be_bytes(word)
}

/// Writes elements of one line, and invalidates the line in all other units.
fn store_elements(walk: &Walk, first: u64, last: u64, memory: &mut Store, mut take_line: impl FnMut(u64)) {
    let (bytes, stride) = (u64::from(walk.bytes), u64::from(walk.stride_bytes));
    // Adjacent elements are written as one piece.
    let (pieces, length) = if stride == bytes { (1, (last - first) * bytes) } else { (last - first, bytes) };
    let mut piece = [0; LINE_BYTES as usize];
    for offset in (0..pieces).map(|nth| (first + nth) * stride) {
        let piece = &mut piece[..length as usize];
        let to = match walk.access {
            Access::Copy { from, to } => {
                memory.read(from + offset, piece);
                to
            }
            Access::Store { to, value } => {
                let word = value.to_be_bytes();
                let element = &word[8 - walk.bytes.min(8) as usize..];
                piece.iter_mut().zip(element.iter().cycle()).for_each(|(to, from)| *to = *from);
                to
            }
            Access::Own { to } => {
                take_line((to + offset) / LINE_BYTES);
                continue;
            }
            Access::Load { .. } | Access::Touch { .. } => return,
        };
        memory.write(to + offset, piece);
        take_line((to + offset) / LINE_BYTES);
    }
}

fn send_line(chip: u8, (kind, line, at): (RequestKind, u64, SpuCycles), wires: &mut Wires) {
    let (ramp, target) = (wires.board.ppe_ramp(chip), Target::Memory(line * LINE_BYTES));
    let request = Request {
        kind,
        issuer: Issuer::Ppe(chip),
        ramp,
        bytes: LINE_BYTES as u8,
        lsa: 0,
        target,
        value: 0,
        retries: 0,
    };
    wires.time.push((at / wires.time.ratio + 1).max(wires.time.now()), Event::Send(wires.bus.requests.add(request)));
}
