//! What `mmap` of a context's files gives: its local store and its problem state, wherever it is.
//!
//! On an SPE these are windows of that SPE.  Of a context on none, the local store lies in main memory, at the same
//! addresses, and who touches its problem state waits until it is on one.

use super::context::Seat;
use super::piece::{Number, Piece};
use super::state::{Spufs, World};
use crate::linux::hardware::{Access, Hardware, Mapping, PAGE_BYTES};
use crate::linux::memory::area::Kind;
use crate::linux::memory::space::Space;
use crate::linux::wait::Queue;
use cell::units::SpeId;

/// A piece, where a process has mapped it.
struct Shown {
    start: u32,
    bytes: u32,
    access: Access,
    piece: Piece,
}

fn shown(number: Number, world: &World<'_>) -> Vec<Shown> {
    let areas = world.space.areas().filter_map(|(start, area)| match area.kind {
        Kind::Context(piece) if piece.context == number => {
            Some(Shown { start, bytes: area.end - start, access: area.access, piece })
        }
        _ => None,
    });
    areas.collect()
}

/// Maps all that a process has mapped of a context to where the context is now.
pub fn show(number: Number, spufs: &Spufs, world: &mut World<'_>) {
    let Some(seat) = spufs.contexts.get(&number).map(|context| context.seat) else { return };
    for shown in shown(number, world) {
        match seat {
            Seat::On(spe) | Seat::Leaving(spe) => show_window(&shown, spe, world.hardware),
            Seat::Saved(_) if shown.piece.registers => world.hardware.unmap(shown.start, shown.bytes),
            Seat::Saved(_) => show_saved(number, &shown, spufs, world),
        }
    }
}

fn show_window(shown: &Shown, spe: SpeId, hardware: &mut dyn Hardware) {
    let offset = shown.piece.offset;
    let to = if shown.piece.registers { Mapping::Registers(spe, offset) } else { Mapping::LocalStore(spe, offset) };
    hardware.map(shown.start, shown.bytes, to, shown.access);
}

/// A copy of a local store in main memory; pages of zeros need no frame.
fn show_saved(number: Number, shown: &Shown, spufs: &Spufs, world: &mut World<'_>) {
    let hardware = &mut *world.hardware;
    hardware.map(shown.start, shown.bytes, Mapping::Zero, shown.access);
    for at in (0..shown.bytes).step_by(PAGE_BYTES as usize) {
        let mut page = [0; PAGE_BYTES as usize];
        let store = spufs.contexts.get(&number).zip(hardware.spes());
        if let Some(store) = store.and_then(|(context, spes)| context.local_store(spes)) {
            store.read(u64::from(shown.piece.offset + at), &mut page);
        }
        if page.iter().any(|byte| *byte != 0) {
            // What does not fit into main memory is missed when it is used.
            let _ = hardware.fill(shown.start + at, &page);
        }
    }
}

/// A context on no SPE gets back what was written to the copy of its local store.
pub fn bring_back(number: Number, spufs: &Spufs, world: &mut World<'_>) {
    let Some(context) = spufs.contexts.get(&number) else { return };
    if !matches!(context.seat, Seat::Saved(_)) {
        return;
    }
    for shown in shown(number, world).iter().filter(|shown| !shown.piece.registers) {
        for at in (0..shown.bytes).step_by(PAGE_BYTES as usize) {
            let mut page = [0; PAGE_BYTES as usize];
            if world.hardware.look(shown.start + at, &mut page).is_err() {
                continue;
            }
            let store = world.hardware.spes().and_then(|spes| context.local_store(spes));
            store.into_iter().for_each(|store| store.write(u64::from(shown.piece.offset + at), &page));
        }
    }
}

/// What an access to an address that is mapped to nothing has to wait for, if it is problem state of a context on
/// no SPE.
pub fn awaited(ea: u32, space: &Space, spufs: &Spufs) -> Option<Queue> {
    let (_, area) = space.at(ea)?;
    let Kind::Context(piece) = area.kind else { return None };
    Some(spufs.contexts.get(&piece.context)?.queues.moved)
}

/// What was mapped of a context that is gone leads nowhere.
pub fn hide(number: Number, world: &mut World<'_>) {
    for shown in shown(number, world) {
        world.hardware.unmap(shown.start, shown.bytes);
    }
}
