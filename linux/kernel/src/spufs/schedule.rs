//! The scheduler of SPE contexts.
//!
//! A context from the run queue receives a free SPE. If no SPE is free, the context receives the SPE of a resident
//! context that runs no program. If all resident contexts run programs, the context receives the SPE of a context
//! whose time slice has ended. The run queue is in order of arrival. A context that leaves its SPE is suspended, and
//! is saved once none of its operations is in flight.
//!
//! MODEL: all contexts have the same priority. A context is preempted after its time slice only if another context
//! waits. The durations of saving and restoring are in the machine file.

use super::context::{Context, Residency, flag};
use super::maps;
use super::state::{Spufs, World};
use super::traffic::Traffic;
use crate::memory::context_part::Number;
use crate::wait::Nanos;
use cell::eib::Topology;
use cell::units::{Element, SpeId};

/// Interval at which the kernel polls an SPE whose context is to be saved.
const POLL_NS: Nanos = 1_000;

/// Adds a context that has no SPE to the run queue. Returns whether the context is already resident and may run.
pub fn acquire(number: Number, spufs: &mut Spufs, world: &mut World<'_>) -> bool {
    let Some(context) = spufs.contexts.get_mut(&number) else { return false };
    if let Residency::Resident(_) = context.residency {
        return context.resident_at <= world.now;
    }
    if !spufs.run_queue.contains(&number) {
        context.waits_since = Some(world.now);
        spufs.run_queue.push(number);
    }
    bind_waiting(spufs, world);
    spufs.contexts.get(&number).is_some_and(|context| context.spe().is_some() && context.resident_at <= world.now)
}

/// Removes a context from the run queue.
pub fn dequeue(number: Number, spufs: &mut Spufs, world: &mut World<'_>) {
    spufs.run_queue.retain(|waiting| *waiting != number);
    let Some(Context { residency: Residency::Saved(_), queues, .. }) = spufs.contexts.get(&number) else { return };
    // Accesses to the context's mappings may already be blocked for a move to an SPE.
    let moved = queues.moved;
    maps::set_away(number, false, world);
    world.wakes.wake(moved);
}

/// Advances all contexts: wakes threads, and saves and restores contexts. This function is called after each
/// interrupt, and at time [`Spufs::due`].
pub fn advance(spufs: &mut Spufs, world: &mut World<'_>) {
    wake_waiters(spufs, world);
    let leaving: Vec<(Number, SpeId)> = spufs.contexts.iter().filter_map(leaving).collect();
    for (number, spe) in leaving {
        save(number, spe, spufs, world);
    }
    reap(spufs, world);
    bind_waiting(spufs, world);
}

fn leaving((number, context): (&Number, &Context)) -> Option<(Number, SpeId)> {
    if let Residency::Leaving(spe) = context.residency { Some((*number, spe)) } else { None }
}

