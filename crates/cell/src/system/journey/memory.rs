//! Main memory: reads and writes enter the queues of a controller, whose channels serve them.
use crate::system::wires::Wires;

use super::ring::{self, Line};
use crate::mic::Served;
use crate::request::{RequestId, RequestKind};
use crate::system::event::{Event, Outcome};
use crate::system::memory::Memory;
use crate::system::stage::Unit;
use crate::units::{BusCycle, NEVER};

/// A read of memory is ordered. Returns `None` if the read must wait for room in its queue.
pub(crate) fn order_read(id: RequestId, address: u64, memory: &mut Memory, wires: &mut Wires) -> Option<Outcome> {
    let request = wires.bus.requests.get(id);
    // Data for the same chip wait here for the combined response. Data for the other chip wait for the response after
    // crossing.
    let response_at = wires.time.now() + wires.board.response_bus_cycles(request);
    let leaves_after = (!wires.board.crosses(request)).then_some(response_at);
    if leaves_after.is_none() {
        wires.bus.bif.join(id);
    }
    let taken = memory.mic_of(address, &wires.board).read(address, request.bytes, id, leaves_after);
    if taken {
        let channel = memory.channel_of(address, &wires.board);
        wires.probes.enters_memory_queue(id, channel, false, wires.time.now());
        wake_channel(channel, memory, wires);
    }
    taken.then_some(Outcome::Memory)
}

/// A write to memory is ordered. Returns false if the queue has no free entry to reserve.
pub(crate) fn reserve_write(id: RequestId, address: u64, memory: &mut Memory, wires: &mut Wires) -> bool {
    let taken = memory.mic_of(address, &wires.board).reserve_write(address, id);
    if taken {
        wires.probes.enters_memory_queue(id, memory.channel_of(address, &wires.board), true, wires.time.now());
    }
    taken
}

/// The data of a write have reached memory.
pub(crate) fn write(id: RequestId, address: u64, memory: &mut Memory, wires: &mut Wires) {
    let request = wires.bus.requests.get(id);
    memory.mic_of(address, &wires.board).write(address, request.bytes, request.ramp);
    wake_channel(memory.channel_of(address, &wires.board), memory, wires);
}

fn wake_channel(channel: u8, memory: &Memory, wires: &mut Wires) {
    let (chip, index) = wires.board.chip_of_channel(channel);
    wake_at(memory.mics[chip].next_advance(index), channel, wires);
}

fn wake_at(at: BusCycle, channel: u8, wires: &mut Wires) {
    if at != NEVER {
        wires.time.wake(Unit::Mic(channel), at.max(wires.time.now()));
    }
}

/// A memory channel's turn. The channel serves an access, and requests that waited for room enter the channel's
/// queues.
#[inline(never)]
pub(crate) fn run_channel(channel: u8, memory: &mut Memory, wires: &mut Wires) {
    let now = wires.time.now();
    let (chip, index) = wires.board.chip_of_channel(channel);
    let mic = &mut memory.mics[chip];
    if let Some(served) = mic.advance(index, now, wires.time.skipped()) {
        wires.probes.accessed(channel, served, now, mic.busy_until(index));
        let is_write = matches!(served, Served::Write);
        wires.probes.leaves_memory_queue(channel, is_write, now);
        let counters = &mut wires.probes.counters.mics[chip];
        *if is_write { &mut counters.writes } else { &mut counters.reads } += 1;
        if let Served::Read(id, at) = served {
            let line = Line { request: id, from: wires.board.mic_ramp(chip), to: wires.bus.requests.get(id).ramp, at };
            ring::queue(line, wires);
        }
    }
    let response_at = now + wires.board.machine.eib.command_response_bus_cycles + wires.board.reflection_bus_cycles();
    while let Some(id) = mic.admit(index, response_at) {
        let request = wires.bus.requests.get(id);
        let is_write = request.kind == RequestKind::Write;
        let outcome = if is_write { Outcome::DataFrom(request.ramp) } else { Outcome::Memory };
        wires.time.push(response_at, Event::Response(id, outcome));
        wires.probes.enters_memory_queue(id, channel, is_write, now);
    }
    wake_at(mic.next_advance(index), channel, wires);
}
