//! Mappings of a context's local store and problem state.
//!
//! While the context is resident, its mappings are windows of its SPE. While the context is saved, its local-store
//! mappings refer to a copy in main memory. Accesses to the problem state of a saved context wait until the context is
//! resident. Mappings are accessed by loads and stores of the PPE, and by DMA commands of other contexts. While a
//! context moves, all accesses to its mappings wait. A context moves only when no access to its mappings is in flight.
//!
//! MODEL: a local store that is mapped twice has two copies while its context is saved.
//!
//! Source: Linux, `arch/powerpc/platforms/cell/spufs/file.c` (`spufs_mem_mmap_fault`, `spufs_ps_fault`): the local
//! store of a saved context is mapped to its save area, and a fault in problem state sleeps until the context is
//! loaded. `sched.c` unmaps local store and problem state before a context is saved or loaded.

use super::context::Residency;
use super::state::{Spufs, World};
use crate::hardware::{Access, BadAddress, Hardware, Mapping, PAGE_BYTES};
use crate::memory::area::Kind;
use crate::memory::context_part::{ContextPart, Number};
use crate::memory::space::Space;
use crate::wait::Queue;
use cell::page_table::AccessKind;
use cell::units::SpeId;
use std::ops::Range;

/// A mapped part of a context, and the addresses at which the process has mapped it.
struct Shown {
    start: u32,
    bytes: u32,
    access: Access,
    part: ContextPart,
}

fn shown(number: Number, world: &World<'_>) -> Vec<Shown> {
    let areas = world.space.areas().filter_map(|(start, area)| match area.kind {
        Kind::Context(part) if part.context == number => {
            Some(Shown { start, bytes: area.end - start, access: area.access, part })
        }
        _ => None,
    });
    areas.collect()
}

/// All addresses of a process.
pub const EVERYWHERE: Range<u32> = 0..u32::MAX;

/// Redirects a context's mappings in an address range to the context's SPE, or to the saved copy.
pub fn show(number: Number, range: &Range<u32>, spufs: &Spufs, world: &mut World<'_>) {
    let Some(seat) = spufs.contexts.get(&number).map(|context| context.residency) else { return };
    for shown in shown(number, world).iter().filter(|shown| range.contains(&shown.start)) {
        match seat {
            Residency::Resident(spe) => show_window(shown, spe, world.hardware),
            Residency::Leaving(spe) => {
                show_window(shown, spe, world.hardware);
                world.hardware.set_away(shown.start, shown.bytes, true);
            }
            Residency::Saved(_) if shown.part.registers => {
                world.hardware.map(shown.start, shown.bytes, Mapping::Away, shown.access);
            }
            Residency::Saved(_) => show_saved(number, shown, spufs, world),
        }
    }
}

/// Blocks accesses to a context's mappings before the context moves, or unblocks these accesses.
pub fn set_away(number: Number, away: bool, world: &mut World<'_>) {
    for shown in shown(number, world) {
        world.hardware.set_away(shown.start, shown.bytes, away);
    }
}

/// Whether no DMA commands for the copies of a local store are in flight.
pub fn is_still(number: Number, world: &mut World<'_>) -> bool {
    let copies = shown(number, world);
    let Some(spes) = world.hardware.spes() else { return true };
    !copies.iter().filter(|shown| !shown.part.registers).any(|shown| spes.is_in_use(shown.start, shown.bytes))
}

/// Writes bytes to all mapped copies of a local store.
pub fn write_copies(number: Number, offset: u64, bytes: &[u8], world: &mut World<'_>) {
    for shown in shown(number, world).iter().filter(|shown| !shown.part.registers) {
        let first = u64::from(shown.part.offset);
        let from = offset.max(first);
        let end = (offset + bytes.len() as u64).min(first + u64::from(shown.bytes));
        if from < end {
            let part = &bytes[(from - offset) as usize..(end - offset) as usize];
            // If main memory is full, the process ends when it uses these bytes.
            let _ = world.hardware.fill(shown.start + (from - first) as u32, part);
        }
    }
}

fn show_window(shown: &Shown, spe: SpeId, hardware: &mut dyn Hardware) {
    let offset = shown.part.offset;
    let to = if shown.part.registers { Mapping::Registers(spe, offset) } else { Mapping::LocalStore(spe, offset) };
    hardware.map(shown.start, shown.bytes, to, shown.access);
}

/// Maps a copy of a saved local store. The copy is in main memory. Pages that contain only zeros need no page frame.
fn show_saved(number: Number, shown: &Shown, spufs: &Spufs, world: &mut World<'_>) {
    let hardware = &mut *world.hardware;
    hardware.map(shown.start, shown.bytes, Mapping::Zero, shown.access);
    for at in (0..shown.bytes).step_by(PAGE_BYTES as usize) {
        let mut page = [0; PAGE_BYTES as usize];
        let store = spufs.contexts.get(&number).zip(hardware.spes());
        if let Some(store) = store.and_then(|(context, spes)| context.local_store(spes)) {
            store.read(u64::from(shown.part.offset + at), &mut page);
        }
        if page.iter().any(|byte| *byte != 0) {
            // If main memory is full, the process ends when it uses these bytes.
            let _ = hardware.fill(shown.start + at, &page);
        }
    }
}

/// Updates the saved local store of a context from its mapped copy.
pub fn copy_back(number: Number, spufs: &Spufs, world: &mut World<'_>) {
    let Some(context) = spufs.contexts.get(&number) else { return };
    if !matches!(context.residency, Residency::Saved(_)) {
        return;
    }
    for shown in shown(number, world).iter().filter(|shown| !shown.part.registers) {
        for at in (0..shown.bytes).step_by(PAGE_BYTES as usize) {
            let mut page = [0; PAGE_BYTES as usize];
            if world.hardware.look(shown.start + at, &mut page).is_err() {
                continue;
            }
            let store = world.hardware.spes().and_then(|spes| context.local_store(spes));
            store.into_iter().for_each(|store| store.write(u64::from(shown.part.offset + at), &page));
        }
    }
}

/// The queue in which an access must wait because its context is saved or about to move.
pub fn awaited(ea: u32, store: bool, space: &Space, spufs: &Spufs, hardware: &mut dyn Hardware) -> Option<Queue> {
    let (_, area) = space.at(ea)?;
    let Kind::Context(part) = area.kind else { return None };
    let kind = if store { AccessKind::Store } else { AccessKind::Load };
    let refused = hardware.spes()?.pages().translate(ea, kind);
    let queue = spufs.contexts.get(&part.context)?.queues.moved;
    matches!(refused, Err(BadAddress::Away(_))).then_some(queue)
}

/// Unmaps all mapped parts of a destroyed context.
pub fn hide(number: Number, world: &mut World<'_>) {
    for shown in shown(number, world) {
        world.hardware.unmap(shown.start, shown.bytes);
    }
}
