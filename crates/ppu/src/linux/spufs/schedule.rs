//! Who has which SPE.
//!
//! A context that wants an SPE gets one that nobody has; then one whose context runs nothing; then, when that has
//! had its time slice, one whose context runs.  Who has waited longest goes first.  A context that leaves is
//! suspended, and is saved as soon as nothing of it is under way.
//!
//! MODEL: all contexts have the same priority, and a context that has had its slice makes room only if another one
//! waits.  How long moving a context in and out takes is a value of the machine.

use super::context::{Context, Seat, flag};
use super::maps;
use super::state::{Spufs, World};
use super::traffic::Traffic;
use crate::linux::memory::piece::Number;
use crate::linux::wait::Nanos;
use cell::eib::Topology;
use cell::units::{Element, SpeId};

/// How often the kernel looks whether an SPE that is to be saved has come to rest.
const LOOK_AGAIN_NS: Nanos = 1_000;

/// Gives a context an SPE; whether it has one and may run on it.  If not, it waits for one from now on.
pub fn acquire(number: Number, spufs: &mut Spufs, world: &mut World<'_>) -> bool {
    let Some(context) = spufs.contexts.get_mut(&number) else { return false };
    if let Seat::On(_) = context.seat {
        return context.seated_at <= world.now;
    }
    if !spufs.waiting.contains(&number) {
        context.waits_since = Some(world.now);
        spufs.waiting.push(number);
    }
    give(spufs, world);
    spufs.contexts.get(&number).is_some_and(|context| context.spe().is_some() && context.seated_at <= world.now)
}

/// A context wants an SPE no longer.
pub fn withdraw(number: Number, spufs: &mut Spufs, world: &mut World<'_>) {
    spufs.waiting.retain(|waiting| *waiting != number);
    let Some(Context { seat: Seat::Saved(_), queues, .. }) = spufs.contexts.get(&number) else { return };
    // It may have been about to come to one.
    let moved = queues.moved;
    maps::set_away(number, false, world);
    world.wakes.wake(moved);
}

/// Looks after all contexts: threads are woken for what has happened to them, and SPEs change hands.  It wants to be
/// called after each interrupt, and when [`Spufs::due`] has come.
pub fn advance(spufs: &mut Spufs, world: &mut World<'_>) {
    notify(spufs, world);
    let leaving: Vec<(Number, SpeId)> = spufs.contexts.iter().filter_map(leaves).collect();
    for (number, spe) in leaving {
        save(number, spe, spufs, world);
    }
    clear(spufs, world);
    give(spufs, world);
}

fn leaves((number, context): (&Number, &Context)) -> Option<(Number, SpeId)> {
    if let Seat::Leaving(spe) = context.seat { Some((*number, spe)) } else { None }
}

/// Wakes the threads that wait for what is there now.
fn notify(spufs: &mut Spufs, world: &mut World<'_>) {
    let Some(spes) = world.hardware.spes() else { return };
    for context in spufs.contexts.values() {
        let Seat::On(spe) = context.seat else { continue };
        let channels = spes.channels(spe);
        let (ibox, wbox) = (!channels.out_intr_mbox.is_empty(), channels.in_mbox.free() > 0);
        let mfc = context.tags & spes.idle_proxy_tags(spe) != 0 || context.tags == 0;
        let ended = context.run_by.is_some() && spes.has_ended(spe);
        let queues = &context.queues;
        for (there, queue) in [(ibox, queues.ibox), (wbox, queues.wbox), (mfc, queues.mfc), (ended, queues.moved)] {
            if there {
                world.wakes.wake(queue);
            }
        }
    }
}

/// Gives SPEs to those that wait, as far as there are any.
fn give(spufs: &mut Spufs, world: &mut World<'_>) {
    spufs.due = None;
    while let Some(number) = spufs.waiting.first().copied() {
        let Some(spe) = free_spe(number, spufs, world) else {
            return make_room(spufs, world);
        };
        maps::set_away(number, true, world);
        if !maps::is_still(number, world) {
            spufs.due = Some(world.now + LOOK_AGAIN_NS);
            return;
        }
        spufs.waiting.remove(0);
        seat(number, spe, spufs, world);
    }
    if spufs.contexts.iter().any(|context| leaves(context).is_some()) {
        spufs.due = Some(world.now + LOOK_AGAIN_NS);
    }
}

/// The best SPE for a context among those that nobody has.
fn free_spe(number: Number, spufs: &Spufs, world: &mut World<'_>) -> Option<SpeId> {
    let spes = world.hardware.spes()?;
    let taken = |spe: SpeId| {
        let sits = |context: &Context| matches!(context.seat, Seat::On(at) | Seat::Leaving(at) if at == spe);
        spufs.contexts.values().any(sits) || spufs.emptied.contains(&spe)
    };
    let context = spufs.contexts.get(&number)?;
    let neighbour = context.neighbour.and_then(|neighbour| spufs.contexts.get(&neighbour)?.account.spe);
    let topology = Topology::new(spes.machine());
    let hops = |spe: SpeId| {
        let ramp = topology.spe_ramp(spe);
        let memory = topology.ramp(topology.chip_of(ramp), Element::Mic);
        match neighbour {
            Some(other) => topology.distance(ramp, topology.spe_ramp(other)),
            None if context.flags & flag::AFFINITY_MEM != 0 => topology.distance(ramp, memory),
            None => 0,
        }
    };
    let free = spes.placement().threads().map(|(_, spe)| spe).filter(|spe| !taken(*spe));
    free.min_by_key(|spe| hops(*spe))
}