/// Wakes the threads whose awaited condition is now true.
fn wake_waiters(spufs: &mut Spufs, world: &mut World<'_>) {
    let Some(spes) = world.hardware.spes() else { return };
    for context in spufs.contexts.values() {
        let Residency::Resident(spe) = context.residency else { continue };
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

/// Assigns free SPEs to the contexts in the run queue.
fn bind_waiting(spufs: &mut Spufs, world: &mut World<'_>) {
    spufs.due = None;
    while let Some(number) = spufs.run_queue.first().copied() {
        let Some(spe) = free_spe(number, spufs, world) else {
            return preempt(spufs, world);
        };
        maps::set_away(number, true, world);
        if !maps::is_still(number, world) {
            spufs.due = Some(world.now + POLL_NS);
            return;
        }
        spufs.run_queue.remove(0);
        bind(number, spe, spufs, world);
    }
    if spufs.contexts.iter().any(|context| leaving(context).is_some()) {
        spufs.due = Some(world.now + POLL_NS);
    }
}

/// Finds the free SPE with the best affinity for a context.
fn free_spe(number: Number, spufs: &Spufs, world: &mut World<'_>) -> Option<SpeId> {
    let spes = world.hardware.spes()?;
    let taken = |spe: SpeId| {
        spufs.contexts.values().any(|context| context.residency.spe() == Some(spe)) || spufs.draining.contains(&spe)
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

/// Restores a context on an SPE.
fn bind(number: Number, spe: SpeId, spufs: &mut Spufs, world: &mut World<'_>) {
    maps::copy_back(number, spufs, world);
    for gang in spufs.gangs.values_mut() {
        gang.placed |= gang.affinity.iter().any(|neighbour| neighbour.context == number);
    }
    let Some(context) = spufs.contexts.get_mut(&number) else { return };
    if let (Residency::Saved(id), Some(spes)) = (context.residency, world.hardware.spes()) {
        spes.restore(spe, id);
        context.counted_before = Traffic::of(spes.spe_counters(spe));
    }
    context.residency = Residency::Resident(spe);
    context.account.spe = Some(spe);
    context.account.waiting_ns += context.waits_since.take().map_or(0, |since| world.now - since);
    context.resident_at = world.now + spufs.costs.spu_restore_ns;
    context.started_at = context.resident_at;
    let moved = context.queues.moved;
    maps::show(number, &maps::EVERYWHERE, spufs, world);
    world.wakes.wake(moved);
}

/// Suspends a resident context in favour of the run queue, or sets the time of the next attempt.
fn preempt(spufs: &mut Spufs, world: &mut World<'_>) {
    let leaving = spufs.contexts.iter().filter(|context| leaving(*context).is_some()).count();
    if leaving + spufs.draining.len() >= spufs.run_queue.len() {
        spufs.due = Some(world.now + POLL_NS);
        return;
    }
    let slice = spufs.costs.spu_time_slice_ns;
    let preemptible =
        |(_, context): &(&Number, &mut Context)| context.spe().is_some() && context.flags & flag::NOSCHED == 0;
    let until = |context: &Context| match context.run_by {
        None => 0,
        Some(_) => context.resident_at + slice,
    };
    let contexts = spufs.contexts.iter_mut().filter(preemptible);
    let Some((number, first)) = contexts.min_by_key(|(_, context)| until(context)) else { return };
    if until(first) > world.now {
        spufs.due = Some(until(first));
        return;
    }
    if let (Some(spe), Some(spes)) = (first.spe(), world.hardware.spes()) {
        first.residency = Residency::Leaving(spe);
        spes.suspend(spe);
        maps::set_away(*number, true, world);
    }
    spufs.due = Some(world.now + spufs.costs.spu_save_ns.max(POLL_NS));
}

/// Saves a context from its SPE, unless some of its operations are in flight.
fn save(number: Number, spe: SpeId, spufs: &mut Spufs, world: &mut World<'_>) {
    let Some(spes) = world.hardware.spes() else { return };
    let Some(id) = spes.save(spe) else { return };
    let Some(context) = spufs.contexts.get_mut(&number) else { return };
    context.count(spes.spe_counters(spe));
    context.residency = Residency::Saved(id);
    if context.run_by.is_some() {
        context.account.preemptions += 1;
        spufs.preemptions += 1;
        context.account.running_ns += world.now.saturating_sub(context.started_at);
        context.waits_since = Some(world.now);
        spufs.run_queue.push(number);
    }
    let moved = context.queues.moved;
    maps::show(number, &maps::EVERYWHERE, spufs, world);
    world.wakes.wake(moved);
}

/// Destroys a context, and frees its SPE.
pub fn destroy(number: Number, spufs: &mut Spufs, world: &mut World<'_>) {
    dequeue(number, spufs, world);
    maps::hide(number, world);
    for gang in spufs.gangs.values_mut() {
        gang.affinity.retain(|neighbour| neighbour.context != number);
    }
    let Some(mut context) = spufs.contexts.remove(&number) else { return };
    let Some(spes) = world.hardware.spes() else { return };
    if let Some(spe) = context.residency.spe() {
        context.count(spes.spe_counters(spe));
    }
    let report = context.report(&spufs.programs, spes);
    spufs.ended.insert(number, report);
    match context.residency {
        Residency::Saved(id) => spes.drop_context(id),
        Residency::Resident(spe) | Residency::Leaving(spe) => {
            spes.halt(spe);
            spes.suspend(spe);
            spufs.draining.push(spe);
            reap(spufs, world);
        }
    }
}

/// Frees the SPEs of destroyed contexts, once all operations of the contexts are complete.
fn reap(spufs: &mut Spufs, world: &mut World<'_>) {
    let Some(spes) = world.hardware.spes() else { return };
    spufs.draining.retain(|spe| {
        let saved = spes.save(*spe);
        saved.into_iter().for_each(|id| spes.drop_context(id));
        saved.is_none()
    });
}