/// Puts a context on an SPE.
fn seat(number: Number, spe: SpeId, spufs: &mut Spufs, world: &mut World<'_>) {
    maps::bring_back(number, spufs, world);
    for gang in spufs.gangs.values_mut() {
        gang.settled |= gang.row.iter().any(|sitter| sitter.context == number);
    }
    let Some(context) = spufs.contexts.get_mut(&number) else { return };
    if let (Seat::Saved(id), Some(spes)) = (context.seat, world.hardware.spes()) {
        spes.restore(spe, id);
        context.counted_before = Traffic::of(spes.spe_counters(spe));
    }
    context.seat = Seat::On(spe);
    context.account.spe = Some(spe);
    context.account.waiting_ns += context.waits_since.take().map_or(0, |since| world.now - since);
    context.seated_at = world.now + spufs.costs.spu_restore_ns;
    context.started_at = context.seated_at;
    let moved = context.queues.moved;
    maps::show(number, &maps::EVERYWHERE, spufs, world);
    world.wakes.wake(moved);
}

/// Makes a context leave its SPE for one that waits, or notes when there will be one that has to.
fn make_room(spufs: &mut Spufs, world: &mut World<'_>) {
    let leaving = spufs.contexts.iter().filter(|context| leaves(*context).is_some()).count();
    if leaving + spufs.emptied.len() >= spufs.waiting.len() {
        spufs.due = Some(world.now + LOOK_AGAIN_NS);
        return;
    }
    let slice = spufs.costs.spu_time_slice_ns;
    let may_leave =
        |(_, context): &(&Number, &mut Context)| context.spe().is_some() && context.flags & flag::NOSCHED == 0;
    let until = |context: &Context| match context.run_by {
        None => 0,
        Some(_) => context.seated_at + slice,
    };
    let contexts = spufs.contexts.iter_mut().filter(may_leave);
    let Some((number, first)) = contexts.min_by_key(|(_, context)| until(context)) else { return };
    if until(first) > world.now {
        spufs.due = Some(until(first));
        return;
    }
    if let (Some(spe), Some(spes)) = (first.spe(), world.hardware.spes()) {
        first.seat = Seat::Leaving(spe);
        spes.suspend(spe);
        maps::set_away(*number, true, world);
    }
    spufs.due = Some(world.now + spufs.costs.spu_save_ns.max(LOOK_AGAIN_NS));
}

/// Takes a context from its SPE, if nothing of it is under way any more.
fn save(number: Number, spe: SpeId, spufs: &mut Spufs, world: &mut World<'_>) {
    let Some(spes) = world.hardware.spes() else { return };
    let Some(id) = spes.save(spe) else { return };
    let Some(context) = spufs.contexts.get_mut(&number) else { return };
    context.count(spes.spe_counters(spe));
    context.seat = Seat::Saved(id);
    if context.run_by.is_some() {
        context.account.preemptions += 1;
        context.account.running_ns += world.now.saturating_sub(context.started_at);
        context.waits_since = Some(world.now);
        spufs.waiting.push(number);
    }
    let moved = context.queues.moved;
    maps::show(number, &maps::EVERYWHERE, spufs, world);
    world.wakes.wake(moved);
}

/// A context is gone for good: its SPE is free.
pub fn leave_for_good(number: Number, spufs: &mut Spufs, world: &mut World<'_>) {
    withdraw(number, spufs, world);
    maps::hide(number, world);
    for gang in spufs.gangs.values_mut() {
        gang.row.retain(|sitter| sitter.context != number);
    }
    let Some(mut context) = spufs.contexts.remove(&number) else { return };
    let Some(spes) = world.hardware.spes() else { return };
    if let Seat::On(spe) | Seat::Leaving(spe) = context.seat {
        context.count(spes.spe_counters(spe));
    }
    spufs.ended.insert(number, context.report());
    match context.seat {
        Seat::Saved(id) => spes.drop_context(id),
        Seat::On(spe) | Seat::Leaving(spe) => {
            spes.halt(spe);
            spes.suspend(spe);
            spufs.emptied.push(spe);
            clear(spufs, world);
        }
    }
}

/// Forgets what is left of contexts that are gone, as soon as nothing of it is under way.
fn clear(spufs: &mut Spufs, world: &mut World<'_>) {
    let Some(spes) = world.hardware.spes() else { return };
    spufs.emptied.retain(|spe| {
        let saved = spes.save(*spe);
        saved.into_iter().for_each(|id| spes.drop_context(id));
        saved.is_none()
    });
}
